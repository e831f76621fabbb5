// SPDX-License-Identifier: Apache-2.0
// ExecuteTransaction: up to 100 PartiQL statements, all or nothing.
#pragma once

#include "api/operation.h"
#include "api/ops/transaction.h"
#include "partiql/partiql.h"

namespace kw::api {

extern const Shape kExecuteTransactionInput;

struct ExecuteTransaction {
  static constexpr std::string_view kName = "ExecuteTransaction";
  static constexpr Access kAccess = Access::kWrite;  // unless AccessOf says
  static constexpr const Shape& kInput = kExecuteTransactionInput;
  using Request = partiql::TransactionRequest;
  using Response = partiql::TransactionOutcome;
  using Echo = TransactionEcho;
  static Access AccessOf(JsonValue body);
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static void Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
