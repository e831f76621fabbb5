// SPDX-License-Identifier: Apache-2.0
// Resource-based policies and what bears them, off the wire.
#pragma once

#include <string_view>

#include "api/shapes.h"
#include "engine/resource_policy.h"

namespace kw::api {

inline constexpr Shape kPolicyRevision{
    .kind = ShapeKind::kString, .name = "PolicyRevisionId", .min = 1, .max = 255};

// A table or a stream. Errors: Validation for ARNs of anything else, in the words of tags.
Result<engine::PolicyTarget> ParsePolicyTarget(std::string_view arn,
                                               const engine::CallContext& call);

// Errors: Validation for what is no policy of a resource, and for a text over the limit.
Result<engine::ResourcePolicyPtr> ParseResourcePolicy(std::string_view text);

}  // namespace kw::api
