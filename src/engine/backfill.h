// SPDX-License-Identifier: Apache-2.0
// The filling of a new global index while writes go on. Index rows need no care: live writes keep
// them for every item, and a filler that reads an item inside its own decision writes what is true.
// Counters do: each entry must be counted once, by the filler or by a write. Each cell of the table
// has a row that says how far the filler is; writes see it too, and so every decision knows.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace kw::engine {

// How far one cell's items are in the index. In the order of their rows: those `passed` are
// counted; those behind, up to `claimed`, are about to be read; of the rest nothing is counted yet.
class Fill {
 public:
  // Of an absent row: nothing is claimed.
  static Fill Decode(std::optional<std::string_view> row);
  [[nodiscard]] std::string Encode() const;

  // For a write of the item in this row: whether the counters are to follow what it does to the
  // item's entry. An item born in the claimed part is counted here and now, since the filler may
  // have listed the part's rows before.
  bool Follows(std::string_view item_row, bool existed);
  // Whether Follows changed something: then the row is to be written.
  [[nodiscard]] bool changed() const { return changed_; }

  // For the filler.
  [[nodiscard]] const std::string& passed() const { return passed_; }
  [[nodiscard]] const std::string& claimed() const { return claimed_; }
  [[nodiscard]] bool complete() const;
  [[nodiscard]] bool WasBorn(std::string_view item_row) const;
  // What was claimed has been counted.
  void Advance(std::string next_claim);

 private:
  std::string passed_;
  std::string claimed_;
  std::vector<std::string> born_;  // rows in (passed, claimed]; few, as a claim lasts milliseconds
  bool changed_ = false;
};

// The fill row that writes of this item's row must see; nothing while no index is being filled. At
// most one is.
std::optional<storage::RowKey> FillRow(const Table& table, storage::CellId table_cell);

struct FillLimits {
  std::size_t items = 100;         // read in one decision
  std::size_t bytes = 512 * 1024;  // likewise, stored; one item may exceed it
};

// Fills the index that is being filled, if there is one, and makes it ACTIVE. Goes on where it was
// left. Returns early, at the end of a step, once `stop` is set. Blocks.
// Errors: InternalServerError from the store.
Result<void> FillIndex(Engine& engine, const TableKey& key, const std::atomic<bool>& stop,
                       const FillLimits& limits = {});

// Removes what the filling of an index left in a table's cells, once no write looks at it. Blocks.
Result<void> EndFill(storage::Store& store, const std::vector<CellSlice>& cells,
                     std::uint32_t ordinal);

// Returns when every write decided under a stale snapshot stands in the store or was dropped.
// Blocks.
Result<void> SettleWrites(storage::Store& store, const std::vector<CellSlice>& cells);

}  // namespace kw::engine
