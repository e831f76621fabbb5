// SPDX-License-Identifier: Apache-2.0
#include "storage/rocksdb/rocksdb_store.h"

#include <fmt/core.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/snapshot.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/log.h"
#include "storage/applier.h"
#include "storage/rocksdb/data_folder.h"
#include "storage/rocksdb/key_space.h"
#include "storage/rocksdb/observer.h"
#include "storage/rocksdb/write_set.h"

namespace kw::storage {
namespace {

constexpr std::size_t kBatchUpdatesMax = 512;
constexpr std::size_t kBatchBytesMax = std::size_t{4} << 20;
// Below this much free disk, updates are refused before anything is written: the rest is for the
// memtables to be flushed, so that a full disk stays an error that freeing space ends.
constexpr std::uint64_t kFreeBytesMin = std::uint64_t{128} << 20;
// The little that it takes to drop cells and trim logs goes on down to here.
constexpr std::uint64_t kFreeBytesToDropMin = std::uint64_t{16} << 20;
// Rows deleted but not yet compacted that a memory-only read steps over in a row: tens of
// microseconds. Beyond, whoever may wait does it.
constexpr std::uint64_t kSkippedInMemoryMax = 1000;
constexpr int kOpenFilesMax = 512;  // of 1,024 that a process may have by default

rocksdb::Options MakeOptions(const OpenOptions& options, const RocksDbParts& parts,
                             std::shared_ptr<std::atomic<bool>> writes_stopped) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(options.cache_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_size = std::size_t{8} << 10;
  table.format_version = 5;
  // Filters and indexes count towards the cache, so that memory stays bounded.
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;

  rocksdb::Options result;
  if (parts.env != nullptr) result.env = parts.env;
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  result.create_if_missing = true;
  result.paranoid_checks = true;
  // After a crash the log ends in bytes that were never synced: cut short, or pages of zeros with
  // later pages written. Point-in-time recovery stops at the first record that is not whole; what
  // was answered lies before it, since a sync covers the whole log before its end.
  // kTolerateCorruptedTailRecords accepts only the cut, and refuses to open after such zeros.
  result.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  result.manual_wal_flush = false;
  // Filters also know the beginnings of rows, so that reading a range whose rows begin alike skips
  // the memtables and files that hold none of them.
  result.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(key_space::kBeginningSize));
  result.write_buffer_size = parts.memtable_bytes;
  result.max_write_buffer_number = 3;
  result.memtable_prefix_bloom_size_ratio = 0.01;
  result.memtable_whole_key_filtering = true;
  result.allow_concurrent_memtable_write = false;  // there is one writer
  result.level_compaction_dynamic_level_bytes = true;
  result.max_background_jobs = 2;
  result.bytes_per_sync = std::size_t{1} << 20;
  result.max_open_files = kOpenFilesMax;
  result.max_manifest_file_size = std::size_t{64} << 20;
  result.avoid_unnecessary_blocking_io = true;
  result.stats_dump_period_sec = 0;
  result.stats_persist_period_sec = 0;
  result.info_log = MakeRocksDbLogger();
  result.listeners = {MakeWriteStopListener(std::move(writes_stopped))};
  const auto supported = rocksdb::GetSupportedCompressions();
  result.compression = std::ranges::count(supported, rocksdb::kLZ4Compression) > 0
                           ? rocksdb::kLZ4Compression
                           : rocksdb::kNoCompression;
  return result;
}

rocksdb::ReadOptions MakeReadOptions(Wait wait) {
  rocksdb::ReadOptions options;
  if (wait == Wait::kMemoryOnly) {
    options.read_tier = rocksdb::kBlockCacheTier;
    options.max_skippable_internal_keys = kSkippedInMemoryMax;
  }
  options.adaptive_readahead = true;
  // Only who knows that a range begins alike may ask the filters of beginnings.
  options.total_order_seek = true;
  return options;
}

// Backwards RocksDB would ask the filters for the bound, which may begin otherwise.
bool BeginsAlike(std::string_view begin, std::string_view end, bool reverse) {
  constexpr auto kSize = key_space::kBeginningSize;
  return !reverse && begin.size() >= kSize && begin.substr(0, kSize) == end.substr(0, kSize);
}

StoreError ReadError(const rocksdb::Status& status) {
  if (status.IsIncomplete()) return StoreError::kWouldBlock;
  Log(LogLevel::kError, "read failed", {{"message", status.ToString()}});
  return StoreError::kNotDone;
}

// What may still be written.
enum class Room : std::uint8_t {
  kNone,
  kToDrop,  // only what frees space
  kAmple,
};

// What an update waits for once it has been decided.
enum class Pending : std::uint8_t {
  kRefused,  // a row could not be read, or the disk is nearly full
  kSeen,     // nothing to write, but what it saw may be part of the batch
  kWritten,  // its mutation is part of the batch
};

class RocksDbStore final : public Store {
 public:
  RocksDbStore(DataFolder folder, std::unique_ptr<rocksdb::DB> db,
               std::shared_ptr<std::atomic<bool>> writes_stopped, const OpenOptions& options)
      : folder_(std::move(folder)),
        db_(std::move(db)),
        writes_stopped_(std::move(writes_stopped)),
        set_(*db_),
        applier_(std::make_unique<Applier>(
            Applier::Limits{.queue_max = options.queue_max, .batch_max = kBatchUpdatesMax},
            [this](UpdateBatch& batch) { Apply(batch); })) {
    write_options_.sync = options.durability == Durability::kFull;
  }
  ~RocksDbStore() override;

