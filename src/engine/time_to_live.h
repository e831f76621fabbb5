// SPDX-License-Identifier: Apache-2.0
// Items that end by themselves. Beside each item whose attribute says when, lies an expiry row,
// written in the item's own mutation; a sweep over these rows deletes what has expired by ordinary
// writes, with index rows and a stream record.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"

namespace kw::engine {

// The key of the expiry row of an item's row; nothing if the stored item does not say when it
// expires: it needs a Number, not negative, of seconds.
std::optional<std::string> ExpiryKey(std::string_view attribute, std::string_view item_row,
                                     std::string_view stored);
// Whether writes keep expiry rows now.
bool KeepsExpiry(const Table& table);

struct TimeToLiveRequest {
  TableKey table;
  std::string attribute;
  bool enabled = true;
};
// The status is ENABLING or DISABLING until RunUpkeep (upkeep.h) has done its part. Blocks.
// Errors: ResourceNotFound; Validation for what already is so, for another attribute, and while a
// change is under way.
Result<void> UpdateTimeToLive(Engine& engine, TimeToLiveRequest request);

// Writes the rows of the items that were there before, or removes all rows. A restart begins
// again. Returns early once `stop` is set. Blocks. Errors: InternalServerError.
Result<void> SettleTimeToLive(Engine& engine, const TableKey& key, const std::atomic<bool>& stop);

// Deletes items that have expired, at most about `max`; answers how many expiry rows it came by.
// What expired more than five years ago is left alone, as with the service. Blocks.
// Errors: InternalServerError, after trying all tables.
Result<std::size_t> SweepExpired(Engine& engine, std::size_t max = 10'000);

}  // namespace kw::engine
