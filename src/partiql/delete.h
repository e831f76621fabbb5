// SPDX-License-Identifier: Apache-2.0
// DELETE FROM table WHERE condition [RETURNING ALL OLD *]
#pragma once

#include "engine/operations.h"
#include "partiql/parser.h"
#include "partiql/where.h"

namespace kw::partiql {

struct DeleteStatement {
  Target target;
  Conjuncts where;
  engine::DeleteReturn returns = engine::DeleteReturn::kNone;
};

// The word DELETE is taken.
Result<DeleteStatement> ParseDelete(Parser& parser);

// Errors: Validation, if the WHERE clause does not give the key.
Result<engine::DeleteRequest> RequestOf(DeleteStatement erase, const KeySchema& key);

}  // namespace kw::partiql
