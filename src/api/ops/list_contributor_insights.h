// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "engine/contributor_insights.h"

namespace kw::api {

extern const Shape kListContributorInsightsInput;

struct ListContributorInsights {
  static constexpr std::string_view kName = "ListContributorInsights";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kListContributorInsightsInput;
  struct Request {
    std::optional<engine::TableKey> table;
    std::optional<engine::InsightsPlace> after;
    std::size_t max = 0;
  };
  using Response = engine::InsightsList;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
