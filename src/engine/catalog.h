// SPDX-License-Identifier: Apache-2.0
// Which tables there are. Readers take immutable snapshots; a change writes the store first and
// then swaps the snapshot and marks the old one stale, so that a write decided under an old
// snapshot notices and starts again with the new one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy.h"
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
// A change is under way while expiry rows are written or removed (time_to_live.h).
enum class TimeToLiveStatus : std::uint8_t { kEnabling, kEnabled, kDisabling };

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

// Contributor insights, once they were enabled (contributor_insights.h).
enum class InsightsMode : std::uint8_t { kAccessedAndThrottledKeys, kThrottledKeys };
struct ContributorInsights {
  bool enabled = true;
  InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys;
  TimePoint enabled_at;
  TimePoint updated_at;
};

// What stands beside a global index's schema. `ordinal` names its cells and is never used again.
struct IndexState {
  std::string name;
  std::uint32_t ordinal = 0;
  IndexStatus status = IndexStatus::kActive;
  bool backfilling = false;
  bool fills_from_log = false;  // while it is filled: whether index rows come from the change log
  Provisioned provisioned = {};
  std::optional<OnDemandMaximum> on_demand = {};
  std::optional<WarmThroughput> warm = {};
  std::optional<ContributorInsights> insights = {};
};

// A slice of the table's key space by the hash that begins every row key: [hash_begin, the next
// slice's). Scans, their parallel segments and the shards of a stream are read off this map.
struct CellSlice {
  std::uint64_t hash_begin = 0;
  storage::CellId cell = 0;
};

// What a stream recorded of the items whose hash lies in [hash_begin, hash_last]: one log, in their
// cell. While a shard is open, writes append to it (streams.h).
struct StreamShard {
  std::uint32_t number = 0;  // in order of opening; names the log, and is never used again
  std::string parent;        // ShardId; empty: the stream began with this shard
  std::uint64_t hash_begin = 0;
  std::uint64_t hash_last = 0;
  TimePoint opened_at;
  std::optional<TimePoint> closed_at;
  // The position of the last record, 0 if there is none. Set some time after the closing, when
  // nothing more can follow: until then readers treat the shard as open.
  std::optional<std::uint64_t> last;
};

// A resource-based policy, as it was sent and as it is asked (resource_policy.h).
struct ResourcePolicy {
  std::string text;
  std::string revision;
  access::Policy policy;
};
using ResourcePolicyPtr = std::shared_ptr<const ResourcePolicy>;

struct Stream {
  std::string label;  // names it in its ARN
  StreamView view = StreamView::kKeysOnly;
  TimePoint created_at;
  std::optional<TimePoint> disabled_at;
  std::vector<StreamShard> shards;  // those with records young enough, by number
  ResourcePolicyPtr policy = {};    // null: none
};

struct TimeToLive {
  std::string attribute;
  TimeToLiveStatus status = TimeToLiveStatus::kEnabling;
};

// Something that comes true of one snapshot. A copy starts unset.
class SnapshotFlag : public std::atomic<bool> {
 public:
  SnapshotFlag() : std::atomic<bool>(false) {}
  SnapshotFlag(const SnapshotFlag& /*unused*/) : std::atomic<bool>(false) {}
  SnapshotFlag& operator=(const SnapshotFlag& /*unused*/) { return *this; }
};

// One table at one moment. Immutable, but for the flags.
struct Table {
  TableKey key;
  std::string id;            // UUID, as TableId
  std::uint32_t number = 0;  // names its cells; a number is never used again
  TableSchema schema;
  std::vector<KeyAttribute> attribute_definitions;  // in the order sent
  TableStatus status = TableStatus::kActive;
  TimePoint created_at;
  BillingMode billing = BillingMode::kProvisioned;
  std::optional<TimePoint> on_demand_since;
  std::vector<TimePoint> on_demand_switches;  // from provisioned, the last few
  Provisioned provisioned;
  std::optional<OnDemandMaximum> on_demand;
  std::optional<WarmThroughput> warm;
  TableClass table_class = TableClass::kStandard;
  std::optional<TimePoint> table_class_changed_at;
  bool deletion_protection = false;
  std::optional<StreamView> stream;  // set while a stream is enabled
  std::string stream_label;          // empty until a stream was first enabled
  // Those that can still be read, oldest first; while one is enabled it is the last.
  std::vector<Stream> streams;
  std::uint32_t next_shard = 0;  // what the next shard gets
  std::optional<TimeToLive> ttl;
  std::optional<ContributorInsights> insights;
  std::optional<std::string> sse_key_arn;
  bool sse_kms = false;
  std::vector<Tag> tags;
  ResourcePolicyPtr policy;              // of the table and its indexes; null: none
  std::vector<IndexState> index_states;  // one for each of schema.indexes(), in its order
  std::uint32_t next_ordinal = 0;        // what the next index gets
  std::vector<CellSlice> cells;          // of the base table and its local indexes; never empty

