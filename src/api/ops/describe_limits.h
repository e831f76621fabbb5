// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "api/operation.h"

namespace kw::api {

extern const Shape kDescribeLimitsInput;

struct DescribeLimits {
  static constexpr std::string_view kName = "DescribeLimits";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kDescribeLimitsInput;
  using Request = std::monostate;
  using Response = std::monostate;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
