// SPDX-License-Identifier: Apache-2.0
#include "storage/memory/memory_store.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "storage/applier.h"

namespace kw::storage {
namespace {

using Rows = std::map<std::string, std::string, std::less<>>;

struct Log {
  std::uint64_t trimmed = 0;  // the position of records.front() less one
  std::deque<std::string> records;
};

struct Cell {
  Rows rows;
  std::unordered_map<std::string, std::int64_t> counters;
  std::unordered_map<std::uint32_t, Log> logs;
};

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const OpenOptions& options)
      : applier_({.queue_max = options.queue_max, .batch_max = 64},
                 [this](UpdateBatch& batch) { Apply(batch); }) {}

  Capabilities capabilities() const override {
    return {.many_cells = true, .durable = false, .name = "memory"};
  }
  std::vector<Gauge> Gauges() const override { return {applier_.QueueGauge()}; }
  StoreResult<std::vector<std::optional<std::string>>> Get(std::span<const RowKey> keys,
                                                           Wait wait) override;
  StoreResult<void> Visit(const Range& range, Wait wait, const RowVisitor& visitor) override;
  // There is no disk to wait for, so every thread may apply its own update when nobody else does.
  void Submit(std::unique_ptr<Update> update, bool /*inline_if_idle*/) override {
    applier_.Submit(std::move(update), /*inline_if_idle=*/true);
  }
  StoreResult<std::int64_t> ReadCounter(const RowKey& key) override;
  StoreResult<void> VisitLog(CellId cell, std::uint32_t log, std::uint64_t after,
                             const LogVisitor& visitor) override;
  StoreResult<std::uint64_t> LogEnd(CellId cell, std::uint32_t log) override;
  StoreResult<void> TrimLog(CellId cell, std::uint32_t log, std::uint64_t up_to) override;
  StoreResult<void> DropCell(CellId cell) override;

 private:
  const Cell* FindCell(CellId id) const;
  const std::string* FindRow(const RowKey& key) const;
  void Apply(UpdateBatch& batch);
  void Apply(Mutation mutation);

  // Readers share it, whoever changes `cells_` holds it alone. Only the applier's turn changes
  // them, so that decisions may read without it.
  std::shared_mutex mutex_;
  std::unordered_map<CellId, Cell> cells_;
  Applier applier_;  // last: it stops first
};

const Cell* MemoryStore::FindCell(CellId id) const {
  const auto found = cells_.find(id);
  return found == cells_.end() ? nullptr : &found->second;
}

const std::string* MemoryStore::FindRow(const RowKey& key) const {
  const auto* cell = FindCell(key.cell);
  if (cell == nullptr) return nullptr;
  const auto found = cell->rows.find(key.key);
  return found == cell->rows.end() ? nullptr : &found->second;
}

void MemoryStore::Apply(UpdateBatch& batch) {
  std::vector<std::optional<std::string_view>> rows;
  for (auto& update : batch) {
    rows.clear();
    for (const auto& key : update->Sees()) {
      const auto* row = FindRow(key);
      rows.push_back(row == nullptr ? std::nullopt : std::optional<std::string_view>(*row));
    }
    auto mutation = update->Decide(rows);
    if (!mutation.empty()) Apply(std::move(mutation));
    update->Done({});
  }
}

void MemoryStore::Apply(Mutation mutation) {
  struct Step {
    std::unordered_map<CellId, Cell>& cells;
    void operator()(Mutation::Put& put) const {
      cells[put.cell].rows.insert_or_assign(std::move(put.key), std::move(put.value));
    }
    void operator()(Mutation::Delete& erase) const { cells[erase.cell].rows.erase(erase.key); }
    void operator()(Mutation::Append& append) const {
      cells[append.cell].logs[append.log].records.push_back(std::move(append.record));
    }
    void operator()(Mutation::Add& add) const {
      // Wraps at the ends like the unsigned sum, rather than trap.
      auto& counter = cells[add.cell].counters[std::move(add.key)];
      counter = static_cast<std::int64_t>(static_cast<std::uint64_t>(counter) +
                                          static_cast<std::uint64_t>(add.delta));
    }
  };
  std::unique_lock lock(mutex_);
  for (auto& step : mutation.steps()) std::visit(Step{cells_}, step);
}

