// SPDX-License-Identifier: Apache-2.0
#include "api/ops/list_tags_of_resource.h"

#include <array>
#include <utility>

#include "api/ops/table_shapes.h"
#include "api/ops/tags.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 2> kMembers{{
    {"ResourceArn", &kResourceArn, kRequired},
    {"NextToken", &kString},
}};

}  // namespace

constexpr Shape kListTagsOfResourceInput{
    .kind = ShapeKind::kStructure, .name = "ListTagsOfResourceInput", .members = kMembers};

Result<Parsed<ListTagsOfResource::Request, ListTagsOfResource::Echo>> ListTagsOfResource::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kListTagsOfResourceInput> fields(body);
  TRY_ASSIGN(auto table, ParseTaggedResource(fields.Get<"ResourceArn">().string(), call));
  return Parsed<Request, Echo>{.request = std::move(table), .echo = {}};
}

Result<ListTagsOfResource::Response> ListTagsOfResource::Run(engine::Engine& engine,
                                                             const engine::CallContext& /*call*/,
                                                             Request request) {
  return FindTagged(engine, request);
}

// All of them, which are few: no answer has a NextToken.
void ListTagsOfResource::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Tags");
  out.BeginArray();
  for (const auto& tag : response->tags) {
    out.BeginObject();
    out.Member("Key", tag.key);
    out.Member("Value", tag.value);
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
}

}  // namespace kw::api
