// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "modeller/model/model_reader.h"

namespace kw::modeller {
namespace {

// Whether a literal is written as the type asks: text in quotes, numbers and booleans bare.
bool FitsKind(SqlLiteral::Kind kind, FieldType type) {
  switch (type) {
    case FieldType::kInteger:
    case FieldType::kDecimal: return kind == SqlLiteral::Kind::kNumber;
    case FieldType::kBoolean: return kind == SqlLiteral::Kind::kBoolean;
    case FieldType::kString:
    case FieldType::kTimestamp:
    case FieldType::kDate:
    case FieldType::kBinary: return kind == SqlLiteral::Kind::kText;
    case FieldType::kList:
    case FieldType::kMap: break;
  }
  return false;
}

std::string_view BucketSample(Bucket bucket) {
  switch (bucket) {
    case Bucket::kHour: return "an hour: '2026-06-23T14'";
    case Bucket::kDate: return "a day: '2026-06-23'";
    case Bucket::kMonth: return "a month: '2026-06'";
    case Bucket::kNone: break;
  }
  return "";
}

}  // namespace

std::optional<EntityId> ModelReader::FindEntity(const YamlNode& sql, const SqlName& name) {
  if (const auto found = Find(name.text)) return found;
  reader_.ReportIn(sql, name.at, fmt::format("There is no entity '{}'.", name.text),
                   SuggestName(name.text, EntityNames()));
  return std::nullopt;
}

std::optional<AttributeId> ModelReader::FindAttribute(const YamlNode& sql, const SqlName& name,
                                                      EntityId id) {
  const Entity& entity = model_.entities_[id];
  if (const auto found = entity.Find(name.text)) return found;
  std::string suggestion = SuggestName(name.text, AttributeNames(id));
  if (suggestion.empty()) suggestion = fmt::format("Add it to the attributes of {}.", entity.name);
  reader_.ReportIn(sql, name.at, fmt::format("{} has no attribute '{}'.", entity.name, name.text),
                   std::move(suggestion));
  return std::nullopt;
}

std::optional<AttributeId> ModelReader::FindColumn(const YamlNode& sql, const SqlColumn& column,
                                                   EntityId id) {
  const std::string& entity = model_.entities_[id].name;
  if (column.entity && column.entity->text != entity) {
    reader_.ReportIn(sql, column.entity->at,
                     fmt::format("The question reads {}, not {}.", entity, column.entity->text),
                     fmt::format("Ask for attributes of {}, or ask another question.", entity));
    return std::nullopt;
  }
  return FindAttribute(sql, column.name, id);
}

std::optional<Operand> ModelReader::ReadOperand(const YamlNode& sql, const SqlOperand& operand,
                                                const Attribute& attribute, Bucket bucket) {
  if (const auto* parameter = std::get_if<Parameter>(&operand.value)) return *parameter;
  const auto& literal = std::get<SqlLiteral>(operand.value);
  if (literal.kind == SqlLiteral::Kind::kNull) {
    reader_.ReportIn(sql, operand.at, "NULL equals nothing, in SQL as in a key.",
                     "Keep an attribute that says so, such as status, and ask for its value.");
    return std::nullopt;
  }
  if (bucket != Bucket::kNone) {
    if (literal.kind == SqlLiteral::Kind::kText && ParseBucket(literal.text, bucket)) {
      return Operand(Value(literal.text));
    }
    reader_.ReportIn(sql, operand.at, fmt::format("'{}' is not of this form.", literal.text),
                     fmt::format("Write {}.", BucketSample(bucket)));
    return std::nullopt;
  }
  auto value = ParseValue(attribute, literal.text);
  if (value && FitsKind(literal.kind, attribute.type)) return Operand(std::move(*value));
  std::string suggestion;
  if (!value) {
    suggestion = fmt::format("Write {}.", value.error());
  } else if (literal.kind == SqlLiteral::Kind::kText) {
    suggestion = fmt::format("Write {} without quotes.", literal.text);
  } else {
    suggestion = fmt::format("Write '{}' in single quotes.", literal.text);
  }
  reader_.ReportIn(sql, operand.at,
                   fmt::format("{} is {}.", attribute.name, TypePhrase(attribute.type)),
                   std::move(suggestion));
  return std::nullopt;
}

}  // namespace kw::modeller
