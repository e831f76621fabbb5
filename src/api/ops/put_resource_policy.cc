// SPDX-License-Identifier: Apache-2.0
#include "api/ops/put_resource_policy.h"

#include <array>
#include <string>
#include <utility>

#include "api/ops/resource_policy.h"
#include "api/ops/table_shapes.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 4> kMembers{{
    {"ResourceArn", &kResourceArn, kRequired},
    {"Policy", &kString, kRequired},
    {"ExpectedRevisionId", &kPolicyRevision},
    {"ConfirmRemoveSelfResourceAccess", &kBoolean},
}};

}  // namespace

constexpr Shape kPutResourcePolicyInput{
    .kind = ShapeKind::kStructure, .name = "PutResourcePolicyInput", .members = kMembers};

Result<Parsed<PutResourcePolicy::Request, PutResourcePolicy::Echo>> PutResourcePolicy::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kPutResourcePolicyInput> fields(body);
  Request request;
  TRY_ASSIGN(request.target, ParsePolicyTarget(fields.Get<"ResourceArn">().string(), call));
  TRY_ASSIGN(request.policy, ParseResourcePolicy(fields.Get<"Policy">().string()));
  if (const auto expected = fields.String<"ExpectedRevisionId">()) request.expected = *expected;
  request.may_lock_out = fields.Boolean<"ConfirmRemoveSelfResourceAccess">().value_or(false);
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<PutResourcePolicy::Response> PutResourcePolicy::Run(engine::Engine& engine,
                                                           const engine::CallContext& /*call*/,
                                                           Request request) {
  return engine::PutResourcePolicy(engine, request);
}

void PutResourcePolicy::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Member("RevisionId", response->revision);
  out.EndObject();
}

}  // namespace kw::api
