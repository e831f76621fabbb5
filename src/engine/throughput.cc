// SPDX-License-Identifier: Apache-2.0
#include "engine/throughput.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "data/limits.h"

namespace kw::engine {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

constexpr std::int64_t kClear = -1;  // of an on-demand maximum

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

bool SameDay(TimePoint a, TimePoint b) {
  return std::chrono::floor<std::chrono::days>(a) == std::chrono::floor<std::chrono::days>(b);
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
  auto next = now;
  next.read_units = asked.read_units;
  next.write_units = asked.write_units;
  // One call counts once, and as a decrease if either falls.
  if (asked.read_units < now.read_units || asked.write_units < now.write_units) {
    const bool first_today = !now.decreased_at || !SameDay(*now.decreased_at, at);
    next.decreases_today = first_today ? 1 : now.decreases_today + 1;
    next.decreased_at = at;
  } else {
    next.increased_at = at;
  }
  return next;
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
