// SPDX-License-Identifier: Apache-2.0
// CloudFormation's AWS::DynamoDB::Table and GlobalTable, JSON and YAML; SAM's tables and the
// resources of a Serverless file are read as well.
#pragma once

#include "modeller/interop/formats.h"

namespace kw::modeller {

bool LooksLikeCloudFormation(std::string_view text);
Expected<Blueprint, std::string> ReadCloudFormation(std::string_view text, Notes& notes);
std::string PrintCloudFormation(const Blueprint& blueprint);

}  // namespace kw::modeller
