// SPDX-License-Identifier: Apache-2.0
// UpdateTable: one change of a table, as the rules of what stands allow it.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/limits.h"
#include "engine/access.h"
#include "engine/streams.h"
#include "engine/tables.h"
#include "engine/throughput.h"
#include "engine/upkeep.h"

namespace kw::engine {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

Error OneOnlineIndex() {
  return {ErrorCode::kLimitExceeded,
          "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
          "per table",
          {}};
}

bool IsOnline(const IndexState& state) {
  return state.status == IndexStatus::kCreating || state.status == IndexStatus::kDeleting;
}

// Builds the next snapshot and, beside it, the answer: the service shows capacities as they were
// and states on their way, while the catalog is already there.
class TableChange {
 public:
  TableChange(const Table& now, TimePoint at, GlobalIndexes global)
      : now_(now), at_(at), global_(global), next_(now), shown_(now) {
    shown_.provisioned = AsOf(shown_.provisioned, at);
    for (auto& state : shown_.index_states) state.provisioned = AsOf(state.provisioned, at);
  }

  Result<void> Apply(const UpdateTableRequest& request);

  Catalog::Next TakeNext() && {
    return {.table = std::make_unique<Table>(std::move(next_)), .dropped = std::move(dropped_)};
  }
  [[nodiscard]] TablePtr Shown() const { return std::make_shared<const Table>(shown_); }

 private:
  Result<void> ChangeBilling(const UpdateTableRequest& request);
  Result<void> SwitchToProvisioned(const UpdateTableRequest& request);
  Result<void> SwitchToOnDemand();
  Result<void> ChangeTableCapacity(const UpdateTableRequest& request);
  Result<void> ChangeStream(const std::optional<StreamView>& view);
  Result<void> CheckEncryption(const UpdateTableRequest& request) const;
  Result<void> CheckOnlineChanges(const UpdateTableRequest& request) const;
  Result<void> CreateIndex(const IndexCreate& create);
  Result<void> DeleteIndex(const IndexDelete& erase);
  Result<void> ChangeIndex(const IndexChange& change);
  Result<std::size_t> FindGlobalIndex(const std::string& name, std::string_view verb) const;
  void SetSchema(std::vector<IndexSchema> indexes);
  CapacityOwner Owner() const { return {.region = now_.key.region, .index = std::nullopt}; }
  CapacityOwner Owner(const std::string& index) const {
    return {.region = now_.key.region, .index = index};
  }

