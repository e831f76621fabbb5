// SPDX-License-Identifier: Apache-2.0
// A proof as people and programs read it: text, JSON, JUnit XML.
#pragma once

#include <string>

#include "modeller/prove/prove.h"

namespace kw::modeller {

std::string ProofText(const Plan& plan, const Proof& proof, bool colour);
std::string ProofJson(const Plan& plan, const Proof& proof);
std::string ProofJunit(const Plan& plan, const Proof& proof);

}  // namespace kw::modeller
