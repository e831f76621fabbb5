// SPDX-License-Identifier: Apache-2.0
// A model and its design looked at as files: what cannot be read, else what the rules find; as text
// and as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modeller/check/findings.h"

namespace kw::modeller {

struct Examination {
  std::optional<Model> model;  // absent where it cannot be read
  std::vector<Fault> model_faults;
  std::vector<Fault> design_faults;
  std::vector<Finding> findings;

  [[nodiscard]] bool sound() const;  // no fault, and no finding of error grade
};

// Without a design the model is looked at alone.
Examination Examine(std::string_view model, std::optional<std::string_view> design);

// What the files are called in reports.
struct FileNames {
  std::string model;
  std::string design;
};
std::string ExaminationText(const Examination& examination, const FileNames& names);
std::string ExaminationJson(const Examination& examination, const FileNames& names);

}  // namespace kw::modeller
