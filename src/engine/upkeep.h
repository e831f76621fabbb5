// SPDX-License-Identifier: Apache-2.0
// The work that changes of tables leave behind: new indexes and expiry rows to fill, cells to drop
// or to empty. What is to do stands in the catalog, so that it goes on after a restart.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/backfill.h"
#include "engine/engine.h"

namespace kw::engine {

// Does all there is to do, or returns early once `stop` is set. Blocks.
// Errors: InternalServerError from the store; what is left can be done later.
Result<void> RunUpkeep(Engine& engine, const std::atomic<bool>& stop,
                       const FillLimits& limits = {});

// A thread that runs it: at the start, and whenever it is woken. One for each engine, which refers
// to it by Engine::upkeep. Ends at the next step; the rest is for the next start.
class Upkeep {
 public:
  explicit Upkeep(Engine& engine);
  ~Upkeep();
  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

  void Wake();

 private:
  void Run();

  Engine& engine_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // guards woken_
  std::condition_variable change_;
  bool woken_ = true;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace kw::engine
