// SPDX-License-Identifier: Apache-2.0
// TransactWriteItems: up to 100 writes and checks, all or nothing.
#pragma once

#include "api/operation.h"
#include "api/ops/transaction.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kTransactWriteItemsInput;

struct TransactWriteItems {
  static constexpr std::string_view kName = "TransactWriteItems";
  static constexpr Access kAccess = Access::kWrite;
  static constexpr const Shape& kInput = kTransactWriteItemsInput;
  using Request = engine::TransactWriteRequest;
  using Response = engine::TransactWriteOutcome;
  using Echo = TransactionEcho;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static void Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
