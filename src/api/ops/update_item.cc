// SPDX-License-Identifier: Apache-2.0
#include "api/ops/update_item.h"

#include <array>
#include <utility>

#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kItemWrite;

constexpr std::array<ShapeMember, 13> kMembers{{
    {"TableName", &kTableArn, kRequired},
    {"Key", &kItemMap, kRequired},
    {"AttributeUpdates", &kUpdatesMap},
    {"Expected", &kExpectedMap},
    {"ConditionalOperator", &kConditionalOperator},
    {"ReturnValues", &kReturnValue},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics},
    {"UpdateExpression", &kExpression},
    {"ConditionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
    {"ExpressionAttributeValues", &kExpressionValues},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};

engine::UpdateReturn ReturnsOf(std::optional<std::string_view> value) {
  using enum engine::UpdateReturn;
  constexpr std::array<engine::UpdateReturn, kReturnValueValues.size()> kInWireOrder{
      kAllNew, kUpdatedOld, kAllOld, kNone, kUpdatedNew};
  return value ? kInWireOrder[EnumIndex(kReturnValue, *value)] : kNone;
}

}  // namespace

constexpr Shape kUpdateItemInput{
    .kind = ShapeKind::kStructure, .name = "UpdateItemInput", .members = kMembers};

namespace {

// UpdateExpression or AttributeUpdates; CheckNotMixed has parted them.
Result<std::optional<Update>> ParseUpdate(const Fields<kUpdateItemInput>& fields,
                                          Placeholders& placeholders) {
  if (const auto expression = fields.String<"UpdateExpression">()) {
    return Worded(kDialect, Fault::kRequest, Update::Parse(*expression, placeholders));
  }
  return ParseAttributeUpdates(kDialect, fields.Find<"AttributeUpdates">());
}

}  // namespace

Result<Parsed<UpdateItem::Request, UpdateItem::Echo>> UpdateItem::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kUpdateItemInput> fields(body);
  TRY(CheckNotMixed(kDialect,
                    {{"AttributeUpdates", fields.Has<"AttributeUpdates">()},
                     {"Expected", fields.Has<"Expected">()},
                     {"ConditionalOperator", fields.Has<"ConditionalOperator">()}},
                    {{"UpdateExpression", fields.Has<"UpdateExpression">()},
                     {"ConditionExpression", fields.Has<"ConditionExpression">()}}));
  FaultList faults;
  Request request;
  if (auto key = faults.Take(ParseItem(kDialect, fields.Get<"Key">()))) {
    request.key = std::move(*key);
  }
  auto placeholders = faults.Take(
      ParsePlaceholders(kDialect, fields.Find<"ExpressionAttributeNames">(),
                        fields.Find<"ExpressionAttributeValues">(),
                        fields.Has<"UpdateExpression">() || fields.Has<"ConditionExpression">()));
  if (placeholders) {
    auto update = faults.Take(ParseUpdate(fields, *placeholders));
    auto condition = faults.Take(ParseWriteCondition(fields, *placeholders));
    if (update && condition) {
      faults.Take(Worded(kDialect, Fault::kRequest, placeholders->CheckAllUsed()));
      request.update = std::move(*update);
      request.condition = std::move(*condition);
    }
  }
  TRY(std::move(faults).Outcome());
  request.returns = ReturnsOf(fields.String<"ReturnValues">());
  request.on_failure = ParseOnFailure(fields.String<"ReturnValuesOnConditionCheckFailure">());
  Echo echo = WriteEchoOf(fields);
  TRY_ASSIGN(request.table, ParseTable(echo.table_name, call));
  return Parsed<Request, Echo>{.request = std::move(request), .echo = std::move(echo)};
}

void UpdateItem::Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                     engine::Done<Response> done) {
  engine::Update(engine, call, std::move(request), std::move(done));
}

void UpdateItem::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  RenderWrite(echo, response, out);
}

}  // namespace kw::api
