// SPDX-License-Identifier: Apache-2.0
#include "api/ops/get_shard_iterator.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace kw::api {
namespace {

constexpr std::array<std::string_view, 4> kTypeValues{"AFTER_SEQUENCE_NUMBER", "LATEST",
                                                      "TRIM_HORIZON", "AT_SEQUENCE_NUMBER"};
constexpr Shape kType{
    .kind = ShapeKind::kString, .name = "ShardIteratorType", .values = kTypeValues};
constexpr Shape kSequenceNumber{
    .kind = ShapeKind::kString, .name = "SequenceNumber", .min = 21, .max = 40};
constexpr std::array<ShapeMember, 4> kMembers{{
    {"StreamArn", &kStreamArn, kRequired},
    {"ShardId", &kShardId, kRequired},
    {"ShardIteratorType", &kType, kRequired},
    {"SequenceNumber", &kSequenceNumber},
}};

engine::IteratorKind KindOf(std::string_view type) {
  if (type == "LATEST") return engine::IteratorKind::kLatest;
  if (type == "AT_SEQUENCE_NUMBER") return engine::IteratorKind::kAtSequence;
  if (type == "AFTER_SEQUENCE_NUMBER") return engine::IteratorKind::kAfterSequence;
  return engine::IteratorKind::kTrimHorizon;
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
