// SPDX-License-Identifier: Apache-2.0
// Models of ElectroDB's entities as JSON: one, a list of them, or by name.
#pragma once

#include "modeller/interop/formats.h"

namespace kw::modeller {

bool LooksLikeElectroDb(std::string_view text);
Expected<Blueprint, std::string> ReadElectroDb(std::string_view text, Notes& notes);
std::string PrintElectroDb(const Blueprint& blueprint);

}  // namespace kw::modeller
