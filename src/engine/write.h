// SPDX-License-Identifier: Apache-2.0
// One action on its table: prepared before it is submitted, then carried out over the newest rows
// by the store's applier. Single writes, batches and transactions are made of these.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/backfill.h"
#include "engine/layout.h"
#include "engine/write_decision.h"

namespace kw::engine {

struct PreparedWrite {
  TablePtr table;
  WriteAction action;
  storage::RowKey row;
  // Rows that the write may change; a ConditionCheck has neither.
  std::optional<storage::RowKey> collection;  // only for tables with local indexes
  std::optional<storage::RowKey> fill;        // only while an index is being filled (backfill.h)
  std::string put;                            // the stored form of an item to put
};

// Errors: ResourceNotFound, and those of CheckAction.
Result<PreparedWrite> PrepareWrite(const Catalog& catalog, WriteAction action);

// How writes are to be carried out.
struct WriteContext {
  GlobalIndexes global;
  WriteMode mode;
  TimePoint now;
  WriteCause cause = WriteCause::kClient;
  std::vector<Draw>* index_draws = nullptr;  // see ChangeContext
};

// What the rows hold that several writes of one update may share; each brings it up to date. Null
// where PreparedWrite has no such row.
struct SharedRows {
  ByteCount* collection_size;
  Fill* fill;
};

struct WriteEffect {
  WriteOutcome outcome;
  ByteCount size_after;  // zero if there is no item then
  ByteCount size_max;    // of the item before and after
};

// Decides and appends what to write, but for the shared rows.
// Errors: those of DecideWrite, ItemCollectionSizeLimitExceeded.
Result<WriteEffect> CarryOut(const PreparedWrite& write, std::optional<std::string_view> before,
                             const SharedRows& shared, const WriteContext& context,
                             storage::Mutation& mutation);

// Writes one item by itself, again under the newest table if that changed meanwhile: but not what
// no client asked for, which then is not done (ResourceInUse).
void WriteOne(Engine& engine, const CallContext& call, PreparedWrite write, Done<WriteOutcome> done,
              WriteCause cause = WriteCause::kClient);

// A table changes seldom; a write that meets this many changes gives up.
inline constexpr int kTableChangesMax = 16;

}  // namespace kw::engine
