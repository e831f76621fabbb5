// SPDX-License-Identifier: Apache-2.0
// GetItem: the pattern of an operation that answers at once.
#pragma once

#include <string>

#include "api/operation.h"
#include "api/ops/consumed.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kGetItemInput;

struct GetItem {
  static constexpr std::string_view kName = "GetItem";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kGetItemInput;
  using Request = engine::GetRequest;
  using Response = engine::GetOutcome;
  struct Echo {
    std::string table_name;  // as sent
    ReturnConsumed consumed = ReturnConsumed::kNone;
  };
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              const Request& request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
