// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "data/item_bytes.h"
#include "data/key.h"
#include "data/limits.h"
#include "engine/access.h"
#include "engine/operations.h"
#include "engine/traffic.h"
#include "engine/write.h"

namespace kw::engine {
namespace {

// Items fetched at once: bounds what is held beyond the 16 MB of an answer.
constexpr std::size_t kFetchedAtOnce = 25;

Error DuplicateKeys() {
  return {ErrorCode::kValidation, "Provided list of item keys contains duplicates", {}};
}

// Fills one answer from many single reads, until 16 MB. Reads that are throttled are left over.
class BatchReader {
 public:
  BatchReader(Engine& engine, const CallContext& call) : engine_(engine), wait_(call.wait) {}

  Result<void> Read(const BatchGetTable& request, std::span<const storage::RowKey> rows,
                    BatchGetOutcome::Table& outcome) {
    const TablePtr metered = MeteredTable(request.table);
    const auto mode = request.consistent ? ReadMode::kStrong : ReadMode::kEventual;
    for (std::size_t begin = 0; begin < rows.size(); begin += kFetchedAtOnce) {
      const auto count = std::min(kFetchedAtOnce, rows.size() - begin);
      if (full_) {
        for (std::size_t i = 0; i < count; ++i) outcome.unprocessed.push_back(begin + i);
        continue;
      }
      auto items = engine_.store.Get(rows.subspan(begin, count), wait_);
      if (!items) return Unexpected(ErrorOf(items.error()));
      for (std::size_t i = 0; i < count; ++i) {
        if (metered && !Pays(*metered, rows[begin + i], (*items)[i], mode)) {
          outcome.unprocessed.push_back(begin + i);
          continue;
        }
        Take((*items)[i], begin + i, request, mode, outcome);
        if (wait_ == storage::Wait::kMemoryOnly && bytes_ > kMemoryOnlyBytesMax) {
          return Unexpected(ErrorOf(storage::StoreError::kWouldBlock));
        }
      }
    }
    return {};
  }

  // Errors: throttled, if nothing else came of the batch.
  Result<void> Finish() {
    if (throttled_ && !any_) return Unexpected(std::move(*throttled_));
    return {};
  }

 private:
  // Null where nobody counts.
  TablePtr MeteredTable(const TableKey& key) const {
    auto table = engine_.catalog.FindOrNull(key);
    return table && IsMetered(engine_, *table) ? table : nullptr;
  }

  bool Pays(const Table& table, const storage::RowKey& row,
            const std::optional<std::string>& stored, ReadMode mode) {
    if (full_) return true;  // it will not be read
    const Draw draw{.index = std::nullopt,
                    .flow = Flow::kRead,
                    .key = std::string(KeyPartOf(row)),
                    .units = ReadUnits(stored ? StoredItemSize(*stored) : ByteCount(), mode)};
    if (auto admitted = AdmitRead(engine_, table, draw); !admitted) {
      throttled_ = std::move(admitted).error();
      return false;
    }
    ChargeRead(engine_, table, draw);
    return true;
  }

  void Take(std::optional<std::string>& stored, std::size_t position, const BatchGetTable& request,
            ReadMode mode, BatchGetOutcome::Table& outcome) {
    const auto size = stored ? StoredItemSize(*stored) : ByteCount();
    full_ = full_ || bytes_ + size.value() > limits::kBatchGetBytesMax;
    if (full_) {
      outcome.unprocessed.push_back(position);
      return;
    }
    bytes_ += size.value();
    any_ = true;
    outcome.capacity.table_read += ReadUnits(size, mode);
    if (stored) outcome.items.push_back(Project(std::move(*stored), request.projection));
  }

  Engine& engine_;
  const storage::Wait wait_;
  std::int64_t bytes_ = 0;
  bool full_ = false;
  bool any_ = false;  // was read
  std::optional<Error> throttled_;
};

bool MayPassLater(const Error& error) {
  return error.code == ErrorCode::kInternalServerError || IsThrottled(error);
}

// Gathers the answers of a batch's writes, which arrive in any order on any thread.
class BatchGatherer {
 public:
  BatchGatherer(std::vector<std::size_t> writes, Done<BatchWriteOutcome> done)
      : done_(std::move(done)) {
    outcome_.tables.resize(writes.size());
    for (const auto count : writes) total_ += count;
    waiting_ = total_;
  }

