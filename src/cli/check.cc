// SPDX-License-Identifier: Apache-2.0
// `keywright check MODEL [DESIGN]`: what is wrong with a model and its design, or will be.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/model_files.h"
#include "cli/options.h"
#include "modeller/check/findings.h"
#include "modeller/model/model.h"
#include "modeller/plan/plan.h"

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
  std::vector<std::string_view> flags;
  for (const std::string_view argument : arguments) {
    if (argument.starts_with("--")) {
      flags.push_back(argument);
    } else if (options.model.empty()) {
      options.model = argument;
    } else if (options.design.empty()) {
      options.design = argument;
    } else {
      return Unexpected(UsageError{fmt::format("'{}' is one file too many.", argument)});
    }
  }
  TRY(ParseOptions(OptionsOf(options), flags, [](const char* name) { return std::getenv(name); }));
  if (options.model.empty()) return Unexpected(UsageError{"Name a model: shop.kw.yaml."});
  if (options.design.empty()) {
    const std::string beside = DesignBeside(options.model);
    if (std::filesystem::exists(beside)) options.design = beside;
  }
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

// What was found, and where: faults of the files that could not be read, else findings.
struct Looked {
  std::vector<modeller::Fault> model_faults;
  std::vector<modeller::Fault> design_faults;
  std::vector<modeller::Finding> findings;

  [[nodiscard]] bool sound() const {
    return model_faults.empty() && design_faults.empty() &&
           std::ranges::none_of(findings, [](const modeller::Finding& finding) {
             return finding.grade == modeller::Grade::kError;
           });
  }
};

Looked LookAtDesign(const modeller::Model& model, std::string_view text) {
  const auto design = modeller::Design::Parse(text, model);
  if (!design) return {.model_faults = {}, .design_faults = design.error(), .findings = {}};
  const auto plan = modeller::Plan::Compile(model, *design);
  if (!plan) return {.model_faults = {}, .design_faults = plan.error(), .findings = {}};
  return {.model_faults = {},
          .design_faults = {},
          .findings = modeller::Advise({.model = model, .plan = &*plan})};
}

std::string AsJson(const modeller::Model* model, const Looked& looked,
                   const CheckOptions& options) {
  std::string text;
  JsonWriter out(text);
  out.BeginObject();
  out.Member("file", options.model);
  std::vector<modeller::Fault> faults = looked.model_faults;
  faults.insert(faults.end(), looked.design_faults.begin(), looked.design_faults.end());
  WriteFaults(faults, out);
  out.Key("findings");
  out.BeginArray();
  for (const modeller::Finding& finding : looked.findings) {
    out.BeginObject();
    out.Member("rule", finding.rule);
    out.Member("grade", modeller::WordOf(finding.grade));
    out.Member("file",
               finding.file == modeller::SourceFile::kModel ? options.model : options.design);
    out.Member("line", std::int64_t{finding.at.line});
    out.Member("column", std::int64_t{finding.at.column});
    out.Member("message", finding.message);
    out.Member("example", finding.example);
    out.Member("fix", finding.fix);
    out.EndObject();
  }
  out.EndArray();
  if (model != nullptr) WriteModel(*model, out);
  out.EndObject();
  return text + '\n';
}

std::string FindingsText(const std::vector<modeller::Finding>& findings,
                         const CheckOptions& options) {
  std::string text;
  for (const modeller::Finding& finding : findings) {
    text +=
        fmt::format("{}:{}:{}: {}: {} [{}]\n    {}\n    {}\n",
                    finding.file == modeller::SourceFile::kModel ? options.model : options.design,
                    finding.at.line, finding.at.column, modeller::WordOf(finding.grade),
                    finding.message, finding.rule, finding.example, finding.fix);
  }
  return text;
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
  const auto model = modeller::Model::Parse(*text);
  Looked looked;
  if (!model) {
    looked.model_faults = model.error();
  } else if (options->design.empty()) {
    looked.findings = modeller::Advise({.model = *model});
  } else {
    const auto design = ReadFile(options->design);
    if (!design) {
      fmt::print(stderr, "keywright: {}\n", design.error().message);
      return ExitCode::kWrongUsage;
    }
    looked = LookAtDesign(*model, *design);
  }
  if (options->json) {
    fmt::print("{}", AsJson(model ? &*model : nullptr, looked, *options));
  } else if (!model) {
    fmt::print("{}", modeller::Describe(looked.model_faults, options->model));
  } else {
    fmt::print("{}{}{}", Summary(*model, options->model),
               looked.design_faults.empty()
                   ? ""
                   : modeller::Describe(looked.design_faults, options->design),
               FindingsText(looked.findings, *options));
  }
  return looked.sound() ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace kw::cli
