// SPDX-License-Identifier: Apache-2.0
#include "engine/time_to_live.h"

#include <algorithm>
#include <charconv>
#include <latch>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/check.h"
#include "data/item_bytes.h"
#include "data/key.h"
#include "engine/access.h"
#include "engine/backfill.h"
#include "engine/tables.h"
#include "engine/upkeep.h"
#include "engine/write.h"

namespace kw::engine {
namespace {

constexpr char kExpiryPrefix = 'e';
constexpr std::size_t kExpiryHeadBytes = 9;  // the prefix and the time
// aws-doc: "Working with expired items and time to live": what is older is not deleted.
constexpr std::chrono::hours kExpiredAgeMax{24 * 365 * 5};

// Bounds of one step.
constexpr std::size_t kRowsMax = 500;
constexpr std::size_t kBytesMax = 1024 * 1024;
// Deletions under way at once: enough to share a commit, few beside a server's full load.
constexpr std::size_t kDeletionsAtOnce = 16;

std::string ExpiryHead(std::uint64_t seconds) {
  std::string key(1, kExpiryPrefix);
  AppendBigEndian64(key, seconds);
  return key;
}

std::int64_t Seconds(TimePoint at) {
  return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

// Whole seconds; a fraction is cut off.
std::optional<std::uint64_t> SecondsOf(const Number& number) {
  if (number.negative()) return std::nullopt;
  const auto text = number.ToString();
  std::uint64_t seconds = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (fault != std::errc()) return std::nullopt;
  return seconds;
}

// The item's key out of its row's.
std::optional<Item> KeyOfRow(const KeySchema& schema, std::string_view item_row) {
  const auto head = kItemPrefix.size() + kRowHashBytes;
  if (item_row.size() < head) return std::nullopt;
  item_row.remove_prefix(head);
  std::vector<Item::Entry> entries;
  for (const auto* attributes : {&schema.partition, &schema.sort}) {
    for (const auto& attribute : *attributes) {
      auto value = TakeKeyPart(item_row, attribute.type);
      if (!value) return std::nullopt;
      entries.emplace_back(attribute.name, *std::move(value));
    }
  }
  return Item::FromEntries(std::move(entries));
}

// ---- the sweep ----

// One table's expired items.
class Sweep {
 public:
  static Result<Sweep> Make(Engine& engine, TablePtr table) {
    const auto now = engine.clock.Now();
    const auto oldest = std::max(std::int64_t{0}, Seconds(now - kExpiredAgeMax));
    // The item as it is when it is decided about: it may have been given more time.
    Placeholders::Input input;
    input.has_names = true;
    input.has_values = true;
    input.names.emplace_back("#ttl", table->ttl->attribute);
    input.values.Set(":oldest", Number::FromInteger(oldest));
    input.values.Set(":now", Number::FromInteger(Seconds(now)));
    TRY_ASSIGN(auto placeholders, Placeholders::Make(std::move(input)));
    TRY_ASSIGN(auto expired, Condition::Parse("#ttl BETWEEN :oldest AND :now",
                                              ConditionKind::kCondition, placeholders));
    return Sweep(engine, std::move(table), std::move(expired),
                 ExpiryHead(static_cast<std::uint64_t>(oldest)),
                 ExpiryHead(static_cast<std::uint64_t>(std::max(std::int64_t{0}, Seconds(now)))));
  }

  Result<std::size_t> Run(std::size_t max) {
    std::size_t total = 0;
    for (const auto& slice : table_->cells) {
      auto begin = oldest_;
      while (total < max && !table_->stale.load()) {
        TRY_ASSIGN(const auto rows, Expired(slice.cell, begin));
        if (rows.empty()) break;
        TRY(DeleteAll(rows));
        total += rows.size();
        begin = rows.back() + '\0';
      }
    }
    return total;
  }

 private:
  Sweep(Engine& engine, TablePtr table, Condition expired, std::string oldest, std::string now)
      : engine_(engine),
        table_(std::move(table)),
        expired_(std::move(expired)),
        oldest_(std::move(oldest)),
        now_(std::move(now)) {}

  Result<std::vector<std::string>> Expired(storage::CellId cell, const std::string& begin) {
    std::vector<std::string> rows;
    const auto visited = engine_.store.Visit(
        {.cell = cell, .begin = begin, .end = now_, .reverse = false}, storage::Wait::kMayBlock,
        [&](std::string_view key, std::string_view /*value*/) {
          rows.emplace_back(key);
          return rows.size() < kRowsMax;
        });
    if (!visited) return Unexpected(ErrorOf(visited.error()));
    return rows;
  }

  Result<void> DeleteAll(const std::vector<std::string>& rows) {
    for (std::size_t begin = 0; begin < rows.size(); begin += kDeletionsAtOnce) {
      const auto count = std::min(kDeletionsAtOnce, rows.size() - begin);
      const auto group = std::make_shared<Group>(count);
      for (std::size_t i = begin; i < begin + count; ++i) Start(rows[i], group);
      group->left.wait();
      if (group->failed.load()) {
        return Fail(ErrorCode::kInternalServerError, "The storage did not delete expired items.");
      }
    }
    return {};
  }

  struct Group {
    explicit Group(std::size_t count) : left(static_cast<std::ptrdiff_t>(count)) {}
    std::latch left;
    std::atomic<bool> failed{false};
  };

  void Start(std::string_view expiry_row, const std::shared_ptr<Group>& group) {
    auto key = KeyOfRow(table_->schema.key(), expiry_row.substr(kExpiryHeadBytes));
    Check(key.has_value(), "an expiry row names an item's row");
    auto write = PrepareWrite(
        engine_.catalog,
        DeleteRequest{.table = table_->key, .key = *std::move(key), .condition = expired_});
    // Deleted or made again meanwhile: another table is none of this sweep's.
    if (!write || write->table->number != table_->number) return group->left.count_down();
    WriteOne(
        engine_, {.account = table_->key.account, .region = table_->key.region}, *std::move(write),
        [group](const Result<WriteOutcome>& outcome) {
          // An item that was given more time fails the condition, and is right to.
          if (!outcome && outcome.error().code == ErrorCode::kInternalServerError) {
            group->failed.store(true);
          }
          group->left.count_down();
        },
        WriteCause::kTimeToLive);
  }

  Engine& engine_;
  TablePtr table_;
  Condition expired_;
  std::string oldest_;  // where expiry rows begin and end
  std::string now_;
};

Result<std::size_t> SweepTable(Engine& engine, TablePtr table, std::size_t max) {
  TRY_ASSIGN(auto sweep, Sweep::Make(engine, std::move(table)));
  return sweep.Run(max);
}

// ---- changes ----

// Rows of items in order, above `after`: the step of a fill.
Result<std::vector<storage::RowKey>> ItemsAfter(Engine& engine, storage::CellId cell,
                                                const std::string& after) {
  std::vector<storage::RowKey> rows;
  std::size_t bytes = 0;
  const auto visited = engine.store.Visit(
      {.cell = cell,
       .begin = after.empty() ? std::string(kItemPrefix) : after + '\0',
       .end = PrefixEnd(std::string(kItemPrefix)),
       .reverse = false},
      storage::Wait::kMayBlock, [&](std::string_view key, std::string_view stored) {
        rows.push_back({cell, std::string(key)});
        bytes += stored.size();
        return rows.size() < kRowsMax && bytes < kBytesMax;
      });
  if (!visited) return Unexpected(ErrorOf(visited.error()));
  return rows;
}

bool StillThere(const Engine& engine, const Table& table) {
  const auto now = engine.catalog.FindOrNull(table.key);
  return now && now->number == table.number;
}

// Live writes keep the rows already; each step adds what its items say when it is decided. Other
// changes of the table may come on the way, but none of its time to live.
Result<void> WriteRows(Engine& engine, const Table& table, storage::CellId cell,
                       const std::atomic<bool>& stop) {
  std::string after;
  while (!stop.load() && StillThere(engine, table)) {
    TRY_ASSIGN(const auto rows, ItemsAfter(engine, cell, after));
    if (rows.empty()) return {};
    after = rows.back().key;
    const auto written = storage::SubmitAndWait(
        engine.store, rows, [&](std::span<const std::optional<std::string_view>> seen) {
          storage::Mutation mutation;
          for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!seen[i]) continue;
            auto key = ExpiryKey(table.ttl->attribute, rows[i].key, *seen[i]);
            if (key) mutation.PutRow(cell, *std::move(key), {});
          }
          return mutation;
        });
    if (!written) return Unexpected(ErrorOf(written.error()));
  }
  return {};
}

// No write keeps these rows any more.
Result<void> RemoveRows(Engine& engine, storage::CellId cell, const std::atomic<bool>& stop) {
  const std::string begin(1, kExpiryPrefix);
  while (!stop.load()) {
    std::vector<std::string> rows;
    const auto visited = engine.store.Visit(
        {.cell = cell, .begin = begin, .end = PrefixEnd(begin), .reverse = false},
        storage::Wait::kMayBlock, [&](std::string_view key, std::string_view /*value*/) {
          rows.emplace_back(key);
          return rows.size() < kRowsMax;
        });
    if (!visited) return Unexpected(ErrorOf(visited.error()));
    if (rows.empty()) return {};
    const auto written = storage::SubmitAndWait(engine.store, {}, [&](auto) {
      storage::Mutation mutation;
      for (const auto& row : rows) mutation.DeleteRow(cell, row);
      return mutation;
    });
    if (!written) return Unexpected(ErrorOf(written.error()));
  }
  return {};
}

Result<std::optional<TimeToLive>> Decide(const Table& table, const TimeToLiveRequest& request) {
  if (!table.ttl) {
    // assumed: the sentence; the others are observed by users.
    if (!request.enabled) return Invalid("TimeToLive is already disabled");
    return std::optional(
        TimeToLive{.attribute = request.attribute, .status = TimeToLiveStatus::kEnabling});
  }
  if (table.ttl->status != TimeToLiveStatus::kEnabled) {
    // observed: aws/aws-cdk pull request 13720.
    return Invalid("Time to live has been modified multiple times within a fixed interval");
  }
  if (table.ttl->attribute != request.attribute) {
    return Invalid(fmt::format(
        "TimeToLive is active on a different AttributeName: current AttributeName is {}",
        table.ttl->attribute));
  }
  if (request.enabled) return Invalid("TimeToLive is already enabled");
  return std::optional(
      TimeToLive{.attribute = request.attribute, .status = TimeToLiveStatus::kDisabling});
}

}  // namespace

