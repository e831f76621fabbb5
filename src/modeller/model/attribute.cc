// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "modeller/model/model.h"
#include "modeller/model/yaml_reader.h"

namespace kw::modeller {
namespace {

Expected<Value, std::string> ParseNumber(const Attribute& attribute, std::string_view text) {
  const int scale = attribute.type == FieldType::kDecimal ? attribute.scale : 0;
  const auto number = Number::Parse(text);
  if (number && PlacesOf(*number) <= scale) return Value(*number);
  if (scale == 0) return Unexpected(std::string("a whole number such as 1842"));
  return Unexpected(fmt::format("a number with at most {} digits behind the point", scale));
}

Expected<Value, std::string> ParseTime(const Attribute& attribute, std::string_view text) {
  const auto time = ParseTimestamp(text);
  if (time && time->micros % MicrosOf(attribute.precision) == 0) return Value(*time);
  const Timestamp sample{1'782'223'200'000'000};
  return Unexpected(
      fmt::format("a time in UTC such as \"{}\"", FormatTimestamp(sample, attribute.precision)));
}

}  // namespace

std::string_view TypeName(FieldType type) {
  switch (type) {
    case FieldType::kString: return "string";
    case FieldType::kInteger: return "integer";
    case FieldType::kDecimal: return "decimal";
    case FieldType::kBoolean: return "boolean";
    case FieldType::kTimestamp: return "timestamp";
    case FieldType::kDate: return "date";
    case FieldType::kBinary: return "binary";
    case FieldType::kList: return "list";
    case FieldType::kMap: return "map";
  }
  return "";
}

std::string TypePhrase(FieldType type) {
  return fmt::format("{} {}", type == FieldType::kInteger ? "an" : "a", TypeName(type));
}

bool IsKeyable(FieldType type) {
  switch (type) {
    case FieldType::kString:
    case FieldType::kInteger:
    case FieldType::kDecimal:
    case FieldType::kTimestamp:
    case FieldType::kDate:
    case FieldType::kBinary: return true;
    case FieldType::kBoolean:
    case FieldType::kList:
    case FieldType::kMap: break;
  }
  return false;
}

Expected<Value, std::string> ParseValue(const Attribute& attribute, std::string_view text) {
  switch (attribute.type) {
    case FieldType::kString: return Value(std::string(text));
    case FieldType::kInteger:
    case FieldType::kDecimal: return ParseNumber(attribute, text);
    case FieldType::kBoolean:
      if (text == "true" || text == "false") return Value(text == "true");
      return Unexpected(std::string("true or false"));
    case FieldType::kTimestamp: return ParseTime(attribute, text);
    case FieldType::kDate:
      if (const auto date = ParseDate(text)) return Value(*date);
      return Unexpected(std::string("a date such as 2026-06-23"));
    case FieldType::kBinary:
      if (auto bytes = ParseBase64(text)) return Value(Bytes{std::move(*bytes)});
      return Unexpected(std::string("bytes in base64, such as aGVsbG8="));
    case FieldType::kList:
    case FieldType::kMap: break;
  }
  return Unexpected(fmt::format("{}, which no text is", TypePhrase(attribute.type)));
}

std::string ValueText(const Attribute& attribute, const Value& value) {
  struct Visitor {
    const Attribute& attribute;
    std::string operator()(std::monostate /*absent*/) const { return ""; }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const Number& number) const {
      const bool decimal = attribute.type == FieldType::kDecimal;
      return decimal ? FormatDecimal(number, attribute.scale) : number.ToString();
    }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(Timestamp time) const {
      return FormatTimestamp(time, attribute.precision);
    }
    std::string operator()(Date date) const { return FormatDate(date); }
    std::string operator()(const Bytes& bytes) const { return Base64(bytes.bytes); }
    std::string operator()(const AttributeValue& /*list or map*/) const { return ""; }
  };
  return std::visit(Visitor{attribute}, value);
}

std::optional<std::string> WhyNotOf(const Attribute& attribute, const Value& value) {
  if (!attribute.values.empty() && std::find(attribute.values.begin(), attribute.values.end(),
                                             value) == attribute.values.end()) {
    return fmt::format("'{}' is none of the values of {}.", ValueText(attribute, value),
                       attribute.name);
  }
  if (const auto* number = std::get_if<Number>(&value)) {
    if (attribute.min && *number < *attribute.min) {
      return fmt::format("{} is less than the min of {}.", number->ToString(), attribute.name);
    }
    if (attribute.max && *number > *attribute.max) {
      return fmt::format("{} is more than the max of {}.", number->ToString(), attribute.name);
    }
  }
  return std::nullopt;
}

}  // namespace kw::modeller
