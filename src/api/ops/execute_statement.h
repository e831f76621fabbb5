// SPDX-License-Identifier: Apache-2.0
// ExecuteStatement: one PartiQL statement.
#pragma once

#include <string>

#include "api/operation.h"
#include "api/ops/consumed.h"
#include "partiql/partiql.h"

namespace kw::api {

extern const Shape kExecuteStatementInput;

struct ExecuteStatement {
  static constexpr std::string_view kName = "ExecuteStatement";
  static constexpr Access kAccess = Access::kWrite;  // unless AccessOf says
  static constexpr const Shape& kInput = kExecuteStatementInput;
  struct Request {
    partiql::Command command;
    partiql::ReadOptions options;
  };
  using Response = partiql::Outcome;
  struct Echo {
    std::string table_name;  // as written
    ReturnConsumed consumed = ReturnConsumed::kNone;
  };
  static Access AccessOf(JsonValue body);
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static void Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
