// SPDX-License-Identifier: Apache-2.0
#include "expr/legacy.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "expr/condition_tree.h"
#include "expr/functions.h"
#include "expr/path_set.h"
#include "expr/update_tree.h"

namespace kw {
namespace {

tl::unexpected<Error> Wrong(std::string_view what) {
  return Invalid(fmt::format("One or more parameter values were invalid: {}", what));
}

std::string_view WireName(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::kEq: return "EQ";
    case ComparisonOperator::kNe: return "NE";
    case ComparisonOperator::kLe: return "LE";
    case ComparisonOperator::kLt: return "LT";
    case ComparisonOperator::kGe: return "GE";
    case ComparisonOperator::kGt: return "GT";
    case ComparisonOperator::kNotNull: return "NOT_NULL";
    case ComparisonOperator::kNull: return "NULL";
    case ComparisonOperator::kContains: return "CONTAINS";
    case ComparisonOperator::kNotContains: return "NOT_CONTAINS";
    case ComparisonOperator::kBeginsWith: return "BEGINS_WITH";
    case ComparisonOperator::kIn: return "IN";
    case ComparisonOperator::kBetween: return "BETWEEN";
  }
  return {};
}

constexpr TypeSet kTextTypes = {AttributeType::kString, AttributeType::kBinary};

// What may stand in AttributeValueList.
struct ValueRule {
  std::size_t count_min;
  std::size_t count_max;
  TypeSet types;
};

ValueRule RuleOf(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::kEq:
    case ComparisonOperator::kNe: return {1, 1, kAnyType};
    case ComparisonOperator::kLe:
    case ComparisonOperator::kLt:
    case ComparisonOperator::kGe:
    case ComparisonOperator::kGt:
    case ComparisonOperator::kContains:
    case ComparisonOperator::kNotContains: return {1, 1, kOrderedTypes};
    case ComparisonOperator::kNotNull:
    case ComparisonOperator::kNull: return {0, 0, kAnyType};
    case ComparisonOperator::kBeginsWith: return {1, 1, kTextTypes};
    case ComparisonOperator::kIn: return {1, SIZE_MAX, kOrderedTypes};
    case ComparisonOperator::kBetween: return {2, 2, kOrderedTypes};
  }
  return {0, 0, kAnyType};
}

bool IsAbove(const AttributeValue& a, const AttributeValue& b) {
  const auto order = Compare(a, b);
  return order && *order > 0;
}

