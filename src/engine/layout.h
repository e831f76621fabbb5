// SPDX-License-Identifier: Apache-2.0
// Where things lie: the rows of a table and its indexes in cells, and what one item's change writes.
//
// A table's cell:          'i' row-key -> stored item
//                          'l' ordinal(4) partition-prefix index-sort base-sort -> stored entry (local index)
//                          'c' partition-prefix -> size of the item collection (only with local indexes)
//                          counters "size" and "items"; log 1: changes
// A global index's cell:   hash(8) index-partition+ index-sort* base-partition base-sort -> stored entry
//                          counters "size" and "items"
// Cell 0: the catalog. Cell 1: idempotency tokens.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/metering.h"
#include "engine/catalog.h"
#include "storage/store.h"

namespace kw::engine {

inline constexpr storage::CellId kCatalogCell = 0;
inline constexpr storage::CellId kTokenCell = 1;
inline constexpr std::uint32_t kChangeLog = 1;

// Whether the item's own batch carries the rows of global indexes, or the change log does.
enum class GlobalIndexes : std::uint8_t { kInBatch, kFromLog };

// What one committed item write did; the record of the change log.
struct Change {
  TimePoint at;
  std::optional<std::string> before;  // stored items
  std::optional<std::string> after;
};
std::string EncodeChange(const Change& change);
std::optional<Change> DecodeChange(std::string_view record);

storage::RowKey ItemRow(const Table& table, const AttributeMap& key);
storage::RowKey CollectionRow(const Table& table, const AttributeMap& key);

// Appends to `mutation` everything that replacing `before` by `after` writes (item, local and global
// index rows, counters, change log) and answers the index write units; the table's own units are
// the caller's. Either may be null: an insert, a delete.
Capacity Expand(const Table& table, const Item* before, const Item* after, GlobalIndexes global,
                TimePoint now, storage::Mutation& mutation);

}  // namespace kw::engine
