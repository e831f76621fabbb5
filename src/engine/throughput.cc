// SPDX-License-Identifier: Apache-2.0
#include "engine/throughput.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "data/limits.h"

namespace kw::engine {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

constexpr std::int64_t kClear = -1;  // of an on-demand maximum

// Source: aws-doc bp-switching-capacity-modes ("up to four times in a 24-hour rolling window").
constexpr std::chrono::hours kSwitchWindow{24};

Result<void> CheckQuota(const CapacityOwner& owner, std::string_view name, std::int64_t asked) {
  if (asked <= limits::kTableCapacityUnitsMax) return {};
  const auto whose = owner.index ? fmt::format(" for index {}", *owner.index) : std::string();
  return Fail(ErrorCode::kLimitExceeded,
              fmt::format("The requested {}{}, {}, is above the per {} maximum for the account in "
                          "{}. Per table maximum: {}. Refer to the Amazon DynamoDB Developer Guide "
                          "for current limits and how to request higher limits.",
                          name, whose, asked, owner.index ? "index" : "table", owner.region,
                          limits::kTableCapacityUnitsMax));
}

Error Unchanged(const CapacityOwner& owner, const Provisioned& now) {
  const auto whose = owner.index ? fmt::format("index {}", *owner.index) : std::string("the table");
  return {ErrorCode::kValidation,
          fmt::format("The provisioned throughput for {0}{1} will not change. The requested value "
                      "equals the current value. Current ReadCapacityUnits provisioned for {1}: "
                      "{2}. Requested ReadCapacityUnits: {2}. Current WriteCapacityUnits "
                      "provisioned for {1}: {3}. Requested WriteCapacityUnits: {3}. Refer to the "
                      "Amazon DynamoDB Developer Guide for current limits and how to request "
                      "higher limits.",
                      owner.index ? "the " : "", whose, now.read_units, now.write_units),
          {}};
}

// Days of the service are days of UTC.
TimePoint MidnightBefore(TimePoint at) { return std::chrono::floor<std::chrono::days>(at); }

// As the service's sentences write it: "Thursday, October 8, 2026 at 11:20:48 PM Coordinated
// Universal Time".
std::string InWords(TimePoint at) {
  constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                  "Thursday", "Friday", "Saturday"};
  constexpr std::array<std::string_view, 12> kMonths{
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(at - day));
  return fmt::format("{}, {} {}, {} at {}:{:02}:{:02} {} Coordinated Universal Time",
                     kDays[std::chrono::weekday(day).c_encoding()],
                     kMonths[static_cast<unsigned>(date.month()) - 1],
                     static_cast<unsigned>(date.day()), static_cast<int>(date.year()),
                     std::chrono::make12(time.hours()).count(), time.minutes().count(),
                     time.seconds().count(), std::chrono::is_am(time.hours()) ? "AM" : "PM");
}

// Source: aws-doc ServiceQuotas ("Decreasing provisioned throughput"); observed: the sentence, that
// the hour counts from the last decrease, and that a new day begins afresh.
constexpr std::int64_t kFreeDecreases = 4;
constexpr std::chrono::hours kDecreasePause{1};

Result<void> CheckDecrease(const Provisioned& now, TimePoint at) {
  if (now.decreases_today < kFreeDecreases) return {};
  const auto next = std::min<TimePoint>(*now.decreased_at + kDecreasePause,
                                        MidnightBefore(at) + std::chrono::days(1));
  if (at >= next) return {};
  return Fail(ErrorCode::kLimitExceeded,
              fmt::format("Subscriber limit exceeded: Provisioned throughput decreases are limited "
                          "within a given UTC day. After the first {} decreases, each subsequent "
                          "decrease in the same UTC day can be performed at most once every {} "
                          "seconds. Number of decreases today: {}. Last decrease at {}. Next "
                          "decrease can be made at {}",
                          kFreeDecreases, std::chrono::seconds(kDecreasePause).count(),
                          now.decreases_today, InWords(*now.decreased_at), InWords(next)));
}

