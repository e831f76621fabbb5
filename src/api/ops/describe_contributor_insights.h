// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "engine/contributor_insights.h"

namespace kw::api {

extern const Shape kDescribeContributorInsightsInput;

struct DescribeContributorInsights {
  static constexpr std::string_view kName = "DescribeContributorInsights";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kDescribeContributorInsightsInput;
  struct Request {
    engine::TableKey table;
    std::optional<std::string> index;
  };
  using Response = engine::InsightsDescription;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
