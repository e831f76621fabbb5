// SPDX-License-Identifier: Apache-2.0
// The rules of capacity settings: what may be asked for, and what a change makes of what stands.
// Source of the numbers: AWS Developer Guide, "Quotas in Amazon DynamoDB", "Warm throughput".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog.h"

namespace kw::engine {

// What every on-demand table and index can serve from the start.
inline constexpr std::int64_t kOnDemandWarmReadUnits = 12000;
inline constexpr std::int64_t kOnDemandWarmWriteUnits = 4000;

// Whose capacity it is, as messages name it.
struct CapacityOwner {
  std::string_view region;
  std::optional<std::string_view> index;  // absent: the table itself
};

// Errors: LimitExceeded over the quota of one table or index.
Result<void> CheckProvisioned(const CapacityOwner& owner, const Provisioned& asked);

// What stands, with the day's decreases as of now: they count from midnight UTC.
Provisioned AsOf(Provisioned provisioned, TimePoint now);

// Errors: Validation if nothing changes; as CheckProvisioned; LimitExceeded for too many decreases.
Result<Provisioned> ChangeProvisioned(const CapacityOwner& owner, const Provisioned& now,
                                      const Provisioned& asked, TimePoint at);

// Switches are remembered up to this many.
inline constexpr std::size_t kSwitchesToOnDemandMax = 4;
// Errors: LimitExceeded after so many switches in 24 hours (assumed: the sentence).
Result<void> CheckSwitchToOnDemand(const std::vector<TimePoint>& switches, TimePoint at);

// Warm throughput never falls: what stands, raised to what is provisioned.
WarmThroughput RaiseWarm(const std::optional<WarmThroughput>& now, BillingMode billing,
                         const Provisioned& provisioned);
// Errors: Validation for what a new table or index would have anyway.
Result<WarmThroughput> StartWarm(const CapacityOwner& owner,
                                 const std::optional<WarmThroughput>& asked, BillingMode billing,
                                 const Provisioned& provisioned);
// Errors: Validation for less than what stands.
Result<WarmThroughput> ChangeWarm(const CapacityOwner& owner, const WarmThroughput& now,
                                  const WarmThroughput& asked);

// What a new table or index begins with. Errors: as ChangeOnDemand; -1 is out of range as well.
Result<std::optional<OnDemandMaximum>> StartOnDemand(const CapacityOwner& owner,
                                                     const std::optional<OnDemandMaximum>& asked,
                                                     BillingMode billing);
// Member by member; -1 takes a maximum away. Errors: Validation for a number out of range, or when
// the table is provisioned.
Result<std::optional<OnDemandMaximum>> ChangeOnDemand(const CapacityOwner& owner,
                                                      const std::optional<OnDemandMaximum>& now,
                                                      const OnDemandMaximum& asked,
                                                      BillingMode billing);

}  // namespace kw::engine
