// SPDX-License-Identifier: Apache-2.0
#include "api/ops/delete_resource_policy.h"

#include <array>
#include <string>
#include <utility>

#include "api/ops/resource_policy.h"
#include "api/ops/table_shapes.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 2> kMembers{{
    {"ResourceArn", &kResourceArn, kRequired},
    {"ExpectedRevisionId", &kPolicyRevision},
}};

}  // namespace

constexpr Shape kDeleteResourcePolicyInput{
    .kind = ShapeKind::kStructure, .name = "DeleteResourcePolicyInput", .members = kMembers};

Result<Parsed<DeleteResourcePolicy::Request, DeleteResourcePolicy::Echo>>
DeleteResourcePolicy::Parse(JsonValue body, const engine::CallContext& call) {
  const Fields<kDeleteResourcePolicyInput> fields(body);
  Request request;
  TRY_ASSIGN(request.target, ParsePolicyTarget(fields.Get<"ResourceArn">().string(), call));
  if (const auto expected = fields.String<"ExpectedRevisionId">()) request.expected = *expected;
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<DeleteResourcePolicy::Response> DeleteResourcePolicy::Run(
    engine::Engine& engine, const engine::CallContext& /*call*/, Request request) {
  return engine::DeleteResourcePolicy(engine, request);
}

// aws-model: the revision is empty where there was no policy; assumed: that it is left out.
void DeleteResourcePolicy::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  if (response) out.Member("RevisionId", response->revision);
  out.EndObject();
}

}  // namespace kw::api
