// SPDX-License-Identifier: Apache-2.0
#include "api/ops/describe_time_to_live.h"

#include <array>
#include <utility>

#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 1> kMembers{{{"TableName", &kTableArn, kRequired}}};

std::string_view WireName(engine::TimeToLiveStatus status) {
  switch (status) {
    case engine::TimeToLiveStatus::kEnabling: return "ENABLING";
    case engine::TimeToLiveStatus::kEnabled: return "ENABLED";
    case engine::TimeToLiveStatus::kDisabling: return "DISABLING";
  }
  return "";
}

}  // namespace

constexpr Shape kDescribeTimeToLiveInput{
    .kind = ShapeKind::kStructure, .name = "DescribeTimeToLiveInput", .members = kMembers};

Result<Parsed<DescribeTimeToLive::Request, DescribeTimeToLive::Echo>> DescribeTimeToLive::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kDescribeTimeToLiveInput> fields(body);
  TRY_ASSIGN(auto key, ParseTable(fields.Get<"TableName">().string(), call));
  return Parsed<Request, Echo>{.request = std::move(key), .echo = {}};
}

Result<DescribeTimeToLive::Response> DescribeTimeToLive::Run(engine::Engine& engine,
                                                             const engine::CallContext& /*call*/,
                                                             Request request) {
  return engine::FindTable(engine, request);
}

void DescribeTimeToLive::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  const auto& ttl = response->ttl;
  out.BeginObject();
  out.Key("TimeToLiveDescription");
  out.BeginObject();
  out.Member("TimeToLiveStatus", ttl ? WireName(ttl->status) : "DISABLED");
  if (ttl) out.Member("AttributeName", ttl->attribute);
  out.EndObject();
  out.EndObject();
}

}  // namespace kw::api
