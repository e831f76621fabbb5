// SPDX-License-Identifier: Apache-2.0
// The data models of NoSQL Workbench, versions 1.0 to 3.0. Facets are entities; the texts of their
// keys stand in the key aliases.
#pragma once

#include "modeller/interop/formats.h"

namespace kw::modeller {

bool LooksLikeWorkbench(std::string_view text);
Expected<Blueprint, std::string> ReadWorkbench(std::string_view text, Notes& notes);
std::string PrintWorkbench(const Blueprint& blueprint);

}  // namespace kw::modeller
