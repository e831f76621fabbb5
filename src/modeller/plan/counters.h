// SPDX-License-Identifier: Apache-2.0
// Numbers that are kept on a parent's item: which there are, and what a child's row adds to them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "modeller/plan/plan.h"

namespace kw::modeller {

struct CounterPlace {
  std::size_t parent = 0;  // into placements(): the row on whose item it stands
  const Counter* counter = nullptr;
};
// The counters that a child's rows change; those that stand on one kind of item.
std::vector<CounterPlace> CountersOf(const Plan& plan, EntityId child);
std::vector<CounterPlace> CountersOn(const Plan& plan, const Placement& parent);

// The base key of the parent's item; nothing if the child has no parent.
std::optional<Item> ParentKey(const Plan& plan, const CounterPlace& place, const Row& child);
// What one row adds: 1, or the summed attribute (0 if absent).
Number Addend(const Counter& counter, const Row& child);
// Adds to an item's counter. Beyond 38 digits it stays as it is, as a refused write would leave it.
void AddTo(Item& item, const Counter& counter, const Number& addend);

}  // namespace kw::modeller
