// SPDX-License-Identifier: Apache-2.0
// An update as parsed and resolved: what parsers build, here and in partiql.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "expr/operand.h"

namespace kw {

struct SetValue {
  Operand value;
};
struct SetSum {
  Operand left;
  Operand right;
};
struct SetDifference {
  Operand left;
  Operand right;
};
struct Remove {};
struct Add {
  Literal value;
};
struct Delete {
  Literal value;
};
using UpdateAction = std::variant<SetValue, SetSum, SetDifference, Remove, Add, Delete>;

// AttributeUpdates adds to lists, too, and has its own word for a wrong type.
enum class UpdateDialect : std::uint8_t { kExpression, kLegacy };

struct UpdateTree {
  UpdateDialect dialect = UpdateDialect::kExpression;
  std::vector<Path> targets;  // no two overlap; targets[i] is what actions[i] writes
  std::vector<UpdateAction> actions;
  std::vector<std::size_t> order;  // positions of the targets in the order of path_set.h
};

}  // namespace kw
