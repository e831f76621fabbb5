// SPDX-License-Identifier: Apache-2.0
// `keywright check MODEL`: reads a model and says what is wrong with it.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "modeller/model/model.h"

namespace kw::cli {
namespace {

struct CheckOptions {
  std::string model;
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
  std::vector<std::string_view> flags;
  for (const std::string_view argument : arguments) {
    if (argument.starts_with("--")) {
      flags.push_back(argument);
    } else if (options.model.empty()) {
      options.model = argument;
    } else {
      return Unexpected(UsageError{fmt::format("'{}' is one file too many.", argument)});
    }
  }
  TRY(ParseOptions(OptionsOf(options), flags, [](const char* name) { return std::getenv(name); }));
  if (options.model.empty()) return Unexpected(UsageError{"Name a model: shop.kw.yaml."});
  return options;
}

void WriteFaults(const std::vector<modeller::Fault>& faults, JsonWriter& out) {
  out.Key("faults");
  out.BeginArray();
  for (const modeller::Fault& fault : faults) {
    out.BeginObject();
    out.Member("line", std::int64_t{fault.at.line});
    out.Member("column", std::int64_t{fault.at.column});
    out.Member("message", fault.message);
    out.Member("suggestion", fault.suggestion);
    out.EndObject();
  }
  out.EndArray();
}

void WriteModel(const modeller::Model& model, JsonWriter& out) {
  out.Member("model", model.name());
  out.Key("entities");
  out.BeginArray();
  for (modeller::EntityId id = 0; id < model.entities().size(); ++id) {
    out.BeginObject();
    out.Member("name", model.entity(id).name);
    out.Member("rows", model.entity(id).rows);
    out.Member("rowBytes", modeller::RowSize(model, id).value());
    out.EndObject();
  }
  out.EndArray();
  out.Member("questions", std::ssize(model.questions()));
  out.Member("changes", std::ssize(model.changes()));
  out.Key("assumptions");
  out.BeginArray();
  for (const std::string& assumption : model.assumptions()) out.String(assumption);
  out.EndArray();
}

std::string Counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "12,000,000".
std::string Grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string Summary(const modeller::Model& model, std::string_view file) {
  std::string text = fmt::format("{} reads well: {}, {}, {}.\n", file,
                                 Counted(model.entities().size(), "entity", "entities"),
                                 Counted(model.questions().size(), "question", "questions"),
                                 Counted(model.changes().size(), "change", "changes"));
  for (modeller::EntityId id = 0; id < model.entities().size(); ++id) {
    const modeller::Entity& entity = model.entity(id);
    text += fmt::format("  {:<16}{:>18} rows of {} bytes\n", entity.name,
                        entity.rows == 0 ? "?" : Grouped(entity.rows),
                        Grouped(modeller::RowSize(model, id).value()));
  }
  if (!model.assumptions().empty()) text += "Taken for granted:\n";
  for (const std::string& assumption : model.assumptions()) {
    text += fmt::format("  {}\n", assumption);
  }
  return text;
}

std::string AsJson(const modeller::Parsed<modeller::Model>& model, std::string_view file) {
  std::string text;
  JsonWriter out(text);
  out.BeginObject();
  out.Member("file", file);
  WriteFaults(model ? std::vector<modeller::Fault>{} : model.error(), out);
  if (model) WriteModel(*model, out);
  out.EndObject();
  return text + '\n';
}

}  // namespace

ExitCode CheckModel(std::span<const std::string_view> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument != "--help" && argument != "-h") continue;
    CheckOptions options;
    fmt::print(
        "Reads a model and says what is wrong with it.\n\n"
        "Usage: keywright check MODEL [options]\n\n{}",
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
  const auto model = modeller::Model::Parse(*text);
  if (options->json) {
    fmt::print("{}", AsJson(model, options->model));
  } else {
    fmt::print("{}", model ? Summary(*model, options->model)
                           : modeller::Describe(model.error(), options->model));
  }
  return model ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace kw::cli
