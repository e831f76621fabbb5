// SPDX-License-Identifier: Apache-2.0
// The TableName parameter: a name, or since 2024 the table's ARN.
#pragma once

#include <string_view>

#include "data/error.h"
#include "engine/engine.h"

namespace kw::api {

// The table is in the caller's account and region, whatever an ARN says that may say anything.
// Errors: Validation, for a name of wrong length or characters and for an ARN of no table;
// AccessDenied, for an ARN of another account or region where these are told apart.
Result<engine::TableKey> ParseTable(std::string_view name_or_arn, const engine::CallContext& call);

}  // namespace kw::api
