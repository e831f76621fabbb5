// SPDX-License-Identifier: Apache-2.0
#include "api/ops/update_contributor_insights.h"

#include <array>
#include <utility>

#include "api/ops/contributor_insights.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 4> kMembers{{
    {"TableName", &kTableArn, kRequired},
    {"IndexName", &kIndexName},
    {"ContributorInsightsAction", &kInsightsAction, kRequired},
    {"ContributorInsightsMode", &kInsightsMode},
}};

}  // namespace

constexpr Shape kUpdateContributorInsightsInput{
    .kind = ShapeKind::kStructure, .name = "UpdateContributorInsightsInput", .members = kMembers};

Result<Parsed<UpdateContributorInsights::Request, UpdateContributorInsights::Echo>>
UpdateContributorInsights::Parse(JsonValue body, const engine::CallContext& call) {
  const Fields<kUpdateContributorInsightsInput> fields(body);
  Request request;
  TRY_ASSIGN(request.table, ParseTable(fields.Get<"TableName">().string(), call));
  if (const auto index = fields.String<"IndexName">()) request.index = std::string(*index);
  request.action = fields.Get<"ContributorInsightsAction">().string() == kInsightsActionValues[0]
                       ? engine::InsightsAction::kEnable
                       : engine::InsightsAction::kDisable;
  if (fields.String<"ContributorInsightsMode">() == kInsightsModeValues[1]) {
    request.mode = engine::InsightsMode::kThrottledKeys;
  }
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<UpdateContributorInsights::Response> UpdateContributorInsights::Run(
    engine::Engine& engine, const engine::CallContext& /*call*/, Request request) {
  return engine::UpdateContributorInsights(engine, request);
}

void UpdateContributorInsights::Render(const Echo& /*echo*/, const Response& response,
                                       JsonWriter& out) {
  out.BeginObject();
  WriteInsightsName(response, out);
  out.Member("ContributorInsightsStatus", WireName(response.status));
  WriteInsightsMode(response, out);
  out.EndObject();
}

}  // namespace kw::api
