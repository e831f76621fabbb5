// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "modeller/model/model_reader.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kDistinctMax = 1'000'000'000'000;
constexpr std::int64_t kItemBytesMax = 400 * 1024;
constexpr int kScaleMax = 20;
constexpr int kAssumedScale = 2;
constexpr std::int64_t kMillion = 1'000'000;

constexpr auto kPrecisions = std::to_array<std::pair<std::string_view, TimePrecision>>(
    {{"second", TimePrecision::kSecond},
     {"millisecond", TimePrecision::kMillisecond},
     {"microsecond", TimePrecision::kMicrosecond}});

// YAML as a list or map holds it.
AttributeValue DocumentOf(const YamlNode& node) {
  switch (node.kind) {
    case YamlKind::kSequence: {
      List list;
      for (const YamlNode& item : node.items) list.values.push_back(DocumentOf(item));
      return list;
    }
    case YamlKind::kMapping: {
      std::vector<AttributeMap::Entry> entries;
      for (const YamlMember& member : node.members) {
        entries.emplace_back(member.key.text, DocumentOf(member.value));
      }
      return AttributeMap::FromEntries(std::move(entries));
    }
    case YamlKind::kScalar: break;
  }
  if (node.is_null()) return Null{};
  if (const auto boolean = node.boolean()) return *boolean;
  if (const auto number = node.number()) return *number;
  return node.text;
}

bool IsNumeric(FieldType type) {
  return type == FieldType::kInteger || type == FieldType::kDecimal;
}

}  // namespace

int ShownPlaces(const YamlNode& attribute) {
  int places = 0;
  const auto see = [&](const YamlNode& shown) {
    if (const auto number = shown.number()) places = std::max(places, PlacesOf(*number));
  };
  for (const std::string_view name : {"min", "max", "example", "values"}) {
    const YamlMember* member = attribute.Find(name);
    if (member == nullptr) continue;
    if (name != "values") see(member->value);
    for (const YamlNode& item : member->value.items) see(item);
  }
  return places;
}

void ModelReader::ReadAttribute(const YamlNode& node, Attribute& attribute) {
  if (const YamlMember* precision = node.Find("precision")) {
    const auto* const found =
        std::find_if(kPrecisions.begin(), kPrecisions.end(),
                     [&](const auto& known) { return known.first == precision->value.text; });
    if (attribute.type != FieldType::kTimestamp) {
      reader_.Report(precision->key.at, "Only a timestamp has a precision.", "Leave it out.");
    } else if (found == kPrecisions.end()) {
      reader_.Report(precision->value.at, "There is no such precision.",
                     "Write second, millisecond or microsecond.");
    } else {
      attribute.precision = found->second;
    }
  }
  ReadScale(node, attribute);
  ReadBounds(node, attribute);
  if (const YamlMember* length = node.Find("length")) {
    if (attribute.type != FieldType::kString && attribute.type != FieldType::kBinary) {
      reader_.Report(length->key.at, "Only a string or binary has a length.", "Leave it out.");
    } else {
      attribute.length = reader_.WholeNumber(length->value, "length", 1, kItemBytesMax);
    }
  }
  ReadValues(node, attribute);
  if (const YamlMember* optional = node.Find("optional")) {
    const auto share = ParseAverage(optional->value.text);
    if (!optional->value.number() || !share || share->count < 1 || share->count > share->per) {
      reader_.Report(optional->value.at, "optional is the share of rows that have the attribute.",
                     "Write optional: 0.3 for three rows in ten.");
    } else {
      attribute.present = PartsPerMillion(share->count * (kMillion / share->per));
    }
  }
  if (const YamlMember* example = node.Find("example")) {
    const std::size_t before = reader_.fault_count();
    attribute.example = ReadValue(example->value, attribute, "example");
    if (attribute.example && before == reader_.fault_count()) {
      if (auto why = WhyNotOf(attribute, *attribute.example)) {
        reader_.Report(example->value.at, std::move(*why), "Write one that a row may have.");
      }
    }
  }
}

// The digits behind the point: as said, or as many as any number of the attribute shows.
void ModelReader::ReadScale(const YamlNode& node, Attribute& attribute) {
  const YamlMember* scale = node.Find("scale");
  if (attribute.type != FieldType::kDecimal) {
    if (scale != nullptr) {
      reader_.Report(scale->key.at, "Only a decimal has a scale.", "Leave it out.");
    }
    return;
  }
  if (scale != nullptr) {
    attribute.scale = static_cast<int>(
        reader_.WholeNumber(scale->value, "scale", 0, kScaleMax).value_or(kScaleMax));
    return;
  }
  // The attribute that gave the type may have given a scale.
  attribute.scale = std::min(std::max(attribute.scale, ShownPlaces(node)), kScaleMax);
  if (attribute.scale == 0) attribute.scale = kAssumedScale;
}

