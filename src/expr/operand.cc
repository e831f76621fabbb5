// SPDX-License-Identifier: Apache-2.0
#include "expr/operand.h"

#include <utility>

#include "base/check.h"
#include "expr/functions.h"

namespace kw {

Operand LiteralOperand(AttributeValue value) {
  return {std::make_shared<const AttributeValue>(std::move(value))};
}

const AttributeValue* LiteralOf(const Operand& operand) {
  const auto* literal = std::get_if<Literal>(&operand.what);
  return literal == nullptr ? nullptr : literal->get();
}

Result<const AttributeValue*> Evaluate(const Operand& operand, const AttributeMap& item,
                                       AttributeValue& scratch) {
  if (const auto* path = std::get_if<Path>(&operand.what)) return FindPath(item, *path);
  if (const auto* value = LiteralOf(operand)) return value;
  const Call& call = std::get<Call>(operand.what);
  return std::get<Compute>(call.function->evaluator)(call.arguments, item, scratch);
}

const AttributeValue* Read(const Operand& operand, const AttributeMap& item,
                           AttributeValue& scratch) {
  const auto value = Evaluate(operand, item, scratch);
  Check(value.has_value(), "functions of conditions do not fail");
  return *value;
}

std::string_view LongName(AttributeType type) {
  switch (type) {
    case AttributeType::kString: return "STRING";
    case AttributeType::kNumber: return "NUMBER";
    case AttributeType::kBinary: return "BINARY";
    case AttributeType::kBool: return "BOOLEAN";
    case AttributeType::kNull: return "NULL";
    case AttributeType::kStringSet: return "STRING_SET";
    case AttributeType::kNumberSet: return "NUMBER_SET";
    case AttributeType::kBinarySet: return "BINARY_SET";
    case AttributeType::kList: return "LIST";
    case AttributeType::kMap: return "MAP";
  }
  return {};
}

std::optional<AttributeType> StaticType(const Operand& operand) {
  if (const auto* value = LiteralOf(operand)) return value->type();
  if (const auto* call = std::get_if<Call>(&operand.what)) return call->function->result;
  return std::nullopt;
}

void CollectAttributes(const Operand& operand, AttributeNames& names) {
  if (const auto* path = std::get_if<Path>(&operand.what)) names.insert(path->attribute);
  if (const auto* call = std::get_if<Call>(&operand.what)) {
    for (const Operand& argument : call->arguments) CollectAttributes(argument, names);
  }
}

std::optional<std::strong_ordering> Compare(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return std::nullopt;
  if (const auto* string = a.As<std::string>()) return *string <=> *b.As<std::string>();
  if (const auto* number = a.As<Number>()) return *number <=> *b.As<Number>();
  if (const auto* binary = a.As<Binary>()) return *binary <=> *b.As<Binary>();
  return std::nullopt;
}

}  // namespace kw