  mutable SnapshotFlag stale;    // a newer snapshot stands, or the table is gone
  mutable SnapshotFlag emptied;  // of a retired table: its rows are gone; not stored

  [[nodiscard]] std::string Arn() const;
  [[nodiscard]] storage::CellId CellOf(std::uint64_t hash) const;
  [[nodiscard]] storage::CellId IndexCell(const IndexState& index) const;
};

using TablePtr = std::shared_ptr<const Table>;

// The cell of a slice of a table's key space.
storage::CellId SliceCell(std::uint32_t table_number, std::uint32_t slice);
// What a cell's id says: the number of its table, and the ordinal if it is a global index's.
std::uint32_t TableNumberOf(storage::CellId cell);
std::optional<std::uint32_t> IndexOrdinalOf(storage::CellId cell);

// Thread-safe. Persisted in cell 0 of the store.
class Catalog {
 public:
  // Reads what the store holds. Errors: InternalServerError if the store does not answer.
  static Result<std::unique_ptr<Catalog>> Load(storage::Store& store);

  // Errors: ResourceNotFound "Requested resource not found" (item operations' wording).
  [[nodiscard]] Result<TablePtr> Find(const TableKey& key) const;
  [[nodiscard]] TablePtr FindOrNull(const TableKey& key) const;

  // Names in order, above `after`, at most `limit`.
  [[nodiscard]] std::vector<std::string> Names(const std::string& account,
                                               const std::string& region, const std::string& after,
                                               std::size_t limit) const;
  [[nodiscard]] std::vector<TablePtr> All() const;
  // Deleted tables whose streams can still be read.
  [[nodiscard]] std::vector<TablePtr> Retired() const;

  // How many tables an account has in a region.
  [[nodiscard]] std::size_t Count(const std::string& account, const std::string& region) const;

  // What a change wants: the next snapshot (null: the table goes) and the cells nobody needs any
  // more.
  struct Next {
    std::unique_ptr<Table> table;
    std::vector<storage::CellId> dropped = {};
    std::unique_ptr<Table> retired = nullptr;  // what of a table that goes is to be remembered
  };
  // Changes are serial: `change` sees the newest snapshot (null: no such table) and answers the
  // next one. Blocks until durable. Errors: those of `change`, InternalServerError.
  //
  // The snapshot is swapped, and then the old one marked stale, before the store decides the next
  // update: see Apply in catalog.cc for why no write under an old snapshot escapes a backfill.
  using Change = std::function<Result<Next>(const TablePtr& now)>;
  Result<TablePtr> Apply(const TableKey& key, const Change& change);
  // The same for a retired table, by its number.
  Result<TablePtr> ApplyRetired(std::uint32_t number, const Change& change);

  // A number that no table has or had. It is remembered with the next change. Only from a Change.
  std::uint32_t NextTableNumber() { return next_number_++; }

  // Cells that changes gave up and whose rows still lie in the store, also across restarts.
  [[nodiscard]] std::vector<storage::CellId> Dropped() const;
  // The cell is empty. Errors: InternalServerError.
  Result<void> ForgetDropped(storage::CellId cell);

 private:
  explicit Catalog(storage::Store& store) : store_(store) {}
  // Writes, and runs `then` before the store decides any later update.
  Result<void> Write(storage::Mutation mutation, std::function<void()> then);

  storage::Store& store_;
  mutable std::shared_mutex mutex_;  // guards tables_, retired_ and dropped_
  std::map<TableKey, TablePtr> tables_;
  std::map<std::uint32_t, TablePtr> retired_;
  std::set<storage::CellId> dropped_;
  std::mutex change_mutex_;        // one change at a time; held across the store's write
  std::uint32_t next_number_ = 1;  // guarded by change_mutex_
};

// The row that stands for a table in cell 0, as JSON with a version.
std::string EncodeTable(const Table& table);
// Errors: nothing, if the row is none of ours (a newer program wrote it, or it is damaged).
std::optional<Table> DecodeTable(std::string_view row);

}  // namespace kw::engine
