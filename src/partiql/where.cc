// SPDX-License-Identifier: Apache-2.0
#include "partiql/where.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "expr/functions.h"

namespace kw::partiql {
namespace {

bool Names(const Operand& operand, std::string_view attribute) {
  const auto* path = std::get_if<Path>(&operand.what);
  return path != nullptr && path->steps.empty() && path->attribute == attribute;
}

bool AreValues(std::span<const Operand> operands) {
  return std::ranges::all_of(operands,
                             [](const Operand& operand) { return LiteralOf(operand) != nullptr; });
}

// `a = v` or `v = a`: the position of the value.
std::optional<std::size_t> ValueSide(const ConditionNode& node, std::string_view attribute) {
  if (node.operands.size() != 2) return std::nullopt;
  for (const std::size_t side : {std::size_t{1}, std::size_t{0}}) {
    if (Names(node.operands[1 - side], attribute) && LiteralOf(node.operands[side]) != nullptr) {
      return side;
    }
  }
  return std::nullopt;
}

bool IsEqual(const ConditionNode& node, std::string_view attribute) {
  return node.op == ConditionOp::kEqual && ValueSide(node, attribute);
}

bool IsChoice(const ConditionNode& node, std::string_view attribute) {
  switch (node.op) {
    case ConditionOp::kEqual: return IsEqual(node, attribute);
    case ConditionOp::kIn:
      return Names(node.operands.front(), attribute) &&
             AreValues(std::span(node.operands).subspan(1));
    case ConditionOp::kOr:
      return std::ranges::all_of(
          node.children, [&](const ConditionNode& child) { return IsChoice(child, attribute); });
    case ConditionOp::kAnd:
    case ConditionOp::kNot:
    case ConditionOp::kNotEqual:
    case ConditionOp::kLess:
    case ConditionOp::kLessEqual:
    case ConditionOp::kGreater:
    case ConditionOp::kGreaterEqual:
    case ConditionOp::kBetween:
    case ConditionOp::kFunction: break;
  }
  return false;
}

// The operand is a literal.
const AttributeValue& ValueOf(const Operand& operand) { return *LiteralOf(operand); }

// The node is a choice.
void CollectChoices(ConditionNode& node, std::string_view attribute,
                    std::vector<AttributeValue>& values) {
  const auto add = [&](Operand& operand) {
    const AttributeValue& value = ValueOf(operand);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  for (ConditionNode& child : node.children) CollectChoices(child, attribute, values);
  if (node.op == ConditionOp::kEqual) add(node.operands[*ValueSide(node, attribute)]);
  if (node.op != ConditionOp::kIn) return;
  for (Operand& operand : std::span(node.operands).subspan(1)) add(operand);
}

// The operator with the attribute on its left.
std::optional<KeyOperator> RangeOf(ConditionOp op, bool mirrored) {
  switch (op) {
    case ConditionOp::kLess: return mirrored ? KeyOperator::kGreater : KeyOperator::kLess;
    case ConditionOp::kLessEqual:
      return mirrored ? KeyOperator::kGreaterEqual : KeyOperator::kLessEqual;
    case ConditionOp::kGreater: return mirrored ? KeyOperator::kLess : KeyOperator::kGreater;
    case ConditionOp::kGreaterEqual:
      return mirrored ? KeyOperator::kLessEqual : KeyOperator::kGreaterEqual;
    case ConditionOp::kAnd:
    case ConditionOp::kOr:
    case ConditionOp::kNot:
    case ConditionOp::kEqual:
    case ConditionOp::kNotEqual:
    case ConditionOp::kBetween:
    case ConditionOp::kIn:
    case ConditionOp::kFunction: break;
  }
  return std::nullopt;
}

std::optional<KeyComparison> AsRange(ConditionNode& node, std::string_view attribute) {
  const std::string name(attribute);
  if (const auto side = ValueSide(node, attribute)) {
    if (const auto op = RangeOf(node.op, *side == 0)) {
      return KeyComparison{name, *op, ValueOf(node.operands[*side]), {}};
    }
    if (node.function == FindFunction("begins_with") && *side == 1) {
      return KeyComparison{name, KeyOperator::kBeginsWith, ValueOf(node.operands[1]), {}};
    }
    return std::nullopt;
  }
  if (node.op == ConditionOp::kBetween && Names(node.operands[0], attribute) &&
      AreValues(std::span(node.operands).subspan(1))) {
    return KeyComparison{name, KeyOperator::kBetween, ValueOf(node.operands[1]),
                         ValueOf(node.operands[2])};
  }
  return std::nullopt;
}

ConditionNode CallOf(std::string_view function, std::string_view attribute) {
  ConditionNode node{.op = ConditionOp::kFunction,
                     .children = {},
                     .operands = {},
                     .function = FindFunction(function)};
  node.operands.push_back({Path{std::string(attribute), {}}});
  return node;
}

}  // namespace

void AddConjuncts(ConditionNode node, Conjuncts& conjuncts) {
  if (node.op != ConditionOp::kAnd) {
    conjuncts.push_back(std::move(node));
    return;
  }
  for (ConditionNode& child : node.children) AddConjuncts(std::move(child), conjuncts);
}

std::optional<AttributeValue> TakeEqual(Conjuncts& conjuncts, std::string_view attribute) {
  const auto found = std::ranges::find_if(
      conjuncts, [&](const ConditionNode& node) { return IsEqual(node, attribute); });
  if (found == conjuncts.end()) return std::nullopt;
  AttributeValue value = ValueOf(found->operands[*ValueSide(*found, attribute)]);
  conjuncts.erase(found);
  return value;
}

std::optional<std::vector<AttributeValue>> TakeChoices(Conjuncts& conjuncts,
                                                       std::string_view attribute) {
  std::vector<AttributeValue> values;
  if (auto equal = TakeEqual(conjuncts, attribute)) {
    values.push_back(std::move(*equal));
    return values;
  }
  const auto found = std::ranges::find_if(
      conjuncts, [&](const ConditionNode& node) { return IsChoice(node, attribute); });
  if (found == conjuncts.end()) return std::nullopt;
  CollectChoices(*found, attribute, values);
  conjuncts.erase(found);
  return values;
}

std::optional<KeyComparison> TakeRange(Conjuncts& conjuncts, std::string_view attribute) {
  for (auto node = conjuncts.begin(); node != conjuncts.end(); ++node) {
    if (auto range = AsRange(*node, attribute)) {
      conjuncts.erase(node);
      return range;
    }
  }
  return std::nullopt;
}

std::optional<Item> TakeKey(Conjuncts& conjuncts, const KeySchema& key) {
  std::vector<AttributeMap::Entry> entries;
  entries.reserve(2);
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      auto value = TakeEqual(conjuncts, attribute.name);
      if (!value) return std::nullopt;
      entries.emplace_back(attribute.name, std::move(*value));
    }
  }
  return Item::FromEntries(std::move(entries));
}

bool HasChoices(const Conjuncts& conjuncts, std::string_view attribute) {
  return std::ranges::any_of(conjuncts,
                             [&](const ConditionNode& node) { return IsChoice(node, attribute); });
}

// assumed: from memory.
tl::unexpected<Error> KeyIsMissing() {
  return Invalid("Where clause does not contain a mandatory equality on all key attributes");
}

std::optional<Condition> ConditionOf(Conjuncts conjuncts) {
  if (conjuncts.empty()) return std::nullopt;
  ConditionNode root = conjuncts.size() == 1 ? std::move(conjuncts.front())
                                             : ConditionNode{.op = ConditionOp::kAnd,
                                                             .children = std::move(conjuncts),
                                                             .operands = {}};
  return Condition(std::make_shared<const ConditionNode>(std::move(root)));
}

ConditionNode Exists(std::string_view attribute) { return CallOf("attribute_exists", attribute); }

ConditionNode NotExists(std::string_view attribute) {
  return CallOf("attribute_not_exists", attribute);
}

}  // namespace kw::partiql
