// SPDX-License-Identifier: Apache-2.0
#include "api/ops/get_records.h"

#include <array>
#include <utility>

#include "api/ops/table_description.h"
#include "data/item.h"
#include "data/item_bytes.h"
#include "data/limits.h"

namespace kw::api {
namespace {

constexpr Shape kShardIterator{
    .kind = ShapeKind::kString, .name = "ShardIterator", .min = 1, .max = 2048};
constexpr Shape kLimit{.kind = ShapeKind::kInteger,
                       .name = "PositiveIntegerObject",
                       .min = 1,
                       .max = std::int64_t{limits::kStreamRecordsMax}};
constexpr std::array<ShapeMember, 2> kMembers{{
    {"ShardIterator", &kShardIterator, kRequired},
    {"Limit", &kLimit},
}};

std::string_view WireName(engine::StreamEvent event) {
  switch (event) {
    case engine::StreamEvent::kInsert: return "INSERT";
    case engine::StreamEvent::kModify: return "MODIFY";
    case engine::StreamEvent::kRemove: return "REMOVE";
  }
  return "";
}

void WriteImage(std::string_view name, const std::optional<std::string>& stored, JsonWriter& out) {
  if (!stored) return;
  out.Key(name);
  WriteStoredItem(*stored, out);
}

void WriteEntry(const engine::StreamEntry& entry, const engine::GetRecordsOutcome& outcome,
                JsonWriter& out) {
  const auto& record = entry.record;
  out.BeginObject();
  out.Member("eventID", entry.id);
  out.Member("eventName", WireName(record.event));
  out.Member("eventVersion", "1.1");
  out.Member("eventSource", "aws:dynamodb");
  out.Member("awsRegion", outcome.region);
  out.Key("dynamodb");
  out.BeginObject();
  // Whole seconds. aws-doc: API_streams_StreamRecord, "rounded down to the closest second".
  out.Member(
      "ApproximateCreationDateTime",
      std::int64_t{std::chrono::floor<std::chrono::seconds>(record.at).time_since_epoch().count()});
  out.Key("Keys");
  WriteJson(record.keys, out);
  WriteImage("NewImage", record.after, out);
  WriteImage("OldImage", record.before, out);
  out.Member("SequenceNumber", entry.sequence);
  out.Member("SizeBytes", entry.size);
  out.Member("StreamViewType", ViewName(outcome.view));
  out.EndObject();
  if (record.cause == engine::WriteCause::kTimeToLive) {
    out.Key("userIdentity");
    out.BeginObject();
    out.Member("PrincipalId", "dynamodb.amazonaws.com");
    out.Member("Type", "Service");
    out.EndObject();
  }
  out.EndObject();
}

}  // namespace

constexpr Shape kGetRecordsInput{
    .kind = ShapeKind::kStructure, .name = "GetRecordsInput", .members = kMembers};

Result<Parsed<GetRecords::Request, GetRecords::Echo>> GetRecords::Parse(
    JsonValue body, const engine::CallContext& /*call*/) {
  const Fields<kGetRecordsInput> fields(body);
  Request request;
  request.iterator = fields.Get<"ShardIterator">().string();
  if (const auto limit = fields.Integer<"Limit">()) {
    request.limit = static_cast<std::size_t>(*limit);
  }
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<GetRecords::Response> GetRecords::Run(engine::Engine& engine,
                                             const engine::CallContext& call, Request request) {
  return engine::GetRecords(engine, call, request);
}

void GetRecords::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Records");
  out.BeginArray();
  for (const auto& entry : response.entries) WriteEntry(entry, response, out);
  out.EndArray();
  if (response.next) out.Member("NextShardIterator", *response.next);
  out.EndObject();
}

}  // namespace kw::api
