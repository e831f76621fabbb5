// SPDX-License-Identifier: Apache-2.0
#include "api/ops/batch_write_item.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"
#include "api/ops/wording.h"
#include "data/item.h"
#include "data/limits.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kScanOrBatch;

constexpr std::array<ShapeMember, 1> kPutMembers{{{"Item", &kItemMap, kRequired}}};
constexpr Shape kPutRequest{
    .kind = ShapeKind::kStructure, .name = "PutRequest", .members = kPutMembers};
constexpr std::array<ShapeMember, 1> kDeleteMembers{{{"Key", &kItemMap, kRequired}}};
constexpr Shape kDeleteRequest{
    .kind = ShapeKind::kStructure, .name = "DeleteRequest", .members = kDeleteMembers};
constexpr std::array<ShapeMember, 2> kWriteMembers{{
    {"PutRequest", &kPutRequest},
    {"DeleteRequest", &kDeleteRequest},
}};
constexpr Shape kWriteRequest{
    .kind = ShapeKind::kStructure, .name = "WriteRequest", .members = kWriteMembers};
constexpr Shape kWriteRequests{.kind = ShapeKind::kList,
                               .name = "WriteRequests",
                               .min = 1,
                               .max = limits::kBatchWriteRequestsMax,
                               .element = &kWriteRequest};
constexpr Shape kRequestMap{.kind = ShapeKind::kMap,
                            .name = "BatchWriteItemRequestMap",
                            .min = 1,
                            .max = limits::kBatchWriteRequestsMax,
                            .element = &kWriteRequests,
                            .key = &kTableArn};
constexpr std::array<ShapeMember, 3> kMembers{{
    {"RequestItems", &kRequestMap, kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics},
}};

using Write = std::variant<engine::PutRequest, engine::DeleteRequest>;

Result<Write> ParseWrite(JsonValue json, const engine::TableKey& table) {
  const Fields<kWriteRequest> fields(json);
  if (fields.count() != 1) {
    // assumed: modelled on the sentence for AttributeValue.
    return Invalid(fields.count() == 0
                       ? "Supplied WriteRequest is empty, must contain exactly one of the "
                         "supported request types"
                       : "Supplied WriteRequest has more than one request type set, must contain "
                         "exactly one of the supported request types");
  }
  if (const JsonValue* put = fields.Find<"PutRequest">()) {
    engine::PutRequest request;
    TRY_ASSIGN(request.item, ParseItem(kDialect, Fields<kPutRequest>(*put).Get<"Item">()));
    request.table = table;
    return Write(std::move(request));
  }
  engine::DeleteRequest request;
  TRY_ASSIGN(
      request.key,
      ParseItem(kDialect, Fields<kDeleteRequest>(*fields.Find<"DeleteRequest">()).Get<"Key">()));
  request.table = table;
  return Write(std::move(request));
}

struct WriteWriter {
  JsonWriter& out;

  void operator()(const engine::PutRequest& put) const { Write("PutRequest", "Item", put.item); }
  void operator()(const engine::DeleteRequest& remove) const {
    Write("DeleteRequest", "Key", remove.key);
  }
  void Write(std::string_view kind, std::string_view member, const AttributeMap& map) const {
    out.BeginObject();
    out.Key(kind);
    out.BeginObject();
    out.Key(member);
    WriteJson(map, out);
    out.EndObject();
    out.EndObject();
  }
};

void WriteUnprocessed(const BatchWriteItem::Request& request,
                      const engine::BatchWriteOutcome& outcome, JsonWriter& out) {
  out.Key("UnprocessedItems");
  out.BeginObject();
  for (std::size_t i = 0; i < request.size(); ++i) {
    if (outcome.tables[i].unprocessed.empty()) continue;
    out.Key(request[i].name_as_sent);
    out.BeginArray();
    for (const std::size_t write : outcome.tables[i].unprocessed) {
      std::visit(WriteWriter{out}, request[i].writes[write]);
    }
    out.EndArray();
  }
  out.EndObject();
}

void WriteCollections(const BatchWriteItem::Request& request,
                      const engine::BatchWriteOutcome& outcome, JsonWriter& out) {
  out.Key("ItemCollectionMetrics");
  out.BeginObject();
  for (std::size_t i = 0; i < request.size(); ++i) {
    if (outcome.tables[i].collections.empty()) continue;
    out.Key(request[i].name_as_sent);
    out.BeginArray();
    for (const auto& collection : outcome.tables[i].collections) {
      WriteCollectionMetrics(collection, out);
    }
    out.EndArray();
  }
  out.EndObject();
}

}  // namespace

constexpr Shape kBatchWriteItemInput{
    .kind = ShapeKind::kStructure, .name = "BatchWriteItemInput", .members = kMembers};

Result<Parsed<BatchWriteItem::Request, BatchWriteItem::Echo>> BatchWriteItem::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kBatchWriteItemInput> fields(body);
  Parsed<Request, Echo> parsed;
  std::size_t writes = 0;
  for (const auto [name, list] : fields.Get<"RequestItems">().object().DistinctMembers()) {
    writes += list.array().size();
    if (writes > limits::kBatchWriteRequestsMax) {
      return Invalid("Too many items requested for the BatchWriteItem call");
    }
    engine::BatchWriteTable& table = parsed.request.emplace_back();
    TRY_ASSIGN(table.table, ParseTable(name, call));
    table.name_as_sent = std::string(name);
    for (const JsonValue json : list.array()) {
      TRY_ASSIGN(Write write, ParseWrite(json, table.table));
      table.writes.push_back(std::move(write));
    }
  }
  parsed.echo.consumed = ParseReturnConsumed(fields.String<"ReturnConsumedCapacity">());
  parsed.echo.metrics = ParseReturnMetrics(fields.String<"ReturnItemCollectionMetrics">());
  parsed.echo.request = parsed.request;
  return parsed;
}

void BatchWriteItem::Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                         engine::Done<Response> done) {
  engine::BatchWrite(engine, call, std::move(request), std::move(done));
}

void BatchWriteItem::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  WriteUnprocessed(echo.request, response, out);
  if (echo.metrics == ReturnMetrics::kSize) WriteCollections(echo.request, response, out);
  if (echo.consumed != ReturnConsumed::kNone) {
    out.Key("ConsumedCapacity");
    out.BeginArray();
    for (std::size_t i = 0; i < response.tables.size(); ++i) {
      WriteConsumedCapacity(echo.request[i].name_as_sent, response.tables[i].capacity,
                            echo.consumed, CapacityForm::kPlain, out);
    }
    out.EndArray();
  }
  out.EndObject();
}

}  // namespace kw::api
