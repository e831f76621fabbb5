// SPDX-License-Identifier: Apache-2.0
// Key conditions: parsed before the table is known, resolved against its key into one range.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/table_schema.h"
#include "expr/placeholders.h"

namespace kw {

enum class KeyOperator : std::uint8_t {
  kEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kBetween,
  kBeginsWith
};

// One comparison of one attribute. `high` is set for kBetween only (both ends belong to the range).
struct KeyComparison {
  std::string attribute;
  KeyOperator op;
  AttributeValue value;
  std::optional<AttributeValue> high;
};

// One partition, and a contiguous range of its sort keys.
struct KeyRange {
  std::vector<AttributeValue> partition;  // a value for each partition attribute, in schema order
  std::vector<AttributeValue>
      sort_equal;                     // leading sort attributes by equality (multi-attribute keys)
  std::optional<KeyComparison> sort;  // the last, ranged one; never kEqual
};

class KeyCondition {
 public:
  // Errors: Validation, "Invalid KeyConditionExpression: ...": syntax, operators that keys lack
  // (OR, NOT, <>, IN, functions other than begins_with), the same attribute twice, BETWEEN with its
  // ends swapped.
  static Result<KeyCondition> Parse(std::string_view text, Placeholders& placeholders);
  // The legacy KeyConditions parameter (legacy.h builds the comparisons).
  static KeyCondition OfComparisons(std::vector<KeyComparison> comparisons) {
    return KeyCondition(std::move(comparisons));
  }

  // Errors: Validation: "Query condition missed key schema element: pk", "Query key condition not
  // supported", a type mismatch, an empty key value.
  [[nodiscard]] Result<KeyRange> Resolve(const KeySchema& key) const;

  [[nodiscard]] const std::vector<KeyComparison>& comparisons() const { return comparisons_; }

 private:
  explicit KeyCondition(std::vector<KeyComparison> comparisons)
      : comparisons_(std::move(comparisons)) {}
  std::vector<KeyComparison> comparisons_;
};

}  // namespace kw
