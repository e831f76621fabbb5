// SPDX-License-Identifier: Apache-2.0
// Key conditions, start keys and segments as ranges of row keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "expr/key_condition.h"

namespace kw::engine {

// Row keys from `begin` (inclusive) to `end` (exclusive; empty: without end).
struct KeyBounds {
  std::string begin;
  std::string end;
  [[nodiscard]] bool Holds(std::string_view key) const {
    return key >= begin && (end.empty() || key < end);
  }
};

// Everything of one partition, under a prefix.
KeyBounds PartitionBounds(std::string_view prefix, const KeyRange& range);
// What of it the sort key's part of the condition leaves.
KeyBounds SortBounds(const KeyBounds& partition, const KeyRange& range);

// Hashes from `first` to `last`, both inclusive.
struct HashSlice {
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
  [[nodiscard]] bool Holds(std::uint64_t hash) const { return hash >= first && hash <= last; }
};
// The segments of a parallel scan share the hashes evenly.
HashSlice SegmentSlice(std::int64_t segment, std::int64_t segments);
KeyBounds SliceBounds(std::string_view prefix, const HashSlice& slice);

}  // namespace kw::engine
