// SPDX-License-Identifier: Apache-2.0
// Designs and what they cost, for a terminal.
#pragma once

#include <string>

#include "modeller/design/designer.h"

namespace kw::cli {

// Every addend, by table and index, with how it comes about.
std::string CostText(const modeller::PlanCost& cost);
// The shapes side by side, then the best one's keys, answers and what was not chosen.
std::string ProposalsText(const modeller::Proposals& proposals);

}  // namespace kw::cli
