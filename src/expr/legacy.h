// SPDX-License-Identifier: Apache-2.0
// The parameters from before expressions, turned into the same trees: Expected, QueryFilter,
// ScanFilter, KeyConditions, AttributeUpdates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/update.h"

namespace kw {

enum class ComparisonOperator : std::uint8_t {
  kEq,
  kNe,
  kLe,
  kLt,
  kGe,
  kGt,
  kNotNull,
  kNull,
  kContains,
  kNotContains,
  kBeginsWith,
  kIn,
  kBetween
};
enum class ConditionalOperator : std::uint8_t { kAnd, kOr };
enum class AttributeAction : std::uint8_t { kPut, kAdd, kDelete };

// A Condition shape: attribute, operator, values.
struct LegacyCondition {
  std::string attribute;
  ComparisonOperator op;
  std::vector<AttributeValue> values;
  bool has_values = true;  // AttributeValueList was sent
};
// An ExpectedAttributeValue as sent.
struct LegacyExpected {
  std::string attribute;
  std::optional<AttributeValue> value;
  std::optional<bool> exists;
  std::optional<ComparisonOperator> op;
  std::optional<std::vector<AttributeValue>> values;
};
// An AttributeValueUpdate as sent; the default action is PUT.
struct LegacyUpdate {
  std::string attribute;
  std::optional<AttributeValue> value;
  AttributeAction action = AttributeAction::kPut;
};

// Errors of all: Validation, in the service's words ("One or more parameter values were invalid:
// ...").
Result<Condition> ConditionOf(const std::vector<LegacyExpected>& expected, ConditionalOperator op);
Result<Condition> FilterOf(const std::vector<LegacyCondition>& conditions, ConditionalOperator op);
Result<KeyCondition> KeyConditionOf(const std::vector<LegacyCondition>& conditions);
Result<Update> UpdateOf(const std::vector<LegacyUpdate>& updates);

}  // namespace kw
