// SPDX-License-Identifier: Apache-2.0
#include "engine/index_applier.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/log.h"
#include "data/item_bytes.h"
#include "engine/access.h"
#include "engine/layout.h"

namespace kw::engine {
namespace {

// Bounds of one mutation.
constexpr std::size_t kChangesMax = 256;
constexpr std::size_t kBytesMax = 4 * 1024 * 1024;
constexpr std::chrono::milliseconds kPauseMax{100};
constexpr std::chrono::milliseconds kPauseAfterFailure{1000};

// One index fed from the log of one of its table's cells.
struct Feed {
  TablePtr table;
  std::size_t index;
  storage::CellId cell;
};

struct Batch {
  std::uint64_t from = 0;  // the cursor before
  std::uint64_t to = 0;    // and after
  std::size_t changes = 0;
  // What each entry row that was touched finally holds.
  std::map<std::string, std::optional<std::string>> entries;
};

// Nothing where a new index is not to be fed yet: its backfill sets where it begins. An index as
// old as its table begins with the log.
Result<std::optional<std::uint64_t>> ReadCursor(Engine& engine, const Feed& feed) {
  const auto row = IndexCursorRow(*feed.table, feed.index, feed.cell);
  const auto rows = engine.store.Get({&row, 1}, storage::Wait::kMayBlock);
  if (!rows) return Unexpected(ErrorOf(rows.error()));
  if (!rows->front() && feed.table->index_states[feed.index].backfilling) {
    return std::optional<std::uint64_t>();
  }
  return std::optional(DecodeIndexCursor(rows->front()));
}

void Note(const Feed& feed, const std::optional<std::string>& stored, bool present, Batch& batch) {
  if (!stored) return;
  auto row = IndexRowOf(*feed.table, feed.index, LoadItem(*stored));
  if (!row) return;
  auto& entry = batch.entries[std::move(row->key.key)];
  entry = present ? std::optional(std::move(row->stored)) : std::nullopt;
}

// The changes above the cursor that were made no later than `due`, up to the bounds of a batch.
Result<Batch> ReadBatch(Engine& engine, const Feed& feed, TimePoint due) {
  TRY_ASSIGN(const auto cursor, ReadCursor(engine, feed));
  Batch batch;
  if (!cursor) return batch;
  batch.from = *cursor;
  batch.to = *cursor;
  std::vector<Change> changes;
  std::size_t bytes = 0;
  const auto visited = engine.store.VisitLog(
      feed.cell, kChangeLog, batch.from, [&](std::uint64_t position, std::string_view record) {
        auto change = DecodeChange(record);
        Check(change.has_value(), "the change log holds change records");
        if (change->at > due) return false;
        batch.to = position;
        ++batch.changes;
        bytes += record.size();
        changes.push_back(std::move(*change));
        return batch.changes < kChangesMax && bytes < kBytesMax;
      });
  if (!visited) return Unexpected(ErrorOf(visited.error()));
  for (const auto& change : changes) {
    Note(feed, change.before, false, batch);
    Note(feed, change.after, true, batch);
  }
  return batch;
}

// Counters follow what the rows held before, so that a change applied twice counts once.
storage::Mutation Write(const Feed& feed, const Batch& batch,
                        std::span<const std::optional<std::string_view>> seen) {
  storage::Mutation mutation;
  if (feed.table->stale.load() || DecodeIndexCursor(seen[0]) != batch.from) return mutation;
  const auto cursor = IndexCursorRow(*feed.table, feed.index, feed.cell);
  std::size_t i = 1;
  for (const auto& [key, stored] : batch.entries) {
    const auto row = [&](auto text) -> std::optional<IndexRow> {
      if (!text) return std::nullopt;
      return IndexRow{.key = {.cell = cursor.cell, .key = key}, .stored = std::string(*text)};
    };
    const auto before = row(seen[i++]);
    const auto after = row(stored);
    ReplaceIndexRow(*feed.table, feed.index, before ? &*before : nullptr, after ? &*after : nullptr,
                    IndexCounters::kFollow, mutation);
  }
  mutation.PutRow(cursor.cell, cursor.key, EncodeIndexCursor(batch.to));
  return mutation;
}

Result<std::size_t> ApplyBatch(Engine& engine, const Feed& feed, TimePoint due) {
  TRY_ASSIGN(const auto batch, ReadBatch(engine, feed, due));
  if (batch.changes == 0) return std::size_t{0};
  const auto cursor = IndexCursorRow(*feed.table, feed.index, feed.cell);
  std::vector<storage::RowKey> sees{cursor};
  for (const auto& [key, stored] : batch.entries) {
    sees.push_back({.cell = cursor.cell, .key = key});
  }
  const auto written = storage::SubmitAndWait(
      engine.store, std::move(sees), [&](std::span<const std::optional<std::string_view>> seen) {
        return Write(feed, batch, seen);
      });
  if (!written) return Unexpected(ErrorOf(written.error()));
  return batch.changes;
}

// Applies what is due in one cell to each global index of its table, and drops what nobody needs.
Result<std::size_t> ApplyCell(Engine& engine, const TablePtr& table, storage::CellId cell,
                              TimePoint due, const std::atomic<bool>& stop) {
  std::size_t total = 0;
  std::optional<std::uint64_t> applied;  // by every index
  bool one_waits = false;                // for its backfill to begin
  for (std::size_t i = 0; i < table->schema.indexes().size(); ++i) {
    if (table->schema.indexes()[i].scope != IndexScope::kGlobal ||
        table->index_states[i].status == IndexStatus::kDeleting) {
      continue;
    }
    const Feed feed{.table = table, .index = i, .cell = cell};
    // A table that changed is left to the next run, which sees its newest snapshot.
    while (!table->stale.load() && !stop.load()) {
      TRY_ASSIGN(const auto count, ApplyBatch(engine, feed, due));
      total += count;
      if (count == 0) break;
    }
    TRY_ASSIGN(const auto cursor, ReadCursor(engine, feed));
    if (cursor) {
      applied = std::min(applied.value_or(*cursor), *cursor);
    } else {
      one_waits = true;
    }
  }
  if (total > 0 && applied && !one_waits && !table->stale.load()) {
    const auto trimmed = engine.store.TrimLog(cell, kChangeLog, *applied);
    if (!trimmed) return Unexpected(ErrorOf(trimmed.error()));
  }
  return total;
}

}  // namespace

Result<std::size_t> IndexApplier::RunOnce() {
  std::lock_guard lock(run_mutex_);
  const auto lag = engine_.options.index_lag;
  // With no lag all of it is due, also what the clock, set back since, has not come to.
  const auto due = lag.count() > 0 ? engine_.clock.Now() - lag : TimePoint::max();
  std::size_t total = 0;
  std::optional<Error> error;
  for (const auto& table : engine_.catalog.All()) {
    if (table->status == TableStatus::kDeleting) continue;
    for (const auto& slice : table->cells) {
      if (stopping_.load()) break;
      auto count = ApplyCell(engine_, table, slice.cell, due, stopping_);
      if (count) {
        total += *count;
      } else {
        error = std::move(count).error();
      }
    }
  }
  if (error) return Unexpected(std::move(*error));
  return total;
}

void IndexApplier::Start() {
  Check(!thread_.joinable(), "an index applier starts once");
  stopping_ = false;
  thread_ = std::thread([this] { Run(); });
}

void IndexApplier::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void IndexApplier::Run() {
  const auto pause =
      std::clamp(engine_.options.index_lag / 4, std::chrono::milliseconds(1), kPauseMax);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    const auto ran = RunOnce();
    if (!ran) {
      Log(LogLevel::kWarn, "index_applier_failed", {{"error", ran.error().message}});
    }
    lock.lock();
    wake_.wait_for(lock, ran ? pause : kPauseAfterFailure, [this] { return stopping_.load(); });
  }
}

}  // namespace kw::engine