  const Table& now_;
  const TimePoint at_;
  const GlobalIndexes global_;
  Table next_;
  Table shown_;
  std::vector<storage::CellId> dropped_;
};

Result<void> TableChange::Apply(const UpdateTableRequest& request) {
  TRY(CheckOnlineChanges(request));
  TRY(ChangeBilling(request));
  TRY(ChangeTableCapacity(request));
  if (request.stream) TRY(ChangeStream(*request.stream));
  if (request.table_class) {
    if (*request.table_class != next_.table_class) next_.table_class_changed_at = at_;
    next_.table_class = shown_.table_class = *request.table_class;
    shown_.table_class_changed_at = next_.table_class_changed_at;
    shown_.status = TableStatus::kUpdating;
  }
  if (request.deletion_protection) {
    next_.deletion_protection = shown_.deletion_protection = *request.deletion_protection;
  }
  if (request.sse_kms) {
    TRY(CheckEncryption(request));
    next_.sse_kms = shown_.sse_kms = *request.sse_kms;
    next_.sse_key_arn = shown_.sse_key_arn = request.sse_key_arn;
  }
  for (const auto& change : request.index_changes) {
    if (const auto* create = std::get_if<IndexCreate>(&change)) {
      TRY(CreateIndex(*create));
    } else if (const auto* erase = std::get_if<IndexDelete>(&change)) {
      TRY(DeleteIndex(*erase));
    } else {
      TRY(ChangeIndex(std::get<IndexChange>(change)));
    }
  }
  return {};
}

Result<void> TableChange::ChangeBilling(const UpdateTableRequest& request) {
  if (!request.billing) return {};
  const auto billing = *request.billing;
  if (billing == BillingMode::kPayPerRequest) {
    // Asked for again, the service answers as if something happened.
    shown_.status = TableStatus::kUpdating;
    return now_.billing != billing ? SwitchToOnDemand() : Result<void>();
  }
  if (!request.provisioned) {
    return Invalid(fmt::format(
        "{}ProvisionedThroughput must be specified when BillingMode is PROVISIONED", kInvalid));
  }
  return now_.billing != billing ? SwitchToProvisioned(request) : Result<void>();
}

// observed: the switch shows as the last decrease, but counts as none.
Result<void> TableChange::SwitchToOnDemand() {
  auto& switches = next_.on_demand_switches;
  TRY(CheckSwitchToOnDemand(switches, at_));
  if (switches.size() == kSwitchesToOnDemandMax) switches.erase(switches.begin());
  switches.push_back(at_);
  const auto clear = [this](Provisioned& provisioned) {
    provisioned = {.read_units = 0,
                   .write_units = 0,
                   .increased_at = provisioned.increased_at,
                   .decreased_at = at_,
                   .decreases_today = 0};
  };
  next_.billing = BillingMode::kPayPerRequest;
  next_.on_demand_since = at_;
  clear(next_.provisioned);
  next_.warm = RaiseWarm(next_.warm, next_.billing, {});
  for (std::size_t i = 0; i < next_.index_states.size(); ++i) {
    if (next_.schema.indexes()[i].scope == IndexScope::kLocal) continue;
    auto& state = next_.index_states[i];
    clear(state.provisioned);
    state.warm = RaiseWarm(state.warm, next_.billing, {});
  }
  shown_.billing = next_.billing;
  shown_.on_demand_since = next_.on_demand_since;
  shown_.provisioned = next_.provisioned;
  return {};
}

// Nothing is assigned by itself: the table and each of its global indexes need a capacity.
Result<void> TableChange::SwitchToProvisioned(const UpdateTableRequest& request) {
  TRY(CheckProvisioned(Owner(), *request.provisioned));
  for (std::size_t i = 0; i < now_.index_states.size(); ++i) {
    if (now_.schema.indexes()[i].scope == IndexScope::kLocal) continue;
    const auto& name = now_.index_states[i].name;
    const bool covered = std::ranges::any_of(request.index_changes, [&](const auto& change) {
      const auto* update = std::get_if<IndexChange>(&change);
      return update != nullptr && update->name == name && update->provisioned;
    });
    if (!covered) {
      return Invalid(
          fmt::format("{}ProvisionedThroughput must be specified for index: {}", kInvalid, name));
    }
  }
  next_.billing = BillingMode::kProvisioned;
  next_.provisioned.read_units = request.provisioned->read_units;
  next_.provisioned.write_units = request.provisioned->write_units;
  next_.warm = RaiseWarm(next_.warm, next_.billing, next_.provisioned);
  next_.on_demand.reset();
  for (auto& state : next_.index_states) state.on_demand.reset();
  shown_.billing = next_.billing;
  shown_.provisioned = next_.provisioned;
  shown_.on_demand.reset();
  for (auto& state : shown_.index_states) state.on_demand.reset();
  shown_.status = TableStatus::kUpdating;
  return {};
}

Result<void> TableChange::ChangeTableCapacity(const UpdateTableRequest& request) {
  if (request.provisioned && next_.billing == BillingMode::kPayPerRequest) {
    return Invalid(
        fmt::format("{}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                    "when BillingMode is PAY_PER_REQUEST",
                    kInvalid));
  }
  if (request.provisioned && next_.billing == now_.billing) {
    TRY_ASSIGN(next_.provisioned,
               ChangeProvisioned(Owner(), now_.provisioned, *request.provisioned, at_));
    next_.warm = RaiseWarm(next_.warm, next_.billing, next_.provisioned);
    // Old units and counters, but the time of the change.
    shown_.provisioned.increased_at = next_.provisioned.increased_at;
    shown_.provisioned.decreased_at = next_.provisioned.decreased_at;
    shown_.status = TableStatus::kUpdating;
  }
  if (request.on_demand) {
    TRY_ASSIGN(next_.on_demand,
               ChangeOnDemand(Owner(), next_.on_demand, *request.on_demand, next_.billing));
    // A maximum that was taken away shows as -1, once.
    auto shown = next_.on_demand.value_or(OnDemandMaximum{});
    if (!shown.read_units) shown.read_units = request.on_demand->read_units;
    if (!shown.write_units) shown.write_units = request.on_demand->write_units;
    shown_.on_demand = shown;
  }
  if (request.warm) {
    TRY_ASSIGN(next_.warm, ChangeWarm(Owner(), RaiseWarm(now_.warm, now_.billing, now_.provisioned),
                                      *request.warm));
  }
  return {};
}

Result<void> TableChange::ChangeStream(const std::optional<StreamView>& view) {
  if (view && now_.stream) {
    return Invalid(
        fmt::format("Table already has an enabled stream: TableName: {}", now_.key.name));
  }
  if (!view && !now_.stream) {
    return Invalid(fmt::format("Table has no stream to disable: TableName: {}", now_.key.name));
  }
  if (view) {
    StartStream(next_, *view, at_);
  } else {
    EndStream(next_, at_);
  }
  shown_.stream = next_.stream;
  shown_.stream_label = next_.stream_label;
  shown_.status = TableStatus::kUpdating;
  return {};
}

Result<void> TableChange::CheckEncryption(const UpdateTableRequest& request) const {
  if (*request.sse_kms != now_.sse_kms) return {};
  if (!now_.sse_kms)
    return Invalid(fmt::format("{}Table is already encrypted by default", kInvalid));
  if (!request.sse_key_arn || request.sse_key_arn != now_.sse_key_arn) return {};
  return Invalid(
      fmt::format("{}Table is already encrypted with given KMSMasterKeyId. Use "
                  "KMSMasterKeyId parameter if you want to change Master Key",
                  kInvalid));
}

// One index may be on its way; that one may be deleted.
Result<void> TableChange::CheckOnlineChanges(const UpdateTableRequest& request) const {
  int online = 0;
  for (const auto& change : request.index_changes) {
    if (!std::holds_alternative<IndexChange>(change)) ++online;
  }
  if (online == 0) return {};
  const auto* erase = std::get_if<IndexDelete>(&request.index_changes.front());
  const bool busy = std::ranges::any_of(now_.index_states, [&](const IndexState& state) {
    return IsOnline(state) && !(erase != nullptr && erase->name == state.name);
  });
  if (online > 1 || busy) return Unexpected(OneOnlineIndex());
  return {};
}

Result<void> TableChange::CreateIndex(const IndexCreate& create) {
  const auto& index = create.index;
  const auto& name = index.schema.name;
  if (next_.schema.FindIndex(name) != nullptr) {
    return Invalid("Attempting to create an index which already exists");
  }
  const auto globals =
      std::ranges::count(next_.schema.indexes(), IndexScope::kGlobal, &IndexSchema::scope);
  if (static_cast<std::size_t>(globals) >= limits::kGlobalIndexesMax) {
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("Subscriber limit exceeded: Number of global secondary indexes exceeds "
                            "per-table limit of {}",
                            limits::kGlobalIndexesMax));
  }
  if (next_.billing == BillingMode::kProvisioned && !index.provisioned) {
    return Invalid(fmt::format(
        "{}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {}", kInvalid,
        name));
  }
  if (next_.billing == BillingMode::kPayPerRequest && index.provisioned) {
    return Invalid(
        fmt::format("{}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                    "for index: {} when BillingMode is PAY_PER_REQUEST",
                    kInvalid, name));
  }
  for (const auto* part : {&index.schema.key.partition, &index.schema.key.sort}) {
    for (const auto& attribute : *part) {
      const auto* known = next_.schema.FindKeyAttribute(attribute.name);
      if (known != nullptr && known->type != attribute.type) {
        // assumed: the sentence; what matters is that one attribute has one type.
        return Invalid(
            fmt::format("{}Attribute definition of {} does not match that of the table's keys",
                        kInvalid, attribute.name));
      }
      if (known == nullptr) next_.attribute_definitions.push_back(attribute);
    }
  }
  TRY_ASSIGN(auto state, StartIndex(now_.key, index, next_.billing));
  state.ordinal = next_.next_ordinal++;
  state.status = IndexStatus::kCreating;
  state.backfilling = true;
  state.fills_from_log = global_ == GlobalIndexes::kFromLog;
  next_.index_states.push_back(state);
  auto indexes = next_.schema.indexes();
  indexes.push_back(index.schema);
  TRY(CheckProjections(indexes));
  SetSchema(std::move(indexes));
  state.backfilling = false;  // shown as allocating resources
  shown_.index_states.push_back(std::move(state));
  shown_.schema = next_.schema;
  shown_.attribute_definitions = next_.attribute_definitions;
  shown_.status = TableStatus::kUpdating;
  return {};
}

