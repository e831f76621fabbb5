// SPDX-License-Identifier: Apache-2.0
// BatchGetItem: up to 100 single reads.
#pragma once

#include <string>
#include <vector>

#include "api/operation.h"
#include "api/ops/consumed.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kBatchGetItemInput;

struct BatchGetItem {
  static constexpr std::string_view kName = "BatchGetItem";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kBatchGetItemInput;
  using Request = std::vector<engine::BatchGetTable>;
  struct Response {
    Request request;  // for the keys that were not processed
    engine::BatchGetOutcome outcome;
  };
  struct Echo {
    ReturnConsumed consumed = ReturnConsumed::kNone;
    // Of each table, the members beside Keys as JSON: UnprocessedKeys repeats them.
    std::vector<std::string> settings;
  };
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
