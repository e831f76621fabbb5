// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/operation.h"
#include "api/ops/stream_shapes.h"
#include "engine/streams.h"

namespace kw::api {

extern const Shape kListStreamsInput;

struct ListStreams {
  static constexpr std::string_view kName = "ListStreams";
  static constexpr std::string_view kTarget = kStreamsTarget;
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kListStreamsInput;
  using Request = engine::ListStreamsRequest;
  using Response = engine::ListStreamsOutcome;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
