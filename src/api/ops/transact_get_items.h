// SPDX-License-Identifier: Apache-2.0
// TransactGetItems: up to 100 items from one snapshot.
#pragma once

#include <vector>

#include "api/operation.h"
#include "api/ops/transaction.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kTransactGetItemsInput;

struct TransactGetItems {
  static constexpr std::string_view kName = "TransactGetItems";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kTransactGetItemsInput;
  using Request = std::vector<engine::GetRequest>;
  using Response = engine::TransactGetOutcome;
  using Echo = TransactionEcho;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              const Request& request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
