// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "data/key.h"
#include "modeller/plan/counters.h"
#include "modeller/plan/keys.h"
#include "modeller/plan/plan.h"
#include "modeller/plan/replica.h"

namespace kw::modeller {
namespace {

using Kind = WriteStep::Kind;
using Condition = WriteStep::Condition;
using Role = Placement::Role;

const Item& AnyOf(const WriteStep& step) { return step.after ? *step.after : *step.before; }

std::string KeyOfStep(const Plan& plan, const WriteStep& step) {
  return RowKeyOf(plan.tables()[step.table].schema.key(), AnyOf(step));
}

// What one statement does to one kind of item.
class ItemWriter {
 public:
  ItemWriter(const Plan& plan, const Placement& placement, StatementKind kind, const Replica& now)
      : plan_(plan), placement_(placement), kind_(kind), now_(now) {}

  void Write(const Row* before, const Row* after, WriteSet& writes) {
    auto old_item = before != nullptr ? plan_.ItemOf(placement_, *before) : std::nullopt;
    auto new_item = after != nullptr ? plan_.ItemOf(placement_, *after) : std::nullopt;
    if (!old_item && !new_item) return;
    const bool row = placement_.role == Role::kRow;
    if (!old_item) {
      const bool must_be_new =
          placement_.role == Role::kGuard || (row && kind_ == StatementKind::kInsert);
      Carry(*new_item, *new_item);
      auto there = Stored(*new_item);
      Add(Kind::kPut, must_be_new ? Condition::kMustBeNew : Condition::kNone, std::move(there),
          std::move(new_item), writes);
      return;
    }
    auto stored = Stored(*old_item);
    if (!stored) stored = old_item;
    if (!new_item) {
      Add(Kind::kDelete, Condition::kNone, std::move(stored), std::nullopt, writes);
      return;
    }
    Carry(*old_item, *new_item);
    const auto must_exist =
        row && kind_ == StatementKind::kUpdate ? Condition::kMustExist : Condition::kNone;
    if (KeyBytes(*old_item) != KeyBytes(*new_item)) {
      Add(Kind::kDelete, must_exist, std::move(stored), std::nullopt, writes);
      auto there = Stored(*new_item);
      Add(Kind::kPut, placement_.role == Role::kCopy ? Condition::kNone : Condition::kMustBeNew,
          std::move(there), std::move(new_item), writes);
      return;
    }
    if (!row && *old_item == *new_item) return;
    Add(Kind::kUpdate, must_exist, std::move(stored), std::move(new_item), writes);
  }

 private:
  [[nodiscard]] std::string KeyBytes(const Item& item) const {
    return RowKeyOf(plan_.tables()[placement_.table].schema.key(), item);
  }
  [[nodiscard]] std::optional<Item> Stored(const Item& key) const {
    const auto* item = now_.Find(placement_.table, key);
    return item != nullptr ? std::optional(*item) : std::nullopt;
  }
  // Counters outlive a change of their row.
  void Carry(const Item& from, Item& to) const {
    if (placement_.role != Role::kRow) return;
    const auto* stored = now_.Find(placement_.table, from);
    if (stored == nullptr) return;
    for (const auto& place : CountersOn(plan_, placement_)) {
      if (const auto* count = stored->Find(place.counter->name))
        to.Set(place.counter->name, *count);
    }
  }
  void Add(Kind kind, Condition condition, std::optional<Item> before, std::optional<Item> after,
           WriteSet& writes) const {
    writes.steps.push_back({.kind = kind,
                            .condition = condition,
                            .table = placement_.table,
                            .before = std::move(before),
                            .after = std::move(after)});
  }

