// SPDX-License-Identifier: Apache-2.0
// Global indexes that follow their table by a lag: reads the change logs of the tables' cells and
// writes the entries. Each index remembers durably, in the same mutation as its entries, how far it
// got; applying a change twice does no harm.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

#include "engine/engine.h"

namespace kw::engine {

class IndexApplier {
 public:
  // Does nothing by itself until Start.
  explicit IndexApplier(Engine& engine) : engine_(engine) {}
  ~IndexApplier() { Stop(); }
  IndexApplier(const IndexApplier&) = delete;
  IndexApplier& operator=(const IndexApplier&) = delete;

  // Applies every change that is at least as old as the lag; answers how many entries of logs it
  // went through. Blocks. A server calls it once before it serves, also with no lag: what an
  // earlier run with a lag left behind is applied then. Ends early once Stop was called. Errors:
  // InternalServerError, after trying all tables.
  Result<std::size_t> RunOnce();

  // A thread that calls RunOnce, over and over.
  void Start();
  void Stop();

 private:
  void Run();

  Engine& engine_;
  std::mutex run_mutex_;  // one RunOnce at a time
  std::mutex mutex_;      // held to set stopping_
  std::condition_variable wake_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace kw::engine
