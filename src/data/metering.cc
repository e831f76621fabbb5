// SPDX-License-Identifier: Apache-2.0
#include "data/metering.h"

#include <algorithm>

#include "data/limits.h"

namespace kw {
namespace {

std::int64_t Steps(ByteCount size, std::int64_t step) {
  return std::max<std::int64_t>(1, (size.value() + step - 1) / step);
}

void Add(std::map<std::string, Capacity::Index, std::less<>>& to,
         const std::map<std::string, Capacity::Index, std::less<>>& from) {
  for (const auto& [name, index] : from) {
    auto& sum = to[name];
    sum.read += index.read;
    sum.write += index.write;
  }
}

HalfUnits Total(const Capacity& capacity, HalfUnits table, HalfUnits Capacity::Index::* member) {
  for (const auto& [name, index] : capacity.local) table += index.*member;
  for (const auto& [name, index] : capacity.global) table += index.*member;
  return table;
}

}  // namespace

HalfUnits ReadUnits(ByteCount size, ReadMode mode) {
  const std::int64_t steps = Steps(size, limits::kReadUnitBytes);
  switch (mode) {
    case ReadMode::kEventual: return HalfUnits(steps);
    case ReadMode::kStrong: return HalfUnits(2 * steps);
    case ReadMode::kTransactional: return HalfUnits(4 * steps);
  }
  return HalfUnits();
}

HalfUnits WriteUnits(ByteCount size, WriteMode mode) {
  const std::int64_t steps = Steps(size, limits::kWriteUnitBytes);
  switch (mode) {
    case WriteMode::kStandard: return HalfUnits(2 * steps);
    case WriteMode::kTransactional: return HalfUnits(4 * steps);
  }
  return HalfUnits();
}

HalfUnits IndexWriteUnits(const IndexEntryChange& change) {
  const auto units = [](ByteCount size) { return WriteUnits(size, WriteMode::kStandard); };
  if (!change.before && !change.after) return HalfUnits();
  if (!change.before) return units(*change.after);
  if (!change.after) return units(*change.before);
  if (change.key_changed) return units(*change.before) + units(*change.after);
  if (change.view_changed) return units(std::max(*change.before, *change.after));
  return HalfUnits();
}

HalfUnits Capacity::read_total() const { return Total(*this, table_read, &Index::read); }
HalfUnits Capacity::write_total() const { return Total(*this, table_write, &Index::write); }

Capacity& Capacity::operator+=(const Capacity& other) {
  table_read += other.table_read;
  table_write += other.table_write;
  Add(local, other.local);
  Add(global, other.global);
  return *this;
}

}  // namespace kw
