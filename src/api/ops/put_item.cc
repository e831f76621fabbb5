// SPDX-License-Identifier: Apache-2.0
#include "api/ops/put_item.h"

#include <array>
#include <utility>

#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kItemWrite;

constexpr std::array<ShapeMember, 11> kMembers{{
    {"TableName", &kTableArn, kRequired},
    {"Item", &kItemMap, kRequired},
    {"Expected", &kExpectedMap},
    {"ReturnValues", &kReturnValue},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics},
    {"ConditionalOperator", &kConditionalOperator},
    {"ConditionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
    {"ExpressionAttributeValues", &kExpressionValues},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};

}  // namespace

constexpr Shape kPutItemInput{
    .kind = ShapeKind::kStructure, .name = "PutItemInput", .members = kMembers};

Result<Parsed<PutItem::Request, PutItem::Echo>> PutItem::Parse(JsonValue body,
                                                               const engine::CallContext& call) {
  const Fields<kPutItemInput> fields(body);
  const bool has_expression = fields.Has<"ConditionExpression">();
  TRY(CheckNotMixed(kDialect,
                    {{"Expected", fields.Has<"Expected">()},
                     {"ConditionalOperator", fields.Has<"ConditionalOperator">()}},
                    {{"ConditionExpression", has_expression}}));
  FaultList faults;
  auto item = faults.Take(ParseItem(kDialect, fields.Get<"Item">()));
  auto placeholders =
      faults.Take(ParsePlaceholders(kDialect, fields.Find<"ExpressionAttributeNames">(),
                                    fields.Find<"ExpressionAttributeValues">(), has_expression));
  const auto returns_old = faults.Take(ParseReturnsOld(fields.String<"ReturnValues">()));
  auto condition = ParseConditionAlone(fields, placeholders, faults);
  TRY(std::move(faults).Outcome());
  Request request;
  request.item = std::move(*item);
  request.returns = *returns_old ? engine::PutReturn::kAllOld : engine::PutReturn::kNone;
  request.on_failure = ParseOnFailure(fields.String<"ReturnValuesOnConditionCheckFailure">());
  request.condition = std::move(condition);
  Echo echo = WriteEchoOf(fields);
  TRY_ASSIGN(request.table, ParseTable(echo.table_name, call));
  return Parsed<Request, Echo>{.request = std::move(request), .echo = std::move(echo)};
}

void PutItem::Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done) {
  engine::Put(engine, call, std::move(request), std::move(done));
}

void PutItem::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  RenderWrite(echo, response, out);
}

}  // namespace kw::api
