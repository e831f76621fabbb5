// SPDX-License-Identifier: Apache-2.0
// What every operation with expressions does with its parameters before the expressions themselves.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "api/ops/wording.h"
#include "base/json.h"
#include "expr/placeholders.h"
#include "expr/projection.h"

namespace kw::api {

struct SentParameter {
  std::string_view name;
  bool sent;
};

// Errors: Validation, if parameters from before expressions meet expressions.
Result<void> CheckNotMixed(Dialect dialect, std::initializer_list<SentParameter> old_parameters,
                           std::initializer_list<SentParameter> expressions);

// ExpressionAttributeNames and ExpressionAttributeValues; null where they were not sent.
// Errors: Validation, if they were sent without any expression, or are faulty themselves.
Result<Placeholders> ParsePlaceholders(Dialect dialect, const JsonValue* names,
                                       const JsonValue* values, bool any_expression);

// ProjectionExpression or AttributesToGet; at most one of them was sent.
Result<std::optional<Projection>> ParseProjection(Dialect dialect,
                                                  std::optional<std::string_view> expression,
                                                  const JsonValue* attributes_to_get,
                                                  Placeholders& placeholders);

}  // namespace kw::api