  Capabilities capabilities() const override {
    return {.many_cells = true, .durable = write_options_.sync, .name = "rocksdb"};
  }
  std::vector<Gauge> Gauges() const override;
  StoreResult<std::vector<std::optional<std::string>>> Get(std::span<const RowKey> keys,
                                                           Wait wait) override;
  StoreResult<void> Visit(const Range& range, Wait wait, const RowVisitor& visitor) override;
  void Submit(std::unique_ptr<Update> update, bool inline_if_idle) override {
    applier_->Submit(std::move(update), inline_if_idle);
  }
  StoreResult<std::int64_t> ReadCounter(const RowKey& key) override;
  StoreResult<void> VisitLog(CellId cell, std::uint32_t log, std::uint64_t after,
                             const LogVisitor& visitor) override;
  StoreResult<std::uint64_t> LogEnd(CellId cell, std::uint32_t log) override;
  StoreResult<void> TrimLog(CellId cell, std::uint32_t log, std::uint64_t up_to) override;
  StoreResult<void> DropCell(CellId cell) override;

 private:
  Room LookForRoom();
  void Apply(UpdateBatch& batch);
  Pending Decide(Update& update, Room room);
  StoreResult<void> Write(rocksdb::WriteBatch& batch, const rocksdb::WriteOptions& options);

  const DataFolder folder_;  // first: locked until all else is closed
  const std::unique_ptr<rocksdb::DB> db_;
  // RocksDB's own word that a background error forbids writes; it may take it back.
  const std::shared_ptr<std::atomic<bool>> writes_stopped_;
  rocksdb::WriteOptions write_options_;

  // Of whoever has the applier's turn.
  WriteSet set_;
  std::vector<Pending> pending_;
  std::vector<std::optional<std::string_view>> seen_;
  // A write failed, so that the end of the log on disk is unknown: writing behind it could bury
  // later updates where recovery stops. Only opening again, which reads the log, tells.
  bool failed_ = false;
  bool full_ = false;  // the last look found the disk full

