// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/check.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kDay = 86'400 * kSecond;

struct Civil {
  int year;
  unsigned month;
  unsigned day;
};

Civil CivilOf(std::int64_t days) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day())};
}

// Takes exactly `count` digits off the front.
std::optional<int> TakeDigits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool Take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::int32_t> DaysOf(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (year < 1 || !date.ok()) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch().count();
}

std::optional<std::int32_t> TakeMonth(std::string_view& text) {
  const auto year = TakeDigits(text, 4);
  if (!year || !Take(text, '-')) return std::nullopt;
  const auto month = TakeDigits(text, 2);
  if (!month) return std::nullopt;
  return DaysOf(*year, *month, 1);
}

std::optional<std::int32_t> TakeDate(std::string_view& text) {
  const std::string_view whole = text;
  const auto first = TakeMonth(text);
  if (!first || !Take(text, '-')) return std::nullopt;
  const auto day = TakeDigits(text, 2);
  if (!day) return std::nullopt;
  std::string_view start = whole;
  const int year = *TakeDigits(start, 4);
  start.remove_prefix(1);
  return DaysOf(year, *TakeDigits(start, 2), *day);
}

// Digits below `bound`, two of them.
std::optional<int> TakeTwo(std::string_view& text, int bound) {
  const auto number = TakeDigits(text, 2);
  if (!number || *number >= bound) return std::nullopt;
  return number;
}

// The fraction of a second, up to six digits behind a point; none is zero.
std::optional<std::int64_t> TakeFraction(std::string_view& text) {
  if (!Take(text, '.')) return 0;
  std::int64_t micros = 0;
  std::int64_t unit = kSecond;
  while (unit > 1 && !text.empty() && text.front() >= '0' && text.front() <= '9') {
    unit /= 10;
    micros += (text.front() - '0') * unit;
    text.remove_prefix(1);
  }
  if (unit == kSecond) return std::nullopt;
  return micros;
}

}  // namespace

std::int64_t MicrosOf(TimePrecision precision) {
  switch (precision) {
    case TimePrecision::kSecond: return kSecond;
    case TimePrecision::kMillisecond: return 1'000;
    case TimePrecision::kMicrosecond: return 1;
  }
  return kSecond;
}

std::string FormatTimestamp(Timestamp time, TimePrecision precision) {
  const std::int64_t of_day = ((time.micros % kDay) + kDay) % kDay;
  const std::int64_t seconds = of_day / kSecond;
  const std::int64_t fraction = of_day % kSecond;
  const Civil date = CivilOf((time.micros - of_day) / kDay);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", date.year, date.month,
                                 date.day, seconds / 3600, seconds / 60 % 60, seconds % 60);
  switch (precision) {
    case TimePrecision::kSecond: break;
    case TimePrecision::kMillisecond: text += fmt::format(".{:03}", fraction / 1'000); break;
    case TimePrecision::kMicrosecond: text += fmt::format(".{:06}", fraction); break;
  }
  return text + 'Z';
}

std::optional<Timestamp> ParseTimestamp(std::string_view text) {
  const auto days = TakeDate(text);
  if (!days || !Take(text, 'T')) return std::nullopt;
  const auto hour = TakeTwo(text, 24);
  if (!hour || !Take(text, ':')) return std::nullopt;
  const auto minute = TakeTwo(text, 60);
  if (!minute || !Take(text, ':')) return std::nullopt;
  const auto second = TakeTwo(text, 60);
  if (!second) return std::nullopt;
  const auto fraction = TakeFraction(text);
  if (!fraction || text != "Z") return std::nullopt;
  const std::int64_t of_day = (*hour * 60 + *minute) * std::int64_t{60} + *second;
  return Timestamp{*days * kDay + of_day * kSecond + *fraction};
}

std::string FormatDate(Date date) {
  const Civil civil = CivilOf(date.days);
  return fmt::format("{:04}-{:02}-{:02}", civil.year, civil.month, civil.day);
}

std::optional<Date> ParseDate(std::string_view text) {
  const auto days = TakeDate(text);
  if (!days || !text.empty()) return std::nullopt;
  return Date{*days};
}

std::string FormatBucket(Timestamp time, Bucket bucket) {
  std::string text = FormatTimestamp(time, TimePrecision::kMicrosecond);
  switch (bucket) {
    case Bucket::kNone: break;
    case Bucket::kHour: text.resize(13); break;
    case Bucket::kDate: text.resize(10); break;
    case Bucket::kMonth: text.resize(7); break;
  }
  return text;
}

std::optional<Timestamp> ParseBucket(std::string_view text, Bucket bucket) {
  std::optional<std::int32_t> days;
  int hour = 0;
  switch (bucket) {
    case Bucket::kNone: return ParseTimestamp(text);
    case Bucket::kMonth: days = TakeMonth(text); break;
    case Bucket::kDate: days = TakeDate(text); break;
    case Bucket::kHour: {
      days = TakeDate(text);
      if (!days || !Take(text, 'T')) return std::nullopt;
      const auto taken = TakeTwo(text, 24);
      if (!taken) return std::nullopt;
      hour = *taken;
      break;
    }
  }
  if (!days || !text.empty()) return std::nullopt;
  return Timestamp{*days * kDay + hour * 3600 * kSecond};
}

int PlacesOf(const Number& number) {
  const std::string text = number.ToString();
  const std::size_t point = text.find('.');
  return point == text.npos ? 0 : static_cast<int>(text.size() - point - 1);
}

std::string FormatDecimal(const Number& number, int scale) {
  std::string text = number.ToString();
  const int places = PlacesOf(number);
  Check(places <= scale, "a decimal has no more digits than its scale");
  if (scale > 0 && places == 0) text += '.';
  text.append(static_cast<std::size_t>(scale - places), '0');
  return text;
}

}  // namespace kw::modeller
