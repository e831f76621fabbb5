// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "engine/tables.h"

namespace kw::api {

extern const Shape kDescribeTimeToLiveInput;

struct DescribeTimeToLive {
  static constexpr std::string_view kName = "DescribeTimeToLive";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kDescribeTimeToLiveInput;
  using Request = engine::TableKey;
  using Response = engine::TablePtr;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
