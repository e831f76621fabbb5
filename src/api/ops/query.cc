// SPDX-License-Identifier: Apache-2.0
#include "api/ops/query.h"

#include <array>
#include <utility>

#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"
#include "api/ops/legacy_input.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kQuery;

constexpr Shape kPositive{.kind = ShapeKind::kInteger, .name = "PositiveIntegerObject", .min = 1};

constexpr std::array<ShapeMember, 17> kMembers{{
    {"TableName", &kTableArn, kRequired},
    {"IndexName", &kIndexName},
    {"Select", &kSelect},
    {"AttributesToGet", &kAttributeNameList},
    {"Limit", &kPositive},
    {"ConsistentRead", &kBoolean},
    {"KeyConditions", &kConditionMap},
    {"QueryFilter", &kConditionMap},
    {"ConditionalOperator", &kConditionalOperator},
    {"ScanIndexForward", &kBoolean},
    {"ExclusiveStartKey", &kItemMap},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
    {"ProjectionExpression", &kExpression},
    {"FilterExpression", &kExpression},
    {"KeyConditionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
    {"ExpressionAttributeValues", &kExpressionValues},
}};

}  // namespace

constexpr Shape kQueryInput{
    .kind = ShapeKind::kStructure, .name = "QueryInput", .members = kMembers};

namespace {

Result<KeyCondition> ParseKeyCondition(const Fields<kQueryInput>& fields,
                                       Placeholders& placeholders) {
  if (const auto expression = fields.String<"KeyConditionExpression">()) {
    return Worded(kDialect, Fault::kRequest, KeyCondition::Parse(*expression, placeholders));
  }
  if (const JsonValue* conditions = fields.Find<"KeyConditions">()) {
    return ParseKeyConditions(kDialect, *conditions);
  }
  return Worded<KeyCondition>(
      kDialect, Fault::kRequest,
      Invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in "
              "the request."));
}

}  // namespace

Result<Parsed<Query::Request, Query::Echo>> Query::Parse(JsonValue body,
                                                         const engine::CallContext& call) {
  const Fields<kQueryInput> fields(body);
  const PageInput input = ReadPageInput<"QueryFilter">(fields);
  const bool any_expression = input.projection_expression || input.filter_expression ||
                              fields.Has<"KeyConditionExpression">();
  TRY(CheckNotMixed(kDialect,
                    {{"AttributesToGet", fields.Has<"AttributesToGet">()},
                     {"QueryFilter", fields.Has<"QueryFilter">()},
                     {"ConditionalOperator", fields.Has<"ConditionalOperator">()},
                     {"KeyConditions", fields.Has<"KeyConditions">()}},
                    {{"ProjectionExpression", input.projection_expression.has_value()},
                     {"FilterExpression", input.filter_expression.has_value()},
                     {"KeyConditionExpression", fields.Has<"KeyConditionExpression">()}}));
  TRY_ASSIGN(Placeholders placeholders,
             ParsePlaceholders(kDialect, fields.Find<"ExpressionAttributeNames">(),
                               fields.Find<"ExpressionAttributeValues">(), any_expression));
  TRY(CheckSelection(kDialect, input, "Querying"));
  TRY_ASSIGN(KeyCondition key_condition, ParseKeyCondition(fields, placeholders));
  TRY_ASSIGN(engine::PageRequest page, ParsePage(kDialect, input, call, placeholders));
  TRY(Worded(kDialect, Fault::kRequest, placeholders.CheckAllUsed()));
  return Parsed<Request, Echo>{
      .request = {.page = std::move(page),
                  .key_condition = std::move(key_condition),
                  .forward = fields.Boolean<"ScanIndexForward">().value_or(true)},
      .echo = PageEchoOf(input)};
}

Result<Query::Response> Query::Run(engine::Engine& engine, const engine::CallContext& call,
                                   const Request& request) {
  return engine::Query(engine, call, request);
}

void Query::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  RenderPage(echo, response, out);
}

}  // namespace kw::api
