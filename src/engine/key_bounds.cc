// SPDX-License-Identifier: Apache-2.0
#include "engine/key_bounds.h"

#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/int128.h"
#include "data/key.h"

namespace kw::engine {
namespace {

constexpr std::size_t kTerminatorBytes = 2;  // of an S or B part: 00 01

std::string WithPart(const std::string& prefix, const AttributeValue& value) {
  auto key = prefix;
  AppendKeyPart(key, value);
  return key;
}

KeyBounds Under(std::string prefix) { return {.begin = prefix, .end = PrefixEnd(prefix)}; }

}  // namespace

KeyBounds PartitionBounds(std::string_view prefix, const KeyRange& range) {
  std::vector<const AttributeValue*> values;
  values.reserve(range.partition.size());
  for (const auto& value : range.partition) values.push_back(&value);
  return Under(std::string(prefix).append(PartitionPrefix(values)));
}

KeyBounds SortBounds(const KeyBounds& partition, const KeyRange& range) {
  if (range.sort_equal.empty() && !range.sort) return partition;
  auto prefix = partition.begin;
  for (const auto& value : range.sort_equal) AppendKeyPart(prefix, value);
  auto bounds = Under(prefix);
  if (!range.sort) return bounds;

  const auto part = WithPart(prefix, range.sort->value);
  switch (range.sort->op) {
    case KeyOperator::kEqual: return Under(part);
    case KeyOperator::kLess: bounds.end = part; break;
    case KeyOperator::kLessEqual: bounds.end = PrefixEnd(part); break;
    case KeyOperator::kGreater: bounds.begin = PrefixEnd(part); break;
    case KeyOperator::kGreaterEqual: bounds.begin = part; break;
    case KeyOperator::kBetween:
      bounds.begin = part;
      bounds.end = PrefixEnd(WithPart(prefix, *range.sort->high));
      break;
    case KeyOperator::kBeginsWith:
      // Strings and binaries only: their bytes without the terminator begin every longer one.
      return Under(part.substr(0, part.size() - kTerminatorBytes));
  }
  return bounds;
}

HashSlice SegmentSlice(std::int64_t segment, std::int64_t segments) {
  const auto border = [&](std::int64_t i) {
    return (static_cast<Uint128>(i) << 64) / static_cast<Uint128>(segments);
  };
  return {.first = static_cast<std::uint64_t>(border(segment)),
          .last = static_cast<std::uint64_t>(border(segment + 1) - 1)};
}

KeyBounds SliceBounds(std::string_view prefix, const HashSlice& slice) {
  KeyBounds bounds{.begin = std::string(prefix), .end = std::string(prefix)};
  AppendBigEndian64(bounds.begin, slice.first);
  AppendBigEndian64(bounds.end, slice.last);
  bounds.end = PrefixEnd(std::move(bounds.end));
  return bounds;
}

}  // namespace kw::engine
