// SPDX-License-Identifier: Apache-2.0
#include "api/ops/describe_contributor_insights.h"

#include <array>
#include <utility>

#include "api/ops/contributor_insights.h"
#include "api/ops/table_description.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 2> kMembers{{
    {"TableName", &kTableArn, kRequired},
    {"IndexName", &kIndexName},
}};

}  // namespace

constexpr Shape kDescribeContributorInsightsInput{
    .kind = ShapeKind::kStructure, .name = "DescribeContributorInsightsInput", .members = kMembers};

Result<Parsed<DescribeContributorInsights::Request, DescribeContributorInsights::Echo>>
DescribeContributorInsights::Parse(JsonValue body, const engine::CallContext& call) {
  const Fields<kDescribeContributorInsightsInput> fields(body);
  Request request;
  TRY_ASSIGN(request.table, ParseTable(fields.Get<"TableName">().string(), call));
  if (const auto index = fields.String<"IndexName">()) request.index = std::string(*index);
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<DescribeContributorInsights::Response> DescribeContributorInsights::Run(
    engine::Engine& engine, const engine::CallContext& /*call*/, Request request) {
  return engine::DescribeContributorInsights(engine, request.table, request.index);
}

void DescribeContributorInsights::Render(const Echo& /*echo*/, const Response& response,
                                         JsonWriter& out) {
  out.BeginObject();
  WriteInsightsName(response, out);
  if (!response.rules.empty()) {
    out.Key("ContributorInsightsRuleList");
    out.BeginArray();
    for (const auto& rule : response.rules) out.String(rule);
    out.EndArray();
  }
  out.Member("ContributorInsightsStatus", WireName(response.status));
  if (response.updated_at) WriteTime("LastUpdateDateTime", *response.updated_at, out);
  WriteInsightsMode(response, out);
  out.EndObject();
}

}  // namespace kw::api
