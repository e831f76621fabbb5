// SPDX-License-Identifier: Apache-2.0
#include "api/ops/list_contributor_insights.h"

#include <array>
#include <utility>

#include "api/ops/contributor_insights.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr std::int64_t kResultsMax = 100;

constexpr Shape kMaxResults{
    .kind = ShapeKind::kInteger, .name = "ListContributorInsightsLimit", .max = kResultsMax};
constexpr std::array<ShapeMember, 3> kMembers{{
    {"TableName", &kTableArn},
    {"NextToken", &kString},
    {"MaxResults", &kMaxResults},
}};

// A token is a table's name, or that and an index's behind a colon.
constexpr char kBetweenNames = ':';

// assumed: the wording.
Result<engine::InsightsPlace> ParseToken(std::string_view token) {
  const auto colon = token.find(kBetweenNames);
  engine::InsightsPlace place{.table = std::string(token.substr(0, colon)), .index = {}};
  if (place.table.empty()) return Invalid("Invalid NextToken");
  if (colon != token.npos) place.index = std::string(token.substr(colon + 1));
  return place;
}

std::string TokenOf(const engine::InsightsPlace& place) {
  return place.index ? place.table + kBetweenNames + *place.index : place.table;
}

}  // namespace

constexpr Shape kListContributorInsightsInput{
    .kind = ShapeKind::kStructure, .name = "ListContributorInsightsInput", .members = kMembers};

Result<Parsed<ListContributorInsights::Request, ListContributorInsights::Echo>>
ListContributorInsights::Parse(JsonValue body, const engine::CallContext& call) {
  const Fields<kListContributorInsightsInput> fields(body);
  Request request;
  if (const auto table = fields.String<"TableName">()) {
    TRY_ASSIGN(request.table, ParseTable(*table, call));
  }
  if (const auto token = fields.String<"NextToken">()) {
    TRY_ASSIGN(request.after, ParseToken(*token));
  }
  // assumed: the wording.
  const auto max = fields.Integer<"MaxResults">().value_or(kResultsMax);
  if (max < 1) return Invalid("MaxResults must be greater than 0");
  request.max = static_cast<std::size_t>(max);
  return Parsed<Request, Echo>{.request = std::move(request), .echo = {}};
}

Result<ListContributorInsights::Response> ListContributorInsights::Run(
    engine::Engine& engine, const engine::CallContext& call, Request request) {
  return engine::ListContributorInsights(engine, call, request.table, request.after, request.max);
}

void ListContributorInsights::Render(const Echo& /*echo*/, const Response& response,
                                     JsonWriter& out) {
  out.BeginObject();
  out.Key("ContributorInsightsSummaries");
  out.BeginArray();
  for (const auto& entry : response.entries) {
    out.BeginObject();
    WriteInsightsName(entry, out);
    out.Member("ContributorInsightsStatus", WireName(entry.status));
    WriteInsightsMode(entry, out);
    out.EndObject();
  }
  out.EndArray();
  if (response.next) out.Member("NextToken", TokenOf(*response.next));
  out.EndObject();
}

}  // namespace kw::api
