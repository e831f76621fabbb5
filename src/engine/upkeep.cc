// SPDX-License-Identifier: Apache-2.0
#include "engine/upkeep.h"

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "engine/access.h"
#include "engine/layout.h"
#include "engine/time_to_live.h"

namespace kw::engine {
namespace {

constexpr std::chrono::seconds kPauseAfterFailure{1};
constexpr std::size_t kRowsDroppedAtOnce = 1000;

// A cell that a table or an index gave up. No reader counts on it, but writes decided before may
// still be on their way.
Result<void> Drop(Engine& engine, storage::CellId cell) {
  for (const auto& table : engine.catalog.All()) {
    if (const auto ordinal = IndexOrdinalOf(cell);
        table->number == TableNumberOf(cell) && ordinal) {
      TRY(EndFill(engine.store, table->cells, *ordinal));
    }
  }
  TRY(SettleWrites(engine.store, {{0, cell}}));
  const auto dropped = engine.store.DropCell(cell);
  if (!dropped) return Unexpected(ErrorOf(dropped.error()));
  return engine.catalog.ForgetDropped(cell);
}

// A deleted table whose streams can still be read keeps its cells, for their logs, but no rows.
Result<void> EmptyRetired(Engine& engine, const Table& table, const std::atomic<bool>& stop) {
  if (table.emptied.load()) return {};
  TRY(SettleWrites(engine.store, table.cells));
  for (const auto& slice : table.cells) {
    while (!stop.load()) {
      std::vector<std::string> rows;
      const auto visited = engine.store.Visit(
          {.cell = slice.cell, .begin = {}, .end = {}, .reverse = false}, storage::Wait::kMayBlock,
          [&](std::string_view key, std::string_view /*value*/) {
            rows.emplace_back(key);
            return rows.size() < kRowsDroppedAtOnce;
          });
      if (!visited) return Unexpected(ErrorOf(visited.error()));
      if (rows.empty()) break;
      const auto written = storage::SubmitAndWait(engine.store, {}, [&](auto) {
        storage::Mutation mutation;
        for (const auto& row : rows) mutation.DeleteRow(slice.cell, row);
        mutation.MakeWay();
        return mutation;
      });
      if (!written) return Unexpected(ErrorOf(written.error()));
    }
    const auto trimmed = engine.store.TrimLog(slice.cell, kChangeLog, ~std::uint64_t{0});
    if (!trimmed) return Unexpected(ErrorOf(trimmed.error()));
  }
  if (!stop.load()) table.emptied.store(true);
  return {};
}

Result<void> DropAll(Engine& engine, const std::atomic<bool>& stop) {
  for (const auto cell : engine.catalog.Dropped()) {
    if (stop.load()) return {};
    TRY(Drop(engine, cell));
  }
  return {};
}

}  // namespace

Result<void> RunUpkeep(Engine& engine, const std::atomic<bool>& stop, const FillLimits& limits) {
  TRY(DropAll(engine, stop));
  for (const auto& table : engine.catalog.All()) {
    if (stop.load()) return {};
    TRY(FillIndex(engine, table->key, stop, limits));
    TRY(SettleTimeToLive(engine, table->key, stop));
  }
  TRY(DropAll(engine, stop));  // a filling that started over left one
  for (const auto& table : engine.catalog.Retired()) {
    if (stop.load()) return {};
    TRY(EmptyRetired(engine, *table, stop));
  }
  return {};
}

Upkeep::Upkeep(Engine& engine) : engine_(engine), thread_([this] { Run(); }) {}

Upkeep::~Upkeep() {
  {
    std::lock_guard lock(mutex_);
    stop_.store(true);
  }
  change_.notify_one();
  thread_.join();
}

void Upkeep::Wake() {
  {
    std::lock_guard lock(mutex_);
    woken_ = true;
  }
  change_.notify_one();
}

void Upkeep::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    change_.wait(lock, [this] { return woken_ || stop_.load(); });
    if (stop_.load()) return;
    woken_ = false;
    lock.unlock();
    const auto done = RunUpkeep(engine_, stop_);
    if (!done) {
      Log(LogLevel::kWarn, "table upkeep failed",
          {{"error", std::string_view(done.error().message)}});
    }
    lock.lock();
    if (!done) {
      change_.wait_for(lock, kPauseAfterFailure, [this] { return stop_.load(); });
      woken_ = true;
    }
  }
}

}  // namespace kw::engine