Result<std::size_t> TableChange::FindGlobalIndex(const std::string& name,
                                                 std::string_view verb) const {
  const auto& indexes = next_.schema.indexes();
  const auto found = std::ranges::find(indexes, name, &IndexSchema::name);
  if (found == indexes.end()) {
    return Fail(
        ErrorCode::kResourceNotFound,
        fmt::format("Requested resource not found: Index {} for table {}", name, now_.key.name));
  }
  if (found->scope == IndexScope::kLocal) {
    return Invalid(
        fmt::format("Cannot {} an index that is not a GlobalSecondaryIndex: {}", verb, name));
  }
  return static_cast<std::size_t>(found - indexes.begin());
}

Result<void> TableChange::DeleteIndex(const IndexDelete& erase) {
  TRY_ASSIGN(const auto place, FindGlobalIndex(erase.name, "delete"));
  // Nothing was added before it: a request creates or deletes one index.
  shown_.index_states[place].status = IndexStatus::kDeleting;
  shown_.index_states[place].backfilling = false;
  shown_.status = TableStatus::kUpdating;
  dropped_.push_back(next_.IndexCell(next_.index_states[place]));
  auto indexes = next_.schema.indexes();
  indexes.erase(indexes.begin() + static_cast<std::ptrdiff_t>(place));
  next_.index_states.erase(next_.index_states.begin() + static_cast<std::ptrdiff_t>(place));
  SetSchema(std::move(indexes));
  return {};
}

