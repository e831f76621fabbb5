// SPDX-License-Identifier: Apache-2.0
// The shapes that the operations on streams share, with the model's limits.
// Source: the service model (com.amazonaws.dynamodb.v20120810, DynamoDB Streams), 2026-11.
#pragma once

#include <string_view>

#include "api/shapes.h"

namespace kw::api {

inline constexpr std::string_view kStreamsTarget = "DynamoDBStreams_20120810.";

inline constexpr Shape kStreamArn{
    .kind = ShapeKind::kString, .name = "StreamArn", .min = 37, .max = 1024};
inline constexpr Shape kShardId{
    .kind = ShapeKind::kString, .name = "ShardId", .min = 28, .max = 65};

// Of streams and of shards in one answer.
inline constexpr std::int64_t kStreamListMax = 100;
inline constexpr Shape kStreamListLimit{
    .kind = ShapeKind::kInteger, .name = "PositiveIntegerObject", .min = 1, .max = kStreamListMax};

}  // namespace kw::api
