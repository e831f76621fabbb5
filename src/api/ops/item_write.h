// SPDX-License-Identifier: Apache-2.0
// What PutItem, UpdateItem and DeleteItem share: condition, old parameters, and the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/ops/consumed.h"
#include "api/ops/legacy_input.h"
#include "api/ops/wording.h"
#include "api/shapes.h"
#include "engine/operations.h"
#include "expr/condition.h"
#include "expr/placeholders.h"

namespace kw::api {

struct WriteEcho {
  std::string table_name;  // as sent
  ReturnConsumed consumed = ReturnConsumed::kNone;
  ReturnMetrics metrics = ReturnMetrics::kNone;
};

template <const Shape& kShape>
WriteEcho WriteEchoOf(const Fields<kShape>& fields) {
  return {.table_name = std::string(fields.template Get<"TableName">().string()),
          .consumed = ParseReturnConsumed(fields.template String<"ReturnConsumedCapacity">()),
          .metrics = ParseReturnMetrics(fields.template String<"ReturnItemCollectionMetrics">())};
}

// ReturnValues of PutItem and DeleteItem: true for ALL_OLD.
// Errors: Validation, for a value that only UpdateItem knows.
Result<bool> ParseReturnsOld(std::optional<std::string_view> return_values);

// ReturnValuesOnConditionCheckFailure.
engine::FailureReturn ParseOnFailure(std::optional<std::string_view> value);

// ConditionExpression, with the faults in the dialect's words.
Result<std::optional<Condition>> ParseConditionExpression(
    Dialect dialect, std::optional<std::string_view> expression, Placeholders& placeholders);

// ConditionExpression, or Expected and ConditionalOperator; CheckNotMixed has parted them.
template <const Shape& kShape>
Result<std::optional<Condition>> ParseWriteCondition(const Fields<kShape>& fields,
                                                     Placeholders& placeholders) {
  if (const auto expression = fields.template String<"ConditionExpression">()) {
    return ParseConditionExpression(Dialect::kItemWrite, expression, placeholders);
  }
  return ParseExpected(Dialect::kItemWrite, fields.template Find<"Expected">(),
                       fields.template String<"ConditionalOperator">());
}

// The condition of an operation without other expressions: also that it uses every placeholder.
// `placeholders` is nothing if they were faulty; then an expression cannot be read.
template <const Shape& kShape>
std::optional<Condition> ParseConditionAlone(const Fields<kShape>& fields,
                                             std::optional<Placeholders>& placeholders,
                                             FaultList& faults) {
  if (!placeholders) return std::nullopt;
  auto condition = faults.Take(ParseWriteCondition(fields, *placeholders));
  if (!condition) return std::nullopt;
  faults.Take(Worded(Dialect::kItemWrite, Fault::kRequest, placeholders->CheckAllUsed()));
  return std::move(*condition);
}

void RenderWrite(const WriteEcho& echo, const engine::WriteOutcome& outcome, JsonWriter& out);

}  // namespace kw::api
