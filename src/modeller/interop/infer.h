// SPDX-License-Identifier: Apache-2.0
// Entities of a table that names none.
#pragma once

#include <vector>

#include "modeller/interop/blueprint.h"

namespace kw::modeller {

// By the texts of sample keys (`CUSTOMER#1`, `ORDER#2`: an Order); without samples, or where they
// tell too many kinds apart, one entity whose identity is the table's key. Each guess is noted.
std::vector<EntityDraft> InferEntities(const PhysicalTable& table, std::size_t number,
                                       Notes& notes);

}  // namespace kw::modeller
