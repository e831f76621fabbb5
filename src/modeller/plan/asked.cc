// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/asked.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kw::modeller {
namespace {

// As a template would show it: a parameter's name, or a literal's text.
std::string Shown(const Attribute& attribute, const Operand& operand) {
  if (const auto* parameter = std::get_if<Parameter>(&operand)) return parameter->name;
  return ValueText(attribute, std::get<Value>(operand));
}

bool IsLiteral(const Operand& operand) { return std::holds_alternative<Value>(operand); }

Term& TermOf(std::vector<Term>& terms, AttributeId attribute, Term::Kind kind) {
  const auto found = std::ranges::find_if(terms, [&](const Term& term) {
    return term.attribute == attribute && term.kind == kind && kind == Term::Kind::kSpan;
  });
  if (found != terms.end()) return *found;
  auto& term = terms.emplace_back();
  term.attribute = attribute;
  term.kind = kind;
  return term;
}

void AddRange(const Entity& entity, const Range& range, std::vector<Term>& terms) {
  const auto& attribute = entity.attributes[range.attribute];
  if (const auto* prefix = std::get_if<Prefix>(&range.bounds)) {
    TermOf(terms, range.attribute, Term::Kind::kPrefix).shown = Shown(attribute, prefix->text);
    return;
  }
  const auto& bounds = std::get<Between>(range.bounds);
  const auto count = terms.size();
  auto& term = TermOf(terms, range.attribute, Term::Kind::kSpan);
  term.align = terms.size() > count ? range.bucket : std::min(term.align, range.bucket);
  term.one_bucket = false;
  term.low = term.low || bounds.lower;
  term.high = term.high || bounds.upper;
  if (bounds.lower) term.shown_low = Shown(attribute, bounds.lower->value);
  if (bounds.upper) term.shown_high = Shown(attribute, bounds.upper->value);
}

std::optional<Value> ValueOf(const Operand& operand, const Bindings& bindings) {
  if (const auto* value = std::get_if<Value>(&operand)) return *value;
  const auto found = bindings.find(std::get<Parameter>(operand).name);
  if (found == bindings.end() || std::holds_alternative<std::monostate>(found->second)) {
    return std::nullopt;
  }
  return found->second;
}

// Both must hold.
void Narrow(Known& known, const Span& span) {
  auto* before = known.span ? std::get_if<Interval>(&*known.span) : nullptr;
  const auto* more = std::get_if<Interval>(&span);
  if (before == nullptr || more == nullptr) {
    known.span = span;
    return;
  }
  if (more->low) before->low = before->low ? std::max(*before->low, *more->low) : *more->low;
  if (more->high) before->high = before->high ? std::min(*before->high, *more->high) : *more->high;
}

// The steps between two bounds that may be buckets.
std::optional<Interval> StepsBetween(const Attribute& attribute, Bucket bucket,
                                     const std::optional<Value>& low, bool low_inclusive,
                                     const std::optional<Value>& high, bool high_inclusive) {
  if (bucket == Bucket::kNone) {
    return IntervalOf(attribute, low, low_inclusive, high, high_inclusive);
  }
  Interval interval;
  if (low) {
    const auto around = BucketInterval(attribute, bucket, *low);
    if (!around) return std::nullopt;
    interval.low = low_inclusive ? *around->low : *around->high + 1;
  }
  if (high) {
    const auto around = BucketInterval(attribute, bucket, *high);
    if (!around) return std::nullopt;
    interval.high = high_inclusive ? *around->high : *around->low - 1;
  }
  return interval;
}

std::optional<Span> BindRange(const Attribute& attribute, const Range& range,
                              const Bindings& bindings) {
  if (const auto* prefix = std::get_if<Prefix>(&range.bounds)) {
    const auto value = ValueOf(prefix->text, bindings);
    const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
    if (text == nullptr || attribute.type != FieldType::kString) return std::nullopt;
    return TextPrefix{*text};
  }
  const auto& bounds = std::get<Between>(range.bounds);
  const auto low = bounds.lower ? ValueOf(bounds.lower->value, bindings) : std::nullopt;
  const auto high = bounds.upper ? ValueOf(bounds.upper->value, bindings) : std::nullopt;
  if ((bounds.lower && !low) || (bounds.upper && !high)) return std::nullopt;
  const bool low_inclusive = !bounds.lower || bounds.lower->inclusive;
  const bool high_inclusive = !bounds.upper || bounds.upper->inclusive;
  if (IsStepwise(attribute.type)) {
    const auto interval =
        StepsBetween(attribute, range.bucket, low, low_inclusive, high, high_inclusive);
    if (!interval) return std::nullopt;
    return *interval;
  }
  TextSpan span{
      .low = {}, .low_inclusive = low_inclusive, .high = {}, .high_inclusive = high_inclusive};
  for (const auto& [value, end] : {std::pair(&low, &span.low), std::pair(&high, &span.high)}) {
    if (!*value) continue;
    const auto* text = std::get_if<std::string>(&**value);
    if (text == nullptr || attribute.type != FieldType::kString) return std::nullopt;
    *end = *text;
  }
  return span;
}

bool IsEmpty(const Span& span) {
  if (const auto* interval = std::get_if<Interval>(&span)) return interval->empty();
  const auto* text = std::get_if<TextSpan>(&span);
  if (text == nullptr || !text->low || !text->high) return false;
  if (*text->low == *text->high) return !text->low_inclusive || !text->high_inclusive;
  return *text->low > *text->high;
}

}  // namespace

