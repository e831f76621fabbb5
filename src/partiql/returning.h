// SPDX-License-Identifier: Apache-2.0
// [RETURNING (ALL | MODIFIED) (OLD | NEW) *]
#pragma once

#include "engine/operations.h"
#include "partiql/parser.h"

namespace kw::partiql {

// Of a DELETE only ALL OLD is legal.
Result<engine::UpdateReturn> ParseUpdateReturning(Parser& parser);
Result<engine::DeleteReturn> ParseDeleteReturning(Parser& parser);

}  // namespace kw::partiql
