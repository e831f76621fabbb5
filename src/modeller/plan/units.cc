// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace kw::modeller {
namespace {

constexpr std::int64_t kMicrosPerHour = std::int64_t{3600} * 1'000'000;
constexpr std::int64_t kMicrosPerDay = 24 * kMicrosPerHour;

std::int64_t FloorDiv(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Digits of the plain text, moved by `scale`; digits that are left behind the point round down.
Steps NumberSteps(const Number& number, int scale) {
  const std::string text = number.ToString();
  constexpr std::int64_t kMax = std::int64_t{1} << 62;  // bounds may still be stepped over
  std::int64_t count = 0;
  bool exact = true;
  int places = -1;  // digits taken behind the point; -1: before it
  const auto take = [&](int digit) {
    if (count > (kMax - digit) / 10) {
      count = kMax;
    } else if (count != kMax) {
      count = count * 10 + digit;
    }
  };
  for (const char c : text) {
    if (c == '-') continue;
    if (c == '.') {
      places = 0;
    } else if (places < scale) {
      take(c - '0');
      if (places >= 0) ++places;
    } else {
      exact = exact && c == '0';
    }
  }
  for (int i = std::max(places, 0); i < scale; ++i) take(0);
  if (!number.negative()) return {count, exact};
  return {exact || count == kMax ? -count : -count - 1, exact};
}

struct Moments {  // microseconds, the end not included
  std::int64_t first = 0;
  std::int64_t end = 0;
};

Moments MonthAround(std::int64_t days) {
  using std::chrono::sys_days;
  const std::chrono::year_month_day day{sys_days(std::chrono::days(days))};
  const auto first = day.year() / day.month() / std::chrono::day(1);
  const auto micros = [](const std::chrono::year_month_day& of) {
    return sys_days(of).time_since_epoch().count() * kMicrosPerDay;
  };
  return {micros(first), micros(first + std::chrono::months(1))};
}

Moments BucketAround(Bucket bucket, std::int64_t micros) {
  const auto around = [&](std::int64_t width) {
    const auto first = FloorDiv(micros, width) * width;
    return Moments{first, first + width};
  };
  switch (bucket) {
    case Bucket::kHour: return around(kMicrosPerHour);
    case Bucket::kDate: return around(kMicrosPerDay);
    case Bucket::kMonth: return MonthAround(FloorDiv(micros, kMicrosPerDay));
    case Bucket::kNone: break;
  }
  return around(1);
}

std::int64_t MicrosOf(const Attribute& attribute, std::int64_t steps) {
  return attribute.type == FieldType::kDate ? steps * kMicrosPerDay
                                            : steps * MicrosOf(attribute.precision);
}

std::int64_t StepsFrom(const Attribute& attribute, std::int64_t micros) {
  return FloorDiv(
      micros, attribute.type == FieldType::kDate ? kMicrosPerDay : MicrosOf(attribute.precision));
}

}  // namespace

bool IsStepwise(FieldType type) {
  switch (type) {
    case FieldType::kInteger:
    case FieldType::kDecimal:
    case FieldType::kTimestamp:
    case FieldType::kDate:
    case FieldType::kBoolean: return true;
    case FieldType::kString:
    case FieldType::kBinary:
    case FieldType::kList:
    case FieldType::kMap: return false;
  }
  return false;
}

std::optional<Steps> StepsOf(const Attribute& attribute, const Value& value) {
  switch (attribute.type) {
    case FieldType::kInteger:
    case FieldType::kDecimal: {
      const auto* number = std::get_if<Number>(&value);
      if (number == nullptr) return std::nullopt;
      return NumberSteps(*number, attribute.type == FieldType::kDecimal ? attribute.scale : 0);
    }
    case FieldType::kTimestamp: {
      const auto* time = std::get_if<Timestamp>(&value);
      if (time == nullptr) return std::nullopt;
      const auto step = MicrosOf(attribute.precision);
      return Steps{FloorDiv(time->micros, step), time->micros % step == 0};
    }
    case FieldType::kDate: {
      const auto* date = std::get_if<Date>(&value);
      if (date == nullptr) return std::nullopt;
      return Steps{date->days, true};
    }
    case FieldType::kBoolean: {
      const auto* boolean = std::get_if<bool>(&value);
      if (boolean == nullptr) return std::nullopt;
      return Steps{*boolean ? 1 : 0, true};
    }
    case FieldType::kString:
    case FieldType::kBinary:
    case FieldType::kList:
    case FieldType::kMap: return std::nullopt;
  }
  return std::nullopt;
}

Value ValueOf(const Attribute& attribute, std::int64_t steps) {
  switch (attribute.type) {
    case FieldType::kTimestamp: return Timestamp{steps * MicrosOf(attribute.precision)};
    case FieldType::kDate: return Date{static_cast<std::int32_t>(steps)};
    case FieldType::kBoolean: return steps != 0;
    case FieldType::kDecimal:
      return Number::Parse(fmt::format("{}e-{}", steps, attribute.scale)).value_or(Number());
    case FieldType::kInteger:
    case FieldType::kString:
    case FieldType::kBinary:
    case FieldType::kList:
    case FieldType::kMap: break;
  }
  return Number::FromInteger(steps);
}

std::optional<Interval> IntervalOf(const Attribute& attribute, const std::optional<Value>& low,
                                   bool low_inclusive, const std::optional<Value>& high,
                                   bool high_inclusive) {
  Interval interval;
  if (low) {
    const auto steps = StepsOf(attribute, *low);
    if (!steps) return std::nullopt;
    interval.low = steps->count + (steps->exact && low_inclusive ? 0 : 1);
  }
  if (high) {
    const auto steps = StepsOf(attribute, *high);
    if (!steps) return std::nullopt;
    interval.high = steps->count - (steps->exact && !high_inclusive ? 1 : 0);
  }
  return interval;
}

std::optional<Interval> BucketInterval(const Attribute& attribute, Bucket bucket,
                                       const Value& value) {
  std::optional<std::int64_t> micros;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (const auto first = ParseBucket(*text, bucket)) micros = first->micros;
  } else if (const auto* time = std::get_if<Timestamp>(&value)) {
    micros = time->micros;
  } else if (const auto* date = std::get_if<Date>(&value)) {
    micros = date->days * kMicrosPerDay;
  }
  if (!micros) return std::nullopt;
  const auto around = BucketAround(bucket, *micros);
  return Interval{StepsFrom(attribute, around.first), StepsFrom(attribute, around.end - 1)};
}

std::string TimeText(const Attribute& attribute, Bucket bucket, std::int64_t steps) {
  const Timestamp time{MicrosOf(attribute, steps)};
  if (bucket != Bucket::kNone) return FormatBucket(time, bucket);
  if (attribute.type == FieldType::kDate) return FormatDate(Date{static_cast<std::int32_t>(steps)});
  return FormatTimestamp(time, attribute.precision);
}

std::optional<std::int64_t> ParseTime(const Attribute& attribute, std::string_view text) {
  std::int64_t steps = 0;
  if (attribute.type == FieldType::kDate) {
    const auto date = ParseDate(text);
    if (!date) return std::nullopt;
    steps = date->days;
  } else {
    const auto time = ParseTimestamp(text);
    if (!time) return std::nullopt;
    steps = StepsFrom(attribute, time->micros);
  }
  // One form for each moment: what does not write back the same was not ours.
  if (TimeText(attribute, Bucket::kNone, steps) != text) return std::nullopt;
  return steps;
}

}  // namespace kw::modeller
