// SPDX-License-Identifier: Apache-2.0
// a + b and a - b as functions of operands. In conditions and columns what cannot be computed has
// no value; in a SET it is the update's error.
#pragma once

#include "expr/functions.h"

namespace kw::partiql {

enum class Arithmetic : std::uint8_t { kAdd, kSubtract };

const Function& FunctionOf(Arithmetic operation, FunctionHome home);

}  // namespace kw::partiql
