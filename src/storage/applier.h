// SPDX-License-Identifier: Apache-2.0
// One writer at a time: a bounded queue of updates and the thread that applies them in batches.
// Shared by the stores that decide in one place; hides the queue, its backpressure, the path that
// spares an idle store the thread hop, and the drain at the end.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "storage/store.h"

namespace kw::storage {

using UpdateBatch = std::vector<std::unique_ptr<Update>>;

class Applier {
 public:
  struct Limits {
    std::size_t queue_max;  // updates waiting; Submit blocks beyond
    std::size_t batch_max;  // updates handed to `apply` at once
  };

  // `apply` calls Done once for each update of its batch. It never runs twice at the same time.
  Applier(Limits limits, std::function<void(UpdateBatch&)> apply);
  // Applies what is queued, then stops. No other call may be under way or follow.
  ~Applier();
  Applier(const Applier&) = delete;
  Applier& operator=(const Applier&) = delete;

  // As Store::Submit. From within Decide or Done it never blocks: the queue grows instead.
  void Submit(std::unique_ptr<Update> update, bool inline_if_idle);

  // Updates waiting.
  [[nodiscard]] Gauge QueueGauge() const;

  // Runs `work` on this thread while no batch is being applied. From Done it runs at once.
  void BetweenBatches(const std::function<void()>& work);

 private:
  void Run();
  bool ApplyingOnThisThread() const { return applying_ && turn_ == std::this_thread::get_id(); }
  void TakeTurn() { applying_ = true, turn_ = std::this_thread::get_id(); }
  void EndTurn();

  const Limits limits_;
  const std::function<void(UpdateBatch&)> apply_;

  mutable std::mutex mutex_;          // guards what follows
  std::condition_variable work_;      // the thread waits: for a queued update, and its turn
  std::condition_variable space_;     // Submit waits: for room in the queue
  std::condition_variable turn_end_;  // BetweenBatches waits: for its turn
  std::deque<std::unique_ptr<Update>> queue_;
  bool applying_ = false;
  std::thread::id turn_;          // who applies
  std::size_t waiting_turn_ = 0;  // callers of BetweenBatches, which go before the next batch
  bool closing_ = false;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace kw::storage
