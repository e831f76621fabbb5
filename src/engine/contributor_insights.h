// SPDX-License-Identifier: Apache-2.0
// Contributor insights as tables and global indexes are set to them: enabled, disabled, described.
// What they count is in key_insights.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace kw::engine {

enum class InsightsStatus : std::uint8_t { kEnabling, kEnabled, kDisabling, kDisabled };

// One table or index.
struct InsightsDescription {
  std::string table;
  std::optional<std::string> index = std::nullopt;
  InsightsStatus status = InsightsStatus::kDisabled;
  std::optional<InsightsMode> mode = std::nullopt;  // absent: they were never enabled
  std::optional<TimePoint> updated_at = std::nullopt;
  std::vector<std::string> rules = {};  // names of the service's CloudWatch rules, while enabled
};

enum class InsightsAction : std::uint8_t { kEnable, kDisable };

struct InsightsRequest {
  TableKey table;
  std::optional<std::string> index = std::nullopt;
  InsightsAction action = InsightsAction::kEnable;
  InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys;
};

// Errors of all: ResourceNotFound for the table and for what is no global index of it.

// The answer shows the change under way; it is done when the answer is there. Blocks until durable.
// Errors: Validation while the index is being created.
Result<InsightsDescription> UpdateContributorInsights(Engine& engine,
                                                      const InsightsRequest& request);
Result<InsightsDescription> DescribeContributorInsights(const Engine& engine, const TableKey& table,
                                                        const std::optional<std::string>& index);

// Where a list goes on: behind this table, or behind this index of it.
struct InsightsPlace {
  std::string table;
  std::optional<std::string> index = std::nullopt;
};
struct InsightsList {
  std::vector<InsightsDescription> entries;
  std::optional<InsightsPlace> next = std::nullopt;
};
// What is not disabled, the table before its indexes, at most `max`. `table`: only of that one.
Result<InsightsList> ListContributorInsights(const Engine& engine, const CallContext& call,
                                             const std::optional<TableKey>& table,
                                             const std::optional<InsightsPlace>& after,
                                             std::size_t max);

}  // namespace kw::engine
