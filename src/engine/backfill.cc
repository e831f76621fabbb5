// SPDX-License-Identifier: Apache-2.0
#include "engine/backfill.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "data/item_bytes.h"
#include "data/key.h"
#include "engine/access.h"
#include "engine/layout.h"

namespace kw::engine {
namespace {

constexpr char kFillPrefix = 'f';

// Above every item's row.
const std::string& EndOfItems() {
  static const std::string end = PrefixEnd(std::string(kItemPrefix));
  return end;
}

std::string TakeText(std::string_view& bytes) {
  const auto size = TakeVarint(bytes);
  Check(size && *size <= bytes.size(), "a fill row is whole");
  std::string text(bytes.substr(0, *size));
  bytes.remove_prefix(*size);
  return text;
}

void AppendText(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out += text;
}

std::optional<std::size_t> FindFilling(const Table& table) {
  for (std::size_t i = 0; i < table.index_states.size(); ++i) {
    if (table.index_states[i].backfilling) return i;
  }
  return std::nullopt;
}

storage::RowKey FillRowOf(storage::CellId cell, std::uint32_t ordinal) {
  std::string key(1, kFillPrefix);
  AppendBigEndian32(key, ordinal);
  return {.cell = cell, .key = std::move(key)};
}

// One index in the making, in one cell of its table.
struct Filling {
  const Table& table;
  std::size_t index;
  storage::RowKey row;
  GlobalIndexes global;
};

// What the next step reads: the rows claimed before, and how far to claim next.
struct Step {
  std::vector<storage::RowKey> sees;  // the fill row, the rows of items, their entries' rows
  std::size_t items = 0;
  std::vector<std::size_t> entry_of;  // of each item: its entry's place in `sees`, 0: none
  std::string next_claim;
};

// Where index rows come from the log, whoever writes one counts by what it held before.
void SeeEntries(const Filling& filling, const std::vector<std::string>& items, Step& step) {
  for (const auto& stored : items) {
    const auto entry = IndexRowOf(filling.table, filling.index, LoadItem(stored));
    step.entry_of.push_back(entry ? step.sees.size() : 0);
    if (entry) step.sees.push_back(entry->key);
  }
}

Result<Step> PlanStep(Engine& engine, const Filling& filling, const Fill& fill,
                      const FillLimits& limits) {
  Step step;
  const auto cell = filling.row.cell;
  step.sees.push_back(filling.row);
  step.next_claim = EndOfItems();
  std::vector<std::string> claimed;
  std::size_t items = 0;
  std::size_t bytes = 0;
  const auto visited = engine.store.Visit(
      {.cell = cell,
       .begin = fill.passed().empty() ? std::string(kItemPrefix) : fill.passed() + '\0',
       .end = EndOfItems(),
       .reverse = false},
      storage::Wait::kMayBlock, [&](std::string_view row, std::string_view stored) {
        if (row <= fill.claimed()) {
          step.sees.push_back({cell, std::string(row)});
          if (filling.global == GlobalIndexes::kFromLog) claimed.emplace_back(stored);
          return true;
        }
        bytes += stored.size();
        if (++items < limits.items && bytes < limits.bytes) return true;
        step.next_claim = row;
        return false;
      });
  if (!visited) return Unexpected(ErrorOf(visited.error()));
  step.items = step.sees.size() - 1;
  SeeEntries(filling, claimed, step);
  return step;
}

// What the claimed rows hold now goes into the index and its counters.
storage::Mutation DecideStep(const Filling& filling, const Step& step,
                             std::span<const std::optional<std::string_view>> rows) {
  storage::Mutation mutation;
  auto fill = Fill::Decode(rows[0]);
  for (std::size_t i = 1; i <= step.items; ++i) {
    if (!rows[i] || fill.WasBorn(step.sees[i].key)) continue;
    const auto entry = IndexRowOf(filling.table, filling.index, LoadItem(*rows[i]));
    if (!entry) continue;
    std::optional<IndexRow> before;
    if (filling.global == GlobalIndexes::kFromLog) {
      // If the item has changed since it was read, its change is in the log.
      const auto place = step.entry_of[i - 1];
      if (place == 0 || step.sees[place] != entry->key) continue;
      if (rows[place]) before = IndexRow{entry->key, std::string(*rows[place])};
    }
    ReplaceIndexRow(filling.table, filling.index, before ? &*before : nullptr, &*entry,
                    IndexCounters::kFollow, mutation);
  }
  fill.Advance(step.next_claim);
  mutation.PutRow(step.sees[0].cell, step.sees[0].key, fill.Encode());
  return mutation;
}

// One step, or nothing left to do in this cell. Answers whether the cell is complete.
Result<bool> FillCell(Engine& engine, const Table& table, std::size_t index, storage::CellId cell,
                      const FillLimits& limits) {
  const Filling filling{.table = table,
                        .index = index,
                        .row = FillRowOf(cell, table.index_states[index].ordinal),
                        .global = GlobalIndexesOf(engine)};
  const auto stored = engine.store.Get({&filling.row, 1}, storage::Wait::kMayBlock);
  if (!stored) return Unexpected(ErrorOf(stored.error()));
  const auto fill = Fill::Decode(stored->front());
  if (fill.complete()) return true;
  // The index follows the change log from here: what was changed before, the rows show.
  std::optional<std::uint64_t> follows_from;
  if (!stored->front()) {
    const auto end = engine.store.LogEnd(cell, kChangeLog);
    if (!end) return Unexpected(ErrorOf(end.error()));
    follows_from = *end;
  }

  TRY_ASSIGN(const auto step, PlanStep(engine, filling, fill, limits));
  const auto written = storage::SubmitAndWait(
      engine.store, step.sees, [&](std::span<const std::optional<std::string_view>> rows) {
        // The index may be gone, and its cell with it.
        if (table.stale.load()) return storage::Mutation();
        auto mutation = DecideStep(filling, step, rows);
        if (follows_from) {
          auto cursor = IndexCursorRow(table, index, cell);
          mutation.PutRow(cursor.cell, std::move(cursor.key), EncodeIndexCursor(*follows_from));
        }
        return mutation;
      });
  if (!written) return Unexpected(ErrorOf(written.error()));
  return false;
}

Result<void> Finish(Engine& engine, const TableKey& key, std::uint32_t number,
                    std::uint32_t ordinal) {
  std::vector<CellSlice> cells;
  const auto applied = engine.catalog.Apply(key, [&](const TablePtr& now) -> Result<Catalog::Next> {
    auto next = now ? std::make_unique<Table>(*now) : nullptr;
    if (!next || next->number != number) {
      // Deleted meanwhile, and perhaps made again: as it stands.
      return Catalog::Next{std::move(next), {}};
    }
    cells = next->cells;
    for (auto& state : next->index_states) {
      if (state.ordinal != ordinal) continue;
      state.backfilling = false;
      state.status = IndexStatus::kActive;
    }
    return Catalog::Next{std::move(next), {}};
  });
  TRY(applied);
  return EndFill(engine.store, cells, ordinal);
}

// A filling that began while index rows came from writes, or from the log, cannot go on the other
// way: nobody could tell which of them are counted. It begins again, as another index.
Result<void> StartOver(Engine& engine, const TableKey& key, std::uint32_t number,
                       std::uint32_t ordinal) {
  TRY(engine.catalog.Apply(key, [&](const TablePtr& now) -> Result<Catalog::Next> {
    auto next = now ? std::make_unique<Table>(*now) : nullptr;
    if (!next || next->number != number) return Catalog::Next{std::move(next), {}};
    Catalog::Next change{.table = nullptr};
    for (auto& state : next->index_states) {
      if (state.ordinal != ordinal || !state.backfilling) continue;
      change.dropped.push_back(next->IndexCell(state));
      state.ordinal = next->next_ordinal++;
      state.fills_from_log = GlobalIndexesOf(engine) == GlobalIndexes::kFromLog;
    }
    change.table = std::move(next);
    return change;
  }));
  return {};
}

bool FillsOtherwise(const Engine& engine, const IndexState& state) {
  return state.fills_from_log != (GlobalIndexesOf(engine) == GlobalIndexes::kFromLog);
}

}  // namespace

Fill Fill::Decode(std::optional<std::string_view> row) {
  Fill fill;
  if (!row) return fill;
  auto bytes = *row;
  fill.passed_ = TakeText(bytes);
  fill.claimed_ = TakeText(bytes);
  while (!bytes.empty()) fill.born_.push_back(TakeText(bytes));
  return fill;
}

std::string Fill::Encode() const {
  std::string row;
  AppendText(row, passed_);
  AppendText(row, claimed_);
  for (const auto& born : born_) AppendText(row, born);
  return row;
}

bool Fill::Follows(std::string_view item_row, bool existed) {
  if (item_row <= passed_ || WasBorn(item_row)) return true;
  if (existed || item_row > claimed_) return false;
  born_.emplace_back(item_row);
  changed_ = true;
  return true;
}

bool Fill::complete() const { return passed_ == EndOfItems(); }

bool Fill::WasBorn(std::string_view item_row) const {
  return std::ranges::find(born_, item_row) != born_.end();
}

void Fill::Advance(std::string next_claim) {
  passed_ = std::exchange(claimed_, std::move(next_claim));
  born_.clear();
}

std::optional<storage::RowKey> FillRow(const Table& table, storage::CellId table_cell) {
  const auto filling = FindFilling(table);
  if (!filling) return std::nullopt;
  return FillRowOf(table_cell, table.index_states[*filling].ordinal);
}

Result<void> FillIndex(Engine& engine, const TableKey& key, const std::atomic<bool>& stop,
                       const FillLimits& limits) {
  auto table = engine.catalog.FindOrNull(key);
  if (!table || !FindFilling(*table)) return {};
  if (const auto& state = table->index_states[*FindFilling(*table)];
      FillsOtherwise(engine, state)) {
    TRY(StartOver(engine, key, table->number, state.ordinal));
    table = engine.catalog.FindOrNull(key);
    if (!table || !FindFilling(*table)) return {};
  }
  const auto number = table->number;
  const auto ordinal = table->index_states[*FindFilling(*table)].ordinal;
  TRY(SettleWrites(engine.store, table->cells));
  std::size_t slice = 0;
  while (slice < table->cells.size()) {
    if (stop.load()) return {};
    if (table->stale.load()) {
      table = engine.catalog.FindOrNull(key);
      if (!table || table->number != number) return {};
    }
    const auto filling = FindFilling(*table);
    if (!filling || table->index_states[*filling].ordinal != ordinal) return {};
    TRY_ASSIGN(const bool complete,
               FillCell(engine, *table, *filling, table->cells[slice].cell, limits));
    if (complete) ++slice;
  }
  return Finish(engine, key, number, ordinal);
}

Result<void> EndFill(storage::Store& store, const std::vector<CellSlice>& cells,
                     std::uint32_t ordinal) {
  TRY(SettleWrites(store, cells));
  for (const auto& slice : cells) {
    const auto done =
        storage::SubmitAndWait(store, {FillRowOf(slice.cell, ordinal)}, [&](auto rows) {
          storage::Mutation mutation;
          if (rows[0]) mutation.DeleteRow(slice.cell, FillRowOf(slice.cell, ordinal).key);
          mutation.MakeWay();
          return mutation;
        });
    if (!done) return Unexpected(ErrorOf(done.error()));
  }
  return {};
}

Result<void> SettleWrites(storage::Store& store, const std::vector<CellSlice>& cells) {
  for (const auto& slice : cells) {
    const auto done = storage::SubmitAndWait(store, {{slice.cell, std::string(kItemPrefix)}},
                                             [](auto) { return storage::Mutation(); });
    if (!done) return Unexpected(ErrorOf(done.error()));
  }
  return {};
}

}  // namespace kw::engine
