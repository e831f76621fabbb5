// SPDX-License-Identifier: Apache-2.0
// Schemas of OneTable, format onetable:1.1.0.
#pragma once

#include "modeller/interop/formats.h"

namespace kw::modeller {

bool LooksLikeOneTable(std::string_view text);
Expected<Blueprint, std::string> ReadOneTable(std::string_view text, Notes& notes);
std::string PrintOneTable(const Blueprint& blueprint);

}  // namespace kw::modeller