  const Plan& plan_;
  const Placement& placement_;
  const StatementKind kind_;
  const Replica& now_;
};

void Count(const Plan& plan, const CounterPlace& place, const Row* child, bool adds,
           const Replica& now, WriteSet& writes) {
  const auto key = child != nullptr ? ParentKey(plan, place, *child) : std::nullopt;
  if (!key) return;
  const auto table = plan.placements()[place.parent].table;
  const auto addend = Addend(*place.counter, *child);
  WriteStep step{.kind = Kind::kUpdate,
                 .condition = Condition::kMustExist,
                 .table = table,
                 .before = {},
                 .after = {}};
  if (const auto* stored = now.Find(table, *key)) step.before = *stored;
  step.after = step.before.value_or(*key);
  // Two counters of one item, or both ends of a move: one step.
  const auto bytes = KeyOfStep(plan, step);
  const auto same = std::ranges::find_if(writes.steps, [&](const WriteStep& other) {
    return other.table == table && other.after && KeyOfStep(plan, other) == bytes;
  });
  auto& target = same != writes.steps.end() ? *same : writes.steps.emplace_back(std::move(step));
  AddTo(*target.after, *place.counter, adds ? addend : addend.Negated());
}

void AddIndexUnits(const TableSchema& schema, const WriteStep& step, Capacity& capacity) {
  for (const auto& index : schema.indexes()) {
    const auto before = step.before ? schema.EntryOf(index, *step.before) : std::nullopt;
    const auto after = step.after ? schema.EntryOf(index, *step.after) : std::nullopt;
    IndexEntryChange change;
    if (before) change.before = SizeOf(*before);
    if (after) change.after = SizeOf(*after);
    if (before && after) {
      const auto differs = [&](const KeyAttribute& key) {
        return !(*before->Find(key.name) == *after->Find(key.name));
      };
      change.key_changed = std::ranges::any_of(index.key.partition, differs) ||
                           std::ranges::any_of(index.key.sort, differs);
      change.view_changed = !(*before == *after);
    }
    const auto units = IndexWriteUnits(change);
    if (units == HalfUnits()) continue;
    auto& of = index.scope == IndexScope::kGlobal ? capacity.global : capacity.local;
    of[index.name].write += units;
  }
}

}  // namespace

WriteSet Plan::WritesOf(StatementKind kind, EntityId entity, const Row* before, const Row* after,
                        const Replica& now) const {
  WriteSet writes;
  for (const auto& placement : placements_) {
    if (placement.entity == entity)
      ItemWriter(*this, placement, kind, now).Write(before, after, writes);
  }
  for (const auto& place : CountersOf(*this, entity)) {
    if (before != nullptr && after != nullptr &&
        ParentKey(*this, place, *before) == ParentKey(*this, place, *after) &&
        Addend(*place.counter, *before) == Addend(*place.counter, *after)) {
      continue;
    }
    Count(*this, place, before, false, now, writes);
    Count(*this, place, after, true, now, writes);
  }
  return writes;
}

std::map<TableId, Capacity> Plan::UnitsOf(const WriteSet& writes) const {
  const auto mode = writes.steps.size() > 1 ? WriteMode::kTransactional : WriteMode::kStandard;
  std::map<TableId, Capacity> units;
  for (const auto& step : writes.steps) {
    auto& capacity = units[step.table];
    const auto size = [](const std::optional<Item>& item) {
      return item ? SizeOf(*item) : ByteCount();
    };
    capacity.table_write += WriteUnits(std::max(size(step.before), size(step.after)), mode);
    AddIndexUnits(tables_[step.table].schema, step, capacity);
  }
  return units;
}

void Append(const Plan& plan, WriteSet more, WriteSet& to) {
  for (auto& step : more.steps) {
    const auto bytes = KeyOfStep(plan, step);
    const auto same = std::ranges::find_if(to.steps, [&](const WriteStep& other) {
      return other.table == step.table && KeyOfStep(plan, other) == bytes;
    });
    if (same == to.steps.end()) {
      to.steps.push_back(std::move(step));
      continue;
    }
    const bool existed = same->kind != Kind::kPut || same->condition != Condition::kMustBeNew;
    same->after = std::move(step.after);
    if (!same->before && !same->after) {
      to.steps.erase(same);
    } else if (!same->after) {
      same->kind = Kind::kDelete;
    } else if (existed) {
      same->kind = step.kind == Kind::kPut ? Kind::kPut : same->kind;
      if (same->kind == Kind::kDelete) same->kind = Kind::kPut;
    }
  }
}

}  // namespace kw::modeller
