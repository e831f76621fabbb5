// SPDX-License-Identifier: Apache-2.0
#include "api/ops/contributor_insights.h"

namespace kw::api {

std::string_view WireName(engine::InsightsMode mode) {
  switch (mode) {
    case engine::InsightsMode::kAccessedAndThrottledKeys: return kInsightsModeValues[0];
    case engine::InsightsMode::kThrottledKeys: return kInsightsModeValues[1];
  }
  return "";
}

std::string_view WireName(engine::InsightsStatus status) {
  switch (status) {
    case engine::InsightsStatus::kEnabling: return "ENABLING";
    case engine::InsightsStatus::kEnabled: return "ENABLED";
    case engine::InsightsStatus::kDisabling: return "DISABLING";
    case engine::InsightsStatus::kDisabled: return "DISABLED";
  }
  return "";
}

void WriteInsightsName(const engine::InsightsDescription& insights, JsonWriter& out) {
  out.Member("TableName", insights.table);
  if (insights.index) out.Member("IndexName", *insights.index);
}

void WriteInsightsMode(const engine::InsightsDescription& insights, JsonWriter& out) {
  if (insights.mode) out.Member("ContributorInsightsMode", WireName(*insights.mode));
}

}  // namespace kw::api
