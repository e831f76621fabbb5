// SPDX-License-Identifier: Apache-2.0
// One studio endpoint: a function from a JSON document to a JSON document. Internal to this module.
#pragma once

#include <string_view>

#include "base/json.h"
#include "data/metering.h"
#include "engine/engine.h"

namespace kw::studio {

struct Context {
  engine::Engine& engine;
  const engine::CallContext& call;
};

// A member in capacity units; halves are exact in JSON's numbers.
void WriteUnitsMember(JsonWriter& out, std::string_view name, HalfUnits units);

// What an item weighs: {"Item": {…}} to its bytes in all and by attribute, and its units.
Result<void> ItemSize(const Context& context, JsonValue body, JsonWriter& out);
// What reading a number of bytes costs: {"Bytes": n} to units and pages.
Result<void> ReadCost(const Context& context, JsonValue body, JsonWriter& out);

}  // namespace kw::studio
