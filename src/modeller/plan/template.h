// SPDX-License-Identifier: Apache-2.0
// Key templates: `PLAYER#{playerId}`, `RATING#{rating:05}`: text with attributes in formats whose
// text order is the values' order.
//
//   template := (text | "{{" | "}}" | "{" attribute (":" option)* "}")+
//   option   := "0" width ["." places]   a number, padded with zeros to `width` characters
//             | "month" | "date" | "hour"  a bucket of a time, in UTC
//             | "desc"                   the order inverted: padded numbers and times
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "modeller/model/model.h"
#include "modeller/plan/units.h"

namespace kw::modeller {

// Text as it is, times in fixed width, binaries in hex, booleans as words; numbers without padding,
// whose text order is not theirs.
struct PlainFormat {
  friend bool operator==(const PlainFormat&, const PlainFormat&) = default;
};
// A number padded with zeros: `05`, `08.2` (characters in all, digits behind the point). A range
// that reaches below zero is offset so that no sign is ever written.
struct PaddedFormat {
  int width = 0;
  int places = 0;
  std::int64_t offset = 0;  // in units of the last place; from the attribute's min
  friend bool operator==(const PaddedFormat&, const PaddedFormat&) = default;
};
struct BucketFormat {
  Bucket bucket = Bucket::kMonth;
  friend bool operator==(const BucketFormat&, const BucketFormat&) = default;
};
using Format = std::variant<PlainFormat, PaddedFormat, BucketFormat>;

struct TemplateField {
  AttributeId attribute = 0;
  Format format;
  bool descending = false;  // each digit taken from nine
  friend bool operator==(const TemplateField&, const TemplateField&) = default;

  [[nodiscard]] Bucket bucket() const;  // kNone unless the format is one
};
using TemplatePart = std::variant<std::string, TemplateField>;

// A field of free text with something behind it: while no value holds a character up to
// `delimiter`, two rows never share a text by chance, and the text's order is the values'.
struct DelimitedField {
  AttributeId attribute = 0;
  char delimiter = '#';
  friend bool operator==(const DelimitedField&, const DelimitedField&) = default;
};

struct Template {
  std::vector<TemplatePart> parts;  // no two texts side by side
  friend bool operator==(const Template&, const Template&) = default;

  // Reads a template over an entity's attributes. Faults stand at `at`, the text's own place.
  static Parsed<Template> Parse(std::string_view text, const Entity& entity, Position at);
  [[nodiscard]] std::string ToText(const Entity& entity) const;

  // The text for a row; nothing if an attribute is absent or does not fit its format. Equal texts
  // mean equal field values while delimited_fields() hold.
  [[nodiscard]] std::optional<std::string> Render(const Entity& entity, const Row& row) const;

  // The literal text before the first field.
  [[nodiscard]] std::string_view literal_prefix() const;
  [[nodiscard]] std::vector<DelimitedField> delimited_fields(const Entity& entity) const;
};

// A value as a field's text, the way Render writes it. Also what a question's parameter becomes.
// Nothing if the value is absent, of another type, or does not fit the format.
std::optional<std::string> FormatValue(const Attribute& attribute, const TemplateField& field,
                                       const Value& value);
// The same for a stepwise value (units.h); what a padded number cannot hold becomes its lowest or
// highest text.
std::string FormatSteps(const Attribute& attribute, const TemplateField& field, std::int64_t steps);

// The narrowest padding that holds a number's bounds: `05`, `08.2`.
std::string PaddingFor(const Attribute& attribute);
// The steps that a padded number has room for.
Interval HeldBy(const Attribute& attribute, const PaddedFormat& format);

// True if the order of the field's texts is the order of the values (inverted, if descending).
bool KeepsOrder(const Attribute& attribute, const TemplateField& field);
// `{rating:05:desc}`, with any name in the attribute's place.
std::string FieldText(const TemplateField& field, std::string_view name);

// False if no value makes the two texts equal, judged by the literal text at both ends.
bool MayMeet(const Template& a, const Template& b);
// False if no text of the template starts with `prefix`.
bool MayStartWith(const Template& text, std::string_view prefix);

}  // namespace kw::modeller
