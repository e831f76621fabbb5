// SPDX-License-Identifier: Apache-2.0
#include "storage/applier.h"

#include <algorithm>
#include <utility>

namespace kw::storage {
namespace {

// An exception, such as memory that ran out, ends the process whoever's thread this is: the turn
// would never end, and only opening the store again tells what stands.
template <class Work>
void RunInTurn(const Work& work) noexcept {
  work();
}

}  // namespace

Applier::Applier(Limits limits, std::function<void(UpdateBatch&)> apply)
    : limits_(limits), apply_(std::move(apply)), thread_([this] { Run(); }) {}

Applier::~Applier() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  work_.notify_one();
  thread_.join();
}

void Applier::Submit(std::unique_ptr<Update> update, bool inline_if_idle) {
  std::unique_lock lock(mutex_);
  if (!ApplyingOnThisThread()) {
    space_.wait(lock, [this] { return queue_.size() < limits_.queue_max; });
  }
  if (closing_) {
    lock.unlock();
    update->Done(Unexpected(StoreError::kNotDone));
    return;
  }
  if (inline_if_idle && !applying_ && queue_.empty() && waiting_turn_ == 0) {
    TakeTurn();
    lock.unlock();
    RunInTurn([&] {
      UpdateBatch batch;
      batch.push_back(std::move(update));
      apply_(batch);
    });
    lock.lock();
    EndTurn();
    return;
  }
  queue_.push_back(std::move(update));
  lock.unlock();
  work_.notify_one();
}

Gauge Applier::QueueGauge() const {
  const std::lock_guard lock(mutex_);
  return {.name = "queued_updates",
          .help = "Updates that wait for the store's writer.",
          .value = static_cast<std::int64_t>(queue_.size())};
}

void Applier::BetweenBatches(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  if (ApplyingOnThisThread()) {
    lock.unlock();
    work();
    return;
  }
  ++waiting_turn_;
  turn_end_.wait(lock, [this] { return !applying_; });
  --waiting_turn_;
  TakeTurn();
  lock.unlock();
  RunInTurn(work);
  lock.lock();
  EndTurn();
}

// Needs the lock.
void Applier::EndTurn() {
  applying_ = false;
  if (waiting_turn_ > 0) {
    turn_end_.notify_one();
  } else if (!queue_.empty() || closing_) {
    work_.notify_one();
  }
}

void Applier::Run() {
  UpdateBatch batch;
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(
        lock, [this] { return !applying_ && waiting_turn_ == 0 && (closing_ || !queue_.empty()); });
    if (queue_.empty()) return;  // closing, and drained
    const auto count = std::min(queue_.size(), limits_.batch_max);
    for (std::size_t i = 0; i < count; ++i) {
      batch.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    TakeTurn();
    lock.unlock();
    space_.notify_all();
    RunInTurn([&] { apply_(batch); });
    batch.clear();
    lock.lock();
    EndTurn();
  }
}

}  // namespace kw::storage
