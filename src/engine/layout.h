// SPDX-License-Identifier: Apache-2.0
// Where things lie: the rows of a table and its indexes in cells, and what one item's change
// writes.
//
// A table's cell:          'i' row-key -> stored item
//                          'l' ordinal(4) hash(8) partition index-sort base-sort -> stored entry
//                          (local index) 'c' hash(8) partition -> size of the item collection (only
//                          with local indexes) 'f' ordinal(4) -> how far a global index was filled
//                          (backfill.h) 'e' time(8) item-row -> nothing (time_to_live.h) log 1:
//                          changes that lagging indexes need; logs 2 and up: shards of streams
//                          (streams.h)
// A global index's cell:   'i' hash(8) index-partition+ index-sort* base-partition base-sort ->
// stored entry
//                          'x' table-cell(8) -> position in that cell's change log, applied up to
//                          there
// Cell 0: the catalog. Cell 1: idempotency tokens (tokens.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/metering.h"
#include "engine/catalog.h"
#include "engine/draw.h"
#include "engine/stream_record.h"
#include "storage/store.h"

namespace kw::engine {

class Fill;  // backfill.h

inline constexpr storage::CellId kCatalogCell = 0;
inline constexpr storage::CellId kTokenCell = 1;
inline constexpr std::uint32_t kChangeLog = 1;

// Counters: billed bytes and number, of a table's items in each of its cells, and of an index's
// entries (a global index's in its cell, a local one's in the table's cells).
inline constexpr std::string_view kSizeCounter = "size";
inline constexpr std::string_view kItemsCounter = "items";
// The name of an index's counter; `index` is a position in schema.indexes(), here and below.
std::string IndexCounter(std::string_view counter, const Table& table, std::size_t index);

// Whether the item's own batch carries the rows of global indexes, or the change log does.
enum class GlobalIndexes : std::uint8_t { kInBatch, kFromLog };

// What one committed item write did; the record of the change log, from which lagging indexes get
// their rows.
struct Change {
  TimePoint at;
  std::optional<std::string> before;  // stored items
  std::optional<std::string> after;
};
std::string EncodeChange(const Change& change);
std::optional<Change> DecodeChange(std::string_view record);

storage::RowKey ItemRow(const Table& table, const AttributeMap& key);
storage::RowKey CollectionRow(const Table& table, const AttributeMap& key);
// A collection without items has no row.
void PutCollectionSize(const storage::RowKey& row, ByteCount size, storage::Mutation& mutation);
ByteCount DecodeCollectionSize(std::string_view row);

// What stands before the hash in the keys of an index's rows, and of a table's items.
inline constexpr std::string_view kItemPrefix = "i";
std::string IndexPrefix(const Table& table, std::size_t index);
// The row of the entry with these key attributes of index and table.
storage::RowKey IndexRowKey(const Table& table, std::size_t index, const AttributeMap& keys);
// The row in a global index's cell that says how far a cell's change log was applied.
storage::RowKey IndexCursorRow(const Table& table, std::size_t index, storage::CellId table_cell);
std::string EncodeIndexCursor(std::uint64_t position);
std::uint64_t DecodeIndexCursor(std::optional<std::string_view> row);  // no row: 0

struct IndexRow {
  storage::RowKey key;
  std::string stored;
};
// Nothing if the index does not hold the item.
std::optional<IndexRow> IndexRowOf(const Table& table, std::size_t index, const Item& item);
// Appends what replaces one entry by the other. Either may be null.
enum class IndexCounters : std::uint8_t { kFollow, kLeave };
void ReplaceIndexRow(const Table& table, std::size_t index, const IndexRow* before,
                     const IndexRow* after, IndexCounters counters, storage::Mutation& mutation);

// An item in the two forms that a write needs.
struct ItemImage {
  std::string_view stored;     // empty: there is no item
  const Item* item = nullptr;  // may be null where the table has no indexes
};

struct Expansion {
  Capacity indexes;             // index write units; the table's own are the caller's
  ByteCount collection_growth;  // of the item collection, local index entries included
};

// Under which circumstances an item changes.
struct ChangeContext {
  GlobalIndexes global = GlobalIndexes::kInBatch;
  TimePoint now;
  WriteCause cause = WriteCause::kClient;
  Fill* fill = nullptr;  // how far an index is being filled; null if none is
  // Gets what the change takes of global indexes, key by key; null where nobody counts.
  std::vector<Draw>* index_draws = nullptr;
};

// Appends to `mutation` everything that replacing `before` by `after` in the item's row writes:
// item, local and global index rows, counters, change log, stream record, expiry row. Not the row
// of the collection's size, which depends on what else is written, nor the fill's. Equal images
// write nothing.
Expansion Expand(const Table& table, const storage::RowKey& row, const ItemImage& before,
                 const ItemImage& after, const ChangeContext& context, storage::Mutation& mutation);

}  // namespace kw::engine
