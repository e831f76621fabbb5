// SPDX-License-Identifier: Apache-2.0
// Values of the ordered, stepwise types as whole numbers: cents of a decimal, seconds of a
// timestamp, days of a date. Bounds become closed intervals of them, whatever operator said them,
// and texts of fixed width are written from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "modeller/model/model.h"

namespace kw::modeller {

// True of integer, decimal, timestamp, date and boolean.
bool IsStepwise(FieldType type);

// Both ends belong to it; an absent end is open.
struct Interval {
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
  [[nodiscard]] bool empty() const { return low && high && *low > *high; }
};

// A value in steps of its attribute, rounded down; beyond 62 bits, the nearest that fits.
struct Steps {
  std::int64_t count = 0;
  bool exact = true;
};
// Nothing if the value is absent or of another type.
std::optional<Steps> StepsOf(const Attribute& attribute, const Value& value);
// The value that stands so many steps from zero.
Value ValueOf(const Attribute& attribute, std::int64_t steps);

// The steps that `BETWEEN` bounds leave; nothing if a bound's value has another type.
std::optional<Interval> IntervalOf(const Attribute& attribute, const std::optional<Value>& low,
                                   bool low_inclusive, const std::optional<Value>& high,
                                   bool high_inclusive);
// The steps inside one bucket, said as its text (`2026-06`, `2026-06-23T14`) or by any moment in
// it.
std::optional<Interval> BucketInterval(const Attribute& attribute, Bucket bucket,
                                       const Value& value);

// `2026-06-23T14:00:00Z` in the attribute's precision, `2026-06-23` of a date, or a bucket's text.
std::string TimeText(const Attribute& attribute, Bucket bucket, std::int64_t steps);
// Reads what TimeText writes without a bucket.
std::optional<std::int64_t> ParseTime(const Attribute& attribute, std::string_view text);

}  // namespace kw::modeller
