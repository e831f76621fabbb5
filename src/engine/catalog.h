// SPDX-License-Identifier: Apache-2.0
// Which tables there are. Readers take immutable snapshots; a change writes the store first and then
// swaps the snapshot and marks the old one stale, so that a write decided under an old snapshot
// notices and starts again with the new one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "data/error.h"
#include "data/table_schema.h"
#include "storage/store.h"

namespace kw::engine {

// Where a table lives. By default the server puts every call into one account and region.
struct TableKey {
  std::string account;
  std::string region;
  std::string name;
  friend auto operator<=>(const TableKey&, const TableKey&) = default;
};

enum class TableStatus : std::uint8_t { kCreating, kUpdating, kDeleting, kActive };
enum class IndexStatus : std::uint8_t { kCreating, kUpdating, kDeleting, kActive };
enum class BillingMode : std::uint8_t { kProvisioned, kPayPerRequest };
enum class TableClass : std::uint8_t { kStandard, kStandardInfrequentAccess };
enum class StreamView : std::uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

struct Provisioned {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
  std::optional<TimePoint> increased_at;
  std::optional<TimePoint> decreased_at;
  std::int64_t decreases_today = 0;
};
struct OnDemandMaximum {
  std::optional<std::int64_t> read_units;
  std::optional<std::int64_t> write_units;
};
struct WarmThroughput {
  std::optional<std::int64_t> read_units;
  std::optional<std::int64_t> write_units;
};

struct Tag {
  std::string key;
  std::string value;
};

// What stands beside a global index's schema. `ordinal` names its cells and is never used again.
struct IndexState {
  std::string name;
  std::uint32_t ordinal = 0;
  IndexStatus status = IndexStatus::kActive;
  bool backfilling = false;
  Provisioned provisioned;
  std::optional<OnDemandMaximum> on_demand;
  std::optional<WarmThroughput> warm;
};

// A slice of the table's key space by the hash that begins every row key: [hash_begin, the next
// slice's). Scans, their parallel segments and the shards of a stream are read off this map.
struct CellSlice {
  std::uint64_t hash_begin = 0;
  storage::CellId cell = 0;
};

// One table at one moment. Immutable, but for `stale`.
struct Table {
  TableKey key;
  std::string id;               // UUID, as TableId
  std::uint32_t number = 0;     // names its cells; a number is never used again
  TableSchema schema;
  std::vector<KeyAttribute> attribute_definitions;  // in the order sent
  TableStatus status = TableStatus::kActive;
  TimePoint created_at;
  BillingMode billing = BillingMode::kProvisioned;
  std::optional<TimePoint> on_demand_since;
  Provisioned provisioned;
  std::optional<OnDemandMaximum> on_demand;
  std::optional<WarmThroughput> warm;
  TableClass table_class = TableClass::kStandard;
  std::optional<TimePoint> table_class_changed_at;
  bool deletion_protection = false;
  std::optional<StreamView> stream;   // set while a stream is enabled
  std::string stream_label;           // empty until a stream was first enabled
  std::optional<std::string> sse_key_arn;
  bool sse_kms = false;
  std::vector<Tag> tags;
  std::vector<IndexState> index_states;  // one for each of schema.indexes(), in its order
  std::vector<CellSlice> cells;          // of the base table and its local indexes; never empty

  // Set when a newer snapshot of this table stands, or the table is gone.
  mutable std::atomic<bool> stale{false};

  [[nodiscard]] std::string Arn() const;
  [[nodiscard]] storage::CellId CellOf(std::uint64_t hash) const;
  [[nodiscard]] storage::CellId IndexCell(const IndexState& index) const;
};

using TablePtr = std::shared_ptr<const Table>;

// Thread-safe. Persisted in cell 0 of the store.
class Catalog {
 public:
  // Reads what the store holds. Errors: InternalServerError if the store does not answer.
  static Result<std::unique_ptr<Catalog>> Load(storage::Store& store);

  // Errors: ResourceNotFound "Requested resource not found" (item operations' wording).
  [[nodiscard]] Result<TablePtr> Find(const TableKey& key) const;
  [[nodiscard]] TablePtr FindOrNull(const TableKey& key) const;

  // Names in order, above `after`, at most `limit`.
  [[nodiscard]] std::vector<std::string> Names(const std::string& account, const std::string& region,
                                               const std::string& after, std::size_t limit) const;
  [[nodiscard]] std::vector<TablePtr> All() const;

  // Changes are serial: `change` sees the newest snapshot (null: no such table) and answers the next
  // one (null: the table goes). Blocks until durable. Errors: those of `change`, InternalServerError.
  using Change = std::function<Result<std::unique_ptr<Table>>(const TablePtr& now)>;
  Result<TablePtr> Apply(const TableKey& key, const Change& change);

  // A number never given before, also across restarts.
  Result<std::uint32_t> NextTableNumber();

 private:
  explicit Catalog(storage::Store& store) : store_(store) {}
  storage::Store& store_;
  mutable std::shared_mutex mutex_;  // guards tables_
  std::map<TableKey, TablePtr> tables_;
  std::mutex change_mutex_;  // one change at a time; held across the store's write
};

}  // namespace kw::engine
