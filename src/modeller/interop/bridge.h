// SPDX-License-Identifier: Apache-2.0
// Between what the formats say and the modeller's own two files.
#pragma once

#include <string>

#include "base/expected.h"
#include "modeller/interop/blueprint.h"
#include "modeller/model/model.h"
#include "modeller/plan/design.h"

namespace kw::modeller {

struct ModelFiles {
  std::string model;   // YAML that Model::Parse takes
  std::string design;  // YAML that Design::Parse takes with it; empty: there are no tables
};

// Makes entities where there are none: by the texts in front of sample keys, else one a table.
// Errors: there is nothing to model, or what it says makes no model.
Expected<ModelFiles, std::string> ToModel(Blueprint blueprint, Notes& notes);

// What a model says, and how a design lays it out if there is one.
Blueprint FromModel(const Model& model, const Design* design, Notes& notes);

}  // namespace kw::modeller
