// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog.h"

#include <algorithm>
#include <future>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "base/log.h"
#include "engine/layout.h"

namespace kw::engine {
namespace {

// Rows of cell 0: 't' account 00 region 00 name -> table; 'r' number(4) -> retired table;
// 'd' cell(8) -> nothing; "n" -> next number.
constexpr char kTablePrefix = 't';
constexpr char kRetiredPrefix = 'r';
constexpr char kDroppedPrefix = 'd';
constexpr std::string_view kNumberRow = "n";

// Ids of cells are the table's number (never 0, so that low ids stay the program's own), and below
// it the slice of the table, or the ordinal of a global index with the highest bit set.
constexpr std::uint32_t kIndexBit = 0x80000000U;

std::string TableRow(const TableKey& key) {
  std::string row(1, kTablePrefix);
  for (const auto* part : {&key.account, &key.region, &key.name}) {
    Check(part->find('\0') == std::string::npos, "names hold no zero bytes");
    row += *part;
    row += '\0';
  }
  return row;
}

std::string RetiredRow(std::uint32_t number) {
  std::string row(1, kRetiredPrefix);
  AppendBigEndian32(row, number);
  return row;
}

std::string DroppedRow(storage::CellId cell) {
  std::string row(1, kDroppedPrefix);
  AppendBigEndian64(row, cell);
  return row;
}

tl::unexpected<Error> StoreFailed() {
  return Fail(ErrorCode::kInternalServerError, "The store did not answer.");
}

class CatalogUpdate final : public storage::Update {
 public:
  CatalogUpdate(storage::Mutation mutation, std::function<void()> then,
                std::promise<storage::StoreResult<void>> answer)
      : mutation_(std::move(mutation)), then_(std::move(then)), answer_(std::move(answer)) {}

  std::span<const storage::RowKey> Sees() const override { return sees_; }
  storage::Mutation Decide(std::span<const std::optional<std::string_view>> /*rows*/) override {
    return mutation_;
  }
  void Done(storage::StoreResult<void> result) override {
    if (result) then_();
    answer_.set_value(std::move(result));
  }

