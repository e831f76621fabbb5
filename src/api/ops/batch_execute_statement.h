// SPDX-License-Identifier: Apache-2.0
// BatchExecuteStatement: up to 25 PartiQL statements, each for itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "api/ops/consumed.h"
#include "partiql/partiql.h"

namespace kw::api {

extern const Shape kBatchExecuteStatementInput;

struct BatchExecuteStatement {
  static constexpr std::string_view kName = "BatchExecuteStatement";
  static constexpr Access kAccess = Access::kWrite;  // unless AccessOf says
  static constexpr const Shape& kInput = kBatchExecuteStatementInput;
  using Request = std::vector<partiql::BatchEntry>;
  using Response = partiql::BatchOutcome;
  struct Echo {
    std::vector<std::optional<std::string>> table_names;  // as written, where that can be told
    ReturnConsumed consumed = ReturnConsumed::kNone;
  };
  static Access AccessOf(JsonValue body);
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static void Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
