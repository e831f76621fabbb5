// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "api/operation.h"
#include "engine/engine.h"

namespace kw::api {

extern const Shape kTagResourceInput;

struct TagResourceRequest {
  engine::TableKey table;
  std::vector<engine::Tag> tags;
};

struct TagResource {
  static constexpr std::string_view kName = "TagResource";
  static constexpr Access kAccess = Access::kControl;
  static constexpr const Shape& kInput = kTagResourceInput;
  using Request = TagResourceRequest;
  using Response = std::monostate;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
