// SPDX-License-Identifier: Apache-2.0
// A condition as parsed and resolved: what parsers build, here and in partiql.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/operand.h"

namespace kw {

enum class ConditionOp : std::uint8_t {
  kAnd,  // of two or more children
  kOr,   // of two or more children
  kNot,  // of one child
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,  // of two operands
  kBetween,       // of three operands
  kIn,            // of two or more operands
  kFunction,      // of as many operands as the function takes
};

// No deeper than the limit on operators, so that it may be walked by recursion.
struct ConditionNode {
  ConditionOp op;
  std::vector<ConditionNode> children;
  std::vector<Operand> operands;
  const Function* function = nullptr;  // of kFunction
};

}  // namespace kw