  std::unique_ptr<Applier> applier_;
};

RocksDbStore::~RocksDbStore() {
  applier_.reset();  // drains the queue
  // Saves the next start the replay of the log.
  if (!failed_ && !*writes_stopped_) db_->Flush({}).PermitUncheckedError();
  const auto status = db_->Close();
  if (!status.ok()) Log(LogLevel::kError, "close failed", {{"message", status.ToString()}});
}

std::vector<Gauge> RocksDbStore::Gauges() const {
  struct Property {
    std::string_view name;
    std::string_view help;
    const std::string& source;
  };
  using P = rocksdb::DB::Properties;
  // One a line; all of them are numbers that RocksDB keeps at hand.
  const std::array properties = {
      Property{"table_bytes", "Bytes of the tables' files that are in use.", P::kLiveSstFilesSize},
      Property{"memtable_bytes", "Bytes written that are not in the tables' files yet.",
               P::kSizeAllMemTables},
      Property{"cache_bytes", "Bytes of blocks in the cache.", P::kBlockCacheUsage},
      Property{"compaction_pending_bytes", "Bytes that are to be compacted, estimated.",
               P::kEstimatePendingCompactionBytes},
      Property{"compactions_running", "Compactions under way.", P::kNumRunningCompactions},
      Property{"flushes_running", "Flushes under way.", P::kNumRunningFlushes},
      Property{"keys", "Rows, counters and records of logs, estimated.", P::kEstimateNumKeys},
      Property{"background_errors", "Errors of compactions and flushes.", P::kBackgroundErrors},
      Property{"writes_stopped", "1 while compaction holds up all writes.", P::kIsWriteStopped},
  };
  std::vector<Gauge> gauges{applier_->QueueGauge()};
  for (const Property& property : properties) {
    std::uint64_t value = 0;
    if (!db_->GetIntProperty(property.source, &value)) continue;
    gauges.push_back(
        {.name = property.name, .help = property.help, .value = static_cast<std::int64_t>(value)});
  }
  return gauges;
}

Room RocksDbStore::LookForRoom() {
  if (failed_ || *writes_stopped_) return Room::kNone;
  std::uint64_t free_bytes = 0;
  const bool known = db_->GetEnv()->GetFreeSpace(db_->GetName(), &free_bytes).ok();
  const bool full = known && free_bytes < kFreeBytesMin;
  if (full && !full_) {
    Log(LogLevel::kError, "disk full: updates are refused until space is freed",
        {{"folder", folder_.path().native()},
         {"free_bytes", static_cast<std::int64_t>(free_bytes)}});
  }
  full_ = full;
  if (!full) return Room::kAmple;
  return free_bytes < kFreeBytesToDropMin ? Room::kNone : Room::kToDrop;
}

// Readers never see a row that is not on disk: RocksDB's writer (default write path, 7.8) appends
// to the log, syncs it, inserts into the memtable, and only then publishes the sequence number that
// makes the batch visible.
StoreResult<void> RocksDbStore::Write(rocksdb::WriteBatch& batch,
                                      const rocksdb::WriteOptions& options) {
  if (batch.Count() == 0) return {};
  const auto status = db_->Write(options, &batch);
  if (status.ok()) return {};
  failed_ = true;
  Log(LogLevel::kError, "write failed: updates are refused until the store is opened again",
      {{"message", status.ToString()}});
  // Whether the bytes reached the log, and the disk, the status does not tell.
  return Unexpected(StoreError::kUnknownOutcome);
}

Pending RocksDbStore::Decide(Update& update, Room room) {
  seen_.clear();
  for (const auto& key : update.Sees()) {
    const auto row = set_.Row(key);
    if (!row) return Pending::kRefused;
    seen_.push_back(**row ? std::optional<std::string_view>(**row) : std::nullopt);
  }
  auto mutation = update.Decide(seen_);
  if (mutation.empty()) return Pending::kSeen;
  if (room != Room::kAmple && !mutation.makes_way()) return Pending::kRefused;
  return set_.Add(std::move(mutation)) ? Pending::kWritten : Pending::kRefused;
}

void RocksDbStore::Apply(UpdateBatch& batch) {
  auto update = batch.begin();
  while (update != batch.end()) {
    const auto room = LookForRoom();
    if (room == Room::kNone) {
      for (; update != batch.end(); ++update) (*update)->Done(Unexpected(StoreError::kNotDone));
      return;
    }
    pending_.clear();
    for (auto next = update; next != batch.end() && set_.bytes() < kBatchBytesMax; ++next) {
      pending_.push_back(Decide(**next, room));
    }
    const auto written = Write(set_.Finish(), write_options_);
    if (written) {
      set_.Clear();
    } else {
      set_.Abandon();
    }
    // Done may submit, but never applies: pending_ stays as it is.
    for (const auto pending : pending_) {
      switch (pending) {
        case Pending::kRefused: (*update)->Done(Unexpected(StoreError::kNotDone)); break;
        case Pending::kSeen:
          // What it saw may not stand; but it changed nothing.
          (*update)->Done(written ? StoreResult<void>() : Unexpected(StoreError::kNotDone));
          break;
        case Pending::kWritten: (*update)->Done(written); break;
      }
      ++update;
    }
  }
}

StoreResult<std::vector<std::optional<std::string>>> RocksDbStore::Get(std::span<const RowKey> keys,
                                                                       Wait wait) {
  std::vector<std::optional<std::string>> rows(keys.size());
  auto options = MakeReadOptions(wait);
  // One key is one moment of itself. For several, MultiGet would be one too, but in 7.8 it reads
  // the disk where the options forbid it.
  std::optional<rocksdb::ManagedSnapshot> moment;
  if (keys.size() > 1) options.snapshot = moment.emplace(db_.get()).snapshot();
  thread_local std::string key;  // its memory serves every call
  for (std::size_t i = 0; i < keys.size(); ++i) {
    key_space::Encode(keys[i].cell, key_space::kRow, keys[i].key, key);
    // Straight into its place: what lies in a memtable is copied once.
    const auto status = db_->Get(options, db_->DefaultColumnFamily(), key, &rows[i].emplace());
    if (status.ok()) continue;
    rows[i].reset();
    if (!status.IsNotFound()) return Unexpected(ReadError(status));
  }
  return rows;
}

StoreResult<void> RocksDbStore::Visit(const Range& range, Wait wait, const RowVisitor& visitor) {
  if (!range.end.empty() && range.end <= range.begin) return {};
  const auto begin = key_space::Row(range.cell, range.begin);
  const auto end =
      range.end.empty() ? key_space::RowsEnd(range.cell) : key_space::Row(range.cell, range.end);
  const rocksdb::Slice lower(begin);
  const rocksdb::Slice upper(end);
  auto options = MakeReadOptions(wait);
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  options.total_order_seek = !BeginsAlike(begin, end, range.reverse);
  const std::unique_ptr<rocksdb::Iterator> rows(db_->NewIterator(options));
  if (range.reverse) {
    rows->SeekToLast();
  } else {
    rows->Seek(lower);
  }
  while (rows->Valid()) {
    auto key = rows->key().ToStringView();
    key.remove_prefix(key_space::kPrefixSize);
    if (!visitor(key, rows->value().ToStringView())) return {};
    if (range.reverse) {
      rows->Prev();
    } else {
      rows->Next();
    }
  }
  if (!rows->status().ok()) return Unexpected(ReadError(rows->status()));
  return {};
}

StoreResult<std::int64_t> RocksDbStore::ReadCounter(const RowKey& key) {
  rocksdb::PinnableSlice value;
  const auto status =
      db_->Get({}, db_->DefaultColumnFamily(), key_space::Counter(key.cell, key.key), &value);
  if (status.IsNotFound()) return 0;
  if (!status.ok()) return Unexpected(ReadError(status));
  return static_cast<std::int64_t>(ReadBigEndian64(value.ToStringView()));
}

StoreResult<void> RocksDbStore::VisitLog(CellId cell, std::uint32_t log, std::uint64_t after,
                                         const LogVisitor& visitor) {
  if (after == ~std::uint64_t{0}) return {};
  const auto end = key_space::LogEnd(cell, log);
  const rocksdb::Slice upper(end);
  auto options = MakeReadOptions(Wait::kMayBlock);
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> entries(db_->NewIterator(options));
  for (entries->Seek(key_space::LogEntry(cell, log, after + 1)); entries->Valid();
       entries->Next()) {
    const auto position = key_space::LogPosition(entries->key().ToStringView());
    if (!visitor(position, entries->value().ToStringView())) return {};
  }
  if (!entries->status().ok()) return Unexpected(ReadError(entries->status()));
  return {};
}

StoreResult<std::uint64_t> RocksDbStore::LogEnd(CellId cell, std::uint32_t log) {
  const auto begin = key_space::LogPrefix(cell, log);
  const auto end = key_space::LogEnd(cell, log);
  const rocksdb::Slice lower(begin);
  const rocksdb::Slice upper(end);
  auto options = MakeReadOptions(Wait::kMayBlock);
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> entries(db_->NewIterator(options));
  entries->SeekToLast();
  if (entries->Valid()) return key_space::LogPosition(entries->key().ToStringView());
  if (!entries->status().ok()) return Unexpected(ReadError(entries->status()));
  // Whatever was trimmed before the view above is in the mark by now.
  std::string trimmed;
  const auto status = db_->Get({}, key_space::Trimmed(cell, log), &trimmed);
  if (status.IsNotFound()) return 0;
  if (!status.ok()) return Unexpected(ReadError(status));
  return ReadBigEndian64(trimmed);
}

StoreResult<void> RocksDbStore::TrimLog(CellId cell, std::uint32_t log, std::uint64_t up_to) {
  StoreResult<void> result;
  applier_->BetweenBatches([&] {
    result = [&]() -> StoreResult<void> {
      if (LookForRoom() == Room::kNone) return Unexpected(StoreError::kNotDone);
      TRY_ASSIGN(const auto head, set_.LogHead(cell, log));
      const auto last = std::min(up_to, head);
      std::string before;
      const auto key = key_space::Trimmed(cell, log);
      const auto status = db_->Get({}, key, &before);
      if (!status.ok() && !status.IsNotFound()) return Unexpected(ReadError(status));
      const auto trimmed = status.ok() ? ReadBigEndian64(before) : 0;
      if (last <= trimmed) return {};
      std::string mark;
      AppendBigEndian64(mark, last);
      rocksdb::WriteBatch batch;
      batch.DeleteRange(key_space::LogEntry(cell, log, trimmed + 1),
                        key_space::LogEntry(cell, log, last + 1));
      batch.Put(key, mark);
      // Not synced: a trim that a crash undoes harms nobody.
      return Write(batch, {});
    }();
  });
  return result;
}

StoreResult<void> RocksDbStore::DropCell(CellId cell) {
  const auto begin = key_space::CellBegin(cell);
  const auto end = key_space::CellEnd(cell);
  StoreResult<void> result;
  applier_->BetweenBatches([&] {
    if (LookForRoom() == Room::kNone) {
      result = Unexpected(StoreError::kNotDone);
      return;
    }
    rocksdb::WriteBatch batch;
    batch.DeleteRange(begin, end);
    result = Write(batch, write_options_);
    set_.ForgetCell(cell);
  });
  TRY(result);
  // Frees what it can at once: whole files of the cell. Compaction removes the rest, and a failure
  // here leaves it to it.
  const rocksdb::Slice lower(begin);
  const rocksdb::Slice upper(end);
  rocksdb::DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), &lower, &upper, false)
      .PermitUncheckedError();
  return {};
}

}  // namespace

Expected<std::unique_ptr<Store>, OpenError> OpenRocksDb(std::string_view path,
                                                        const OpenOptions& options,
                                                        const RocksDbParts& parts) {
  TRY_ASSIGN(auto folder, DataFolder::Open(path));
  auto writes_stopped = std::make_shared<std::atomic<bool>>(false);
  rocksdb::DB* db = nullptr;
  const auto status =
      rocksdb::DB::Open(MakeOptions(options, parts, writes_stopped), folder.database(), &db);
  if (!status.ok()) {
    return Unexpected(OpenError{fmt::format(
        "The data folder {} cannot be opened: {}. {}", folder.path().string(), status.ToString(),
        status.IsCorruption() ? "It is damaged: restore it from a backup."
                              : "Check its disk and permissions, or choose another with --data.")});
  }
  return std::make_unique<RocksDbStore>(std::move(folder), std::unique_ptr<rocksdb::DB>(db),
                                        std::move(writes_stopped), options);
}

}  // namespace kw::storage
