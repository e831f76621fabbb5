// SPDX-License-Identifier: Apache-2.0
// `keywright model import FILE` and `keywright model export MODEL`: other tools' files.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/model_files.h"
#include "cli/options.h"
#include "modeller/interop/exchange.h"

namespace kw::cli {
namespace {

constexpr std::string_view kUsage =
    "Usage: keywright model import FILE [--format NAME] [--out STEM]\n"
    "       keywright model export MODEL [DESIGN] --format NAME [--out FILE]\n"
    "\n"
    "import reads another tool's file and prints a model and its design, or writes\n"
    "STEM.kw.yaml and STEM.design.yaml. Its format is found by its text unless named.\n"
    "export prints a model in another tool's format; without DESIGN the one beside the\n"
    "model is read, if there is one. MODEL may also be a file that import reads.\n"
    "What could not be carried over, and what was guessed, stands on stderr.\n\n";

struct ModelOptions {
  std::vector<std::string> files;
  std::optional<std::string> format;
  std::string out;
  bool json = false;
};

std::vector<Option> OptionsOf(ModelOptions& options) {
  return {{.name = "format",
           .kind = OptionKind::kValue,
           .placeholder = "NAME",
           .help = "The other tool's format",
           .set = [&options](std::string_view name) -> Parsed {
             options.format = name;
             return {};
           }},
          {.name = "out",
           .kind = OptionKind::kValue,
           .placeholder = "FILE",
           .help = "Where to write it (stdout)",
           .set = [&options](std::string_view path) -> Parsed {
             options.out = path;
             return {};
           }},
          {.name = "json",
           .kind = OptionKind::kSwitch,
           .placeholder = "",
           .help = "Print JSON, with the losses in it",
           .set = [&options](std::string_view value) -> Parsed {
             options.json = value == "true";
             return {};
           }}};
}

std::string Help() {
  ModelOptions none;
  std::string text = std::string(kUsage) + DescribeOptions(OptionsOf(none)) + "\nFormats:\n";
  for (const auto& format : modeller::Formats()) {
    const std::string_view way = format.read == nullptr    ? "export"
                                 : format.print == nullptr ? "import"
                                                           : "both";
    text += fmt::format("  {:<16}{:<8}{}\n", format.name, way, format.summary);
  }
  return text;
}

Expected<ModelOptions, UsageError> ReadOptions(std::span<const std::string_view> arguments,
                                               std::size_t files_max) {
  ModelOptions options;
  TRY_ASSIGN(options.files,
             ParseFilesAndOptions(OptionsOf(options), arguments, files_max,
                                  [](const char*) -> const char* { return nullptr; }));
  if (options.files.empty()) return Unexpected(UsageError{"Name a file."});
  return options;
}

// Writes a new file; what is there stays.
Parsed WriteNew(const std::string& path, std::string_view text) {
  if (std::filesystem::exists(path)) {
    return Unexpected(UsageError{fmt::format("{} exists: name another with --out.", path)});
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return {};
  return Unexpected(UsageError{fmt::format("{} cannot be written.", path)});
}

Parsed Show(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

Parsed ImportFile(std::span<const std::string_view> arguments) {
  TRY_ASSIGN(const auto options, ReadOptions(arguments, 1));
  TRY_ASSIGN(const auto text, ReadFile(options.files.front()));
  const auto imported = modeller::Import(text, options.format);
  if (!imported) return Unexpected(UsageError{imported.error()});
  if (options.json) return Show(modeller::ToJson(*imported) + "\n");
  fmt::print(stderr, "{}", modeller::ToText(imported->notes));
  const auto& files = imported->files;
  if (options.out.empty()) {
    return Show(files.model + (files.design.empty() ? "" : "\n# The design:\n" + files.design));
  }
  const auto model = options.out + ".kw.yaml";
  const auto design = DesignBeside(model);
  // Both or none, as far as can be told.
  if (!files.design.empty() && std::filesystem::exists(design)) {
    return Unexpected(UsageError{fmt::format("{} exists: name another with --out.", design)});
  }
  TRY(WriteNew(model, files.model));
  return files.design.empty() ? Parsed() : WriteNew(design, files.design);
}

Parsed ExportFile(std::span<const std::string_view> arguments) {
  TRY_ASSIGN(const auto options, ReadOptions(arguments, 2));
  if (!options.format) return Unexpected(UsageError{"Name a format with --format."});
  TRY_ASSIGN(const auto text, ReadFile(options.files.front()));
  std::string path = options.files.size() > 1 ? options.files[1] : "";
  if (const auto beside = DesignBeside(options.files.front());
      path.empty() && std::filesystem::exists(beside)) {
    path = beside;
  }
  std::optional<std::string> design;
  if (!path.empty()) {
    TRY_ASSIGN(design, ReadFile(path));
  }
  const auto exported = modeller::Export(text, design, *options.format);
  if (!exported) return Unexpected(UsageError{exported.error()});
  if (options.json) return Show(modeller::ToJson(*exported) + "\n");
  fmt::print(stderr, "{}", modeller::ToText(exported->notes));
  return options.out.empty() ? Show(exported->text) : WriteNew(options.out, exported->text);
}

}  // namespace

ExitCode ExchangeModel(std::span<const std::string_view> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument != "--help" && argument != "-h") continue;
    fmt::print("{}", Help());
    return ExitCode::kDone;
  }
  const auto way = arguments.empty() ? std::string_view() : arguments.front();
  if (way != "import" && way != "export") {
    fmt::print(stderr, "keywright: `model` is followed by import or export.\n{}", kUsage);
    return ExitCode::kWrongUsage;
  }
  const auto rest = arguments.subspan(1);
  const auto done = way == "import" ? ImportFile(rest) : ExportFile(rest);
  if (done) return ExitCode::kDone;
  fmt::print(stderr, "keywright: {}\n", done.error().message);
  return ExitCode::kWrongUsage;
}

}  // namespace kw::cli