void ModelReader::ReadBounds(const YamlNode& node, Attribute& attribute) {
  for (const std::string_view name : {"min", "max"}) {
    const YamlMember* member = node.Find(name);
    if (member == nullptr) continue;
    if (!IsNumeric(attribute.type)) {
      reader_.Report(member->key.at, fmt::format("Only a number has a {}.", name), "Leave it out.");
      continue;
    }
    const auto value = ReadValue(member->value, attribute, name);
    if (!value) continue;
    (name == "min" ? attribute.min : attribute.max) = std::get<Number>(*value);
  }
  if (attribute.min && attribute.max && *attribute.max < *attribute.min) {
    const YamlMember* max = node.Find("max");
    reader_.Report((max != nullptr ? max : node.Find("min"))->value.at, "max is less than min.",
                   "Swap them.");
  }
}

void ModelReader::ReadValues(const YamlNode& node, Attribute& attribute) {
  if (const YamlMember* values = node.Find("values")) {
    if (!IsKeyable(attribute.type) && attribute.type != FieldType::kBoolean) {
      reader_.Report(values->key.at, "Lists and maps are not counted.", "Leave values out.");
      return;
    }
    attribute.values.clear();
    attribute.distinct.reset();
    if (values->value.kind == YamlKind::kSequence && !values->value.items.empty()) {
      for (const YamlNode& item : values->value.items) {
        auto value = ReadValue(item, attribute, "A value");
        if (!value) continue;
        if (std::find(attribute.values.begin(), attribute.values.end(), *value) !=
            attribute.values.end()) {
          reader_.Report(item.at, fmt::format("'{}' is listed twice.", item.text),
                         "Keep one of the two.");
        }
        attribute.values.push_back(std::move(*value));
      }
      attribute.distinct = std::ssize(values->value.items);
    } else if (values->value.number()) {
      attribute.distinct = reader_.WholeNumber(values->value, "values", 1, kDistinctMax);
    } else {
      reader_.Report(values->value.at, "values is the list of values, or how many there are.",
                     "Write values: [open, closed] or values: 8.");
    }
  }
  ReadShares(node, attribute);
}

void ModelReader::ReadShares(const YamlNode& node, Attribute& attribute) {
  const YamlMember* shares = node.Find("shares");
  if (shares == nullptr) return;
  attribute.shares.clear();
  if (shares->value.kind != YamlKind::kSequence || attribute.values.empty() ||
      shares->value.items.size() != static_cast<std::size_t>(*attribute.distinct)) {
    reader_.Report(shares->value.at, "shares has one share for each of the listed values.",
                   "Write values: [open, closed], shares: [0.1, 0.9].");
    return;
  }
  std::int64_t sum = 0;
  for (const YamlNode& item : shares->value.items) {
    const auto share = ParseAverage(item.text);
    if (!item.number() || !share || share->count > share->per) {
      reader_.Report(item.at, "A share is a number from 0 to 1 with at most six digits.",
                     "Write 0.25 for a quarter of the rows.");
      return;
    }
    attribute.shares.emplace_back(share->count * (kMillion / share->per));
    sum += attribute.shares.back().value();
  }
  if (sum != kMillion) {
    const auto millionth = *Number::Parse(fmt::format("{}e-6", sum));
    reader_.Report(shares->value.at,
                   fmt::format("The shares add up to {}, not to 1.", millionth.ToString()),
                   "Change one of them.");
  }
}

std::optional<Value> ModelReader::ReadValue(const YamlNode& node, const Attribute& attribute,
                                            std::string_view what) {
  const bool list = attribute.type == FieldType::kList;
  if (list || attribute.type == FieldType::kMap) {
    if (node.kind == (list ? YamlKind::kSequence : YamlKind::kMapping)) {
      return Value(DocumentOf(node));
    }
    reader_.Report(node.at, fmt::format("{} is {}.", what, TypePhrase(attribute.type)),
                   list ? "Write [a, b]." : "Write {name: value}.");
    return std::nullopt;
  }
  if (node.kind != YamlKind::kScalar) {
    reader_.Report(node.at, fmt::format("{} is one {}.", what, TypeName(attribute.type)), "");
    return std::nullopt;
  }
  if (attribute.type == FieldType::kString && !node.is_text()) {
    reader_.Report(node.at,
                   fmt::format("{} is a string, and {} is not read as one.", what,
                               node.text.empty() ? "nothing" : node.text),
                   fmt::format("Put it in quotes: \"{}\".", node.text));
    return std::nullopt;
  }
  const bool number = IsNumeric(attribute.type);
  const bool kind = number                                  ? node.number().has_value()
                    : attribute.type == FieldType::kBoolean ? node.boolean().has_value()
                                                            : node.is_text();
  auto value = ParseValue(attribute, attribute.type == FieldType::kBoolean && node.boolean()
                                         ? (*node.boolean() ? "true" : "false")
                                         : std::string_view(node.text));
  if (kind && value) return std::move(*value);
  // A wrong kind says the same as a wrong form.
  if (value) value = ParseValue(attribute, "\x01");
  reader_.Report(node.at, fmt::format("{} is {}.", what, TypePhrase(attribute.type)),
                 fmt::format("Write {}.", value.error()));
  return std::nullopt;
}

}  // namespace kw::modeller
