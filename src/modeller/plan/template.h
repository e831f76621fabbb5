// SPDX-License-Identifier: Apache-2.0
// Key templates: `PLAYER#{playerId}`, `RATING#{rating:05}`: text with attributes in formats whose
// text order is the values' order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "modeller/model/model.h"

namespace kw::modeller {

struct PlainFormat {
  friend bool operator==(const PlainFormat&, const PlainFormat&) = default;
};
// A number padded with zeros: `05`, `08.2` (width in all, places behind the point). A range that
// reaches below zero is offset so that no sign is ever written.
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
  bool descending = false;  // every character's order inverted: numbers and times only
  friend bool operator==(const TemplateField&, const TemplateField&) = default;
};
using TemplatePart = std::variant<std::string, TemplateField>;

struct Template {
  std::vector<TemplatePart> parts;  // no two texts side by side
  friend bool operator==(const Template&, const Template&) = default;

  // Reads a template over an entity's attributes.
  static Parsed<Template> Parse(std::string_view text, const Entity& entity, Position at);
  [[nodiscard]] std::string ToText(const Entity& entity) const;

  // The text for a row; nothing if an attribute is absent.
  [[nodiscard]] std::optional<std::string> Render(const Entity& entity, const Row& row) const;
  // The literal text before the first field.
  [[nodiscard]] std::string_view literal_prefix() const;
};

// A value as a field's text, the way Render writes it. Also what a question's parameter becomes.
std::string FormatValue(const Attribute& attribute, const TemplateField& field, const Value& value);

}  // namespace kw::modeller
