// SPDX-License-Identifier: Apache-2.0
#include "api/ops/get_shard_iterator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace kw::api {
namespace {

constexpr std::array<std::string_view, 5> kTypeValues{
    "AFTER_SEQUENCE_NUMBER", "LATEST", "AT_TIMESTAMP", "TRIM_HORIZON", "AT_SEQUENCE_NUMBER"};
constexpr Shape kType{
    .kind = ShapeKind::kString, .name = "ShardIteratorType", .values = kTypeValues};
constexpr Shape kSequenceNumber{
    .kind = ShapeKind::kString, .name = "SequenceNumber", .min = 21, .max = 40};
constexpr Shape kTimestamp{.kind = ShapeKind::kTimestamp, .name = "Timestamp"};
constexpr std::array<ShapeMember, 5> kMembers{{
    {"StreamArn", &kStreamArn, kRequired},
    {"ShardId", &kShardId, kRequired},
    {"ShardIteratorType", &kType, kRequired},
    {"SequenceNumber", &kSequenceNumber},
    {"Timestamp", &kTimestamp},
}};

engine::IteratorKind KindOf(std::string_view type) {
  if (type == "LATEST") return engine::IteratorKind::kLatest;
  if (type == "AT_SEQUENCE_NUMBER") return engine::IteratorKind::kAtSequence;
  if (type == "AFTER_SEQUENCE_NUMBER") return engine::IteratorKind::kAfterSequence;
  if (type == "AT_TIMESTAMP") return engine::IteratorKind::kAtTimestamp;
  return engine::IteratorKind::kTrimHorizon;
}

// Seconds with a fraction; what no clock shows is far in the past or in the future.
TimePoint TimeOf(double seconds) {
  constexpr double kSecondsMax = 1e12;
  return TimePoint(std::chrono::milliseconds(
      std::llround(std::clamp(seconds, -kSecondsMax, kSecondsMax) * 1000)));
}

}  // namespace

constexpr Shape kGetShardIteratorInput{
    .kind = ShapeKind::kStructure, .name = "GetShardIteratorInput", .members = kMembers};

Result<Parsed<GetShardIterator::Request, GetShardIterator::Echo>> GetShardIterator::Parse(
    JsonValue body, const engine::CallContext& /*call*/) {
  const Fields<kGetShardIteratorInput> fields(body);
  Request request;
  request.arn = fields.Get<"StreamArn">().string();
  request.shard = fields.Get<"ShardId">().string();
  const auto type = fields.Get<"ShardIteratorType">().string();
  request.kind = KindOf(type);
  const auto sequence = fields.String<"SequenceNumber">();
  const bool needs_sequence = request.kind == engine::IteratorKind::kAtSequence ||
                              request.kind == engine::IteratorKind::kAfterSequence;
  if (needs_sequence && !sequence) {
    // assumed: the sentence.
    return Invalid(
        fmt::format("SequenceNumber must be specified when ShardIteratorType is {}", type));
  }
  request.sequence = sequence.value_or("");
  if (request.kind == engine::IteratorKind::kAtTimestamp) {
    const auto* timestamp = fields.Find<"Timestamp">();
    // assumed: the sentence.
    if (timestamp == nullptr) {
      return Invalid("Timestamp must be specified when ShardIteratorType is AT_TIMESTAMP");
    }
    request.timestamp = TimeOf(timestamp->number());
  }
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<GetShardIterator::Response> GetShardIterator::Run(engine::Engine& engine,
                                                         const engine::CallContext& call,
                                                         Request request) {
  return engine::GetShardIterator(engine, call, request);
}

void GetShardIterator::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Member("ShardIterator", response);
  out.EndObject();
}

}  // namespace kw::api
