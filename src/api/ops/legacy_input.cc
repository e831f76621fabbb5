// SPDX-License-Identifier: Apache-2.0
#include "api/ops/legacy_input.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "api/ops/item_shapes.h"

namespace kw::api {
namespace {

ComparisonOperator OperatorOf(std::string_view value) {
  using enum ComparisonOperator;
  constexpr std::array<ComparisonOperator, kComparisonValues.size()> kInWireOrder{
      kIn,      kNull, kBetween, kLt,         kNotContains, kEq,      kGt,
      kNotNull, kNe,   kLe,      kBeginsWith, kGe,          kContains};
  return kInWireOrder[EnumIndex(kComparisonOperator, value)];
}

AttributeAction ActionOf(std::string_view value) {
  using enum AttributeAction;
  constexpr std::array<AttributeAction, kActionValues.size()> kInWireOrder{kAdd, kPut, kDelete};
  return kInWireOrder[EnumIndex(kAttributeAction, value)];
}

Result<std::vector<AttributeValue>> ParseValueList(Dialect dialect, JsonValue list) {
  std::vector<AttributeValue> values;
  for (const JsonValue value : list.array()) {
    TRY_ASSIGN(values.emplace_back(), ParseValue(dialect, value));
  }
  return values;
}

Result<std::vector<LegacyCondition>> ParseConditions(Dialect dialect, JsonValue map) {
  std::vector<LegacyCondition> conditions;
  for (const auto [attribute, json] : map.object().DistinctMembers()) {
    const Fields<kCondition> fields(json);
    LegacyCondition condition{.attribute = std::string(attribute),
                              .op = OperatorOf(fields.Get<"ComparisonOperator">().string()),
                              .values = {},
                              .has_values = fields.Has<"AttributeValueList">()};
    if (const JsonValue* values = fields.Find<"AttributeValueList">()) {
      TRY_ASSIGN(condition.values, ParseValueList(dialect, *values));
    }
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

Result<LegacyExpected> ParseExpectedValue(Dialect dialect, std::string_view attribute,
                                          JsonValue json) {
  const Fields<kExpectedValue> fields(json);
  LegacyExpected expected{.attribute = std::string(attribute),
                          .value = {},
                          .exists = fields.Boolean<"Exists">(),
                          .op = {},
                          .values = {}};
  if (const JsonValue* value = fields.Find<"Value">()) {
    TRY_ASSIGN(expected.value, ParseValue(dialect, *value));
  }
  if (const auto op = fields.String<"ComparisonOperator">()) expected.op = OperatorOf(*op);
  if (const JsonValue* values = fields.Find<"AttributeValueList">()) {
    TRY_ASSIGN(expected.values, ParseValueList(dialect, *values));
  }
  return expected;
}

ConditionalOperator ConditionalOperatorOf(std::optional<std::string_view> value) {
  return value == "OR" ? ConditionalOperator::kOr : ConditionalOperator::kAnd;
}

// assumed: both sentences.
Result<void> CheckConditionalOperator(Dialect dialect, std::size_t conditions,
                                      std::optional<std::string_view> conditional_operator) {
  if (!conditional_operator || conditions >= 2) return {};
  return Worded<void>(
      dialect, Fault::kRequest,
      Invalid(conditions == 0 ? "ConditionalOperator cannot be used without Filter or Expected"
                              : "ConditionalOperator can only be used when Filter or Expected has "
                                "two or more elements"));
}

}  // namespace

Result<std::optional<Condition>> ParseExpected(
    Dialect dialect, const JsonValue* expected,
    std::optional<std::string_view> conditional_operator) {
  std::vector<LegacyExpected> conditions;
  if (expected != nullptr) {
    for (const auto [attribute, json] : expected->object().DistinctMembers()) {
      TRY_ASSIGN(LegacyExpected condition, ParseExpectedValue(dialect, attribute, json));
      conditions.push_back(std::move(condition));
    }
  }
  TRY(CheckConditionalOperator(dialect, conditions.size(), conditional_operator));
  if (conditions.empty()) return std::nullopt;
  return Worded(dialect, Fault::kRequest,
                ConditionOf(conditions, ConditionalOperatorOf(conditional_operator)));
}

Result<std::optional<Condition>> ParseFilter(Dialect dialect, const JsonValue* filter,
                                             std::optional<std::string_view> conditional_operator) {
  std::vector<LegacyCondition> conditions;
  if (filter != nullptr) {
    TRY_ASSIGN(conditions, ParseConditions(dialect, *filter));
  }
  TRY(CheckConditionalOperator(dialect, conditions.size(), conditional_operator));
  if (conditions.empty()) return std::nullopt;
  return Worded(dialect, Fault::kRequest,
                FilterOf(conditions, ConditionalOperatorOf(conditional_operator)));
}

Result<KeyCondition> ParseKeyConditions(Dialect dialect, JsonValue conditions) {
  TRY_ASSIGN(const std::vector<LegacyCondition> parsed, ParseConditions(dialect, conditions));
  return Worded(dialect, Fault::kRequest, KeyConditionOf(parsed));
}

Result<std::optional<Update>> ParseAttributeUpdates(Dialect dialect, const JsonValue* updates) {
  if (updates == nullptr) return std::nullopt;
  std::vector<LegacyUpdate> parsed;
  for (const auto [attribute, json] : updates->object().DistinctMembers()) {
    const Fields<kValueUpdate> fields(json);
    LegacyUpdate update{.attribute = std::string(attribute), .value = {}};
    if (const JsonValue* value = fields.Find<"Value">()) {
      TRY_ASSIGN(update.value, ParseValue(dialect, *value));
    }
    if (const auto action = fields.String<"Action">()) update.action = ActionOf(*action);
    parsed.push_back(std::move(update));
  }
  if (parsed.empty()) return std::nullopt;
  return Worded(dialect, Fault::kRequest, UpdateOf(parsed));
}

}  // namespace kw::api
