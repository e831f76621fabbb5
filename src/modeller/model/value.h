// SPDX-License-Identifier: Apache-2.0
// The plain values of a row, before any key or template: what the SQL of a question speaks of.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "data/attribute_value.h"
#include "data/number.h"

namespace kw::modeller {

// Microseconds since 1970 in UTC, years 0001 to 9999.
struct Timestamp {
  std::int64_t micros = 0;
  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
};
// Days since 1970-01-01.
struct Date {
  std::int32_t days = 0;
  friend auto operator<=>(const Date&, const Date&) = default;
};
struct Bytes {
  std::string bytes;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

// Absent (an optional attribute), or a value of the attribute's type; `Number` for integer and
// decimal, `AttributeValue` for list and map.
using Value =
    std::variant<std::monostate, std::string, Number, bool, Timestamp, Date, Bytes, AttributeValue>;

// One value for each of the entity's attributes, in their order.
using Row = std::vector<Value>;

}  // namespace kw::modeller