 private:
  const std::vector<storage::RowKey> sees_{{kCatalogCell, std::string(kNumberRow)}};
  const storage::Mutation mutation_;
  const std::function<void()> then_;
  std::promise<storage::StoreResult<void>> answer_;
};

}  // namespace

std::string Table::Arn() const {
  return "arn:aws:dynamodb:" + key.region + ":" + key.account + ":table/" + key.name;
}

storage::CellId Table::CellOf(std::uint64_t hash) const {
  Check(!cells.empty() && cells.front().hash_begin == 0, "slices cover every hash");
  const auto above = std::upper_bound(
      cells.begin(), cells.end(), hash,
      [](std::uint64_t value, const CellSlice& slice) { return value < slice.hash_begin; });
  return std::prev(above)->cell;
}

storage::CellId Table::IndexCell(const IndexState& index) const {
  return (storage::CellId{number} << 32) | kIndexBit | index.ordinal;
}

storage::CellId SliceCell(std::uint32_t table_number, std::uint32_t slice) {
  return (storage::CellId{table_number} << 32) | slice;
}

std::uint32_t TableNumberOf(storage::CellId cell) { return static_cast<std::uint32_t>(cell >> 32); }

std::optional<std::uint32_t> IndexOrdinalOf(storage::CellId cell) {
  const auto low = static_cast<std::uint32_t>(cell);
  return (low & kIndexBit) != 0 ? std::optional(low & ~kIndexBit) : std::nullopt;
}

Result<std::unique_ptr<Catalog>> Catalog::Load(storage::Store& store) {
  std::unique_ptr<Catalog> catalog(new Catalog(store));
  std::string broken;
  const auto read =
      store.Visit({.cell = kCatalogCell, .begin = {}, .end = {}, .reverse = false},
                  storage::Wait::kMayBlock, [&](std::string_view key, std::string_view value) {
                    if (key == kNumberRow) {
                      catalog->next_number_ = ReadBigEndian32(value);
                    } else if (key.starts_with(kDroppedPrefix)) {
                      catalog->dropped_.insert(ReadBigEndian64(key.substr(1)));
                    } else if (auto table = DecodeTable(value)) {
                      auto snapshot = std::make_shared<const Table>(*std::move(table));
                      if (key.starts_with(kRetiredPrefix)) {
                        catalog->retired_.emplace(snapshot->number, std::move(snapshot));
                      } else {
                        catalog->tables_.emplace(snapshot->key, std::move(snapshot));
                      }
                    } else {
                      broken = key;
                      return false;
                    }
                    return true;
                  });
  if (!read) return StoreFailed();
  if (!broken.empty()) {
    return Fail(ErrorCode::kInternalServerError,
                "The catalog holds a row that this version cannot read: " + broken);
  }
  return catalog;
}

Result<TablePtr> Catalog::Find(const TableKey& key) const {
  if (auto table = FindOrNull(key)) return table;
  return Fail(ErrorCode::kResourceNotFound, "Requested resource not found");
}

TablePtr Catalog::FindOrNull(const TableKey& key) const {
  std::shared_lock lock(mutex_);
  const auto found = tables_.find(key);
  return found == tables_.end() ? nullptr : found->second;
}

std::vector<std::string> Catalog::Names(const std::string& account, const std::string& region,
                                        const std::string& after, std::size_t limit) const {
  std::vector<std::string> names;
  std::shared_lock lock(mutex_);
  for (auto table = tables_.upper_bound({account, region, after});
       table != tables_.end() && names.size() < limit; ++table) {
    if (table->first.account != account || table->first.region != region) break;
    names.push_back(table->first.name);
  }
  return names;
}

std::vector<TablePtr> Catalog::All() const {
  std::vector<TablePtr> tables;
  std::shared_lock lock(mutex_);
  tables.reserve(tables_.size());
  for (const auto& [key, table] : tables_) tables.push_back(table);
  return tables;
}

std::vector<TablePtr> Catalog::Retired() const {
  std::vector<TablePtr> tables;
  std::shared_lock lock(mutex_);
  for (const auto& [number, table] : retired_) tables.push_back(table);
  return tables;
}

std::size_t Catalog::Count(const std::string& account, const std::string& region) const {
  std::shared_lock lock(mutex_);
  std::size_t count = 0;
  for (auto table = tables_.lower_bound({account, region, ""});
       table != tables_.end() && table->first.account == account && table->first.region == region;
       ++table) {
    ++count;
  }
  return count;
}

// Why no write decided under an old snapshot is missed by what follows a change (a backfill's
// reads, the end of a dropped cell). A write looks at `stale` in its Decide. The swap below runs in
// the catalog update's own Done, before the store decides anything else: so where one applier
// serves every cell, each write was either decided before, and then stands in the store when Apply
// returns, or after, and then sees `stale`, finds the new snapshot (which was in place before the
// flag was set) and starts again. Where cells have appliers of their own, whoever relies on this
// first sends an empty update through the cell (SettleWrites in upkeep.cc), which has the same
// effect.
Result<TablePtr> Catalog::Apply(const TableKey& key, const Change& change) {
  std::lock_guard serial(change_mutex_);
  const auto now = FindOrNull(key);
  TRY_ASSIGN(auto next, change(now));
  const TablePtr table = std::move(next.table);

  storage::Mutation mutation;
  if (table) {
    Check(table->key == key && table->schema.indexes().size() == table->index_states.size(),
          "a table has its name and a state for each index");
    mutation.PutRow(kCatalogCell, TableRow(key), EncodeTable(*table));
  } else {
    mutation.DeleteRow(kCatalogCell, TableRow(key));
  }
  std::string number;
  AppendBigEndian32(number, next_number_);
  mutation.PutRow(kCatalogCell, std::string(kNumberRow), std::move(number));
  for (const auto cell : next.dropped) mutation.PutRow(kCatalogCell, DroppedRow(cell), "");
  const TablePtr retired = std::move(next.retired);
  if (retired) mutation.PutRow(kCatalogCell, RetiredRow(retired->number), EncodeTable(*retired));
  if (!table || !next.dropped.empty()) mutation.MakeWay();

  TRY(Write(std::move(mutation), [&] {
    {
      std::unique_lock lock(mutex_);
      dropped_.insert(next.dropped.begin(), next.dropped.end());
      if (retired) retired_[retired->number] = retired;
      if (table) {
        tables_[key] = table;
      } else {
        tables_.erase(key);
      }
    }
    if (now) now->stale.store(true);
  }));
  return table;
}

Result<TablePtr> Catalog::ApplyRetired(std::uint32_t number, const Change& change) {
  std::lock_guard serial(change_mutex_);
  TablePtr now;
  {
    std::shared_lock lock(mutex_);
    if (const auto found = retired_.find(number); found != retired_.end()) now = found->second;
  }
  TRY_ASSIGN(auto next, change(now));
  const TablePtr table = std::move(next.table);

  storage::Mutation mutation;
  if (table) {
    mutation.PutRow(kCatalogCell, RetiredRow(number), EncodeTable(*table));
  } else {
    mutation.DeleteRow(kCatalogCell, RetiredRow(number));
  }
  for (const auto cell : next.dropped) mutation.PutRow(kCatalogCell, DroppedRow(cell), "");
  if (!table || !next.dropped.empty()) mutation.MakeWay();
  TRY(Write(std::move(mutation), [&] {
    std::unique_lock lock(mutex_);
    dropped_.insert(next.dropped.begin(), next.dropped.end());
    if (table) {
      retired_[number] = table;
    } else {
      retired_.erase(number);
    }
  }));
  return table;
}

std::vector<storage::CellId> Catalog::Dropped() const {
  std::shared_lock lock(mutex_);
  return {dropped_.begin(), dropped_.end()};
}

Result<void> Catalog::ForgetDropped(storage::CellId cell) {
  std::lock_guard serial(change_mutex_);
  storage::Mutation mutation;
  mutation.DeleteRow(kCatalogCell, DroppedRow(cell));
  mutation.MakeWay();
  return Write(std::move(mutation), [&] {
    std::unique_lock lock(mutex_);
    dropped_.erase(cell);
  });
}

Result<void> Catalog::Write(storage::Mutation mutation, std::function<void()> then) {
  std::promise<storage::StoreResult<void>> answer;
  auto result = answer.get_future();
  store_.Submit(
      std::make_unique<CatalogUpdate>(std::move(mutation), std::move(then), std::move(answer)),
      /*inline_if_idle=*/true);
  if (result.get()) return {};
  return StoreFailed();
}

}  // namespace kw::engine
