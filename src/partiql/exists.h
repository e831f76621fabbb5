// SPDX-License-Identifier: Apache-2.0
// EXISTS(SELECT * FROM table WHERE condition): the condition check of a transaction.
#pragma once

#include "engine/operations.h"
#include "partiql/select.h"

namespace kw::partiql {

struct ExistsStatement {
  Target target;
  Conjuncts where;
};

// The word EXISTS is taken.
Result<ExistsStatement> ParseExists(Parser& parser);

// Errors: Validation, if the WHERE clause does not give the key.
Result<engine::ConditionCheckRequest> RequestOf(ExistsStatement exists, const KeySchema& key);

}  // namespace kw::partiql