std::string Owner(const CapacityOwner& owner) {
  return owner.index ? fmt::format("index {}", *owner.index) : "table";
}

// On demand, the service starts every table with the same; provisioned, with what is provisioned.
WarmThroughput Floor(BillingMode billing, const Provisioned& provisioned) {
  if (billing == BillingMode::kPayPerRequest) {
    return {kOnDemandWarmReadUnits, kOnDemandWarmWriteUnits};
  }
  return {provisioned.read_units, provisioned.write_units};
}

Error OutOfRange(const CapacityOwner& owner, std::string_view name) {
  return {
      ErrorCode::kValidation,
      fmt::format("{}Requested {} for OnDemandThroughput for {} is outside of valid range",
                  kInvalid, name, owner.index ? fmt::format("index : {}", *owner.index) : "table"),
      {}};
}

Result<std::optional<std::int64_t>> ChangeMaximum(const CapacityOwner& owner, std::string_view name,
                                                  std::optional<std::int64_t> now,
                                                  std::optional<std::int64_t> asked) {
  if (!asked) return now;
  if (*asked == kClear) return std::optional<std::int64_t>();
  if (*asked < 1) return Unexpected(OutOfRange(owner, name));
  if (*asked > limits::kTableCapacityUnitsMax) {
    const auto units = name == "MaxReadRequestUnits" ? "Read" : "Write";
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("Subscriber limit exceeded: Requested {} for OnDemandThroughput for {} "
                            "exceeds TableMax{}CapacityUnits of the account in region {}",
                            name, owner.index ? fmt::format("index : {}", *owner.index) : "table",
                            units, owner.region));
  }
  return asked;
}

}  // namespace

Provisioned AsOf(Provisioned provisioned, TimePoint now) {
  if (provisioned.decreased_at && *provisioned.decreased_at < MidnightBefore(now)) {
    provisioned.decreases_today = 0;
  }
  return provisioned;
}

Result<void> CheckProvisioned(const CapacityOwner& owner, const Provisioned& asked) {
  TRY(CheckQuota(owner, "ReadCapacityUnits", asked.read_units));
  return CheckQuota(owner, "WriteCapacityUnits", asked.write_units);
}

Result<Provisioned> ChangeProvisioned(const CapacityOwner& owner, const Provisioned& now,
                                      const Provisioned& asked, TimePoint at) {
  if (asked.read_units == now.read_units && asked.write_units == now.write_units) {
    return Unexpected(Unchanged(owner, now));
  }
  TRY(CheckProvisioned(owner, asked));
  auto next = AsOf(now, at);
  next.read_units = asked.read_units;
  next.write_units = asked.write_units;
  // One call counts once, and as a decrease if either falls.
  if (asked.read_units < now.read_units || asked.write_units < now.write_units) {
    TRY(CheckDecrease(next, at));
    ++next.decreases_today;
    next.decreased_at = at;
  } else {
    next.increased_at = at;
  }
  return next;
}

Result<void> CheckSwitchToOnDemand(const std::vector<TimePoint>& switches, TimePoint at) {
  const auto recent =
      std::ranges::count_if(switches, [at](TimePoint then) { return then > at - kSwitchWindow; });
  if (recent < static_cast<std::ptrdiff_t>(kSwitchesToOnDemandMax)) return {};
  return Fail(ErrorCode::kLimitExceeded,
              fmt::format("Subscriber limit exceeded: Updates to PayPerRequest mode are limited to "
                          "{} times in 1 day(s).",
                          kSwitchesToOnDemandMax));
}

WarmThroughput RaiseWarm(const std::optional<WarmThroughput>& now, BillingMode billing,
                         const Provisioned& provisioned) {
  auto warm = Floor(billing, provisioned);
  if (now) {
    warm.read_units = std::max(*warm.read_units, now->read_units.value_or(0));
    warm.write_units = std::max(*warm.write_units, now->write_units.value_or(0));
  }
  return warm;
}

