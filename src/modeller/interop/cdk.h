// SPDX-License-Identifier: Apache-2.0
// A stack of TableV2 for the CDK, in TypeScript.
#pragma once

#include "modeller/interop/formats.h"

namespace kw::modeller {

std::string PrintCdk(const Blueprint& blueprint);

}  // namespace kw::modeller
