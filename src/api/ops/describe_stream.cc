// SPDX-License-Identifier: Apache-2.0
#include "api/ops/describe_stream.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/ops/table_description.h"

namespace kw::api {
namespace {

constexpr std::array<std::string_view, 1> kFilterValues{"CHILD_SHARDS"};
constexpr Shape kFilterType{
    .kind = ShapeKind::kString, .name = "ShardFilterType", .values = kFilterValues};
constexpr std::array<ShapeMember, 2> kFilterMembers{{
    {"Type", &kFilterType},
    {"ShardId", &kShardId},
}};
constexpr Shape kFilter{
    .kind = ShapeKind::kStructure, .name = "ShardFilter", .members = kFilterMembers};
constexpr std::array<ShapeMember, 4> kMembers{{
    {"StreamArn", &kStreamArn, kRequired},
    {"Limit", &kStreamListLimit},
    {"ExclusiveStartShardId", &kShardId},
    {"ShardFilter", &kFilter},
}};

Result<std::string> ParseFilter(const JsonValue* json) {
  if (json == nullptr) return std::string();
  const Fields<kFilter> fields(*json);
  const auto type = fields.String<"Type">();
  const auto shard = fields.String<"ShardId">();
  if (!type && !shard) return std::string();
  // assumed: the sentence.
  if (!type || !shard) return Invalid("ShardFilter requires both Type and ShardId");
  return std::string(*shard);
}

// Until every shard of a disabled stream has its end, the stream is being disabled.
std::string_view StatusOf(const engine::Stream& stream) {
  if (!stream.disabled_at) return "ENABLED";
  const bool ended = std::ranges::all_of(
      stream.shards, [](const engine::StreamShard& shard) { return shard.last.has_value(); });
  return ended ? "DISABLED" : "DISABLING";
}

void WriteShard(const engine::StreamShard& shard, JsonWriter& out) {
  out.BeginObject();
  out.Member("ShardId", engine::ShardId(shard));
  out.Key("SequenceNumberRange");
  out.BeginObject();
  out.Member("StartingSequenceNumber", engine::SequenceNumber(shard, 1));
  // A shard without records ends where it began.
  if (shard.last) {
    out.Member("EndingSequenceNumber",
               engine::SequenceNumber(shard, std::max<std::uint64_t>(*shard.last, 1)));
  }
  out.EndObject();
  if (!shard.parent.empty()) out.Member("ParentShardId", shard.parent);
  out.EndObject();
}

}  // namespace

constexpr Shape kDescribeStreamInput{
    .kind = ShapeKind::kStructure, .name = "DescribeStreamInput", .members = kMembers};

Result<Parsed<DescribeStream::Request, DescribeStream::Echo>> DescribeStream::Parse(
    JsonValue body, const engine::CallContext& /*call*/) {
  const Fields<kDescribeStreamInput> fields(body);
  Request request;
  request.arn = fields.Get<"StreamArn">().string();
  request.limit = static_cast<std::size_t>(fields.Integer<"Limit">().value_or(kStreamListMax));
  request.after = fields.String<"ExclusiveStartShardId">().value_or("");
  TRY_ASSIGN(request.parent_id, ParseFilter(fields.Find<"ShardFilter">()));
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<DescribeStream::Response> DescribeStream::Run(engine::Engine& engine,
                                                     const engine::CallContext& call,
                                                     Request request) {
  return engine::DescribeStream(engine, call, request);
}

void DescribeStream::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  const auto& table = *response.found.table;
  const auto& stream = response.found.stream();
  out.BeginObject();
  out.Key("StreamDescription");
  out.BeginObject();
  out.Member("StreamArn", engine::StreamArn(table, stream));
  out.Member("StreamLabel", stream.label);
  out.Member("StreamStatus", StatusOf(stream));
  out.Member("StreamViewType", ViewName(stream.view));
  WriteTime("CreationRequestDateTime", stream.created_at, out);
  out.Member("TableName", table.key.name);
  WriteKeySchema(table.schema.key(), out);
  out.Key("Shards");
  out.BeginArray();
  for (const auto& shard : response.shards) WriteShard(shard, out);
  out.EndArray();
  if (response.more) {
    out.Member("LastEvaluatedShardId", engine::ShardId(response.shards.back()));
  }
  out.EndObject();
  out.EndObject();
}

}  // namespace kw::api