Result<void> CheckValues(ComparisonOperator op, std::span<const AttributeValue> values) {
  const ValueRule rule = RuleOf(op);
  if (values.size() < rule.count_min || values.size() > rule.count_max) {
    return Wrong(
        fmt::format("Invalid number of argument(s) for the {} ComparisonOperator", WireName(op)));
  }
  for (const AttributeValue& value : values) {
    if (!rule.types.Has(value.type())) {
      return Wrong(fmt::format("ComparisonOperator {} is not valid for {} AttributeValue type",
                               WireName(op), kw::WireName(value.type())));
    }
    if (value.type() != values.front().type()) {
      return Wrong("AttributeValues inside AttributeValueList must be of same type");
    }
  }
  if (op == ComparisonOperator::kBetween && IsAbove(values[0], values[1])) {
    return Wrong(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper bound");
  }
  return {};
}

ConditionNode Not(ConditionNode node) {
  ConditionNode negation{.op = ConditionOp::kNot, .children = {}, .operands = {}};
  negation.children.push_back(std::move(node));
  return negation;
}

// The attribute, then the values, under one operator or function.
ConditionNode NodeOf(const std::string& attribute, ConditionOp op,
                     std::span<const AttributeValue> values, std::string_view function = {}) {
  ConditionNode node{.op = op,
                     .children = {},
                     .operands = {},
                     .function = function.empty() ? nullptr : FindFunction(function)};
  node.operands.push_back({Path{attribute, {}}});
  for (const AttributeValue& value : values) node.operands.push_back(LiteralOperand(value));
  return node;
}

ConditionNode NodeOf(const std::string& attribute, ComparisonOperator op,
                     std::span<const AttributeValue> values) {
  const auto compare = [&](ConditionOp kind) { return NodeOf(attribute, kind, values); };
  const auto call = [&](std::string_view function) {
    return NodeOf(attribute, ConditionOp::kFunction, values, function);
  };
  switch (op) {
    case ComparisonOperator::kEq: return compare(ConditionOp::kEqual);
    case ComparisonOperator::kNe: return compare(ConditionOp::kNotEqual);
    case ComparisonOperator::kLe: return compare(ConditionOp::kLessEqual);
    case ComparisonOperator::kLt: return compare(ConditionOp::kLess);
    case ComparisonOperator::kGe: return compare(ConditionOp::kGreaterEqual);
    case ComparisonOperator::kGt: return compare(ConditionOp::kGreater);
    case ComparisonOperator::kIn: return compare(ConditionOp::kIn);
    case ComparisonOperator::kBetween: return compare(ConditionOp::kBetween);
    case ComparisonOperator::kNotNull: return call("attribute_exists");
    case ComparisonOperator::kNull: return call("attribute_not_exists");
    case ComparisonOperator::kContains: return call("contains");
    case ComparisonOperator::kNotContains: return Not(call("contains"));
    case ComparisonOperator::kBeginsWith: return call("begins_with");
  }
  return {};
}

Condition Joined(std::vector<ConditionNode> nodes, ConditionalOperator op) {
  // Of no conditions all hold.
  const bool any = op == ConditionalOperator::kOr && !nodes.empty();
  return Condition(std::make_shared<const ConditionNode>(
      ConditionNode{.op = any ? ConditionOp::kOr : ConditionOp::kAnd,
                    .children = std::move(nodes),
                    .operands = {}}));
}

// An expectation in the old form: Value and Exists.
Result<ConditionNode> NodeOfExists(const LegacyExpected& expected) {
  const std::string& name = expected.attribute;
  if (expected.values) {
    return Wrong(fmt::format(
        "AttributeValueList can only be used with a ComparisonOperator for Attribute: {}", name));
  }
  if (expected.exists == false) {
    if (expected.value) {
      return Wrong(
          fmt::format("Value cannot be used when Exists is false for Attribute: {}", name));
    }
    return NodeOf(name, ComparisonOperator::kNull, {});
  }
  if (!expected.value) {
    return Wrong(fmt::format("Value must be provided when Exists is {} for Attribute: {}",
                             expected.exists ? "true" : "null", name));
  }
  return NodeOf(name, ComparisonOperator::kEq, std::span(&*expected.value, 1));
}

Result<ConditionNode> NodeOfExpected(const LegacyExpected& expected) {
  if (!expected.op) return NodeOfExists(expected);
  const std::string& name = expected.attribute;
  if (expected.exists) {
    return Wrong(fmt::format(
        "Exists and ComparisonOperator cannot be used together for Attribute: {}", name));
  }
  if (expected.value && expected.values) {
    return Wrong(fmt::format(
        "Value and AttributeValueList cannot be used together for Attribute: {}", name));
  }
  std::span<const AttributeValue> values;
  if (expected.values) values = *expected.values;
  if (expected.value) values = std::span(&*expected.value, 1);
  if (values.data() == nullptr && !expected.values && RuleOf(*expected.op).count_min > 0) {
    return Wrong(fmt::format(
        "Value or AttributeValueList must be used with ComparisonOperator: {} for Attribute: {}",
        WireName(*expected.op), name));
  }
  TRY(CheckValues(*expected.op, values));
  return NodeOf(name, *expected.op, values);
}

std::optional<KeyOperator> KeyOperatorOf(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::kEq: return KeyOperator::kEqual;
    case ComparisonOperator::kLe: return KeyOperator::kLessEqual;
    case ComparisonOperator::kLt: return KeyOperator::kLess;
    case ComparisonOperator::kGe: return KeyOperator::kGreaterEqual;
    case ComparisonOperator::kGt: return KeyOperator::kGreater;
    case ComparisonOperator::kBeginsWith: return KeyOperator::kBeginsWith;
    case ComparisonOperator::kBetween: return KeyOperator::kBetween;
    case ComparisonOperator::kNe:
    case ComparisonOperator::kNotNull:
    case ComparisonOperator::kNull:
    case ComparisonOperator::kContains:
    case ComparisonOperator::kNotContains:
    case ComparisonOperator::kIn: return std::nullopt;
  }
  return std::nullopt;
}