// The attributes that no key uses any more are forgotten.
void TableChange::SetSchema(std::vector<IndexSchema> indexes) {
  next_.schema = TableSchema::Make(next_.schema.key(), std::move(indexes));
  auto& definitions = next_.attribute_definitions;
  std::erase_if(definitions, [&](const KeyAttribute& attribute) {
    return next_.schema.FindKeyAttribute(attribute.name) == nullptr;
  });
  std::ranges::sort(definitions, {}, &KeyAttribute::name);
}

Result<void> TableChange::ChangeIndex(const IndexChange& change) {
  TRY_ASSIGN(const auto place, FindGlobalIndex(change.name, "update"));
  // assumed: as the service words it of one that is being updated.
  if (next_.index_states[place].status == IndexStatus::kCreating) {
    return Fail(ErrorCode::kResourceInUse,
                fmt::format("Attempt to change a resource which is still in use: Index is being "
                            "created. Table: {} Index: {}",
                            now_.key.name, change.name));
  }
  auto& state = next_.index_states[place];
  const auto shown = std::ranges::find(shown_.index_states, change.name, &IndexState::name);
  const auto owner = Owner(change.name);
  const bool switched = next_.billing != now_.billing;
  if (change.provisioned) {
    if (next_.billing == BillingMode::kPayPerRequest) {
      return Invalid(
          fmt::format("{}The only Updates for index: {} when TableThroughputMode is "
                      "PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput",
                      kInvalid, change.name));
    }
    if (switched) {
      TRY(CheckProvisioned(owner, *change.provisioned));
      state.provisioned.read_units = change.provisioned->read_units;
      state.provisioned.write_units = change.provisioned->write_units;
      shown->provisioned = state.provisioned;
    } else {
      TRY_ASSIGN(state.provisioned,
                 ChangeProvisioned(owner, state.provisioned, *change.provisioned, at_));
    }
    state.warm = RaiseWarm(state.warm, next_.billing, state.provisioned);
    if (shown->status == IndexStatus::kActive) shown->status = IndexStatus::kUpdating;
  }
  if (change.on_demand) {
    TRY_ASSIGN(state.on_demand,
               ChangeOnDemand(owner, state.on_demand, *change.on_demand, next_.billing));
    shown->on_demand = state.on_demand;
    if (shown->status == IndexStatus::kActive) shown->status = IndexStatus::kUpdating;
  }
  if (change.warm) {
    TRY_ASSIGN(state.warm,
               ChangeWarm(owner, RaiseWarm(state.warm, next_.billing, {}), *change.warm));
  }
  return {};
}

}  // namespace

Result<TablePtr> UpdateTable(Engine& engine, UpdateTableRequest request) {
  TablePtr shown;
  const auto applied =
      engine.catalog.Apply(request.key, [&](const TablePtr& now) -> Result<Catalog::Next> {
        if (!now) return Unexpected(TableNotFound(request.key));
        TableChange change(*now, engine.clock.Now(), GlobalIndexesOf(engine));
        TRY(change.Apply(request));
        shown = change.Shown();
        return std::move(change).TakeNext();
      });
  TRY(applied);
  if (engine.upkeep != nullptr) engine.upkeep->Wake();
  return shown;
}

}  // namespace kw::engine
