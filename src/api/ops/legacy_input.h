// SPDX-License-Identifier: Apache-2.0
// The parameters from before expressions, off the wire into expr/legacy.h. The JSON has passed
// CheckShape; a null pointer is a parameter that was not sent.
#pragma once

#include <optional>
#include <string_view>

#include "api/ops/wording.h"
#include "base/json.h"
#include "expr/legacy.h"

namespace kw::api {

// Expected with its ConditionalOperator; nothing if neither or an empty map was sent.
Result<std::optional<Condition>> ParseExpected(
    Dialect dialect, const JsonValue* expected,
    std::optional<std::string_view> conditional_operator);

// QueryFilter or ScanFilter with its ConditionalOperator.
Result<std::optional<Condition>> ParseFilter(Dialect dialect, const JsonValue* filter,
                                             std::optional<std::string_view> conditional_operator);

Result<KeyCondition> ParseKeyConditions(Dialect dialect, JsonValue conditions);

// AttributeUpdates; nothing if none or an empty map was sent.
Result<std::optional<Update>> ParseAttributeUpdates(Dialect dialect, const JsonValue* updates);

}  // namespace kw::api
