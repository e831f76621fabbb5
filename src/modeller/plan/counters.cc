// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/counters.h"

#include <algorithm>
#include <utility>

#include "modeller/plan/key_walk.h"

namespace kw::modeller {
namespace {

template <class Keep>
std::vector<CounterPlace> Counters(const Plan& plan, const Keep& keep) {
  std::vector<CounterPlace> places;
  const auto& placements = plan.placements();
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const auto& placement = placements[i];
    if (placement.role != Placement::Role::kRow) continue;
    const auto& table = plan.design().tables[placement.table];
    const auto layout = std::ranges::find(table.entities, placement.entity, &EntityLayout::entity);
    for (const auto& counter : layout->counters) {
      if (keep(placement, counter)) places.push_back({i, &counter});
    }
  }
  return places;
}

}  // namespace

std::vector<CounterPlace> CountersOf(const Plan& plan, EntityId child) {
  return Counters(plan,
                  [&](const Placement&, const Counter& counter) { return counter.child == child; });
}

std::vector<CounterPlace> CountersOn(const Plan& plan, const Placement& parent) {
  return Counters(plan, [&](const Placement& placement, const Counter&) {
    return placement.entity == parent.entity && placement.table == parent.table;
  });
}

std::optional<Item> ParentKey(const Plan& plan, const CounterPlace& place, const Row& child) {
  const auto& placement = plan.placements()[place.parent];
  const auto& parent = plan.model().entity(placement.entity);
  const auto& by =
      plan.model().entity(place.counter->child).references[place.counter->reference].by;
  Row row(parent.attributes.size());
  for (std::size_t i = 0; i < by.size(); ++i) row[parent.identity[i]] = child[by[i]];
  const auto key = FillKey(parent, placement, plan.design().tables[placement.table].key);
  Item item;
  for (const auto* parts : {&key->partition, &key->sort}) {
    for (const auto& part : *parts) {
      auto value = KeyValueOf(parent, part, row);
      if (!value) return std::nullopt;
      item.Set(part.name, std::move(*value));
    }
  }
  return item;
}

Number Addend(const Counter& counter, const Row& child) {
  if (!counter.sum) return Number::FromInteger(1);
  const auto* value = std::get_if<Number>(&child[*counter.sum]);
  return value != nullptr ? *value : Number();
}

void AddTo(Item& item, const Counter& counter, const Number& addend) {
  const auto* stored = item.Find(counter.name);
  const auto* number = stored != nullptr ? stored->As<Number>() : nullptr;
  if (auto sum = Number::Add(number != nullptr ? *number : Number(), addend))
    item.Set(counter.name, *sum);
}

}  // namespace kw::modeller
