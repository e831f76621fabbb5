// SPDX-License-Identifier: Apache-2.0
#include "cli/model_files.h"

#include <string_view>

namespace kw::cli {

std::string DesignBeside(const std::string& model) {
  constexpr std::string_view kEnd = ".kw.yaml";
  const std::string stem =
      model.ends_with(kEnd) ? model.substr(0, model.size() - kEnd.size()) : model;
  return stem + ".design.yaml";
}

}  // namespace kw::cli
