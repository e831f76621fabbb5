// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "base/nearest.h"

namespace kw::cli {
namespace {

ExitCode Help(std::span<const std::string_view> arguments);

ExitCode Version(std::span<const std::string_view> /*arguments*/) {
  fmt::print("keywright {}\n", kVersion);
  return ExitCode::kDone;
}

constexpr std::array<Command, 8> kCommands = {{
    {"check", "Say what is wrong with a model and its design", CheckModel},
    {"cost", "Weigh an item, count units, price a month or a design", Cost},
    {"design", "Find the tables that answer a model's questions and cost least", Design},
    {"help", "Show this, or the options of a command", Help},
    {"model", "Import and export models of other tools", ExchangeModel},
    {"prove", "Ask every question of a model on a real database", Prove},
    {"serve", "Run the database", Serve},
    {"version", "Print the version", Version},
}};

const Command* Find(std::string_view name) {
  const auto found = std::find_if(kCommands.begin(), kCommands.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == kCommands.end() ? nullptr : &*found;
}

ExitCode Unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  const std::string_view nearest = Nearest(name, names);
  fmt::print(stderr, "keywright: there is no command '{}'.{} `keywright help` lists them all.\n",
             name, nearest.empty() ? "" : fmt::format(" Did you mean {}?", nearest));
  return ExitCode::kWrongUsage;
}

ExitCode Help(std::span<const std::string_view> arguments) {
  if (!arguments.empty()) {
    const Command* command = Find(arguments.front());
    if (command == nullptr) return Unknown(arguments.front());
    if (command->run != Help && command->run != Version) {
      const std::array<std::string_view, 1> help = {"--help"};
      return command->run(help);
    }
  }
  fmt::print(
      "Keywright is a database that speaks the DynamoDB API.\n\nUsage: keywright COMMAND\n\n");
  for (const Command& command : kCommands) {
    fmt::print("  {:<10}{}\n", command.name, command.summary);
  }
  fmt::print("\n`keywright help COMMAND` shows its options.\n");
  return ExitCode::kDone;
}

}  // namespace

std::span<const Command> Commands() { return kCommands; }

ExitCode RunCommand(std::span<const std::string_view> arguments) {
  if (arguments.empty()) {
    Help({});
    return ExitCode::kWrongUsage;
  }
  const std::string_view name = arguments.front();
  const auto rest = arguments.subspan(1);
  if (name == "--help" || name == "-h") return Help(rest);
  if (name == "--version") return Version(rest);
  const Command* command = Find(name);
  return command == nullptr ? Unknown(name) : command->run(rest);
}

}  // namespace kw::cli
