// SPDX-License-Identifier: Apache-2.0
#include "engine/upkeep.h"

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "engine/access.h"

namespace kw::engine {
namespace {

constexpr std::chrono::seconds kPauseAfterFailure{1};

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

}  // namespace

Result<void> RunUpkeep(Engine& engine, const std::atomic<bool>& stop, const FillLimits& limits) {
  for (const auto cell : engine.catalog.Dropped()) {
    if (stop.load()) return {};
    TRY(Drop(engine, cell));
  }
  for (const auto& table : engine.catalog.All()) {
    if (stop.load()) return {};
    TRY(FillIndex(engine, table->key, stop, limits));
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
