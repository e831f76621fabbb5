// SPDX-License-Identifier: Apache-2.0
// The TableName parameter: a name, or since 2024 the table's ARN.
#pragma once

#include <string_view>

#include "data/error.h"
#include "engine/engine.h"

namespace kw::api {

// A name lives in the caller's account and region, an ARN says its own.
// Errors: Validation, for a name of wrong length or characters and for an ARN of no table.
Result<engine::TableKey> ParseTable(std::string_view name_or_arn, const engine::CallContext& call);

}  // namespace kw::api
