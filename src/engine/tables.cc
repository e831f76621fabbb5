// SPDX-License-Identifier: Apache-2.0
#include "engine/tables.h"

#include <algorithm>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/check.h"
#include "base/rng.h"
#include "data/limits.h"
#include "engine/access.h"
#include "engine/layout.h"
#include "engine/resource_policy.h"
#include "engine/streams.h"
#include "engine/throughput.h"
#include "engine/upkeep.h"

namespace kw::engine {
namespace {

Result<void> CheckRoom(const Engine& engine, const TableKey& key, const TablePtr& now) {
  if (now) {
    return Fail(ErrorCode::kResourceInUse, fmt::format("Table already exists: {}", key.name));
  }
  if (engine.catalog.Count(key.account, key.region) < limits::kTablesMax) return {};
  return Fail(ErrorCode::kLimitExceeded,
              fmt::format("Subscriber limit exceeded: There is a limit of {} tables per subscriber",
                          limits::kTablesMax));
}

Result<Table> BuildTable(CreateTableRequest& request, std::uint32_t number, TimePoint now) {
  const CapacityOwner owner{.region = request.key.region, .index = std::nullopt};
  TRY(CheckProjections(request.schema.indexes()));
  TRY(CheckProvisioned(owner, request.provisioned));
  Table table;
  table.key = request.key;
  table.id = Rng::FromSystem().Uuid();
  table.number = number;
  table.attribute_definitions = std::move(request.attribute_definitions);
  table.created_at = now;
  table.billing = request.billing;
  if (request.billing == BillingMode::kPayPerRequest) table.on_demand_since = now;
  table.provisioned = request.provisioned;
  TRY_ASSIGN(table.on_demand, StartOnDemand(owner, request.on_demand, request.billing));
  TRY_ASSIGN(table.warm, StartWarm(owner, request.warm, request.billing, request.provisioned));
  table.table_class = request.table_class;
  table.deletion_protection = request.deletion_protection;
  table.sse_kms = request.sse_kms;
  table.sse_key_arn = std::move(request.sse_key_arn);
  table.tags = std::move(request.tags);
  if (request.policy) table.policy = WithRevision(*request.policy, nullptr, now);
  for (const auto& index : request.indexes) {
    TRY_ASSIGN(auto state, StartIndex(request.key, index, request.billing));
    state.ordinal = table.next_ordinal++;
    table.index_states.push_back(std::move(state));
  }
  table.schema = std::move(request.schema);
  table.cells = {{.hash_begin = 0, .cell = SliceCell(number, 0)}};
  if (request.stream) StartStream(table, *request.stream, now);
  return table;
}

// The answer to a creation or a deletion, which the catalog is ahead of.
TablePtr Shown(const Table& table, TableStatus status, IndexStatus index_status) {
  auto shown = std::make_shared<Table>(table);
  shown->status = status;
  for (auto& state : shown->index_states) state.status = index_status;
  return shown;
}

std::vector<storage::CellId> IndexCellsOf(const Table& table) {
  std::vector<storage::CellId> cells;
  for (std::size_t i = 0; i < table.index_states.size(); ++i) {
    if (table.schema.indexes()[i].scope == IndexScope::kGlobal) {
      cells.push_back(table.IndexCell(table.index_states[i]));
    }
  }
  return cells;
}

Result<Catalog::Next> DropTable(const TableKey& key, const TablePtr& now, TimePoint at) {
  if (!now) return Unexpected(TableNotFound(key));
  if (now->deletion_protection) {
    return Invalid(
        "Resource cannot be deleted as it is currently protected against deletion. Disable "
        "deletion protection first.");
  }
  const bool busy = std::ranges::any_of(now->index_states, [](const IndexState& state) {
    return state.status != IndexStatus::kActive;
  });
  if (busy) {
    return Fail(ErrorCode::kResourceInUse,
                "Attempt to change a resource which is still in use: Cannot delete table while "
                "indexes are being created, updated, or deleted.");
  }
  Catalog::Next next{.table = nullptr, .dropped = IndexCellsOf(*now)};
  if (now->streams.empty()) {
    for (const auto& slice : now->cells) next.dropped.push_back(slice.cell);
  } else {
    // Its streams can be read for a day: the cells stay as long, without the items (upkeep.cc).
    next.retired = std::make_unique<Table>(*now);
    next.retired->policy = nullptr;
    EndStream(*next.retired, at);
  }
  return next;
}

Result<std::int64_t> ReadCounter(Engine& engine, storage::CellId cell, std::string name) {
  const auto value = engine.store.ReadCounter({.cell = cell, .key = std::move(name)});
  if (!value) return Unexpected(ErrorOf(value.error()));
  return *value;
}

Result<IndexSize> SizeOfIndex(Engine& engine, const Table& table, std::size_t index) {
  std::vector<storage::CellId> cells;
  if (table.schema.indexes()[index].scope == IndexScope::kGlobal) {
    cells.push_back(table.IndexCell(table.index_states[index]));
  } else {
    for (const auto& slice : table.cells) cells.push_back(slice.cell);
  }
  IndexSize size;
  for (const auto cell : cells) {
    TRY_ASSIGN(const auto items,
               ReadCounter(engine, cell, IndexCounter(kItemsCounter, table, index)));
    TRY_ASSIGN(const auto bytes,
               ReadCounter(engine, cell, IndexCounter(kSizeCounter, table, index)));
    size.items += items;
    size.bytes += bytes;
  }
  return size;
}

}  // namespace

Error TableNotFound(const TableKey& key) {
  return {ErrorCode::kResourceNotFound,
          fmt::format("Requested resource not found: Table: {} not found", key.name),
          {}};
}

std::string StreamLabel(TimePoint now) {
  const auto ms = now.time_since_epoch().count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}",
                     std::chrono::time_point_cast<std::chrono::seconds>(now), ms);
}

