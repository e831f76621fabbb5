// SPDX-License-Identifier: Apache-2.0
#include "api/ops/list_streams.h"

#include <array>
#include <utility>

#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

// A name, unlike elsewhere: the streams' own model knows no ARN here.
constexpr Shape kTableName{.kind = ShapeKind::kString,
                           .name = "TableName",
                           .min = 3,
                           .max = 255,
                           .pattern = &kNamePattern};
constexpr std::array<ShapeMember, 3> kMembers{{
    {"TableName", &kTableName},
    {"Limit", &kStreamListLimit},
    {"ExclusiveStartStreamArn", &kStreamArn},
}};

}  // namespace

constexpr Shape kListStreamsInput{
    .kind = ShapeKind::kStructure, .name = "ListStreamsInput", .members = kMembers};

Result<Parsed<ListStreams::Request, ListStreams::Echo>> ListStreams::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kListStreamsInput> fields(body);
  Request request;
  if (const auto name = fields.String<"TableName">()) {
    TRY_ASSIGN(request.table, ParseTable(*name, call));
  }
  request.after = fields.String<"ExclusiveStartStreamArn">().value_or("");
  request.limit = static_cast<std::size_t>(fields.Integer<"Limit">().value_or(kStreamListMax));
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<ListStreams::Response> ListStreams::Run(engine::Engine& engine,
                                               const engine::CallContext& call, Request request) {
  return engine::ListStreams(engine, call, request);
}

void ListStreams::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Streams");
  out.BeginArray();
  for (const auto& found : response.streams) {
    out.BeginObject();
    out.Member("StreamArn", engine::StreamArn(*found.table, found.stream()));
    out.Member("TableName", found.table->key.name);
    out.Member("StreamLabel", found.stream().label);
    out.EndObject();
  }
  out.EndArray();
  if (response.more) {
    const auto& last = response.streams.back();
    out.Member("LastEvaluatedStreamArn", engine::StreamArn(*last.table, last.stream()));
  }
  out.EndObject();
}

}  // namespace kw::api
