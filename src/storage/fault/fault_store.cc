// SPDX-License-Identifier: Apache-2.0
#include "storage/fault/fault_store.h"

#include <thread>
#include <utility>

namespace kw::storage {
namespace {

using SeenRows = std::vector<std::optional<std::string>>;

class FaultyUpdate final : public Update {
 public:
  struct Faults {
    std::optional<SeenRows> stale;  // conflict
    bool slow = false;
    std::atomic<bool>* unknown_applied = nullptr;  // set when the outcome is made unknown
  };

  FaultyUpdate(std::unique_ptr<Update> inner, Faults faults)
      : inner_(std::move(inner)), faults_(std::move(faults)) {}

  std::span<const RowKey> Sees() const override { return inner_->Sees(); }

  Mutation Decide(std::span<const std::optional<std::string_view>> rows) override {
    if (faults_.slow) {
      for (int i = 0; i < 100; ++i) std::this_thread::yield();
    }
    if (faults_.stale) {
      const std::vector<std::optional<std::string_view>> stale(faults_.stale->begin(),
                                                               faults_.stale->end());
      inner_->Decide(stale);
    }
    return inner_->Decide(rows);
  }

  void Done(StoreResult<void> result) override {
    if (faults_.unknown_applied != nullptr) {
      *faults_.unknown_applied = true;
      result = Unexpected(StoreError::kUnknownOutcome);
    }
    inner_->Done(std::move(result));
  }

 private:
  const std::unique_ptr<Update> inner_;
  const Faults faults_;
};

}  // namespace

FaultStore::FaultStore(std::unique_ptr<Store> inner, FaultRates rates, std::uint64_t seed)
    : rates_(rates), rng_(seed), inner_(std::move(inner)) {}

void FaultStore::SetRates(FaultRates rates) {
  std::lock_guard lock(mutex_);
  rates_ = rates;
}

bool FaultStore::Strikes(std::uint32_t FaultRates::* fault) {
  std::lock_guard lock(mutex_);
  return rng_.Below(1000) < rates_.*fault;
}

StoreResult<void> FaultStore::ReadFault(Wait wait) {
  if (wait == Wait::kMemoryOnly && Strikes(&FaultRates::would_block)) {
    return Unexpected(StoreError::kWouldBlock);
  }
  if (Strikes(&FaultRates::read_failed)) return Unexpected(StoreError::kNotDone);
  return {};
}

StoreResult<SeenRows> FaultStore::Get(std::span<const RowKey> keys, Wait wait) {
  TRY(ReadFault(wait));
  return inner_->Get(keys, wait);
}

StoreResult<void> FaultStore::Visit(const Range& range, Wait wait, const RowVisitor& visitor) {
  TRY(ReadFault(wait));
  return inner_->Visit(range, wait, visitor);
}

void FaultStore::Submit(std::unique_ptr<Update> update, bool inline_if_idle) {
  if (stopped_ || Strikes(&FaultRates::not_done)) {
    update->Done(Unexpected(StoreError::kNotDone));
    return;
  }
  if (Strikes(&FaultRates::unknown_lost)) {
    stopped_ = true;
    update->Done(Unexpected(StoreError::kUnknownOutcome));
    return;
  }
  FaultyUpdate::Faults faults;
  if (Strikes(&FaultRates::conflict)) {
    if (auto rows = inner_->Get(update->Sees(), Wait::kMayBlock)) faults.stale = std::move(*rows);
  }
  faults.slow = Strikes(&FaultRates::slow);
  if (Strikes(&FaultRates::unknown_applied)) faults.unknown_applied = &stopped_;
  inner_->Submit(std::make_unique<FaultyUpdate>(std::move(update), std::move(faults)),
                 inline_if_idle);
}

StoreResult<std::int64_t> FaultStore::ReadCounter(const RowKey& key) {
  TRY(ReadFault(Wait::kMayBlock));
  return inner_->ReadCounter(key);
}

StoreResult<void> FaultStore::VisitLog(CellId cell, std::uint32_t log, std::uint64_t after,
                                       const LogVisitor& visitor) {
  TRY(ReadFault(Wait::kMayBlock));
  return inner_->VisitLog(cell, log, after, visitor);
}

StoreResult<std::uint64_t> FaultStore::LogEnd(CellId cell, std::uint32_t log) {
  TRY(ReadFault(Wait::kMayBlock));
  return inner_->LogEnd(cell, log);
}

StoreResult<void> FaultStore::TrimLog(CellId cell, std::uint32_t log, std::uint64_t up_to) {
  if (stopped_ || Strikes(&FaultRates::not_done)) return Unexpected(StoreError::kNotDone);
  return inner_->TrimLog(cell, log, up_to);
}

StoreResult<void> FaultStore::DropCell(CellId cell) {
  if (stopped_ || Strikes(&FaultRates::not_done)) return Unexpected(StoreError::kNotDone);
  return inner_->DropCell(cell);
}

}  // namespace kw::storage
