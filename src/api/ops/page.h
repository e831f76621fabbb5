// SPDX-License-Identifier: Apache-2.0
// What Query and Scan share: their parameters, the rules between them, and the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/ops/consumed.h"
#include "api/ops/wording.h"
#include "api/shapes.h"
#include "engine/operations.h"
#include "expr/placeholders.h"

namespace kw::api {

// The shared parameters as sent; they point into the body.
struct PageInput {
  std::string_view table_name;
  std::optional<std::string_view> index;
  std::optional<std::string_view> select;
  std::optional<std::string_view> projection_expression;
  std::optional<std::string_view> filter_expression;
  std::optional<std::string_view> conditional_operator;
  std::optional<std::string_view> return_consumed;
  const JsonValue* attributes_to_get = nullptr;
  const JsonValue* old_filter = nullptr;  // QueryFilter or ScanFilter
  const JsonValue* start = nullptr;
  std::optional<std::int64_t> limit;
  bool consistent = false;
};

template <MemberName kOldFilter, const Shape& kShape>
PageInput ReadPageInput(const Fields<kShape>& fields) {
  return {.table_name = fields.template Get<"TableName">().string(),
          .index = fields.template String<"IndexName">(),
          .select = fields.template String<"Select">(),
          .projection_expression = fields.template String<"ProjectionExpression">(),
          .filter_expression = fields.template String<"FilterExpression">(),
          .conditional_operator = fields.template String<"ConditionalOperator">(),
          .return_consumed = fields.template String<"ReturnConsumedCapacity">(),
          .attributes_to_get = fields.template Find<"AttributesToGet">(),
          .old_filter = fields.template Find<kOldFilter>(),
          .start = fields.template Find<"ExclusiveStartKey">(),
          .limit = fields.template Integer<"Limit">(),
          .consistent = fields.template Boolean<"ConsistentRead">().value_or(false)};
}

// Select against projections and IndexName. `verb` is "Querying" or "Scanning".
Result<void> CheckSelection(Dialect dialect, const PageInput& input, std::string_view verb);

// Start key, filter, projection and table, in this order.
Result<engine::PageRequest> ParsePage(Dialect dialect, const PageInput& input,
                                      const engine::CallContext& call, Placeholders& placeholders);

struct PageEcho {
  std::string table_name;  // as sent
  ReturnConsumed consumed = ReturnConsumed::kNone;
  bool counts_only = false;  // Select COUNT: no Items in the answer
};
PageEcho PageEchoOf(const PageInput& input);

void RenderPage(const PageEcho& echo, const engine::PageOutcome& outcome, JsonWriter& out);

}  // namespace kw::api
