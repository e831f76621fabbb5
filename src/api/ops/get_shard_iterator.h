// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/operation.h"
#include "api/ops/stream_shapes.h"
#include "engine/streams.h"

namespace kw::api {

extern const Shape kGetShardIteratorInput;

struct GetShardIterator {
  static constexpr std::string_view kName = "GetShardIterator";
  static constexpr std::string_view kTarget = kStreamsTarget;
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kGetShardIteratorInput;
  using Request = engine::ShardIteratorRequest;
  using Response = std::string;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