StoreResult<std::vector<std::optional<std::string>>> MemoryStore::Get(std::span<const RowKey> keys,
                                                                      Wait /*wait*/) {
  std::vector<std::optional<std::string>> rows;
  rows.reserve(keys.size());
  std::shared_lock lock(mutex_);
  for (const auto& key : keys) {
    const auto* row = FindRow(key);
    rows.push_back(row == nullptr ? std::nullopt : std::optional(*row));
  }
  return rows;
}

StoreResult<void> MemoryStore::Visit(const Range& range, Wait /*wait*/, const RowVisitor& visitor) {
  if (!range.end.empty() && range.end <= range.begin) return {};
  std::shared_lock lock(mutex_);
  const auto* cell = FindCell(range.cell);
  if (cell == nullptr) return {};
  const auto begin = cell->rows.lower_bound(range.begin);
  const auto end = range.end.empty() ? cell->rows.end() : cell->rows.lower_bound(range.end);
  if (range.reverse) {
    for (auto row = end; row != begin;) {
      --row;
      if (!visitor(row->first, row->second)) break;
    }
  } else {
    for (auto row = begin; row != end; ++row) {
      if (!visitor(row->first, row->second)) break;
    }
  }
  return {};
}

StoreResult<std::int64_t> MemoryStore::ReadCounter(const RowKey& key) {
  std::shared_lock lock(mutex_);
  const auto* cell = FindCell(key.cell);
  if (cell == nullptr) return 0;
  const auto found = cell->counters.find(key.key);
  return found == cell->counters.end() ? 0 : found->second;
}

StoreResult<void> MemoryStore::VisitLog(CellId cell, std::uint32_t log, std::uint64_t after,
                                        const LogVisitor& visitor) {
  std::shared_lock lock(mutex_);
  const auto* found = FindCell(cell);
  if (found == nullptr) return {};
  const auto entries = found->logs.find(log);
  if (entries == found->logs.end()) return {};
  const auto& [trimmed, records] = entries->second;
  for (auto i = after > trimmed ? after - trimmed : 0; i < records.size(); ++i) {
    if (!visitor(trimmed + i + 1, records[i])) break;
  }
  return {};
}

StoreResult<std::uint64_t> MemoryStore::LogEnd(CellId cell, std::uint32_t log) {
  std::shared_lock lock(mutex_);
  const auto* found = FindCell(cell);
  if (found == nullptr) return 0;
  const auto entries = found->logs.find(log);
  if (entries == found->logs.end()) return 0;
  return entries->second.trimmed + entries->second.records.size();
}

StoreResult<void> MemoryStore::TrimLog(CellId cell, std::uint32_t log, std::uint64_t up_to) {
  applier_.BetweenBatches([&] {
    std::unique_lock lock(mutex_);
    const auto found = cells_.find(cell);
    if (found == cells_.end()) return;
    const auto entries = found->second.logs.find(log);
    if (entries == found->second.logs.end()) return;
    auto& [trimmed, records] = entries->second;
    if (up_to <= trimmed) return;
    const auto count = std::min<std::uint64_t>(up_to - trimmed, records.size());
    records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(count));
    trimmed += count;
  });
  return {};
}

StoreResult<void> MemoryStore::DropCell(CellId cell) {
  std::unordered_map<CellId, Cell>::node_type dropped;  // freed without the lock
  applier_.BetweenBatches([&] {
    std::unique_lock lock(mutex_);
    dropped = cells_.extract(cell);
  });
  return {};
}

}  // namespace

std::unique_ptr<Store> OpenMemory(const OpenOptions& options) {
  return std::make_unique<MemoryStore>(options);
}

}  // namespace kw::storage
