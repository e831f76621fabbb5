// SPDX-License-Identifier: Apache-2.0
// Any store, made worse on purpose: what a distributed engine or a bad disk may do to the layers
// above, drawn from a seed. For tests.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/rng.h"
#include "storage/store.h"

namespace kw::storage {

// How often each fault strikes, in one of a thousand calls.
struct FaultRates {
  std::uint32_t conflict = 0;         // Decide runs on rows of an earlier moment first, in vain
  std::uint32_t slow = 0;             // others run between the decision and its batch
  std::uint32_t not_done = 0;         // an update is refused
  std::uint32_t unknown_applied = 0;  // kUnknownOutcome, and it stands
  std::uint32_t unknown_lost = 0;     // kUnknownOutcome, and it does not
  std::uint32_t would_block = 0;      // a memory-only read finds the disk in its way
  std::uint32_t read_failed = 0;      // a read answers kNotDone
};

class FaultStore final : public Store {
 public:
  FaultStore(std::unique_ptr<Store> inner, FaultRates rates, std::uint64_t seed);

  // Ends what kUnknownOutcome began: until then further updates answer kNotDone.
  void Heal() { stopped_ = false; }
  void SetRates(FaultRates rates);

  Capabilities capabilities() const override { return inner_->capabilities(); }
  std::vector<Gauge> Gauges() const override { return inner_->Gauges(); }
  StoreResult<std::vector<std::optional<std::string>>> Get(std::span<const RowKey> keys,
                                                           Wait wait) override;
  StoreResult<void> Visit(const Range& range, Wait wait, const RowVisitor& visitor) override;
  void Submit(std::unique_ptr<Update> update, bool inline_if_idle) override;
  StoreResult<std::int64_t> ReadCounter(const RowKey& key) override;
  StoreResult<void> VisitLog(CellId cell, std::uint32_t log, std::uint64_t after,
                             const LogVisitor& visitor) override;
  StoreResult<std::uint64_t> LogEnd(CellId cell, std::uint32_t log) override;
  StoreResult<void> TrimLog(CellId cell, std::uint32_t log, std::uint64_t up_to) override;
  StoreResult<void> DropCell(CellId cell) override;

 private:
  bool Strikes(std::uint32_t FaultRates::* fault);
  StoreResult<void> ReadFault(Wait wait);

  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  // guards rates_ and rng_
  FaultRates rates_;
  Rng rng_;
  const std::unique_ptr<Store> inner_;  // last: its end may still call Done
};

}  // namespace kw::storage
