// SPDX-License-Identifier: Apache-2.0
#include "api/ops/tag_resource.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/ops/table_shapes.h"
#include "api/ops/tags.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 2> kMembers{{
    {"ResourceArn", &kResourceArn, kRequired},
    {"Tags", &kTagList, kRequired},
}};

}  // namespace

constexpr Shape kTagResourceInput{
    .kind = ShapeKind::kStructure, .name = "TagResourceInput", .members = kMembers};

Result<Parsed<TagResource::Request, TagResource::Echo>> TagResource::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kTagResourceInput> fields(body);
  Request request;
  TRY_ASSIGN(request.table, ParseTaggedResource(fields.Get<"ResourceArn">().string(), call));
  TRY_ASSIGN(request.tags, ParseTags(fields.Get<"Tags">()));
  if (request.tags.empty()) return Invalid("Atleast one Tag needs to be provided as Input.");
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<TagResource::Response> TagResource::Run(engine::Engine& engine,
                                               const engine::CallContext& /*call*/,
                                               Request request) {
  TRY(ChangeTags(engine, request.table, [&](std::vector<engine::Tag>& tags) {
    for (const auto& tag : request.tags) {
      const auto known = std::ranges::find(tags, tag.key, &engine::Tag::key);
      if (known != tags.end()) {
        known->value = tag.value;
      } else {
        tags.push_back(tag);
      }
    }
  }));
  return std::monostate();
}

// No body at all, as the service.
void TagResource::Render(const Echo& /*echo*/, const Response& /*response*/, JsonWriter& /*out*/) {}

}  // namespace kw::api
