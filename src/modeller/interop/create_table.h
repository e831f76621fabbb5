// SPDX-License-Identifier: Apache-2.0
// `aws dynamodb create-table --cli-input-json` and what `describe-table` answers.
#pragma once

#include "modeller/interop/formats.h"

namespace kw::modeller {

// Several tables are a list; one is its object alone.
bool LooksLikeCreateTable(std::string_view text);
Expected<Blueprint, std::string> ReadCreateTable(std::string_view text, Notes& notes);
std::string PrintCreateTable(const Blueprint& blueprint);

bool LooksLikeDescribeTable(std::string_view text);
Expected<Blueprint, std::string> ReadDescribeTable(std::string_view text, Notes& notes);

}  // namespace kw::modeller
