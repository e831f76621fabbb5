// SPDX-License-Identifier: Apache-2.0
// SELECT columns FROM table[.index] [WHERE condition] [ORDER BY key [ASC | DESC] {, ...}]
#pragma once

#include <string>
#include <vector>

#include "partiql/columns.h"
#include "partiql/parser.h"
#include "partiql/where.h"

namespace kw::partiql {

enum class Direction : std::uint8_t { kAscending, kDescending };

struct OrderKey {
  std::string attribute;
  Direction direction;
};

struct SelectStatement {
  Target target;
  Columns columns;
  Conjuncts where;
  std::vector<OrderKey> order;
};

// The word SELECT is taken.
Result<SelectStatement> ParseSelect(Parser& parser);

}  // namespace kw::partiql
