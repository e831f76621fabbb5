// SPDX-License-Identifier: Apache-2.0
#include "engine/streams.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "engine/access.h"
#include "engine/backfill.h"
#include "engine/layout.h"
#include "engine/tables.h"

namespace kw::engine {
namespace {

constexpr std::uint32_t kFirstStreamLog = 2;  // below: kChangeLog

StreamShard NewShard(Table& table, std::uint64_t begin, std::uint64_t last, TimePoint now,
                     std::string parent) {
  return {.number = table.next_shard++,
          .parent = std::move(parent),
          .hash_begin = begin,
          .hash_last = last,
          .opened_at = now,
          .closed_at = std::nullopt,
          .last = std::nullopt};
}

std::size_t OpenShards(const Stream& stream) {
  return static_cast<std::size_t>(std::ranges::count_if(
      stream.shards, [](const StreamShard& shard) { return !shard.closed_at; }));
}

storage::CellId CellOf(const Table& table, const StreamShard& shard) {
  return table.CellOf(shard.hash_begin);
}

// A change of a table that may have been changed, deleted, retired or made again meanwhile.
Result<TablePtr> Change(Engine& engine, const TablePtr& table, bool retired,
                        const std::function<void(Table&)>& change) {
  const auto apply = [&](const TablePtr& now) -> Result<Catalog::Next> {
    auto next = now ? std::make_unique<Table>(*now) : nullptr;
    if (next && next->number == table->number) change(*next);
    return Catalog::Next{.table = std::move(next), .dropped = {}};
  };
  return retired ? engine.catalog.ApplyRetired(table->number, apply)
                 : engine.catalog.Apply(table->key, apply);
}

// The upkeep of one table's streams, step by step; each looks at the newest snapshot.
class Keeper {
 public:
  Keeper(Engine& engine, TablePtr table, bool retired)
      : engine_(engine), table_(std::move(table)), retired_(retired) {}

  Result<void> Run() {
    TRY(SucceedShards());
    TRY(EndShards());
    TRY(Trim());
    return Forget();
  }

 private:
  Result<void> Apply(const std::function<void(Table&)>& change) {
    TRY_ASSIGN(auto next, Change(engine_, table_, retired_, change));
    // Gone, or another table of that name: nothing more to do here.
    if (next && next->number == table_->number) {
      table_ = std::move(next);
    } else {
      table_ = std::make_shared<const Table>();
    }
    return {};
  }

  Result<std::uint64_t> End(const StreamShard& shard) {
    const auto end = engine_.store.LogEnd(CellOf(*table_, shard), StreamLog(shard));
    if (!end) return Unexpected(ErrorOf(end.error()));
    return *end;
  }

  Result<void> SucceedShards();
  Result<void> EndShards();
  Result<void> Trim();
  Result<std::uint64_t> LastOld(const StreamShard& shard, TimePoint horizon);
  Result<void> Forget();

