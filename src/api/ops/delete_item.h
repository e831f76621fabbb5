// SPDX-License-Identifier: Apache-2.0
// DeleteItem: removes one item.
#pragma once

#include "api/operation.h"
#include "api/ops/item_write.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kDeleteItemInput;

struct DeleteItem {
  static constexpr std::string_view kName = "DeleteItem";
  static constexpr Access kAccess = Access::kWrite;
  static constexpr const Shape& kInput = kDeleteItemInput;
  using Request = engine::DeleteRequest;
  using Response = engine::WriteOutcome;
  using Echo = WriteEcho;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static void Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
