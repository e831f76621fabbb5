// SPDX-License-Identifier: Apache-2.0
#include "expr/condition.h"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "expr/condition_tree.h"
#include "expr/functions.h"
#include "expr/parser.h"

namespace kw {
namespace {

// Reads one operand of a node for an item.
class Reading {
 public:
  Reading(const Operand& operand, const AttributeMap& item)
      : value_(Read(operand, item, scratch_)) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  [[nodiscard]] const AttributeValue* value() const { return value_; }

 private:
  AttributeValue scratch_;
  const AttributeValue* value_;
};

bool AreEqual(const AttributeValue* a, const AttributeValue* b) {
  return a != nullptr && b != nullptr && *a == *b;
}

std::optional<std::strong_ordering> Order(const AttributeValue* a, const AttributeValue* b) {
  if (a == nullptr || b == nullptr) return std::nullopt;
  return Compare(*a, *b);
}

bool IsWithin(const AttributeValue* value, const AttributeValue* low, const AttributeValue* high) {
  const auto from = Order(value, low);
  const auto to = Order(value, high);
  return from && to && *from >= 0 && *to <= 0;
}

bool HoldsOf(const ConditionNode& node, const AttributeMap& item) {
  const auto holds = [&](const ConditionNode& child) { return HoldsOf(child, item); };
  const auto value = [&](std::size_t i) { return Reading(node.operands[i], item); };
  const auto order = [&] {
    const Reading left = value(0);
    const Reading right = value(1);
    return Order(left.value(), right.value());
  };
  const auto equal = [&](std::size_t i, std::size_t j) {
    const Reading left = value(i);
    const Reading right = value(j);
    return AreEqual(left.value(), right.value());
  };
  switch (node.op) {
    case ConditionOp::kAnd: return std::ranges::all_of(node.children, holds);
    case ConditionOp::kOr: return std::ranges::any_of(node.children, holds);
    case ConditionOp::kNot: return !holds(node.children.front());
    case ConditionOp::kFunction:
      return std::get<Test>(node.function->evaluator)(node.operands, item);
    case ConditionOp::kEqual: return equal(0, 1);
    // Of an attribute that is missing, too.
    case ConditionOp::kNotEqual: return !equal(0, 1);
    case ConditionOp::kLess: {
      const auto found = order();
      return found && *found < 0;
    }
    case ConditionOp::kLessEqual: {
      const auto found = order();
      return found && *found <= 0;
    }
    case ConditionOp::kGreater: {
      const auto found = order();
      return found && *found > 0;
    }
    case ConditionOp::kGreaterEqual: {
      const auto found = order();
      return found && *found >= 0;
    }
    case ConditionOp::kBetween: {
      const Reading middle = value(0);
      const Reading low = value(1);
      const Reading high = value(2);
      return IsWithin(middle.value(), low.value(), high.value());
    }
    case ConditionOp::kIn: {
      const Reading wanted = value(0);
      return std::ranges::any_of(std::span(node.operands).subspan(1), [&](const Operand& choice) {
        return AreEqual(wanted.value(), Reading(choice, item).value());
      });
    }
  }
  return false;
}

void CollectAttributes(const ConditionNode& node, AttributeNames& names) {
  for (const Operand& operand : node.operands) CollectAttributes(operand, names);
  for (const ConditionNode& child : node.children) CollectAttributes(child, names);
}

// A value is measured once, however often it is used.
using Sizes = std::map<const AttributeValue*, ByteCount>;

ByteCount LiteralBytesOf(const std::vector<Operand>& operands, Sizes& sizes) {
  ByteCount sum;
  for (const Operand& operand : operands) {
    if (const AttributeValue* value = LiteralOf(operand)) {
      const auto [entry, added] = sizes.try_emplace(value);
      if (added) entry->second = SizeOf(*value);
      sum += entry->second;
    }
    if (const auto* call = std::get_if<Call>(&operand.what)) {
      sum += LiteralBytesOf(call->arguments, sizes);
    }
  }
  return sum;
}

ByteCount LiteralBytesOf(const ConditionNode& node, Sizes& sizes) {
  ByteCount sum = LiteralBytesOf(node.operands, sizes);
  for (const ConditionNode& child : node.children) sum += LiteralBytesOf(child, sizes);
  return sum;
}

}  // namespace

Result<Condition> Condition::Parse(std::string_view text, ConditionKind kind,
                                   Placeholders& placeholders) {
  const auto expression =
      kind == ConditionKind::kFilter ? ExpressionKind::kFilter : ExpressionKind::kCondition;
  TRY_ASSIGN(ConditionNode root, ParseConditionTree(text, expression, placeholders));
  return Condition(std::make_shared<const ConditionNode>(std::move(root)));
}

bool Condition::Holds(const AttributeMap& item) const { return HoldsOf(*root_, item); }

ByteCount Condition::LiteralBytes() const {
  Sizes sizes;
  return LiteralBytesOf(*root_, sizes);
}

std::set<std::string, std::less<>> Condition::Attributes() const {
  AttributeNames names;
  CollectAttributes(*root_, names);
  return names;
}

}  // namespace kw
