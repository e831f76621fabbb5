// SPDX-License-Identifier: Apache-2.0
#include "api/ops/untag_resource.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/ops/table_shapes.h"
#include "api/ops/tags.h"

namespace kw::api {
namespace {

constexpr Shape kTagKeyList{.kind = ShapeKind::kList, .name = "TagKeyList", .element = &kString};
constexpr std::array<ShapeMember, 2> kMembers{{
    {"ResourceArn", &kResourceArn, kRequired},
    {"TagKeys", &kTagKeyList, kRequired},
}};

}  // namespace

constexpr Shape kUntagResourceInput{
    .kind = ShapeKind::kStructure, .name = "UntagResourceInput", .members = kMembers};

Result<Parsed<UntagResource::Request, UntagResource::Echo>> UntagResource::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kUntagResourceInput> fields(body);
  Request request;
  TRY_ASSIGN(request.table, ParseTaggedResource(fields.Get<"ResourceArn">().string(), call));
  for (const JsonValue key : fields.Get<"TagKeys">().array()) {
    request.keys.emplace_back(key.string());
  }
  if (request.keys.empty()) return Invalid("Atleast one Tag Key needs to be provided as Input.");
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<UntagResource::Response> UntagResource::Run(engine::Engine& engine,
                                                   const engine::CallContext& /*call*/,
                                                   Request request) {
  TRY(ChangeTags(engine, request.table, [&](std::vector<engine::Tag>& tags) {
    std::erase_if(tags, [&](const engine::Tag& tag) {
      return std::ranges::find(request.keys, tag.key) != request.keys.end();
    });
  }));
  return std::monostate();
}

// No body at all, as the service.
void UntagResource::Render(const Echo& /*echo*/, const Response& /*response*/,
                           JsonWriter& /*out*/) {}

}  // namespace kw::api
