// SPDX-License-Identifier: Apache-2.0
#include "engine/sweeper.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/log.h"
#include "engine/capacity_ledger.h"
#include "engine/key_insights.h"
#include "engine/streams.h"
#include "engine/tables.h"
#include "engine/time_to_live.h"
#include "engine/tokens.h"

namespace kw::engine {
namespace {

// The service takes days to delete what has expired; whoever tries out an application likes it
// soon.
constexpr std::chrono::seconds kPause{1};
constexpr std::size_t kExpiredAtOnce = 10'000;
constexpr std::size_t kTokensAtOnce = 1'000;

// Partitions grow with what they hold; deleted tables are forgotten.
Result<void> FollowTables(Engine& engine) {
  if (engine.capacity == nullptr && engine.insights == nullptr) return {};
  const auto tables = engine.catalog.All();
  if (engine.insights != nullptr) engine.insights->KeepOnly(tables);
  if (engine.capacity == nullptr) return {};
  engine.capacity->KeepOnly(tables);
  for (const auto& table : tables) {
    TRY_ASSIGN(const auto size, SizeOf(engine, *table));
    engine.capacity->Grow(*table, std::nullopt, ByteCount(size.bytes));
    for (std::size_t i = 0; i < size.indexes.size(); ++i) {
      if (table->schema.indexes()[i].scope == IndexScope::kLocal) continue;
      engine.capacity->Grow(*table, i, ByteCount(size.indexes[i].bytes));
    }
  }
  return {};
}

}  // namespace

Result<SweepRest> RunSweeps(Engine& engine) {
  const auto kept = KeepStreams(engine);
  const auto tokens = SweepTokens(engine, kTokensAtOnce);
  const auto expired = SweepExpired(engine, kExpiredAtOnce);
  const auto followed = FollowTables(engine);
  if (!kept) return Unexpected(kept.error());
  if (!tokens) return Unexpected(tokens.error());
  if (!expired) return Unexpected(expired.error());
  if (!followed) return Unexpected(followed.error());
  const bool more = *tokens >= kTokensAtOnce || *expired >= kExpiredAtOnce;
  return more ? SweepRest::kMore : SweepRest::kNothing;
}

Sweeper::Sweeper(Engine& engine) : engine_(engine), thread_([this] { Run(); }) {}

Sweeper::~Sweeper() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  change_.notify_one();
  thread_.join();
}

void Sweeper::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    const auto rest = RunSweeps(engine_);
    if (!rest) {
      Log(LogLevel::kWarn, "sweep failed", {{"error", std::string_view(rest.error().message)}});
    }
    lock.lock();
    if (rest && *rest == SweepRest::kMore) continue;
    change_.wait_for(lock, kPause, [this] { return stopping_; });
  }
}

}  // namespace kw::engine