constexpr TypeSet kLegacyAddTypes = {AttributeType::kNumber, AttributeType::kStringSet,
                                     AttributeType::kNumberSet, AttributeType::kBinarySet,
                                     AttributeType::kList};

Result<UpdateAction> ActionOf(const LegacyUpdate& update) {
  if (!update.value) {
    if (update.action == AttributeAction::kDelete) return UpdateAction(Remove{});
    return Wrong("Only DELETE action is allowed when no attribute value is specified");
  }
  const AttributeType type = update.value->type();
  switch (update.action) {
    case AttributeAction::kPut: return UpdateAction(SetValue{LiteralOperand(*update.value)});
    case AttributeAction::kAdd:
      if (kLegacyAddTypes.Has(type))
        return UpdateAction(Add{std::make_shared<const AttributeValue>(*update.value)});
      return Wrong(fmt::format("ADD action is not supported for the type {}", LongName(type)));
    case AttributeAction::kDelete:
      if (kSetTypes.Has(type))
        return UpdateAction(Delete{std::make_shared<const AttributeValue>(*update.value)});
      return Wrong(
          fmt::format("DELETE action with value is not supported for the type {}", LongName(type)));
  }
  return Wrong({});
}

}  // namespace

Result<Condition> ConditionOf(const std::vector<LegacyExpected>& expected, ConditionalOperator op) {
  std::vector<ConditionNode> nodes;
  for (const LegacyExpected& one : expected) {
    TRY_ASSIGN(ConditionNode node, NodeOfExpected(one));
    nodes.push_back(std::move(node));
  }
  return Joined(std::move(nodes), op);
}

Result<Condition> FilterOf(const std::vector<LegacyCondition>& conditions, ConditionalOperator op) {
  std::vector<ConditionNode> nodes;
  for (const LegacyCondition& condition : conditions) {
    TRY(CheckValues(condition.op, condition.values));
    nodes.push_back(NodeOf(condition.attribute, condition.op, condition.values));
  }
  return Joined(std::move(nodes), op);
}

Result<KeyCondition> KeyConditionOf(const std::vector<LegacyCondition>& conditions) {
  std::vector<KeyComparison> comparisons;
  for (const LegacyCondition& condition : conditions) {
    TRY(CheckValues(condition.op, condition.values));
    const auto op = KeyOperatorOf(condition.op);
    if (!op) return Invalid("Attempted conditional constraint is not an indexable operation");
    KeyComparison comparison{condition.attribute, *op, condition.values.front(), {}};
    if (*op == KeyOperator::kBetween) comparison.high = condition.values.back();
    comparisons.push_back(std::move(comparison));
  }
  return KeyCondition::OfComparisons(std::move(comparisons));
}

Result<Update> UpdateOf(const std::vector<LegacyUpdate>& updates) {
  UpdateTree tree;
  tree.dialect = UpdateDialect::kLegacy;
  for (const LegacyUpdate& update : updates) {
    TRY_ASSIGN(UpdateAction action, ActionOf(update));
    tree.targets.push_back({update.attribute, {}});
    tree.actions.push_back(std::move(action));
  }
  tree.order = OrderOf(tree.targets);
  return Update(std::make_shared<const UpdateTree>(std::move(tree)));
}

}  // namespace kw
