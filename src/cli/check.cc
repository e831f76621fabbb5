// SPDX-License-Identifier: Apache-2.0
// `keywright check MODEL [DESIGN]`: what is wrong with a model and its design, or will be.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/model_files.h"
#include "cli/options.h"
#include "modeller/check/examine.h"

namespace kw::cli {
namespace {

struct CheckOptions {
  std::string model;
  std::string design;  // none: the model is looked at alone
  bool json = false;
};

std::vector<Option> OptionsOf(CheckOptions& options) {
  return {{.name = "json",
           .kind = OptionKind::kSwitch,
           .placeholder = "",
           .help = "Print JSON",
           .set = [&options](std::string_view value) -> Parsed {
             options.json = value == "true";
             return {};
           }}};
}

Expected<CheckOptions, UsageError> Read(std::span<const std::string_view> arguments) {
  CheckOptions options;
  TRY_ASSIGN(const auto files,
             ParseFilesAndOptions(OptionsOf(options), arguments, 2,
                                  [](const char* name) { return std::getenv(name); }));
  if (files.empty()) return Unexpected(UsageError{"Name a model: shop.kw.yaml."});
  options.model = files[0];
  if (files.size() > 1) options.design = files[1];
  if (options.design.empty()) {
    const std::string beside = DesignBeside(options.model);
    if (std::filesystem::exists(beside)) options.design = beside;
  }
  return options;
}

}  // namespace

ExitCode CheckModel(std::span<const std::string_view> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument != "--help" && argument != "-h") continue;
    CheckOptions options;
    fmt::print(
        "Says what is wrong with a model and its design, or will be when it grows.\n\n"
        "Usage: keywright check MODEL [DESIGN] [options]\n\n"
        "Without DESIGN the one beside the model is read, if there is one.\n\n{}",
        DescribeOptions(OptionsOf(options)));
    return ExitCode::kDone;
  }
  const auto options = Read(arguments);
  if (!options) {
    fmt::print(stderr, "keywright: {} `keywright check --help` shows how.\n",
               options.error().message);
    return ExitCode::kWrongUsage;
  }
  const auto text = ReadFile(options->model);
  if (!text) {
    fmt::print(stderr, "keywright: {}\n", text.error().message);
    return ExitCode::kWrongUsage;
  }
  Expected<std::string, UsageError> design = std::string();
  if (!options->design.empty()) design = ReadFile(options->design);
  if (!design) {
    fmt::print(stderr, "keywright: {}\n", design.error().message);
    return ExitCode::kWrongUsage;
  }
  const modeller::Examination examination = modeller::Examine(
      *text, options->design.empty() ? std::nullopt : std::optional<std::string_view>(*design));
  const modeller::FileNames names{.model = options->model, .design = options->design};
  fmt::print("{}", options->json ? modeller::ExaminationJson(examination, names) + '\n'
                                 : modeller::ExaminationText(examination, names));
  return examination.sound() ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace kw::cli
