// SPDX-License-Identifier: Apache-2.0
// What the three operations of contributor insights share: shapes, and their settings on the wire.
#pragma once

#include <array>
#include <string_view>

#include "api/ops/item_shapes.h"
#include "api/shapes.h"
#include "engine/contributor_insights.h"

namespace kw::api {

inline constexpr std::array<std::string_view, 2> kInsightsActionValues{"ENABLE", "DISABLE"};
inline constexpr Shape kInsightsAction{.kind = ShapeKind::kString,
                                       .name = "ContributorInsightsAction",
                                       .values = kInsightsActionValues};
inline constexpr std::array<std::string_view, 2> kInsightsModeValues{"ACCESSED_AND_THROTTLED_KEYS",
                                                                     "THROTTLED_KEYS"};
inline constexpr Shape kInsightsMode{
    .kind = ShapeKind::kString, .name = "ContributorInsightsMode", .values = kInsightsModeValues};

std::string_view WireName(engine::InsightsMode mode);
std::string_view WireName(engine::InsightsStatus status);

// TableName, and IndexName if there is one.
void WriteInsightsName(const engine::InsightsDescription& insights, JsonWriter& out);
// ContributorInsightsMode, once it is known.
void WriteInsightsMode(const engine::InsightsDescription& insights, JsonWriter& out);

}  // namespace kw::api
