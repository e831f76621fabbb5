// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>

#include "api/operation.h"
#include "engine/resource_policy.h"

namespace kw::api {

extern const Shape kPutResourcePolicyInput;

struct PutResourcePolicy {
  static constexpr std::string_view kName = "PutResourcePolicy";
  static constexpr Access kAccess = Access::kControl;
  static constexpr const Shape& kInput = kPutResourcePolicyInput;
  using Request = engine::PutPolicyRequest;
  using Response = engine::ResourcePolicyPtr;
  using Echo = std::monostate;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