std::optional<std::string> ExpiryKey(std::string_view attribute, std::string_view item_row,
                                     std::string_view stored) {
  if (stored.empty()) return std::nullopt;
  const auto value = LoadAttribute(stored, attribute);
  const auto* number = value ? value->As<Number>() : nullptr;
  const auto seconds = number != nullptr ? SecondsOf(*number) : std::nullopt;
  if (!seconds) return std::nullopt;
  return ExpiryHead(*seconds).append(item_row);
}

bool KeepsExpiry(const Table& table) {
  return table.ttl && table.ttl->status != TimeToLiveStatus::kDisabling;
}

Result<void> UpdateTimeToLive(Engine& engine, TimeToLiveRequest request) {
  TRY(engine.catalog.Apply(request.table, [&](const TablePtr& now) -> Result<Catalog::Next> {
    if (!now) return Unexpected(TableNotFound(request.table));
    TRY_ASSIGN(auto ttl, Decide(*now, request));
    auto next = std::make_unique<Table>(*now);
    next->ttl = std::move(ttl);
    return Catalog::Next{.table = std::move(next), .dropped = {}};
  }));
  if (engine.upkeep != nullptr) engine.upkeep->Wake();
  return {};
}

Result<void> SettleTimeToLive(Engine& engine, const TableKey& key, const std::atomic<bool>& stop) {
  const auto table = engine.catalog.FindOrNull(key);
  if (!table || !table->ttl || table->ttl->status == TimeToLiveStatus::kEnabled) return {};
  const bool enabling = table->ttl->status == TimeToLiveStatus::kEnabling;
  TRY(SettleWrites(engine.store, table->cells));
  for (const auto& slice : table->cells) {
    TRY(enabling ? WriteRows(engine, *table, slice.cell, stop)
                 : RemoveRows(engine, slice.cell, stop));
  }
  if (stop.load()) return {};
  TRY(engine.catalog.Apply(key, [&](const TablePtr& now) -> Result<Catalog::Next> {
    auto next = now ? std::make_unique<Table>(*now) : nullptr;
    if (next && next->number == table->number) {
      if (enabling) {
        next->ttl->status = TimeToLiveStatus::kEnabled;
      } else {
        next->ttl.reset();
      }
    }
    return Catalog::Next{.table = std::move(next), .dropped = {}};
  }));
  return {};
}

Result<std::size_t> SweepExpired(Engine& engine, std::size_t max) {
  std::size_t total = 0;
  std::optional<Error> error;
  for (auto& table : engine.catalog.All()) {
    if (!table->ttl || table->ttl->status != TimeToLiveStatus::kEnabled || total >= max) continue;
    auto swept = SweepTable(engine, std::move(table), max - total);
    if (swept) {
      total += *swept;
    } else {
      error = std::move(swept).error();
    }
  }
  if (error) return Unexpected(*std::move(error));
  return total;
}

}  // namespace kw::engine
