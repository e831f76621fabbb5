// SPDX-License-Identifier: Apache-2.0
// The thread of what time brings: expired items and tokens, shards that roll, split or age. All of
// it stands in the store, so that nothing is lost if the thread stops anywhere.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/engine.h"

namespace kw::engine {

// One round. Answers whether there is more to do at once. Blocks.
// Errors: InternalServerError, after trying everything.
enum class SweepRest : std::uint8_t { kNothing, kMore };
Result<SweepRest> RunSweeps(Engine& engine);

class Sweeper {
 public:
  explicit Sweeper(Engine& engine);
  ~Sweeper();
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

 private:
  void Run();

  Engine& engine_;
  std::mutex mutex_;  // guards stopping_
  std::condition_variable change_;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace kw::engine
