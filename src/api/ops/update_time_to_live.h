// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "engine/time_to_live.h"

namespace kw::api {

extern const Shape kUpdateTimeToLiveInput;

struct UpdateTimeToLive {
  static constexpr std::string_view kName = "UpdateTimeToLive";
  static constexpr Access kAccess = Access::kControl;
  static constexpr const Shape& kInput = kUpdateTimeToLiveInput;
  using Request = engine::TimeToLiveRequest;
  using Response = engine::TimeToLiveRequest;  // what was asked for is so
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
