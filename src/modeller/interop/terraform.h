// SPDX-License-Identifier: Apache-2.0
// Terraform's aws_dynamodb_table: written whole, read where values are plain.
#pragma once

#include "modeller/interop/formats.h"

namespace kw::modeller {

bool LooksLikeTerraform(std::string_view text);
Expected<Blueprint, std::string> ReadTerraform(std::string_view text, Notes& notes);
std::string PrintTerraform(const Blueprint& blueprint);

}  // namespace kw::modeller