Result<WarmThroughput> StartWarm(const CapacityOwner& owner,
                                 const std::optional<WarmThroughput>& asked, BillingMode billing,
                                 const Provisioned& provisioned) {
  const auto floor = Floor(billing, provisioned);
  if (!asked) return floor;
  const auto check = [&](std::string_view name, std::string_view units,
                         std::optional<std::int64_t> value, std::int64_t least) -> Result<void> {
    if (!value || *value >= least) return {};
    const auto bound = billing == BillingMode::kPayPerRequest
                           ? std::string("initial throughput for OnDemand")
                           : fmt::format("{} of ProvisionedThroughput", units);
    return Invalid(fmt::format("{}Requested {} for WarmThroughput for {} is lower than {}",
                               kInvalid, name, Owner(owner), bound));
  };
  TRY(check("ReadUnitsPerSecond", "ReadCapacityUnits", asked->read_units, *floor.read_units));
  TRY(check("WriteUnitsPerSecond", "WriteCapacityUnits", asked->write_units, *floor.write_units));
  return WarmThroughput{asked->read_units.value_or(*floor.read_units),
                        asked->write_units.value_or(*floor.write_units)};
}

Result<WarmThroughput> ChangeWarm(const CapacityOwner& owner, const WarmThroughput& now,
                                  const WarmThroughput& asked) {
  const auto check = [&](std::string_view name, std::optional<std::int64_t> value,
                         std::optional<std::int64_t> least) -> Result<void> {
    if (!value || *value >= least.value_or(0)) return {};
    return Invalid(
        fmt::format("{}Requested {} for WarmThroughput for {} is lower than current "
                    "WarmThroughput, decreasing WarmThroughput is not supported",
                    kInvalid, name, Owner(owner)));
  };
  TRY(check("ReadUnitsPerSecond", asked.read_units, now.read_units));
  TRY(check("WriteUnitsPerSecond", asked.write_units, now.write_units));
  return WarmThroughput{asked.read_units ? asked.read_units : now.read_units,
                        asked.write_units ? asked.write_units : now.write_units};
}

Result<std::optional<OnDemandMaximum>> StartOnDemand(const CapacityOwner& owner,
                                                     const std::optional<OnDemandMaximum>& asked,
                                                     BillingMode billing) {
  if (!asked) return std::optional<OnDemandMaximum>();
  if (asked->read_units == kClear) return Unexpected(OutOfRange(owner, "MaxReadRequestUnits"));
  if (asked->write_units == kClear) return Unexpected(OutOfRange(owner, "MaxWriteRequestUnits"));
  return ChangeOnDemand(owner, std::nullopt, *asked, billing);
}

Result<std::optional<OnDemandMaximum>> ChangeOnDemand(const CapacityOwner& owner,
                                                      const std::optional<OnDemandMaximum>& now,
                                                      const OnDemandMaximum& asked,
                                                      BillingMode billing) {
  if (billing == BillingMode::kProvisioned && (asked.read_units || asked.write_units)) {
    return Invalid(fmt::format(
        "{}{} for OnDemandThroughput{} cannot be specified when the table BillingMode is "
        "PROVISIONED",
        kInvalid, asked.read_units ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
        owner.index ? fmt::format(" for index : {}", *owner.index) : ""));
  }
  auto next = now.value_or(OnDemandMaximum{});
  TRY_ASSIGN(next.read_units,
             ChangeMaximum(owner, "MaxReadRequestUnits", next.read_units, asked.read_units));
  TRY_ASSIGN(next.write_units,
             ChangeMaximum(owner, "MaxWriteRequestUnits", next.write_units, asked.write_units));
  if (!next.read_units && !next.write_units) return std::optional<OnDemandMaximum>();
  return std::optional(next);
}

}  // namespace kw::engine
