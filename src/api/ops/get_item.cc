// SPDX-License-Identifier: Apache-2.0
#include "api/ops/get_item.h"

#include <array>
#include <utility>

#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"
#include "api/ops/wording.h"
#include "data/item_bytes.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kGet;

constexpr std::array<ShapeMember, 7> kMembers{{
    {"TableName", &kTableArn, kRequired},
    {"Key", &kItemMap, kRequired},
    {"AttributesToGet", &kAttributeNameList},
    {"ConsistentRead", &kBoolean},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
    {"ProjectionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
}};

}  // namespace

constexpr Shape kGetItemInput{
    .kind = ShapeKind::kStructure, .name = "GetItemInput", .members = kMembers};

Result<Parsed<GetItem::Request, GetItem::Echo>> GetItem::Parse(JsonValue body,
                                                               const engine::CallContext& call) {
  const Fields<kGetItemInput> fields(body);
  const auto expression = fields.String<"ProjectionExpression">();
  TRY(CheckNotMixed(kDialect, {{"AttributesToGet", fields.Has<"AttributesToGet">()}},
                    {{"ProjectionExpression", expression.has_value()}}));
  TRY_ASSIGN(Placeholders placeholders,
             ParsePlaceholders(kDialect, fields.Find<"ExpressionAttributeNames">(), nullptr,
                               expression.has_value()));
  Request request;
  TRY_ASSIGN(request.key, ParseItem(kDialect, fields.Get<"Key">()));
  TRY_ASSIGN(request.projection,
             ParseProjection(kDialect, expression, fields.Find<"AttributesToGet">(), placeholders));
  TRY(Worded(kDialect, Fault::kRequest, placeholders.CheckAllUsed()));
  const std::string_view table_name = fields.Get<"TableName">().string();
  TRY_ASSIGN(request.table, ParseTable(table_name, call));
  request.consistent = fields.Boolean<"ConsistentRead">().value_or(false);
  return Parsed<Request, Echo>{
      .request = std::move(request),
      .echo = {.table_name = std::string(table_name),
               .consumed = ParseReturnConsumed(fields.String<"ReturnConsumedCapacity">())}};
}

Result<GetItem::Response> GetItem::Run(engine::Engine& engine, const engine::CallContext& call,
                                       const Request& request) {
  return engine::Get(engine, call, request);
}

void GetItem::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  if (response.item) {
    out.Key("Item");
    WriteStoredItem(*response.item, out);
  }
  if (echo.consumed != ReturnConsumed::kNone) {
    out.Key("ConsumedCapacity");
    WriteConsumedCapacity(echo.table_name, response.capacity, echo.consumed, CapacityForm::kPlain,
                          out);
  }
  out.EndObject();
}

}  // namespace kw::api
