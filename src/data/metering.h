// SPDX-License-Identifier: Apache-2.0
// Sizes to capacity units, in whole half-units. The engine, the modeller and the calculators all
// ask here, so that a prediction cannot disagree with a measurement.
// Source: AWS Developer Guide, "Read and write capacity modes", "DynamoDB item sizes and formats".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/quantity.h"

namespace kw {

using HalfUnits = Quantity<struct HalfUnitsUnit>;  // 2 = one capacity unit

enum class ReadMode : std::uint8_t { kEventual, kStrong, kTransactional };
enum class WriteMode : std::uint8_t { kStandard, kTransactional };

// Units to read `size` bytes at once: rounded up to 4 KB, at least one step.
HalfUnits ReadUnits(ByteCount size, ReadMode mode);
// Units to write `size` bytes: rounded up to 1 KB, at least one step; twice that in a transaction.
HalfUnits WriteUnits(ByteCount size, WriteMode mode);

// What the change of an index's entry costs; absent entries are nullopt; sizes are of the entry.
struct IndexEntryChange {
  std::optional<ByteCount> before;
  std::optional<ByteCount> after;
  bool key_changed = false;   // of an entry that stands before and after
  bool view_changed = false;  // the key or any projected attribute differs
};
HalfUnits IndexWriteUnits(const IndexEntryChange& change);

// What an operation consumed of one table, by structure. Add up with +=.
struct Capacity {
  HalfUnits table_read;
  HalfUnits table_write;
  struct Index {
    HalfUnits read;
    HalfUnits write;
    friend bool operator==(const Index&, const Index&) = default;
  };
  std::map<std::string, Index, std::less<>> local;
  std::map<std::string, Index, std::less<>> global;

  [[nodiscard]] HalfUnits read_total() const;
  [[nodiscard]] HalfUnits write_total() const;
  Capacity& operator+=(const Capacity& other);
};

}  // namespace kw
