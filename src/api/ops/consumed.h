// SPDX-License-Identifier: Apache-2.0
// What an answer says about its cost: ConsumedCapacity and ItemCollectionMetrics.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json.h"
#include "data/metering.h"
#include "engine/operations.h"

namespace kw::api {

enum class ReturnConsumed : std::uint8_t { kNone, kTotal, kIndexes };
enum class ReturnMetrics : std::uint8_t { kNone, kSize };
// A transaction also says apart what it read and wrote.
enum class CapacityForm : std::uint8_t { kPlain, kTransaction };

// The values have passed CheckShape; absent means NONE.
ReturnConsumed ParseReturnConsumed(std::optional<std::string_view> value);
ReturnMetrics ParseReturnMetrics(std::optional<std::string_view> value);

// {"TableName":...,"CapacityUnits":1.0,...}; `consumed` is not kNone.
// `table_name` is as the client sent it: a name or an ARN.
void WriteConsumedCapacity(std::string_view table_name, const Capacity& capacity,
                           ReturnConsumed consumed, CapacityForm form, JsonWriter& out);

// {"ItemCollectionKey":...,"SizeEstimateRangeGB":[0.0,1.0]}
void WriteCollectionMetrics(const engine::ItemCollection& collection, JsonWriter& out);

}  // namespace kw::api
