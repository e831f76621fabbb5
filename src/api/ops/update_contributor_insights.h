// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "engine/contributor_insights.h"

namespace kw::api {

extern const Shape kUpdateContributorInsightsInput;

struct UpdateContributorInsights {
  static constexpr std::string_view kName = "UpdateContributorInsights";
  static constexpr Access kAccess = Access::kControl;
  static constexpr const Shape& kInput = kUpdateContributorInsightsInput;
  using Request = engine::InsightsRequest;
  using Response = engine::InsightsDescription;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
