// SPDX-License-Identifier: Apache-2.0
// BatchWriteItem: up to 25 single puts and deletes.
#pragma once

#include <string>
#include <vector>

#include "api/operation.h"
#include "api/ops/consumed.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kBatchWriteItemInput;

struct BatchWriteItem {
  static constexpr std::string_view kName = "BatchWriteItem";
  static constexpr Access kAccess = Access::kWrite;
  static constexpr const Shape& kInput = kBatchWriteItemInput;
  using Request = std::vector<engine::BatchWriteTable>;
  using Response = engine::BatchWriteOutcome;
  struct Echo {
    ReturnConsumed consumed = ReturnConsumed::kNone;
    ReturnMetrics metrics = ReturnMetrics::kNone;
    Request request;  // a copy, for the writes that were not processed
  };
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static void Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                  engine::Done<Response> done);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
