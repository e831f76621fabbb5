// SPDX-License-Identifier: Apache-2.0
// From chosen keys to a design: which entities share a table, which index keys share an index,
// and what everything is called.
#pragma once

#include "modeller/design/designer.h"
#include "modeller/design/solve.h"

namespace kw::modeller {

// Entities that some collection reads together, in the model's order.
std::vector<std::vector<EntityId>> GroupsOf(const Model& model);

Design Assemble(const Model& model, const Selection& selection, Shape shape);

}  // namespace kw::modeller