Result<IndexState> StartIndex(const TableKey& table, const IndexRequest& index,
                              BillingMode billing) {
  const CapacityOwner owner{.region = table.region, .index = index.schema.name};
  const auto provisioned = index.provisioned.value_or(Provisioned{});
  TRY(CheckProvisioned(owner, provisioned));
  IndexState state;
  state.name = index.schema.name;
  state.provisioned = provisioned;
  TRY_ASSIGN(state.on_demand, StartOnDemand(owner, index.on_demand, billing));
  TRY_ASSIGN(state.warm, StartWarm(owner, index.warm, billing, provisioned));
  return state;
}

Result<void> CheckProjections(const std::vector<IndexSchema>& indexes) {
  std::size_t named = 0;
  for (const auto& index : indexes) {
    const auto* include = std::get_if<ProjectInclude>(&index.projected);
    if (include != nullptr) named += include->attributes.size();
  }
  if (named <= limits::kProjectedAttributesMax) return {};
  // assumed: the wording; the limit is documented.
  return Invalid(
      fmt::format("One or more parameter values were invalid: Total number of "
                  "NonKeyAttributes exceeds per-table limit of {}",
                  limits::kProjectedAttributesMax));
}

Result<TablePtr> FindTable(const Engine& engine, const TableKey& key) {
  if (auto table = engine.catalog.FindOrNull(key)) return table;
  return Unexpected(TableNotFound(key));
}

TablePtr AsOf(TablePtr table, TimePoint now) {
  const auto stale = [now](const Provisioned& provisioned) {
    return AsOf(provisioned, now).decreases_today != provisioned.decreases_today;
  };
  if (!stale(table->provisioned) &&
      std::ranges::none_of(table->index_states, stale, &IndexState::provisioned)) {
    return table;
  }
  auto next = std::make_shared<Table>(*table);
  next->provisioned = AsOf(next->provisioned, now);
  for (auto& state : next->index_states) state.provisioned = AsOf(state.provisioned, now);
  return next;
}

Result<TableSize> SizeOf(Engine& engine, const Table& table) {
  TableSize size;
  for (const auto& slice : table.cells) {
    TRY_ASSIGN(const auto items, ReadCounter(engine, slice.cell, std::string(kItemsCounter)));
    TRY_ASSIGN(const auto bytes, ReadCounter(engine, slice.cell, std::string(kSizeCounter)));
    size.items += items;
    size.bytes += bytes;
  }
  for (std::size_t i = 0; i < table.schema.indexes().size(); ++i) {
    TRY_ASSIGN(const auto index, SizeOfIndex(engine, table, i));
    size.indexes.push_back(index);
  }
  return size;
}

Result<TablePtr> CreateTable(Engine& engine, CreateTableRequest request) {
  Check(request.indexes.size() == request.schema.indexes().size(), "an entry for each index");
  const auto key = request.key;
  TRY_ASSIGN(const auto table,
             engine.catalog.Apply(key, [&](const TablePtr& now) -> Result<Catalog::Next> {
               TRY(CheckRoom(engine, key, now));
               TRY_ASSIGN(auto next, BuildTable(request, engine.catalog.NextTableNumber(),
                                                engine.clock.Now()));
               return Catalog::Next{std::make_unique<Table>(std::move(next)), {}};
             }));
  return Shown(*table, TableStatus::kCreating, IndexStatus::kCreating);
}

Result<TablePtr> DeleteTable(Engine& engine, const TableKey& key) {
  TablePtr before;
  const auto applied = engine.catalog.Apply(key, [&](const TablePtr& now) {
    before = now;
    return DropTable(key, now, engine.clock.Now());
  });
  TRY(applied);
  if (engine.upkeep != nullptr) engine.upkeep->Wake();
  return Shown(*before, TableStatus::kDeleting, IndexStatus::kDeleting);
}

}  // namespace kw::engine
