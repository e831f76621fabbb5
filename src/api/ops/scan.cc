// SPDX-License-Identifier: Apache-2.0
#include "api/ops/scan.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"
#include "data/limits.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kScanOrBatch;

constexpr Shape kPositive{.kind = ShapeKind::kInteger, .name = "PositiveIntegerObject", .min = 1};
constexpr Shape kTotalSegments{.kind = ShapeKind::kInteger,
                               .name = "ScanTotalSegments",
                               .min = 1,
                               .max = limits::kScanSegmentsMax};
constexpr Shape kSegment{.kind = ShapeKind::kInteger,
                         .name = "ScanSegment",
                         .min = 0,
                         .max = limits::kScanSegmentsMax - 1};

constexpr std::array<ShapeMember, 16> kMembers{{
    {"TableName", &kTableArn, kRequired},
    {"IndexName", &kIndexName},
    {"AttributesToGet", &kAttributeNameList},
    {"Limit", &kPositive},
    {"Select", &kSelect},
    {"ScanFilter", &kConditionMap},
    {"ConditionalOperator", &kConditionalOperator},
    {"ExclusiveStartKey", &kItemMap},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
    {"TotalSegments", &kTotalSegments},
    {"Segment", &kSegment},
    {"ProjectionExpression", &kExpression},
    {"FilterExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
    {"ExpressionAttributeValues", &kExpressionValues},
    {"ConsistentRead", &kBoolean},
}};

Result<void> CheckSegments(std::optional<std::int64_t> segment,
                           std::optional<std::int64_t> segments) {
  if (segment && !segments) {
    return Invalid(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (segments && !segment) {
    return Invalid(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (segment && *segment >= *segments) {
    return Invalid(fmt::format(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
        "Segment: {} is not less than TotalSegments: {}",
        *segment, *segments));
  }
  return {};
}

}  // namespace

constexpr Shape kScanInput{.kind = ShapeKind::kStructure, .name = "ScanInput", .members = kMembers};

Result<Parsed<Scan::Request, Scan::Echo>> Scan::Parse(JsonValue body,
                                                      const engine::CallContext& call) {
  const Fields<kScanInput> fields(body);
  const PageInput input = ReadPageInput<"ScanFilter">(fields);
  TRY(CheckNotMixed(kDialect,
                    {{"AttributesToGet", fields.Has<"AttributesToGet">()},
                     {"ScanFilter", fields.Has<"ScanFilter">()},
                     {"ConditionalOperator", fields.Has<"ConditionalOperator">()}},
                    {{"ProjectionExpression", input.projection_expression.has_value()},
                     {"FilterExpression", input.filter_expression.has_value()}}));
  const auto segment = fields.Integer<"Segment">();
  const auto segments = fields.Integer<"TotalSegments">();
  TRY(CheckSegments(segment, segments));
  TRY_ASSIGN(Placeholders placeholders,
             ParsePlaceholders(kDialect, fields.Find<"ExpressionAttributeNames">(),
                               fields.Find<"ExpressionAttributeValues">(),
                               input.projection_expression || input.filter_expression));
  TRY(CheckSelection(kDialect, input, "Scanning"));
  TRY_ASSIGN(engine::PageRequest page, ParsePage(kDialect, input, call, placeholders));
  TRY(Worded(kDialect, Fault::kRequest, placeholders.CheckAllUsed()));
  return Parsed<Request, Echo>{.request = {.page = std::move(page),
                                           .segment = segment.value_or(0),
                                           .segments = segments.value_or(1)},
                               .echo = PageEchoOf(input)};
}

Result<Scan::Response> Scan::Run(engine::Engine& engine, const engine::CallContext& call,
                                 const Request& request) {
  return engine::Scan(engine, call, request);
}

void Scan::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  RenderPage(echo, response, out);
}

}  // namespace kw::api
