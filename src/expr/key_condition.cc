// SPDX-License-Identifier: Apache-2.0
#include "expr/key_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "expr/condition_tree.h"
#include "expr/functions.h"
#include "expr/parser.h"

namespace kw {
namespace {

tl::unexpected<Error> WrongOperator(std::string_view name) {
  return Invalid(fmt::format("Invalid operator used in KeyConditionExpression: {}", name));
}
tl::unexpected<Error> WrongCondition(std::string_view why) {
  return Invalid(fmt::format("Invalid condition in KeyConditionExpression: {}", why));
}
tl::unexpected<Error> NotSupported() { return Invalid("Query key condition not supported"); }
tl::unexpected<Error> Missed(std::string_view attribute) {
  return Invalid(fmt::format("Query condition missed key schema element: {}", attribute));
}

Result<KeyOperator> OperatorOf(const ConditionNode& node) {
  switch (node.op) {
    case ConditionOp::kAnd: return WrongOperator("AND");
    case ConditionOp::kOr: return WrongOperator("OR");
    case ConditionOp::kNot: return WrongOperator("NOT");
    case ConditionOp::kIn: return WrongOperator("IN");
    case ConditionOp::kNotEqual: return WrongOperator("<>");
    case ConditionOp::kEqual: return KeyOperator::kEqual;
    case ConditionOp::kLess: return KeyOperator::kLess;
    case ConditionOp::kLessEqual: return KeyOperator::kLessEqual;
    case ConditionOp::kGreater: return KeyOperator::kGreater;
    case ConditionOp::kGreaterEqual: return KeyOperator::kGreaterEqual;
    case ConditionOp::kBetween: return KeyOperator::kBetween;
    case ConditionOp::kFunction:
      if (node.function == FindFunction("begins_with")) return KeyOperator::kBeginsWith;
      return WrongOperator(node.function->name);
  }
  return NotSupported();
}

// The same comparison with its sides exchanged.
KeyOperator Mirrored(KeyOperator op) {
  switch (op) {
    case KeyOperator::kLess: return KeyOperator::kGreater;
    case KeyOperator::kLessEqual: return KeyOperator::kGreaterEqual;
    case KeyOperator::kGreater: return KeyOperator::kLess;
    case KeyOperator::kGreaterEqual: return KeyOperator::kLessEqual;
    case KeyOperator::kEqual:
    case KeyOperator::kBetween:
    case KeyOperator::kBeginsWith: return op;
  }
  return op;
}

Result<KeyComparison> ComparisonOf(ConditionNode node) {
  TRY_ASSIGN(KeyOperator op, OperatorOf(node));
  std::optional<std::size_t> place;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const Operand& operand = node.operands[i];
    if (std::holds_alternative<Call>(operand.what)) {
      return Invalid("KeyConditionExpressions cannot contain nested operations");
    }
    const auto* path = std::get_if<Path>(&operand.what);
    if (path == nullptr) continue;
    if (!path->steps.empty()) {
      return Invalid("KeyConditionExpressions cannot have conditions on nested attributes");
    }
    if (place) return WrongCondition("Multiple attribute names used in one condition");
    place = i;
  }
  if (!place) return WrongCondition("No key attribute specified");
  const bool turns = op != KeyOperator::kBetween && op != KeyOperator::kBeginsWith;
  if (*place != 0) {
    if (!turns) return NotSupported();
    std::swap(node.operands[0], node.operands[1]);
    op = Mirrored(op);
  }
  KeyComparison comparison{std::move(std::get<Path>(node.operands[0].what).attribute),
                           op,
                           *LiteralOf(node.operands[1]),
                           {}};
  if (op == KeyOperator::kBetween) {
    comparison.high = *LiteralOf(node.operands[2]);
  }
  return comparison;
}

Result<void> Collect(ConditionNode node, std::vector<KeyComparison>& comparisons) {
  if (node.op == ConditionOp::kAnd) {
    for (ConditionNode& child : node.children) TRY(Collect(std::move(child), comparisons));
    return {};
  }
  TRY_ASSIGN(KeyComparison comparison, ComparisonOf(std::move(node)));
  comparisons.push_back(std::move(comparison));
  return {};
}

Result<void> CheckKeyValue(const KeyAttribute& key, const AttributeValue& value) {
  if (value.type() != AttributeTypeOf(key.type)) {
    return Invalid(
        "One or more parameter values were invalid: Condition parameter type does not match schema "
        "type");
  }
  const auto* text = value.As<std::string>();
  const auto* binary = value.As<Binary>();
  if ((text != nullptr && text->empty()) || (binary != nullptr && binary->bytes.empty())) {
    return Invalid(
        fmt::format("One or more parameter values are not valid. The AttributeValue for a key "
                    "attribute cannot contain an empty {} value. Key: {}",
                    text != nullptr ? "string" : "binary", key.name));
  }
  return {};
}

Result<void> CheckKeyValues(const KeyAttribute& key, const KeyComparison& comparison) {
  TRY(CheckKeyValue(key, comparison.value));
  if (comparison.high) TRY(CheckKeyValue(key, *comparison.high));
  return {};
}

}  // namespace

Result<KeyCondition> KeyCondition::Parse(std::string_view text, Placeholders& placeholders) {
  TRY_ASSIGN(ConditionNode root,
             ParseConditionTree(text, ExpressionKind::kKeyCondition, placeholders));
  std::vector<KeyComparison> comparisons;
  TRY(Collect(std::move(root), comparisons));
  std::vector<std::string_view> names;
  for (const KeyComparison& comparison : comparisons) names.push_back(comparison.attribute);
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) {
    return Invalid(
        "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
        "per key");
  }
  return KeyCondition(std::move(comparisons));
}

Result<KeyRange> KeyCondition::Resolve(const KeySchema& key) const {
  const auto find = [&](const KeyAttribute& attribute) -> const KeyComparison* {
    const auto found = std::ranges::find(comparisons_, attribute.name, &KeyComparison::attribute);
    return found == comparisons_.end() ? nullptr : &*found;
  };
  KeyRange range;
  std::size_t used = 0;
  for (const KeyAttribute& attribute : key.partition) {
    const KeyComparison* comparison = find(attribute);
    if (comparison == nullptr) return Missed(attribute.name);
    if (comparison->op != KeyOperator::kEqual) return NotSupported();
    TRY(CheckKeyValues(attribute, *comparison));
    range.partition.push_back(comparison->value);
    ++used;
  }
  // Sort attributes from the left, without gaps; a range ends the list.
  for (const KeyAttribute& attribute : key.sort) {
    if (used == comparisons_.size()) break;
    const KeyComparison* comparison = find(attribute);
    if (comparison == nullptr) return Missed(attribute.name);
    if (range.sort) return NotSupported();
    TRY(CheckKeyValues(attribute, *comparison));
    if (comparison->op == KeyOperator::kEqual) {
      range.sort_equal.push_back(comparison->value);
    } else {
      range.sort = *comparison;
    }
    ++used;
  }
  if (used < comparisons_.size()) return NotSupported();
  return range;
}

}  // namespace kw
