// SPDX-License-Identifier: Apache-2.0
// A proof as people and programs read it: text, JSON, JUnit XML.
#pragma once

#include <string>

#include "modeller/prove/prove.h"

namespace kw::cli {

std::string ProofText(const modeller::Plan& plan, const modeller::Proof& proof, bool colour);
std::string ProofJson(const modeller::Plan& plan, const modeller::Proof& proof);
std::string ProofJunit(const modeller::Plan& plan, const modeller::Proof& proof);

}  // namespace kw::cli
