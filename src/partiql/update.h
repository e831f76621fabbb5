// SPDX-License-Identifier: Apache-2.0
// UPDATE table {SET path = data | REMOVE path} [...] WHERE condition [RETURNING what *]
#pragma once

#include "engine/operations.h"
#include "partiql/parser.h"
#include "partiql/where.h"

namespace kw::partiql {

struct UpdateStatement {
  Target target;
  kw::Update changes;
  Conjuncts where;
  engine::UpdateReturn returns;
};

// The word UPDATE is taken.
Result<UpdateStatement> ParseUpdate(Parser& parser);

// Errors: Validation, if the WHERE clause does not give the key.
Result<engine::UpdateRequest> RequestOf(UpdateStatement update, const KeySchema& key);

}  // namespace kw::partiql
