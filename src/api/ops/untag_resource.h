// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "api/operation.h"
#include "engine/engine.h"

namespace kw::api {

extern const Shape kUntagResourceInput;

struct UntagResourceRequest {
  engine::TableKey table;
  std::vector<std::string> keys;
};

struct UntagResource {
  static constexpr std::string_view kName = "UntagResource";
  static constexpr Access kAccess = Access::kControl;
  static constexpr const Shape& kInput = kUntagResourceInput;
  using Request = UntagResourceRequest;
  using Response = std::monostate;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
