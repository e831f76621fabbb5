// SPDX-License-Identifier: Apache-2.0
#include "api/ops/describe_limits.h"

#include "data/limits.h"

namespace kw::api {

constexpr Shape kDescribeLimitsInput{
    .kind = ShapeKind::kStructure, .name = "DescribeLimitsInput", .members = {}};

Result<Parsed<DescribeLimits::Request, DescribeLimits::Echo>> DescribeLimits::Parse(
    JsonValue /*body*/, const engine::CallContext& /*call*/) {
  return Parsed<Request, Echo>{};
}

Result<DescribeLimits::Response> DescribeLimits::Run(engine::Engine& /*engine*/,
                                                     const engine::CallContext& /*call*/,
                                                     Request request) {
  return request;
}

void DescribeLimits::Render(const Echo& /*echo*/, const Response& /*response*/, JsonWriter& out) {
  out.BeginObject();
  out.Member("AccountMaxReadCapacityUnits", limits::kAccountCapacityUnitsMax);
  out.Member("AccountMaxWriteCapacityUnits", limits::kAccountCapacityUnitsMax);
  out.Member("TableMaxReadCapacityUnits", limits::kTableCapacityUnitsMax);
  out.Member("TableMaxWriteCapacityUnits", limits::kTableCapacityUnitsMax);
  out.EndObject();
}

}  // namespace kw::api