  void Take(std::size_t table, std::size_t position, Result<WriteOutcome> write) {
    {
      std::lock_guard lock(mutex_);
      Add(outcome_.tables[table], position, std::move(write));
      if (--waiting_ > 0) return;
    }
    // A batch of which nothing was done fails; of one that was done in part, the client is told
    // what to send again. What is no fault of the store is an answer either way.
    if (error_ && (unprocessed_ == total_ || !MayPassLater(*error_))) {
      return done_(Unexpected(std::move(*error_)));
    }
    for (auto& answer : outcome_.tables) std::ranges::sort(answer.unprocessed);
    done_(std::move(outcome_));
  }

 private:
  void Add(BatchWriteOutcome::Table& table, std::size_t position, Result<WriteOutcome> write) {
    if (!write) {
      const bool worse = !error_ || MayPassLater(*error_);
      if (worse) error_ = std::move(write).error();
      table.unprocessed.push_back(position);
      ++unprocessed_;
      return;
    }
    table.capacity += write->capacity;
    if (!write->collection) return;
    // One entry a collection, with its last size.
    auto& collections = table.collections;
    const auto same = std::ranges::find(collections, write->collection->key, &ItemCollection::key);
    if (same == collections.end()) {
      collections.push_back(std::move(*write->collection));
    } else {
      same->size = write->collection->size;
    }
  }

  std::mutex mutex_;  // guards what follows, but for done_
  BatchWriteOutcome outcome_;
  std::size_t total_ = 0;
  std::size_t waiting_ = 0;
  std::size_t unprocessed_ = 0;
  std::optional<Error> error_;
  Done<BatchWriteOutcome> done_;
};

Result<std::vector<std::vector<PreparedWrite>>> PrepareAll(const Catalog& catalog,
                                                           std::vector<BatchWriteTable> tables) {
  std::vector<std::vector<PreparedWrite>> prepared;
  std::vector<storage::RowKey> rows;
  for (auto& table : tables) {
    auto& writes = prepared.emplace_back();
    for (auto& request : table.writes) {
      auto action =
          std::visit([](auto& single) { return WriteAction(std::move(single)); }, request);
      TRY_ASSIGN(auto write, PrepareWrite(catalog, std::move(action)));
      rows.push_back(write.row);
      writes.push_back(std::move(write));
    }
  }
  if (HasDuplicate(rows)) return Unexpected(DuplicateKeys());
  return prepared;
}

}  // namespace

Result<BatchGetOutcome> BatchGet(Engine& engine, const CallContext& call,
                                 const std::vector<BatchGetTable>& tables) {
  std::vector<storage::RowKey> rows;
  for (const auto& request : tables) {
    TRY_ASSIGN(const auto table, FindUsable(engine.catalog, request.table));
    TRY(CheckMayRepeat(engine, call, *table));
    for (const auto& key : request.keys) {
      TRY(CheckKey(table->schema.key(), key));
      rows.push_back(ItemRow(*table, key));
    }
  }
  if (HasDuplicate(rows)) return Unexpected(DuplicateKeys());

  BatchGetOutcome outcome;
  outcome.tables.resize(tables.size());
  BatchReader reader(engine, call);
  std::span<const storage::RowKey> rest = rows;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    TRY(reader.Read(tables[i], rest.first(tables[i].keys.size()), outcome.tables[i]));
    rest = rest.subspan(tables[i].keys.size());
  }
  TRY(reader.Finish());
  return outcome;
}

void BatchWrite(Engine& engine, const CallContext& call, std::vector<BatchWriteTable> tables,
                Done<BatchWriteOutcome> done) {
  auto prepared = PrepareAll(engine.catalog, std::move(tables));
  if (!prepared) return done(Unexpected(std::move(prepared).error()));
  std::vector<std::size_t> counts;
  for (const auto& writes : *prepared) counts.push_back(writes.size());
  // Many writes share one commit in the applier; done inline each would wait for its own.
  auto queued = call;
  queued.inline_if_idle = false;
  if (std::ranges::all_of(counts, [](std::size_t count) { return count == 0; })) {
    BatchWriteOutcome nothing;
    nothing.tables.resize(counts.size());
    return done(std::move(nothing));
  }
  const auto gatherer = std::make_shared<BatchGatherer>(std::move(counts), std::move(done));
  for (std::size_t table = 0; table < prepared->size(); ++table) {
    auto& writes = (*prepared)[table];
    for (std::size_t i = 0; i < writes.size(); ++i) {
      WriteOne(engine, queued, std::move(writes[i]),
               [gatherer, table, i](Result<WriteOutcome> write) {
                 gatherer->Take(table, i, std::move(write));
               });
    }
  }
}

}  // namespace kw::engine
