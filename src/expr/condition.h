// SPDX-License-Identifier: Apache-2.0
// Condition and filter expressions: parsed once into a resolved tree, evaluated without errors.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/placeholders.h"

namespace kw {

enum class ConditionKind : std::uint8_t {
  kCondition,
  kFilter
};  // names the expression in messages

struct ConditionNode;  // condition_tree.h, private to the module

// Immutable and cheap to copy.
class Condition {
 public:
  // Errors: Validation, in the service's words and order: empty, syntax (with token and near),
  // reserved word, undefined placeholder, operand types that can never work, redundant parentheses,
  // 4 KB, 300 operators, 100 IN operands. Messages begin "Invalid ConditionExpression: " or
  // "Invalid FilterExpression: ".
  static Result<Condition> Parse(std::string_view text, ConditionKind kind,
                                 Placeholders& placeholders);

  // Whether it holds of an item; of an empty map where there is none.
  [[nodiscard]] bool Holds(const AttributeMap& item) const;

  // Every top-level attribute that it names (a filter may not name the key's).
  [[nodiscard]] std::set<std::string, std::less<>> Attributes() const;

  // The bytes of the values that it spells out, each as often as it is used: what Holds may have to
  // look at for an item, however small the item is.
  [[nodiscard]] ByteCount LiteralBytes() const;

  explicit Condition(std::shared_ptr<const ConditionNode> root) : root_(std::move(root)) {}

 private:
  std::shared_ptr<const ConditionNode> root_;
};

}  // namespace kw
