// SPDX-License-Identifier: Apache-2.0
#include "api/ops/describe_endpoints.h"

#include <utility>

namespace kw::api {

constexpr Shape kDescribeEndpointsInput{
    .kind = ShapeKind::kStructure, .name = "DescribeEndpointsRequest", .members = {}};

// Clients that discover endpoints go on with what this answers: the host they asked.
Result<Parsed<DescribeEndpoints::Request, DescribeEndpoints::Echo>> DescribeEndpoints::Parse(
    JsonValue /*body*/, const engine::CallContext& call) {
  return Parsed<Request, Echo>{.request = call.host, .echo = {}};
}

Result<DescribeEndpoints::Response> DescribeEndpoints::Run(engine::Engine& /*engine*/,
                                                           const engine::CallContext& /*call*/,
                                                           Request request) {
  return request;
}

void DescribeEndpoints::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Endpoints");
  out.BeginArray();
  out.BeginObject();
  out.Member("Address", response);
  out.Member("CachePeriodInMinutes", 1440);  // aws-doc: API_DescribeEndpoints
  out.EndObject();
  out.EndArray();
  out.EndObject();
}

}  // namespace kw::api
