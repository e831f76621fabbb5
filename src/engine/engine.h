// SPDX-License-Identifier: Apache-2.0
// What every operation needs: references, no operation methods. One for each server.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "access/decision.h"
#include "base/clock.h"
#include "engine/catalog.h"
#include "storage/store.h"

namespace kw::engine {

class CapacityLedger;  // capacity_ledger.h: throttles; null unless that is asked for
class KeyInsights;     // key_insights.h: counts keys for contributor insights
class Upkeep;          // upkeep.h: fills new indexes and drops cells, on its own thread
class IndexApplier;    // index_applier.h: feeds global indexes from the cells' logs when there is a
                       // lag

struct EngineOptions {
  // Zero: index rows are written in the item's own batch. Otherwise global indexes follow the table
  // by at least this long.
  std::chrono::milliseconds index_lag{0};
  // A shard of a stream that has taken so many records splits in two.
  std::uint64_t shard_records = 1'000'000;
};

struct Engine {
  storage::Store& store;
  Catalog& catalog;
  const Clock& clock;
  EngineOptions options;
  IndexApplier* index_applier = nullptr;  // set while index_lag is not zero
  Upkeep* upkeep = nullptr;  // without it, new indexes are filled by whoever calls RunUpkeep
  CapacityLedger* capacity = nullptr;
  KeyInsights* insights = nullptr;  // without it nothing is counted
};

// Of one call. Strings are owned: a write outlives the request's buffers.
// What the account and region in an ARN mean.
enum class ArnScope : std::uint8_t {
  kOwn,  // they must be the caller's
  kAny,  // nothing: there is one set of tables
};

struct CallContext {
  std::string account;
  std::string region;
  storage::Wait wait = storage::Wait::kMayBlock;
  bool inline_if_idle = false;  // this thread may wait for the disk if nothing else is under way
  std::string host = {};        // as the client calls this server, with the port
  // Who calls; null: callers are not told apart, and everybody may do everything.
  const access::Principal* principal = nullptr;
  std::string peer = {};  // the client's IP address, where there is a principal
  bool encrypted = false;
  ArnScope arns = ArnScope::kOwn;
};

// Called once, from any thread, possibly before the starting function returns.
template <class Outcome>
using Done = std::function<void(Result<Outcome>)>;

}  // namespace kw::engine
