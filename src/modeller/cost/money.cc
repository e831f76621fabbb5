// SPDX-License-Identifier: Apache-2.0
#include "modeller/cost/money.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace kw::modeller {
namespace {

constexpr std::int64_t kNano = 1'000'000'000;
constexpr std::int64_t kDollarsMax = 1'000'000'000;

std::string WithCommas(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

}  // namespace

std::optional<NanoDollars> ParseDollars(std::string_view text) {
  std::int64_t value = 0;
  int places = -1;
  if (text.starts_with('.')) return std::nullopt;
  for (const char c : text) {
    if (c == '.' && places < 0) {
      places = 0;
      continue;
    }
    if (c < '0' || c > '9' || places == 9 || value >= kDollarsMax * kNano / 10) return std::nullopt;
    value = value * 10 + (c - '0');
    if (places >= 0) ++places;
  }
  if (text.empty() || places == 0) return std::nullopt;
  for (int place = std::max(places, 0); place < 9; ++place) {
    if (value >= kDollarsMax * kNano / 10) return std::nullopt;
    value *= 10;
  }
  return NanoDollars(value);
}

std::string FormatDollars(NanoDollars amount) {
  const std::string sign = amount.value() < 0 ? "-" : "";
  const std::int64_t nano = amount.value() < 0 ? -amount.value() : amount.value();
  if (nano == 0 || nano >= kNano / 10) {
    const std::int64_t cents = (nano + kNano / 200) / (kNano / 100);
    return fmt::format("{}${}.{:02}", sign, WithCommas(cents / 100), cents % 100);
  }
  std::int64_t unit = 1;  // of the last digit shown
  while (nano / unit >= 10'000) unit *= 10;
  std::string digits = fmt::format("{:09}", (nano + unit / 2) / unit * unit);
  digits.erase(std::max<std::size_t>(digits.find_last_not_of('0') + 1, 2));
  return fmt::format("{}$0.{}", sign, digits);
}

std::string FormatPrice(NanoDollars price) {
  const std::string digits = fmt::format("{:09}", price.value() % kNano);
  const std::size_t places = std::max<std::size_t>(digits.find_last_not_of('0') + 1, 2);
  return fmt::format("${}.{}", WithCommas(price.value() / kNano), digits.substr(0, places));
}

NanoDollars Price(Int128 count, NanoDollars price, std::int64_t per) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const Int128 sum = (count * price.value() + per / 2) / per;
  return NanoDollars(sum > kMost ? kMost : static_cast<std::int64_t>(sum));
}

}  // namespace kw::modeller
