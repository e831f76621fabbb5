// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/source.h"

#include <fmt/format.h>

namespace kw::modeller {

std::string Describe(const std::vector<Fault>& faults, std::string_view file) {
  std::string text;
  for (const Fault& fault : faults) {
    text += fmt::format("{}:{}:{}: {}\n", file, fault.at.line, fault.at.column, fault.message);
    if (!fault.suggestion.empty()) text += fmt::format("    {}\n", fault.suggestion);
  }
  return text;
}

}  // namespace kw::modeller
