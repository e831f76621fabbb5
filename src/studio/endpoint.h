// SPDX-License-Identifier: Apache-2.0
// One studio endpoint: a function from a JSON object to a JSON object. Internal to this module.
#pragma once

#include "base/json.h"
#include "engine/engine.h"

namespace kw::studio {

struct Context {
  engine::Engine& engine;
  const engine::CallContext& call;
};

// A model and its design, as texts: {"model": "…", "design": "…"} to faults and findings.
Result<void> CheckModel(const Context& context, JsonValue body, JsonWriter& out);
// The same, and "seed": every question asked on an engine in memory, to verdicts.
Result<void> ProveModel(const Context& context, JsonValue body, JsonWriter& out);
// The calculators of modeller/cost: `keywright cost` asks the same.
Result<void> CostItem(const Context& context, JsonValue body, JsonWriter& out);
Result<void> CostMonth(const Context& context, JsonValue body, JsonWriter& out);
Result<void> CostRead(const Context& context, JsonValue body, JsonWriter& out);
Result<void> CostWrite(const Context& context, JsonValue body, JsonWriter& out);
// The most accessed and most throttled keys of a table and its global indexes, of those that
// contributor insights are enabled for: {"TableName": "…"} to "Structures", the table's first.
Result<void> Insights(const Context& context, JsonValue body, JsonWriter& out);

}  // namespace kw::studio
