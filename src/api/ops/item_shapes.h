// SPDX-License-Identifier: Apache-2.0
// The shapes that several operations share, with the model's limits.
// Source: the service model (com.amazonaws.dynamodb.v20120810), 2026-11; the orders of enum values
// are those of the service's messages (assumed).
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "api/shapes.h"

namespace kw::api {

// Since 2024 a table's name or its ARN; the name's own rules are ParseTable's.
inline constexpr Shape kTableArn{
    .kind = ShapeKind::kString, .name = "TableArn", .min = 1, .max = 1024};

inline constexpr Pattern kNamePattern{
    .text = "[a-zA-Z0-9_.-]+", .matches = [](std::string_view name) {
      return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '-';
      });
    }};
inline constexpr Shape kIndexName{.kind = ShapeKind::kString,
                                  .name = "IndexName",
                                  .min = 3,
                                  .max = 255,
                                  .pattern = &kNamePattern};

inline constexpr Shape kAttributeName{
    .kind = ShapeKind::kString, .name = "AttributeName", .max = 65535};
inline constexpr Shape kAttributeNameList{
    .kind = ShapeKind::kList, .name = "AttributeNameList", .min = 1, .element = &kAttributeName};
inline constexpr Shape kAttributeValueList{
    .kind = ShapeKind::kList, .name = "AttributeValueList", .element = &kAttributeValue};

// An item, a key, the last key of a page: names to values.
inline constexpr Shape kItemMap{.kind = ShapeKind::kMap,
                                .name = "PutItemInputAttributeMap",
                                .element = &kAttributeValue,
                                .key = &kAttributeName};

inline constexpr Shape kExpression = kString;
inline constexpr Shape kExpressionNames{
    .kind = ShapeKind::kMap, .name = "ExpressionAttributeNameMap", .element = &kAttributeName};
inline constexpr Shape kExpressionValues{
    .kind = ShapeKind::kMap, .name = "ExpressionAttributeValueMap", .element = &kAttributeValue};

inline constexpr std::array<std::string_view, 3> kReturnConsumedValues{"INDEXES", "TOTAL", "NONE"};
inline constexpr Shape kReturnConsumedCapacity{
    .kind = ShapeKind::kString, .name = "ReturnConsumedCapacity", .values = kReturnConsumedValues};
inline constexpr std::array<std::string_view, 2> kReturnMetricsValues{"SIZE", "NONE"};
inline constexpr Shape kReturnItemCollectionMetrics{.kind = ShapeKind::kString,
                                                    .name = "ReturnItemCollectionMetrics",
                                                    .values = kReturnMetricsValues};
inline constexpr std::array<std::string_view, 5> kReturnValueValues{
    "ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"};
inline constexpr Shape kReturnValue{
    .kind = ShapeKind::kString, .name = "ReturnValue", .values = kReturnValueValues};
inline constexpr std::array<std::string_view, 2> kOnFailureValues{"ALL_OLD", "NONE"};
inline constexpr Shape kReturnOnFailure{.kind = ShapeKind::kString,
                                        .name = "ReturnValuesOnConditionCheckFailure",
                                        .values = kOnFailureValues};
inline constexpr std::array<std::string_view, 4> kSelectValues{
    "SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"};
inline constexpr Shape kSelect{
    .kind = ShapeKind::kString, .name = "Select", .values = kSelectValues};

// ---- from before expressions ----

inline constexpr std::array<std::string_view, 2> kConditionalOperatorValues{"OR", "AND"};
inline constexpr Shape kConditionalOperator{.kind = ShapeKind::kString,
                                            .name = "ConditionalOperator",
                                            .values = kConditionalOperatorValues};
inline constexpr std::array<std::string_view, 13> kComparisonValues{
    "IN",       "NULL", "BETWEEN", "LT",          "NOT_CONTAINS", "EQ",      "GT",
    "NOT_NULL", "NE",   "LE",      "BEGINS_WITH", "GE",           "CONTAINS"};
inline constexpr Shape kComparisonOperator{
    .kind = ShapeKind::kString, .name = "ComparisonOperator", .values = kComparisonValues};

inline constexpr std::array<ShapeMember, 2> kConditionMembers{{
    {"AttributeValueList", &kAttributeValueList},
    {"ComparisonOperator", &kComparisonOperator, kRequired},
}};
inline constexpr Shape kCondition{
    .kind = ShapeKind::kStructure, .name = "Condition", .members = kConditionMembers};
inline constexpr Shape kConditionMap{.kind = ShapeKind::kMap,
                                     .name = "FilterConditionMap",
                                     .element = &kCondition,
                                     .key = &kAttributeName};

inline constexpr std::array<ShapeMember, 4> kExpectedMembers{{
    {"Value", &kAttributeValue},
    {"Exists", &kBoolean},
    {"ComparisonOperator", &kComparisonOperator},
    {"AttributeValueList", &kAttributeValueList},
}};
inline constexpr Shape kExpectedValue{
    .kind = ShapeKind::kStructure, .name = "ExpectedAttributeValue", .members = kExpectedMembers};
inline constexpr Shape kExpectedMap{.kind = ShapeKind::kMap,
                                    .name = "ExpectedAttributeMap",
                                    .element = &kExpectedValue,
                                    .key = &kAttributeName};

inline constexpr std::array<std::string_view, 3> kActionValues{"ADD", "PUT", "DELETE"};
inline constexpr Shape kAttributeAction{
    .kind = ShapeKind::kString, .name = "AttributeAction", .values = kActionValues};
inline constexpr std::array<ShapeMember, 2> kValueUpdateMembers{{
    {"Value", &kAttributeValue},
    {"Action", &kAttributeAction},
}};
inline constexpr Shape kValueUpdate{
    .kind = ShapeKind::kStructure, .name = "AttributeValueUpdate", .members = kValueUpdateMembers};
inline constexpr Shape kUpdatesMap{.kind = ShapeKind::kMap,
                                   .name = "AttributeUpdates",
                                   .element = &kValueUpdate,
                                   .key = &kAttributeName};

}  // namespace kw::api
