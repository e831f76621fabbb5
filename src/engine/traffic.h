// SPDX-License-Identifier: Apache-2.0
// How operations pay for what they do: admitted by the capacity ledger before, charged after. Hides
// whether anybody counts (engine.h: `capacity` is null unless throttling is on) and how a refusal
// is worded.
//
// Errors of all: ProvisionedThroughputExceeded, Throttling or RequestLimitExceeded with the
// service's sentences and the reason, as {Table, Index} {Read, Write} and the limit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/capacity_ledger.h"
#include "engine/engine.h"

namespace kw::engine {

// A row's key as draws have it, without what stands before its hash.
std::string_view KeyPartOf(const storage::RowKey& item_row);
// What a write takes of the table itself, local indexes included.
HalfUnits TableUnits(const Capacity& capacity);

// Whether anybody counts what the table's requests take; if not, no draws need to be made.
bool IsMetered(const Engine& engine, const Table& table);

Result<void> AdmitRead(Engine& engine, const Table& table, const Draw& draw);
void ChargeRead(Engine& engine, const Table& table, const Draw& draw);

// An operation of several reads must not charge some of them and then start again where it may wait
// for the disk: it asks this for each table before. Errors: WouldBlock.
Result<void> CheckMayRepeat(const Engine& engine, const CallContext& call, const Table& table);

// A refusal for want of capacity: the same request may pass later.
bool IsThrottled(const Error& error);

// What one write pays: charged while it is decided, counted once it is done. A decision taken again
// gives back what the one before it took.
class WriteToll {
 public:
  WriteToll() = default;
  WriteToll(Engine& engine, const Table& table, std::string_view row_key);

  // Before the decision.
  Result<void> Begin();
  // To be filled with what the decision takes of global indexes; null where nobody counts.
  [[nodiscard]] std::vector<Draw>* index_draws() {
    return engine_ != nullptr ? &indexes_ : nullptr;
  }
  // After the decision, with the units of the table and its local indexes.
  Result<void> Take(HalfUnits table_units);
  // After a decision against the write, which the table pays for all the same.
  void TakeFailed(HalfUnits table_units);
  void GiveBack();
  // Once, when the answer is sure.
  void Settle();

 private:
  Engine* engine_ = nullptr;  // null: nobody counts
  const Table* table_ = nullptr;
  std::array<Draw, 1> own_;
  std::vector<Draw> indexes_;
  std::optional<Draw> refused_;
  LimitType limit_ = LimitType::kProvisionedThroughput;
  bool taken_ = false;

  Result<void> Refuse(const Draw& draw, LimitType limit);
};

// Counters for a page of metrics, one line a reason that was ever given; empty without a ledger.
std::string RenderThrottles(const Engine& engine);

// "TableReadKeyRangeThroughputExceeded" and its kin.
std::string ThrottlingReasonName(bool of_index, Flow flow, LimitType limit);

}  // namespace kw::engine
