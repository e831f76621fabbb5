// SPDX-License-Identifier: Apache-2.0
// The shapes of CreateTable and UpdateTable that both use, with the model's limits.
// Source: the service model (com.amazonaws.dynamodb.v20120810), 2026-11; the orders of enum values
// are those of the service's messages (assumed).
#pragma once

#include <array>
#include <string_view>

#include "api/ops/item_shapes.h"
#include "api/shapes.h"

namespace kw::api {

inline constexpr Shape kLong{.kind = ShapeKind::kLong, .name = "LongObject"};

// ---- keys ----

inline constexpr Shape kKeyAttributeName{
    .kind = ShapeKind::kString, .name = "KeySchemaAttributeName", .min = 1, .max = 255};
inline constexpr std::array<std::string_view, 3> kScalarTypeValues{"B", "N", "S"};
inline constexpr Shape kScalarType{
    .kind = ShapeKind::kString, .name = "ScalarAttributeType", .values = kScalarTypeValues};
inline constexpr std::array<ShapeMember, 2> kDefinitionMembers{{
    {"AttributeName", &kKeyAttributeName, kRequired},
    {"AttributeType", &kScalarType, kRequired},
}};
inline constexpr Shape kDefinition{
    .kind = ShapeKind::kStructure, .name = "AttributeDefinition", .members = kDefinitionMembers};
inline constexpr Shape kDefinitions{
    .kind = ShapeKind::kList, .name = "AttributeDefinitions", .element = &kDefinition};

inline constexpr std::array<std::string_view, 2> kKeyTypeValues{"HASH", "RANGE"};
inline constexpr Shape kKeyType{
    .kind = ShapeKind::kString, .name = "KeyType", .values = kKeyTypeValues};
inline constexpr std::array<ShapeMember, 2> kKeyElementMembers{{
    {"AttributeName", &kKeyAttributeName, kRequired},
    {"KeyType", &kKeyType, kRequired},
}};
inline constexpr Shape kKeyElement{
    .kind = ShapeKind::kStructure, .name = "KeySchemaElement", .members = kKeyElementMembers};
// Of a table and of a local index; global indexes may have more elements.
inline constexpr Shape kKeySchema{
    .kind = ShapeKind::kList, .name = "KeySchema", .min = 1, .max = 2, .element = &kKeyElement};
inline constexpr Shape kGlobalKeySchema{
    .kind = ShapeKind::kList, .name = "KeySchema", .min = 1, .element = &kKeyElement};

inline constexpr std::array<std::string_view, 3> kProjectionTypeValues{"ALL", "INCLUDE",
                                                                       "KEYS_ONLY"};
inline constexpr Shape kProjectionType{
    .kind = ShapeKind::kString, .name = "ProjectionType", .values = kProjectionTypeValues};
inline constexpr Shape kNonKeyAttributeName{
    .kind = ShapeKind::kString, .name = "NonKeyAttributeName", .min = 1, .max = 255};
inline constexpr Shape kNonKeyAttributes{.kind = ShapeKind::kList,
                                         .name = "NonKeyAttributeNameList",
                                         .min = 1,
                                         .max = 20,
                                         .element = &kNonKeyAttributeName};
inline constexpr std::array<ShapeMember, 2> kProjectionMembers{{
    {"ProjectionType", &kProjectionType},
    {"NonKeyAttributes", &kNonKeyAttributes},
}};
inline constexpr Shape kProjection{
    .kind = ShapeKind::kStructure, .name = "Projection", .members = kProjectionMembers};

// ---- capacity ----

inline constexpr std::array<std::string_view, 2> kBillingModeValues{"PROVISIONED",
                                                                    "PAY_PER_REQUEST"};
inline constexpr Shape kBillingMode{
    .kind = ShapeKind::kString, .name = "BillingMode", .values = kBillingModeValues};
inline constexpr Shape kPositiveLong{
    .kind = ShapeKind::kLong, .name = "PositiveLongObject", .min = 1};
// The order in which the service reports them.
// observed: ack-api-quirks DDB-TABLE-058.
inline constexpr std::array<ShapeMember, 2> kProvisionedMembers{{
    {"WriteCapacityUnits", &kPositiveLong, kRequired},
    {"ReadCapacityUnits", &kPositiveLong, kRequired},
}};
inline constexpr Shape kProvisioned{
    .kind = ShapeKind::kStructure, .name = "ProvisionedThroughput", .members = kProvisionedMembers};
inline constexpr std::array<ShapeMember, 2> kOnDemandMembers{{
    {"MaxReadRequestUnits", &kLong},
    {"MaxWriteRequestUnits", &kLong},
}};
inline constexpr Shape kOnDemand{
    .kind = ShapeKind::kStructure, .name = "OnDemandThroughput", .members = kOnDemandMembers};
inline constexpr std::array<ShapeMember, 2> kWarmMembers{{
    {"ReadUnitsPerSecond", &kLong},
    {"WriteUnitsPerSecond", &kLong},
}};
inline constexpr Shape kWarm{
    .kind = ShapeKind::kStructure, .name = "WarmThroughput", .members = kWarmMembers};

// ---- the rest ----

inline constexpr std::array<std::string_view, 4> kStreamViewValues{
    "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY"};
inline constexpr Shape kStreamViewType{
    .kind = ShapeKind::kString, .name = "StreamViewType", .values = kStreamViewValues};
inline constexpr std::array<ShapeMember, 2> kStreamMembers{{
    {"StreamEnabled", &kBoolean, kRequired},
    {"StreamViewType", &kStreamViewType},
}};
inline constexpr Shape kStream{
    .kind = ShapeKind::kStructure, .name = "StreamSpecification", .members = kStreamMembers};

inline constexpr std::array<std::string_view, 2> kSseTypeValues{"AES256", "KMS"};
inline constexpr Shape kSseType{
    .kind = ShapeKind::kString, .name = "SSEType", .values = kSseTypeValues};
inline constexpr std::array<ShapeMember, 3> kSseMembers{{
    {"Enabled", &kBoolean},
    {"SSEType", &kSseType},
    {"KMSMasterKeyId", &kString},
}};
inline constexpr Shape kSse{
    .kind = ShapeKind::kStructure, .name = "SSESpecification", .members = kSseMembers};

// Keys and values of tags are checked by meaning (ops/tags.h), not by shape.
// observed: ack-api-quirks DDB-TABLE-442.
inline constexpr std::array<ShapeMember, 2> kTagMembers{{
    {"Key", &kString},
    {"Value", &kString},
}};
inline constexpr Shape kTag{.kind = ShapeKind::kStructure, .name = "Tag", .members = kTagMembers};
inline constexpr Shape kResourceArn{
    .kind = ShapeKind::kString, .name = "ResourceArnString", .min = 1, .max = 1283};
inline constexpr Shape kTagList{.kind = ShapeKind::kList, .name = "TagList", .element = &kTag};

// ---- global indexes, as CreateTable's list and UpdateTable's Create have them ----

inline constexpr std::array<ShapeMember, 6> kGlobalIndexMembers{{
    {"IndexName", &kIndexName, kRequired},
    {"KeySchema", &kGlobalKeySchema, kRequired},
    {"Projection", &kProjection, kRequired},
    {"ProvisionedThroughput", &kProvisioned},
    {"OnDemandThroughput", &kOnDemand},
    {"WarmThroughput", &kWarm},
}};
inline constexpr Shape kGlobalIndex{
    .kind = ShapeKind::kStructure, .name = "GlobalSecondaryIndex", .members = kGlobalIndexMembers};
inline constexpr Shape kGlobalIndexCreate{.kind = ShapeKind::kStructure,
                                          .name = "CreateGlobalSecondaryIndexAction",
                                          .members = kGlobalIndexMembers};

}  // namespace kw::api
