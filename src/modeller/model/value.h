// SPDX-License-Identifier: Apache-2.0
// The plain values of a row, before any key or template: what the SQL of a question speaks of.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

enum class TimePrecision : std::uint8_t { kSecond, kMillisecond, kMicrosecond };

// A part of a timestamp that a question groups by, in UTC.
enum class Bucket : std::uint8_t { kNone, kHour, kDate, kMonth };

// How long a moment of this precision is. Units: microseconds.
std::int64_t MicrosOf(TimePrecision precision);

// ISO-8601 in UTC, of a fixed width for each precision: 2026-06-23T14:00:00Z, …:00.000Z and
// …:00.000000Z; what is finer than the precision is cut off. The order of texts is that of times.
std::string FormatTimestamp(Timestamp time, TimePrecision precision);
// Reads any of these widths, and other fractions of up to six digits. Nothing if it is no such
// text.
std::optional<Timestamp> ParseTimestamp(std::string_view text);

// 2026-06-23.
std::string FormatDate(Date date);
std::optional<Date> ParseDate(std::string_view text);

// The start of the timestamp's text that names its bucket: 2026-06-23T14, 2026-06-23 or 2026-06.
std::string FormatBucket(Timestamp time, Bucket bucket);
// The first moment of a bucket written so; of kNone: of a timestamp.
std::optional<Timestamp> ParseBucket(std::string_view text, Bucket bucket);

// Digits with exactly `scale` of them behind the point; the number has no more. 12.50, -0.05, 7.
std::string FormatDecimal(const Number& number, int scale);
// How many digits stand behind the point.
int PlacesOf(const Number& number);

}  // namespace kw::modeller
