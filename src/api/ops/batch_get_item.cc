// SPDX-License-Identifier: Apache-2.0
#include "api/ops/batch_get_item.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"
#include "api/ops/wording.h"
#include "data/item.h"
#include "data/item_bytes.h"
#include "data/limits.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kGet;

constexpr Shape kKeyList{.kind = ShapeKind::kList,
                         .name = "KeyList",
                         .min = 1,
                         .max = limits::kBatchGetKeysMax,
                         .element = &kItemMap};
constexpr std::array<ShapeMember, 5> kKeysMembers{{
    {"Keys", &kKeyList, kRequired},
    {"AttributesToGet", &kAttributeNameList},
    {"ConsistentRead", &kBoolean},
    {"ProjectionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
}};
constexpr Shape kKeysAndAttributes{
    .kind = ShapeKind::kStructure, .name = "KeysAndAttributes", .members = kKeysMembers};
constexpr Shape kRequestMap{.kind = ShapeKind::kMap,
                            .name = "BatchGetRequestMap",
                            .min = 1,
                            .max = limits::kBatchGetKeysMax,
                            .element = &kKeysAndAttributes,
                            .key = &kTableArn};
constexpr std::array<ShapeMember, 2> kMembers{{
    {"RequestItems", &kRequestMap, kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
}};

using KeysFields = Fields<kKeysAndAttributes>;

Result<engine::BatchGetTable> ParseTableKeys(std::string_view name, const KeysFields& fields,
                                             const engine::CallContext& call) {
  const auto expression = fields.String<"ProjectionExpression">();
  TRY(CheckNotMixed(kDialect, {{"AttributesToGet", fields.Has<"AttributesToGet">()}},
                    {{"ProjectionExpression", expression.has_value()}}));
  TRY_ASSIGN(Placeholders placeholders,
             ParsePlaceholders(kDialect, fields.Find<"ExpressionAttributeNames">(), nullptr,
                               expression.has_value()));
  engine::BatchGetTable table;
  for (const JsonValue key : fields.Get<"Keys">().array()) {
    TRY_ASSIGN(table.keys.emplace_back(), ParseItem(kDialect, key));
  }
  TRY_ASSIGN(table.projection,
             ParseProjection(kDialect, expression, fields.Find<"AttributesToGet">(), placeholders));
  TRY(Worded(kDialect, Fault::kRequest, placeholders.CheckAllUsed()));
  TRY_ASSIGN(table.table, ParseTable(name, call));
  table.name_as_sent = std::string(name);
  table.consistent = fields.Boolean<"ConsistentRead">().value_or(false);
  return table;
}

// `"ConsistentRead":true,"ProjectionExpression":"a"`
std::string SettingsOf(const KeysFields& fields) {
  std::string text;
  JsonWriter out(text);
  if (const auto consistent = fields.Boolean<"ConsistentRead">()) {
    out.Member("ConsistentRead", *consistent);
  }
  if (const auto expression = fields.String<"ProjectionExpression">()) {
    out.Member("ProjectionExpression", *expression);
  }
  if (const JsonValue* names = fields.Find<"ExpressionAttributeNames">()) {
    out.Key("ExpressionAttributeNames");
    out.BeginObject();
    for (const auto [placeholder, name] : names->object()) out.Member(placeholder, name.string());
    out.EndObject();
  }
  if (const JsonValue* attributes = fields.Find<"AttributesToGet">()) {
    out.Key("AttributesToGet");
    out.BeginArray();
    for (const JsonValue attribute : attributes->array()) out.String(attribute.string());
    out.EndArray();
  }
  return text;
}

void WriteUnprocessed(const BatchGetItem::Echo& echo, const BatchGetItem::Response& response,
                      JsonWriter& out) {
  out.Key("UnprocessedKeys");
  out.BeginObject();
  for (std::size_t i = 0; i < response.request.size(); ++i) {
    const auto& unprocessed = response.outcome.tables[i].unprocessed;
    if (unprocessed.empty()) continue;
    out.Key(response.request[i].name_as_sent);
    out.BeginObject();
    out.Key("Keys");
    out.BeginArray();
    for (const std::size_t key : unprocessed) WriteJson(response.request[i].keys[key], out);
    out.EndArray();
    if (!echo.settings[i].empty()) out.Raw(echo.settings[i]);
    out.EndObject();
  }
  out.EndObject();
}

}  // namespace

constexpr Shape kBatchGetItemInput{
    .kind = ShapeKind::kStructure, .name = "BatchGetItemInput", .members = kMembers};

Result<Parsed<BatchGetItem::Request, BatchGetItem::Echo>> BatchGetItem::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kBatchGetItemInput> fields(body);
  Parsed<Request, Echo> parsed;
  std::size_t keys = 0;
  for (const auto [name, json] : fields.Get<"RequestItems">().object().DistinctMembers()) {
    const KeysFields table_fields(json);
    keys += table_fields.Get<"Keys">().array().size();
    if (keys > limits::kBatchGetKeysMax) {
      return Invalid("Too many items requested for the BatchGetItem call");
    }
    TRY_ASSIGN(engine::BatchGetTable table, ParseTableKeys(name, table_fields, call));
    parsed.request.push_back(std::move(table));
    parsed.echo.settings.push_back(SettingsOf(table_fields));
  }
  parsed.echo.consumed = ParseReturnConsumed(fields.String<"ReturnConsumedCapacity">());
  return parsed;
}

Result<BatchGetItem::Response> BatchGetItem::Run(engine::Engine& engine,
                                                 const engine::CallContext& call, Request request) {
  TRY_ASSIGN(engine::BatchGetOutcome outcome, engine::BatchGet(engine, call, request));
  return Response{.request = std::move(request), .outcome = std::move(outcome)};
}

void BatchGetItem::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  const auto& tables = response.outcome.tables;
  out.BeginObject();
  out.Key("Responses");
  out.BeginObject();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    out.Key(response.request[i].name_as_sent);
    out.BeginArray();
    for (const std::string& item : tables[i].items) WriteStoredItem(item, out);
    out.EndArray();
  }
  out.EndObject();
  WriteUnprocessed(echo, response, out);
  if (echo.consumed != ReturnConsumed::kNone) {
    out.Key("ConsumedCapacity");
    out.BeginArray();
    for (std::size_t i = 0; i < tables.size(); ++i) {
      WriteConsumedCapacity(response.request[i].name_as_sent, tables[i].capacity, echo.consumed,
                            CapacityForm::kPlain, out);
    }
    out.EndArray();
  }
  out.EndObject();
}

}  // namespace kw::api
