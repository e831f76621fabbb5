// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "engine/engine.h"

namespace kw::api {

extern const Shape kListTagsOfResourceInput;

struct ListTagsOfResource {
  static constexpr std::string_view kName = "ListTagsOfResource";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kListTagsOfResourceInput;
  using Request = engine::TableKey;
  using Response = engine::TablePtr;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