  Engine& engine_;
  TablePtr table_;
  const bool retired_;
};

Result<void> Keeper::SucceedShards() {
  if (!table_->stream || table_->streams.empty()) return {};
  const auto now = engine_.clock.Now();
  const auto& stream = table_->streams.back();
  auto open = OpenShards(stream);
  std::vector<std::pair<std::uint32_t, Succession>> successions;
  for (const auto& shard : stream.shards) {
    if (shard.closed_at) continue;
    TRY_ASSIGN(const auto records, End(shard));
    if (records >= engine_.options.shard_records && open < kOpenShardsMax &&
        shard.hash_begin < shard.hash_last) {
      ++open;
      successions.emplace_back(shard.number, Succession::kSplit);
    } else if (records > 0 && now - shard.opened_at >= kShardAge) {
      successions.emplace_back(shard.number, Succession::kRoll);
    }
  }
  if (successions.empty()) return {};
  return Apply([&](Table& table) {
    for (const auto& [shard, succession] : successions) {
      SucceedShard(table, shard, succession, now);
    }
  });
}

// What was closed is final when the writes under older snapshots are done.
Result<void> Keeper::EndShards() {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> ends;
  bool settled = false;
  for (const auto& stream : table_->streams) {
    for (const auto& shard : stream.shards) {
      if (!shard.closed_at || shard.last) continue;
      if (!std::exchange(settled, true)) TRY(SettleWrites(engine_.store, table_->cells));
      TRY_ASSIGN(const auto end, End(shard));
      ends.emplace_back(shard.number, end);
    }
  }
  if (ends.empty()) return {};
  return Apply([&](Table& table) {
    for (auto& stream : table.streams) {
      for (auto& shard : stream.shards) {
        const auto end =
            std::ranges::find(ends, shard.number, &std::pair<std::uint32_t, std::uint64_t>::first);
        if (end != ends.end()) shard.last = end->second;
      }
    }
  });
}

Result<void> Keeper::Trim() {
  const auto horizon = engine_.clock.Now() - kStreamRetention;
  for (const auto& stream : table_->streams) {
    for (const auto& shard : stream.shards) {
      TRY_ASSIGN(const auto old, LastOld(shard, horizon));
      if (old == 0) continue;
      const auto trimmed = engine_.store.TrimLog(CellOf(*table_, shard), StreamLog(shard), old);
      if (!trimmed) return Unexpected(ErrorOf(trimmed.error()));
    }
  }
  return {};
}

// The position of the newest record that is too old; 0: none is.
Result<std::uint64_t> Keeper::LastOld(const StreamShard& shard, TimePoint horizon) {
  if (shard.opened_at > horizon) return std::uint64_t{0};
  if (shard.last && *shard.closed_at <= horizon) return *shard.last;
  std::uint64_t old = 0;
  const auto visited = engine_.store.VisitLog(CellOf(*table_, shard), StreamLog(shard), 0,
                                              [&](std::uint64_t position, std::string_view record) {
                                                if (TimeOfStreamRecord(record) > horizon) {
                                                  return false;
                                                }
                                                old = position;
                                                return true;
                                              });
  if (!visited) return Unexpected(ErrorOf(visited.error()));
  return old;
}

// A shard goes when all it had is trimmed, a stream with its last shard.
Result<void> Keeper::Forget() {
  const auto horizon = engine_.clock.Now() - kStreamRetention;
  const auto is_old = [&](const StreamShard& shard) {
    return shard.closed_at && shard.last && *shard.closed_at <= horizon;
  };
  const bool any = std::ranges::any_of(table_->streams, [&](const Stream& stream) {
    return std::ranges::any_of(stream.shards, is_old);
  });
  if (!any) return {};
  TRY(Apply([&](Table& table) {
    for (auto& stream : table.streams) std::erase_if(stream.shards, is_old);
    std::erase_if(table.streams,
                  [](const Stream& stream) { return stream.disabled_at && stream.shards.empty(); });
  }));
  if (!retired_ || !table_->streams.empty() || table_->cells.empty()) return {};
  const auto gone = engine_.catalog.ApplyRetired(table_->number,
                                                 [](const TablePtr& now) -> Result<Catalog::Next> {
                                                   Catalog::Next next;
                                                   if (now) {
                                                     for (const auto& slice : now->cells)
                                                       next.dropped.push_back(slice.cell);
                                                   }
                                                   return next;
                                                 });
  if (!gone) return Unexpected(gone.error());
  return {};
}

}  // namespace

void StartStream(Table& table, StreamView view, TimePoint now) {
  // Two streams of a table need two labels, even if the clock stands still.
  auto label = StreamLabel(now);
  for (auto at = now; !table.streams.empty() && label <= table.streams.back().label;) {
    at += std::chrono::milliseconds(1);
    label = StreamLabel(at);
  }
  table.stream = view;
  table.stream_label = label;
  Stream stream{.label = std::move(label),
                .view = view,
                .created_at = now,
                .disabled_at = std::nullopt,
                .shards = {}};
  // A shard lies in one cell, whose log has an order.
  const std::uint64_t parts = (kShardsAtStart + table.cells.size() - 1) / table.cells.size();
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto begin = table.cells[i].hash_begin;
    const auto last = i + 1 < table.cells.size() ? table.cells[i + 1].hash_begin - 1 : ~0ULL;
    const auto width = (last - begin) / parts;
    for (std::uint64_t part = 0; part < parts; ++part) {
      const auto part_begin = part == 0 ? begin : begin + part * width + 1;
      const auto part_last = part + 1 == parts ? last : begin + (part + 1) * width;
      stream.shards.push_back(NewShard(table, part_begin, part_last, now, ""));
    }
  }
  table.streams.push_back(std::move(stream));
}

void EndStream(Table& table, TimePoint now) {
  table.stream.reset();
  if (table.streams.empty() || table.streams.back().disabled_at) return;
  auto& stream = table.streams.back();
  stream.disabled_at = now;
  for (auto& shard : stream.shards) {
    if (!shard.closed_at) shard.closed_at = now;
  }
}

void SucceedShard(Table& table, std::uint32_t shard, Succession succession, TimePoint now) {
  if (table.streams.empty()) return;
  auto& shards = table.streams.back().shards;
  const auto parent = std::ranges::find(shards, shard, &StreamShard::number);
  if (parent == shards.end() || parent->closed_at) return;
  parent->closed_at = now;
  const auto id = ShardId(*parent);
  const auto begin = parent->hash_begin;
  const auto last = parent->hash_last;
  switch (succession) {
    case Succession::kRoll: shards.push_back(NewShard(table, begin, last, now, id)); return;
    case Succession::kSplit: {
      const auto middle = begin + (last - begin) / 2;
      shards.push_back(NewShard(table, begin, middle, now, id));
      shards.push_back(NewShard(table, middle + 1, last, now, id));
      return;
    }
  }
}

const StreamShard* OpenShard(const Table& table, std::uint64_t hash) {
  if (!table.stream || table.streams.empty()) return nullptr;
  // The open ones are the newest.
  const auto& shards = table.streams.back().shards;
  for (auto shard = shards.rbegin(); shard != shards.rend(); ++shard) {
    if (!shard->closed_at && shard->hash_begin <= hash && hash <= shard->hash_last) {
      return &*shard;
    }
  }
  return nullptr;
}

std::uint32_t StreamLog(const StreamShard& shard) { return kFirstStreamLog + shard.number; }

Result<void> KeepStreams(Engine& engine) {
  std::optional<Error> error;
  const auto keep = [&](const std::vector<TablePtr>& tables, bool retired) {
    for (const auto& table : tables) {
      if (table->streams.empty()) continue;
      if (auto kept = Keeper(engine, table, retired).Run(); !kept) error = std::move(kept).error();
    }
  };
  keep(engine.catalog.All(), false);
  keep(engine.catalog.Retired(), true);
  if (error) return Unexpected(*std::move(error));
  return {};
}

}  // namespace kw::engine
