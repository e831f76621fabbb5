// SPDX-License-Identifier: Apache-2.0
// PutItem: the pattern of an operation that answers later.
#pragma once

#include "api/operation.h"
#include "api/ops/item_write.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kPutItemInput;

struct PutItem {
  static constexpr std::string_view kName = "PutItem";
  static constexpr Access kAccess = Access::kWrite;
  static constexpr const Shape& kInput = kPutItemInput;
  using Request = engine::PutRequest;
  using Response = engine::WriteOutcome;
  using Echo = WriteEcho;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static void Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
