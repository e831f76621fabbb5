// SPDX-License-Identifier: Apache-2.0
// The commands of the program, one row each.
#pragma once

#include <span>
#include <string_view>

#include "cli/exit_code.h"

namespace kw::cli {

inline constexpr std::string_view kVersion = "0.1.0";

struct Command {
  std::string_view name;
  std::string_view summary;
  ExitCode (*run)(std::span<const std::string_view> arguments);
};

std::span<const Command> Commands();

// Runs the command that `arguments` begin with. Never throws.
ExitCode RunCommand(std::span<const std::string_view> arguments);

ExitCode CheckModel(std::span<const std::string_view> arguments);
ExitCode Cost(std::span<const std::string_view> arguments);
// `cost MODEL [DESIGN]`.
ExitCode CostOfModel(std::span<const std::string_view> arguments);
ExitCode Design(std::span<const std::string_view> arguments);
ExitCode ExchangeModel(std::span<const std::string_view> arguments);
ExitCode Prove(std::span<const std::string_view> arguments);
ExitCode Serve(std::span<const std::string_view> arguments);

}  // namespace kw::cli
