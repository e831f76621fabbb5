// SPDX-License-Identifier: Apache-2.0
#include "api/ops/update_time_to_live.h"

#include <array>
#include <utility>

#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr Shape kAttribute{
    .kind = ShapeKind::kString, .name = "TimeToLiveAttributeName", .min = 1, .max = 255};
constexpr std::array<ShapeMember, 2> kSpecificationMembers{{
    {"Enabled", &kBoolean, kRequired},
    {"AttributeName", &kAttribute, kRequired},
}};
constexpr Shape kSpecification{.kind = ShapeKind::kStructure,
                               .name = "TimeToLiveSpecification",
                               .members = kSpecificationMembers};
constexpr std::array<ShapeMember, 2> kMembers{{
    {"TableName", &kTableArn, kRequired},
    {"TimeToLiveSpecification", &kSpecification, kRequired},
}};

}  // namespace

constexpr Shape kUpdateTimeToLiveInput{
    .kind = ShapeKind::kStructure, .name = "UpdateTimeToLiveInput", .members = kMembers};

Result<Parsed<UpdateTimeToLive::Request, UpdateTimeToLive::Echo>> UpdateTimeToLive::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kUpdateTimeToLiveInput> fields(body);
  Request request;
  TRY_ASSIGN(request.table, ParseTable(fields.Get<"TableName">().string(), call));
  const Fields<kSpecification> specification(fields.Get<"TimeToLiveSpecification">());
  request.attribute = specification.Get<"AttributeName">().string();
  request.enabled = specification.Get<"Enabled">().boolean();
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<UpdateTimeToLive::Response> UpdateTimeToLive::Run(engine::Engine& engine,
                                                         const engine::CallContext& /*call*/,
                                                         Request request) {
  TRY(engine::UpdateTimeToLive(engine, request));
  return request;
}

void UpdateTimeToLive::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TimeToLiveSpecification");
  out.BeginObject();
  out.Member("AttributeName", response.attribute);
  out.Member("Enabled", response.enabled);
  out.EndObject();
  out.EndObject();
}

}  // namespace kw::api
