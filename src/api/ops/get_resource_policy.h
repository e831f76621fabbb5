// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>

#include "api/operation.h"
#include "engine/resource_policy.h"

namespace kw::api {

extern const Shape kGetResourcePolicyInput;

struct GetResourcePolicy {
  static constexpr std::string_view kName = "GetResourcePolicy";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kGetResourcePolicyInput;
  using Request = engine::PolicyTarget;
  using Response = engine::ResourcePolicyPtr;
  using Echo = std::monostate;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
