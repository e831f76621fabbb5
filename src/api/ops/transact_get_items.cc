// SPDX-License-Identifier: Apache-2.0
#include "api/ops/transact_get_items.h"

#include <array>
#include <utility>

#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"
#include "api/ops/wording.h"
#include "data/limits.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kScanOrBatch;

constexpr std::array<ShapeMember, 4> kGetMembers{{
    {"Key", &kItemMap, kRequired},
    {"TableName", &kTableArn, kRequired},
    {"ProjectionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
}};
constexpr Shape kGet{.kind = ShapeKind::kStructure, .name = "Get", .members = kGetMembers};
constexpr std::array<ShapeMember, 1> kItemMembers{{{"Get", &kGet, kRequired}}};
constexpr Shape kTransactGetItem{
    .kind = ShapeKind::kStructure, .name = "TransactGetItem", .members = kItemMembers};
constexpr Shape kItemList{.kind = ShapeKind::kList,
                          .name = "TransactGetItemList",
                          .min = 1,
                          .max = limits::kTransactionActionsMax,
                          .element = &kTransactGetItem};
constexpr std::array<ShapeMember, 2> kMembers{{
    {"TransactItems", &kItemList, kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
}};

Result<engine::GetRequest> ParseGet(const Fields<kGet>& fields, const engine::CallContext& call) {
  const auto expression = fields.String<"ProjectionExpression">();
  TRY_ASSIGN(Placeholders placeholders,
             ParsePlaceholders(kDialect, fields.Find<"ExpressionAttributeNames">(), nullptr,
                               expression.has_value()));
  engine::GetRequest get;
  TRY_ASSIGN(get.key, ParseItem(kDialect, fields.Get<"Key">()));
  TRY_ASSIGN(get.projection, ParseProjection(kDialect, expression, nullptr, placeholders));
  TRY(Worded(kDialect, Fault::kRequest, placeholders.CheckAllUsed()));
  TRY_ASSIGN(get.table, ParseTable(fields.Get<"TableName">().string(), call));
  get.consistent = true;
  return get;
}

}  // namespace

constexpr Shape kTransactGetItemsInput{
    .kind = ShapeKind::kStructure, .name = "TransactGetItemsInput", .members = kMembers};

Result<Parsed<TransactGetItems::Request, TransactGetItems::Echo>> TransactGetItems::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kTransactGetItemsInput> fields(body);
  Parsed<Request, Echo> parsed;
  for (const JsonValue json : fields.Get<"TransactItems">().array()) {
    const Fields<kGet> get_fields(Fields<kTransactGetItem>(json).Get<"Get">());
    TRY_ASSIGN(engine::GetRequest get, ParseGet(get_fields, call));
    parsed.echo.names.emplace(get.table, get_fields.Get<"TableName">().string());
    parsed.request.push_back(std::move(get));
  }
  parsed.echo.consumed = ParseReturnConsumed(fields.String<"ReturnConsumedCapacity">());
  return parsed;
}

Result<TransactGetItems::Response> TransactGetItems::Run(engine::Engine& engine,
                                                         const engine::CallContext& call,
                                                         const Request& request) {
  return engine::TransactGet(engine, call, request);
}

void TransactGetItems::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  WriteTransactionCapacity(echo, response.capacities, out);
  WriteTransactionItems(response.items, out);
  out.EndObject();
}

}  // namespace kw::api
