// SPDX-License-Identifier: Apache-2.0
#include "engine/layout.h"

#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "data/item_bytes.h"
#include "data/key.h"
#include "engine/backfill.h"
#include "engine/streams.h"
#include "engine/time_to_live.h"

namespace kw::engine {
namespace {

constexpr char kLocalIndexPrefix = 'l';
constexpr char kCollectionPrefix = 'c';
constexpr char kIndexCursorPrefix = 'x';

// Flags of a change record.
constexpr std::uint8_t kHasBefore = 1;
constexpr std::uint8_t kHasAfter = 2;

std::uint64_t HashOf(std::string_view row_key) {
  return ReadBigEndian64(row_key.substr(0, kRowHashBytes));
}

std::int64_t SizeOrZero(std::string_view stored) {
  return stored.empty() ? 0 : StoredItemSize(stored).value();
}

bool IsWritten(const Table& table, std::size_t index) {
  return table.index_states[index].status != IndexStatus::kDeleting;
}

bool NeedsChangeLog(const Table& table, GlobalIndexes global) {
  if (global == GlobalIndexes::kInBatch) return false;
  for (std::size_t i = 0; i < table.schema.indexes().size(); ++i) {
    if (table.schema.indexes()[i].scope == IndexScope::kGlobal && IsWritten(table, i)) return true;
  }
  return false;
}

void Count(storage::CellId cell, std::string name, std::int64_t delta,
           storage::Mutation& mutation) {
  if (delta != 0) mutation.AddToCounter(cell, std::move(name), delta);
}

std::int64_t Presence(const void* row) { return row == nullptr ? 0 : 1; }

// The row key under an index's key schema, and behind it what tells entries with equal index keys
// apart: the table's own key, of which a local index already holds the partition.
std::string IndexKeyBytes(const Table& table, const IndexSchema& index, const AttributeMap& keys) {
  auto bytes = RowKeyOf(index.key, keys);
  const auto append = [&](const std::vector<KeyAttribute>& attributes) {
    for (const auto& attribute : attributes) AppendKeyPart(bytes, *keys.Find(attribute.name));
  };
  if (index.scope == IndexScope::kGlobal) append(table.schema.key().partition);
  append(table.schema.key().sort);
  return bytes;
}

// What a change takes of a global index, at each key that it touches.
void DrawOn(std::size_t index, const IndexRow* before, const IndexRow* after, HalfUnits units,
            std::vector<Draw>& draws) {
  const auto draw = [&](const IndexRow& row, HalfUnits part) {
    draws.push_back({.index = index,
                     .flow = Flow::kWrite,
                     .key = row.key.key.substr(kItemPrefix.size()),
                     .units = part});
  };
  if (before == nullptr || after == nullptr || before->key == after->key) {
    return draw(after != nullptr ? *after : *before, units);
  }
  const auto removal = WriteUnits(StoredItemSize(before->stored), WriteMode::kStandard);
  draw(*before, removal);
  draw(*after, units - removal);
}

// One index's part in a change: its rows, if they belong to the batch, its units and its growth.
void ExpandIndex(const Table& table, std::size_t position, const ItemImage& before,
                 const ItemImage& after, const ChangeContext& context, IndexCounters counters,
                 Expansion& expansion, storage::Mutation& mutation) {
  const auto row_of = [&](const ItemImage& image) {
    return image.item == nullptr ? std::nullopt : IndexRowOf(table, position, *image.item);
  };
  const auto old_row = row_of(before);
  const auto new_row = row_of(after);
  if (!old_row && !new_row) return;

  const auto size_of = [](const std::optional<IndexRow>& row) {
    return row ? std::optional(StoredItemSize(row->stored)) : std::nullopt;
  };
  IndexEntryChange change{.before = size_of(old_row), .after = size_of(new_row)};
  change.key_changed = old_row && new_row && old_row->key != new_row->key;
  change.view_changed = !old_row || !new_row || old_row->stored != new_row->stored;
  if (!change.view_changed) return;

  const auto& index = table.schema.indexes()[position];
  const auto units = IndexWriteUnits(change);
  const bool local = index.scope == IndexScope::kLocal;
  auto& charged = local ? expansion.indexes.local : expansion.indexes.global;
  if (units != HalfUnits()) charged[index.name].write += units;
  if (local) {
    expansion.collection_growth +=
        change.after.value_or(ByteCount()) - change.before.value_or(ByteCount());
  }
  const auto* const removed = old_row ? &*old_row : nullptr;
  const auto* const put = new_row ? &*new_row : nullptr;
  if (!local && context.index_draws != nullptr) {
    DrawOn(position, removed, put, units, *context.index_draws);
  }
  if (local || context.global == GlobalIndexes::kInBatch) {
    ReplaceIndexRow(table, position, removed, put, counters, mutation);
  }
}

void AppendStreamRecord(const Table& table, const storage::RowKey& row, const ItemImage& before,
                        const ItemImage& after, const ChangeContext& context,
                        storage::Mutation& mutation) {
  if (!table.stream) return;
  const auto hash = HashOf(std::string_view(row.key).substr(kItemPrefix.size()));
  const auto* shard = OpenShard(table, hash);
  Check(shard != nullptr, "the shards of an enabled stream cover every hash");
  mutation.AppendToLog(row.cell, StreamLog(*shard),
                       EncodeStreamRecord(table.schema.key(), *table.stream, before.stored,
                                          after.stored, context.now, context.cause));
}

void ExpandExpiry(const Table& table, const storage::RowKey& row, const ItemImage& before,
                  const ItemImage& after, storage::Mutation& mutation) {
  if (!KeepsExpiry(table)) return;
  auto old_key = ExpiryKey(table.ttl->attribute, row.key, before.stored);
  auto new_key = ExpiryKey(table.ttl->attribute, row.key, after.stored);
  if (old_key == new_key) return;
  if (old_key) mutation.DeleteRow(row.cell, *std::move(old_key));
  if (new_key) mutation.PutRow(row.cell, *std::move(new_key), {});
}

}  // namespace

std::string IndexCounter(std::string_view counter, const Table& table, std::size_t index) {
  std::string name(counter);
  if (table.schema.indexes()[index].scope == IndexScope::kLocal) {
    AppendBigEndian32(name, table.index_states[index].ordinal);
  }
  return name;
}

std::string EncodeChange(const Change& change) {
  std::string record;
  record.reserve(32 + (change.before ? change.before->size() : 0) +
                 (change.after ? change.after->size() : 0));
  AppendBigEndian64(record, static_cast<std::uint64_t>(change.at.time_since_epoch().count()));
  const int flags = (change.before ? kHasBefore : 0) | (change.after ? kHasAfter : 0);
  record.push_back(static_cast<char>(flags));
  if (change.before) AppendLengthPrefixed(record, *change.before);
  if (change.after) AppendLengthPrefixed(record, *change.after);
  return record;
}

std::optional<Change> DecodeChange(std::string_view record) {
  if (record.size() < 9) return std::nullopt;
  Change change;
  change.at = TimePoint(
      std::chrono::milliseconds(static_cast<std::int64_t>(ReadBigEndian64(record.substr(0, 8)))));
  const auto flags = static_cast<std::uint8_t>(record[8]);
  record.remove_prefix(9);
  if ((flags & kHasBefore) != 0) {
    change.before = TakeLengthPrefixed(record);
    if (!change.before) return std::nullopt;
  }
  if ((flags & kHasAfter) != 0) {
    change.after = TakeLengthPrefixed(record);
    if (!change.after) return std::nullopt;
  }
  if (!record.empty()) return std::nullopt;
  return change;
}

storage::RowKey ItemRow(const Table& table, const AttributeMap& key) {
  auto row = RowKeyOf(table.schema.key(), key, kItemPrefix);
  const auto cell = table.CellOf(HashOf(std::string_view(row).substr(kItemPrefix.size())));
  return {.cell = cell, .key = std::move(row)};
}

storage::RowKey CollectionRow(const Table& table, const AttributeMap& key) {
  const auto& partition = table.schema.key().partition;
  const auto prefix = PartitionPrefix({key.Find(partition.front().name)});
  return {.cell = table.CellOf(HashOf(prefix)), .key = kCollectionPrefix + prefix};
}

void PutCollectionSize(const storage::RowKey& row, ByteCount size, storage::Mutation& mutation) {
  if (size == ByteCount()) return mutation.DeleteRow(row.cell, row.key);
  std::string stored;
  AppendBigEndian64(stored, static_cast<std::uint64_t>(size.value()));
  mutation.PutRow(row.cell, row.key, std::move(stored));
}

ByteCount DecodeCollectionSize(std::string_view row) {
  Check(row.size() == 8, "a collection's row holds 8 bytes");
  return ByteCount(static_cast<std::int64_t>(ReadBigEndian64(row)));
}

std::string IndexPrefix(const Table& table, std::size_t index) {
  if (table.schema.indexes()[index].scope == IndexScope::kGlobal) return std::string(kItemPrefix);
  std::string prefix(1, kLocalIndexPrefix);
  AppendBigEndian32(prefix, table.index_states[index].ordinal);
  return prefix;
}

storage::RowKey IndexRowKey(const Table& table, std::size_t index, const AttributeMap& keys) {
  const auto& schema = table.schema.indexes()[index];
  const auto bytes = IndexKeyBytes(table, schema, keys);
  const auto cell = schema.scope == IndexScope::kGlobal ? table.IndexCell(table.index_states[index])
                                                        : table.CellOf(HashOf(bytes));
  return {.cell = cell, .key = IndexPrefix(table, index).append(bytes)};
}

storage::RowKey IndexCursorRow(const Table& table, std::size_t index, storage::CellId table_cell) {
  std::string key(1, kIndexCursorPrefix);
  AppendBigEndian64(key, table_cell);
  return {.cell = table.IndexCell(table.index_states[index]), .key = std::move(key)};
}

std::string EncodeIndexCursor(std::uint64_t position) {
  std::string row;
  AppendBigEndian64(row, position);
  return row;
}

std::uint64_t DecodeIndexCursor(std::optional<std::string_view> row) {
  if (!row) return 0;
  Check(row->size() == 8, "a cursor's row holds 8 bytes");
  return ReadBigEndian64(*row);
}

std::optional<IndexRow> IndexRowOf(const Table& table, std::size_t index, const Item& item) {
  const auto entry = table.schema.EntryOf(table.schema.indexes()[index], item);
  if (!entry) return std::nullopt;
  return IndexRow{.key = IndexRowKey(table, index, *entry), .stored = StoreItem(*entry)};
}

void ReplaceIndexRow(const Table& table, std::size_t index, const IndexRow* before,
                     const IndexRow* after, IndexCounters counters, storage::Mutation& mutation) {
  if (before == nullptr && after == nullptr) return;
  const auto cell = (after != nullptr ? after : before)->key.cell;
  if (before != nullptr && (after == nullptr || before->key != after->key)) {
    mutation.DeleteRow(cell, before->key.key);
  }
  if (after != nullptr) mutation.PutRow(cell, after->key.key, after->stored);
  if (counters == IndexCounters::kLeave) return;
  Count(cell, IndexCounter(kSizeCounter, table, index),
        SizeOrZero(after != nullptr ? after->stored : "") -
            SizeOrZero(before != nullptr ? before->stored : ""),
        mutation);
  Count(cell, IndexCounter(kItemsCounter, table, index), Presence(after) - Presence(before),
        mutation);
}

Expansion Expand(const Table& table, const storage::RowKey& row, const ItemImage& before,
                 const ItemImage& after, const ChangeContext& context,
                 storage::Mutation& mutation) {
  if (before.stored == after.stored) return {};
  const auto global = context.global;
  auto* const fill = context.fill;
  const auto size_before = SizeOrZero(before.stored);
  const auto size_after = SizeOrZero(after.stored);

  if (after.stored.empty()) {
    mutation.DeleteRow(row.cell, row.key);
  } else {
    mutation.PutRow(row.cell, row.key, std::string(after.stored));
  }
  Count(row.cell, std::string(kSizeCounter), size_after - size_before, mutation);
  Count(row.cell, std::string(kItemsCounter),
        (after.stored.empty() ? 0 : 1) - (before.stored.empty() ? 0 : 1), mutation);

  Expansion expansion{.indexes = {}, .collection_growth = ByteCount(size_after - size_before)};
  // With a lag, whoever writes the index rows counts what they held.
  const bool fill_follows = fill != nullptr && global == GlobalIndexes::kInBatch &&
                            fill->Follows(row.key, !before.stored.empty());
  for (std::size_t i = 0; i < table.schema.indexes().size(); ++i) {
    if (!IsWritten(table, i)) continue;
    const bool follows = !table.index_states[i].backfilling || fill_follows;
    ExpandIndex(table, i, before, after, context,
                follows ? IndexCounters::kFollow : IndexCounters::kLeave, expansion, mutation);
  }

  if (NeedsChangeLog(table, global)) {
    const auto image = [](std::string_view stored) {
      return stored.empty() ? std::nullopt : std::optional<std::string>(stored);
    };
    mutation.AppendToLog(
        row.cell, kChangeLog,
        EncodeChange(
            {.at = context.now, .before = image(before.stored), .after = image(after.stored)}));
  }
  AppendStreamRecord(table, row, before, after, context, mutation);
  ExpandExpiry(table, row, before, after, mutation);
  return expansion;
}

}  // namespace kw::engine