std::vector<Term> TermsOf(const Entity& entity, const Select& select) {
  std::vector<Term> terms;
  for (const auto& equality : select.equalities) {
    const auto& attribute = entity.attributes[equality.attribute];
    const auto shown = Shown(attribute, equality.value);
    if (equality.bucket == Bucket::kNone) {
      auto& term = TermOf(terms, equality.attribute, Term::Kind::kExact);
      term.shown = shown;
      if (IsLiteral(equality.value)) term.literal = std::get<Value>(equality.value);
      continue;
    }
    const auto count = terms.size();
    auto& term = TermOf(terms, equality.attribute, Term::Kind::kSpan);
    term.align = terms.size() > count ? equality.bucket : std::min(term.align, equality.bucket);
    term.one_bucket = term.low = term.high = true;
    term.shown = shown;
  }
  if (select.range) AddRange(entity, *select.range, terms);
  return terms;
}

std::vector<Term> TermsOf(const Collection& collection, const Collection::Member& member) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < member.by.size(); ++i) {
    terms.emplace_back();
    terms.back().attribute = member.by[i];
    terms.back().shown = collection.by[i];
  }
  return terms;
}

std::optional<KnownValues> Bind(const Entity& entity, const Select& select,
                                const Bindings& bindings) {
  KnownValues known;
  for (const auto& equality : select.equalities) {
    auto value = ValueOf(equality.value, bindings);
    if (!value) return std::nullopt;
    auto& term = known[equality.attribute];
    if (equality.bucket == Bucket::kNone) {
      if (term.exact && *term.exact != *value) return std::nullopt;
      term.exact = std::move(*value);
      continue;
    }
    const auto interval =
        BucketInterval(entity.attributes[equality.attribute], equality.bucket, *value);
    if (!interval) return std::nullopt;
    Narrow(term, *interval);
  }
  if (select.range) {
    const auto span =
        BindRange(entity.attributes[select.range->attribute], *select.range, bindings);
    if (!span) return std::nullopt;
    Narrow(known[select.range->attribute], *span);
  }
  for (const auto& [attribute, term] : known) {
    if (term.span && IsEmpty(*term.span)) return std::nullopt;
  }
  return known;
}

std::optional<KnownValues> Bind(const Collection& collection, const Collection::Member& member,
                                const Bindings& bindings) {
  KnownValues known;
  for (std::size_t i = 0; i < member.by.size(); ++i) {
    const auto found = bindings.find(collection.by[i]);
    if (found == bindings.end()) return std::nullopt;
    known[member.by[i]].exact = found->second;
  }
  return known;
}

}  // namespace kw::modeller
