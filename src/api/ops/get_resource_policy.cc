// SPDX-License-Identifier: Apache-2.0
#include "api/ops/get_resource_policy.h"

#include <array>
#include <utility>

#include "api/ops/resource_policy.h"
#include "api/ops/table_shapes.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 1> kMembers{{
    {"ResourceArn", &kResourceArn, kRequired},
}};

}  // namespace

constexpr Shape kGetResourcePolicyInput{
    .kind = ShapeKind::kStructure, .name = "GetResourcePolicyInput", .members = kMembers};

Result<Parsed<GetResourcePolicy::Request, GetResourcePolicy::Echo>> GetResourcePolicy::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kGetResourcePolicyInput> fields(body);
  TRY_ASSIGN(Request target, ParsePolicyTarget(fields.Get<"ResourceArn">().string(), call));
  return Parsed<Request, Echo>{.request = std::move(target), .echo = {}};
}

Result<GetResourcePolicy::Response> GetResourcePolicy::Run(engine::Engine& engine,
                                                           const engine::CallContext& call,
                                                           Request request) {
  return engine::GetResourcePolicy(engine, call, request);
}

void GetResourcePolicy::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Member("Policy", response->text);
  out.Member("RevisionId", response->revision);
  out.EndObject();
}

}  // namespace kw::api
