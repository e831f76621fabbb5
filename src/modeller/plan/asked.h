// SPDX-License-Identifier: Apache-2.0
// What a question says of its entity's attributes, one term for each: first without values (what a
// key is matched with), then with them (what a request is made of).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "modeller/plan/plan.h"
#include "modeller/plan/units.h"

namespace kw::modeller {

struct Term {
  enum class Kind : std::uint8_t { kExact, kSpan, kPrefix };
  AttributeId attribute = 0;
  Kind kind = Kind::kExact;
  Bucket align = Bucket::kNone;  // of a span: it is whole buckets of this kind
  bool one_bucket = false;       // of a span: it is one such bucket
  bool low = false;              // of a span: it has this end
  bool high = false;
  std::optional<Value> literal;       // of an exact one
  std::string shown;                  // `{season}`: the parameter's name, or the literal's text
  std::string shown_low, shown_high;  // of a span: `>= {since}`
};

// A range of free text.
struct TextSpan {
  std::optional<std::string> low;
  bool low_inclusive = true;
  std::optional<std::string> high;
  bool high_inclusive = true;
};
struct TextPrefix {
  std::string text;
};
using Span = std::variant<Interval, TextSpan, TextPrefix>;

// A term with its values.
struct Known {
  std::optional<Value> exact;
  std::optional<Span> span;
};
using KnownValues = std::map<AttributeId, Known>;

// In the question's order; several spans of one attribute are one term.
std::vector<Term> TermsOf(const Entity& entity, const Select& select);
std::vector<Term> TermsOf(const Collection& collection, const Collection::Member& member);

// Nothing if no row can match: an empty range, an absent parameter or one of another type.
std::optional<KnownValues> Bind(const Entity& entity, const Select& select,
                                const Bindings& bindings);
std::optional<KnownValues> Bind(const Collection& collection, const Collection::Member& member,
                                const Bindings& bindings);

}  // namespace kw::modeller
