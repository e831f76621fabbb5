// SPDX-License-Identifier: Apache-2.0
// INSERT INTO table VALUE item
#pragma once

#include "engine/operations.h"
#include "partiql/parser.h"

namespace kw::partiql {

struct InsertStatement {
  Target target;
  Item item;
};

// The word INSERT is taken.
Result<InsertStatement> ParseInsert(Parser& parser);

// Puts only where there is no such item; the caller calls that failure a duplicate.
Result<engine::PutRequest> RequestOf(InsertStatement insert, const KeySchema& key);

}  // namespace kw::partiql
