// SPDX-License-Identifier: Apache-2.0
#include "api/ops/page.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"
#include "api/ops/legacy_input.h"
#include "api/ops/table_name.h"
#include "data/item.h"
#include "data/item_bytes.h"

namespace kw::api {
namespace {

std::optional<engine::Select> SelectOf(std::optional<std::string_view> value) {
  using enum engine::Select;
  constexpr std::array<engine::Select, kSelectValues.size()> kInWireOrder{
      kSpecificAttributes, kCount, kAllAttributes, kAllProjectedAttributes};
  if (!value) return std::nullopt;
  return kInWireOrder[EnumIndex(kSelect, *value)];
}

Result<std::optional<Condition>> ParsePageFilter(Dialect dialect, const PageInput& input,
                                                 Placeholders& placeholders) {
  if (!input.filter_expression) {
    return ParseFilter(dialect, input.old_filter, input.conditional_operator);
  }
  return Worded(dialect, Fault::kRequest,
                Condition::Parse(*input.filter_expression, ConditionKind::kFilter, placeholders));
}

}  // namespace

Result<void> CheckSelection(Dialect dialect, const PageInput& input, std::string_view verb) {
  const auto refuse = [dialect](std::string message) {
    return Worded<void>(dialect, Fault::kSelection, Invalid(std::move(message)));
  };
  const bool projects = input.projection_expression || input.attributes_to_get != nullptr;
  if (!input.select) return {};
  if (*input.select == "SPECIFIC_ATTRIBUTES") {
    if (projects) return {};
    return refuse(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
        "SPECIFIC_ATTRIBUTES");
  }
  if (projects) {
    return refuse(
        fmt::format("Cannot specify the {} when choosing to get {}",
                    input.projection_expression ? "ProjectionExpression" : "AttributesToGet",
                    *input.select == "COUNT" ? "only the Count" : *input.select));
  }
  if (*input.select == "ALL_PROJECTED_ATTRIBUTES" && !input.index) {
    return refuse(
        fmt::format("ALL_PROJECTED_ATTRIBUTES can be used only when {} using an IndexName", verb));
  }
  return {};
}

Result<engine::PageRequest> ParsePage(Dialect dialect, const PageInput& input,
                                      const engine::CallContext& call, Placeholders& placeholders) {
  engine::PageRequest page;
  if (input.start != nullptr) {
    TRY_ASSIGN(page.start, ParseItem(dialect, *input.start));
  }
  TRY_ASSIGN(page.filter, ParsePageFilter(dialect, input, placeholders));
  TRY_ASSIGN(page.projection, ParseProjection(dialect, input.projection_expression,
                                              input.attributes_to_get, placeholders));
  TRY_ASSIGN(page.table, ParseTable(input.table_name, call));
  if (input.index) page.index = std::string(*input.index);
  page.select = SelectOf(input.select);
  page.limit = input.limit;
  page.consistent = input.consistent;
  page.legacy_filter = !input.filter_expression;
  return page;
}

PageEcho PageEchoOf(const PageInput& input) {
  return {.table_name = std::string(input.table_name),
          .consumed = ParseReturnConsumed(input.return_consumed),
          .counts_only = input.select == "COUNT"};
}

void RenderPage(const PageEcho& echo, const engine::PageOutcome& outcome, JsonWriter& out) {
  out.BeginObject();
  if (!echo.counts_only) {
    out.Key("Items");
    WriteStoredItems(outcome.items, out);
  }
  out.Member("Count", outcome.count);
  out.Member("ScannedCount", outcome.scanned);
  if (outcome.last_key) {
    out.Key("LastEvaluatedKey");
    WriteJson(*outcome.last_key, out);
  }
  if (echo.consumed != ReturnConsumed::kNone) {
    out.Key("ConsumedCapacity");
    WriteConsumedCapacity(echo.table_name, outcome.capacity, echo.consumed, CapacityForm::kPlain,
                          out);
  }
  out.EndObject();
}

}  // namespace kw::api
