// SPDX-License-Identifier: Apache-2.0
// UpdateItem: changes one item, or makes it.
#pragma once

#include "api/operation.h"
#include "api/ops/item_write.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kUpdateItemInput;

struct UpdateItem {
  static constexpr std::string_view kName = "UpdateItem";
  static constexpr Access kAccess = Access::kWrite;
  static constexpr const Shape& kInput = kUpdateItemInput;
  using Request = engine::UpdateRequest;
  using Response = engine::WriteOutcome;
  using Echo = WriteEcho;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static void Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
