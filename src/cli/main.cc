// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <vector>

#include "cli/commands.h"

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(kw::cli::RunCommand(arguments));
}
