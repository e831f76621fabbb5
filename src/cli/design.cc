// SPDX-License-Identifier: Apache-2.0
// `keywright design MODEL`: the cheapest tables in three shapes; `keywright cost MODEL [DESIGN]`:
// what a design costs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/design_text.h"
#include "cli/model_files.h"
#include "cli/options.h"
#include "modeller/design/designer.h"
#include "modeller/model/model.h"

namespace kw::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> files;
  std::optional<modeller::Shape> shape;
  modeller::CostOptions cost;
  std::string out;  // folder
  bool json = false;
  bool force = false;
};

Option Switch(std::string_view name, std::string_view help, bool& to) {
  return {.name = name,
          .kind = OptionKind::kSwitch,
          .placeholder = "",
          .help = help,
          .set = [&to](std::string_view value) -> Parsed {
            to = value == "true";
            return {};
          }};
}

std::vector<Option> CostOptionsOf(Options& o) {
  return {{.name = "region",
           .kind = OptionKind::kValue,
           .placeholder = "NAME",
           .help = "Whose prices (us-east-1)",
           .set = [&o](std::string_view name) -> Parsed {
             o.cost.region = name;
             return {};
           }},
          {.name = "utilization",
           .kind = OptionKind::kValue,
           .placeholder = "N",
           .help = "Percent of provisioned capacity in use at the peak (70)",
           .set = [&o](std::string_view text) -> Parsed {
             TRY_ASSIGN(o.cost.utilization_percent, ParseNumber(text, 1, 100));
             return {};
           }},
          Switch("json", "Print JSON", o.json)};
}

std::vector<Option> DesignOptionsOf(Options& o) {
  auto options = CostOptionsOf(o);
  options.push_back({.name = "shape",
                     .kind = OptionKind::kValue,
                     .placeholder = "SHAPE",
                     .help = "Only one of: single, tables, native",
                     .set = [&o](std::string_view name) -> Parsed {
                       o.shape = modeller::ShapeOf(name);
                       if (o.shape) return {};
                       return Unexpected(UsageError{
                           fmt::format("'{}' is no shape: single, tables or native.", name)});
                     }});
  options.push_back({.name = "out",
                     .kind = OptionKind::kValue,
                     .placeholder = "DIR",
                     .help = "Where to write the designs (beside the model)",
                     .set = [&o](std::string_view path) -> Parsed {
                       o.out = path;
                       return {};
                     }});
  options.push_back(
      Switch("force", "Write over a design that was not made by this command", o.force));
  return options;
}

Parsed Read(std::span<const std::string_view> arguments, const std::vector<Option>& options,
            std::size_t most, Options& to) {
  TRY_ASSIGN(to.files, ParseFilesAndOptions(options, arguments, most,
                                            [](const char* name) { return std::getenv(name); }));
  if (to.files.empty()) return Unexpected(UsageError{"Name a model: shop.kw.yaml."});
  return {};
}

ExitCode Fail(ExitCode code, std::string_view command, std::string_view message) {
  fmt::print(stderr, "keywright {}: {}\n", command, message);
  return code;
}

void Print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// "shop" of "models/shop.kw.yaml".
std::string StemOf(const std::string& model) {
  auto name = fs::path(model).filename().string();
  for (const std::string_view end : {".kw.yaml", ".yaml"}) {
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  }
  return name;
}

constexpr std::string_view kMadeHere = "# Made by `keywright design`";

bool IsMadeHere(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);
  return line.starts_with(kMadeHere);
}

bool WriteFile(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return out.good();
}

// Each shape beside the model, the best again as the design that other commands take.
// Errors: a file that cannot be written.
Expected<std::string, std::string> WriteDesigns(const modeller::Proposals& proposals,
                                                const Options& options) {
  const fs::path model(options.files.front());
  const fs::path folder = options.out.empty() ? model.parent_path() : fs::path(options.out);
  const auto stem = StemOf(options.files.front());
  std::string said;
  const auto write = [&](const std::string& name,
                         const modeller::Proposal& proposal) -> Expected<void, std::string> {
    const auto path = folder / name;
    std::error_code ignored;
    if (fs::exists(path, ignored) && !options.force && !IsMadeHere(path)) {
      said += fmt::format("{} is not from here and stays as it is; --force writes over it.\n",
                          path.string());
      return {};
    }
    const auto text = fmt::format("{} in the shape `{}`: {} a month on demand.\n{}", kMadeHere,
                                  NameOf(proposal.shape), FormatDollars(proposal.cost.on_demand),
                                  proposal.design->ToYaml(proposal.plan->model()));
    if (!WriteFile(path, text)) {
      return Unexpected(fmt::format("{} cannot be written.", path.string()));
    }
    said += fmt::format("Wrote {}\n", path.string());
    return {};
  };
  for (const auto& proposal : proposals.shapes) {
    TRY(write(fmt::format("{}.{}.design.yaml", stem, NameOf(proposal.shape)), proposal));
  }
  TRY(write(stem + ".design.yaml", proposals.shapes[proposals.best]));
  return said;
}

std::optional<modeller::Model> ReadModel(const std::string& file, std::string_view command) {
  const auto text = ReadFile(file);
  if (!text) {
    Fail(ExitCode::kWrongUsage, command, text.error().message);
    return std::nullopt;
  }
  auto model = modeller::Model::Parse(*text);
  if (model) return std::move(*model);
  fmt::print(stderr, "{}", modeller::Describe(model.error(), file));
  return std::nullopt;
}

}  // namespace

ExitCode Design(std::span<const std::string_view> arguments) {
  Options options;
  const auto table = DesignOptionsOf(options);
  if (std::ranges::find(arguments, "--help") != arguments.end()) {
    fmt::print(
        "Finds the tables, keys and indexes that answer a model's questions and cost least.\n\n"
        "Usage: keywright design MODEL [options]\n\n{}",
        DescribeOptions(table));
    return ExitCode::kDone;
  }
  if (auto read = Read(arguments, table, 1, options); !read) {
    return Fail(ExitCode::kWrongUsage, "design", read.error().message);
  }
  const auto model = ReadModel(options.files.front(), "design");
  if (!model) return ExitCode::kWrongUsage;
  const auto proposals = modeller::DesignTables(*model, options.cost, options.shape);
  if (!proposals) return Fail(ExitCode::kNo, "design", proposals.error());
  const auto written = WriteDesigns(*proposals, options);
  if (!written) return Fail(ExitCode::kWorldFailed, "design", written.error());
  if (options.json) {
    std::string text;
    JsonWriter out(text);
    modeller::WriteJson(*proposals, out);
    Print(text + "\n");
  } else {
    Print(ProposalsText(*proposals) + "\n" + *written);
  }
  const auto& best = proposals->shapes[proposals->best];
  return best.cost.unanswered.empty() ? ExitCode::kDone : ExitCode::kNo;
}

ExitCode CostOfModel(std::span<const std::string_view> arguments) {
  Options options;
  if (auto read = Read(arguments, CostOptionsOf(options), 2, options); !read) {
    return Fail(ExitCode::kWrongUsage, "cost", read.error().message);
  }
  const auto model = ReadModel(options.files.front(), "cost");
  if (!model) return ExitCode::kWrongUsage;
  const auto file =
      options.files.size() > 1 ? options.files[1] : DesignBeside(options.files.front());
  const auto text = ReadFile(file);
  if (!text) return Fail(ExitCode::kWrongUsage, "cost", text.error().message);
  const auto design = modeller::Design::Parse(*text, *model);
  if (!design) {
    fmt::print(stderr, "{}", modeller::Describe(design.error(), file));
    return ExitCode::kWrongUsage;
  }
  const auto plan = modeller::Plan::Compile(*model, *design);
  if (!plan) {
    fmt::print(stderr, "{}", modeller::Describe(plan.error(), file));
    return ExitCode::kNo;
  }
  const auto cost = modeller::CostOf(*plan, options.cost);
  if (!cost) return Fail(ExitCode::kWrongUsage, "cost", cost.error());
  if (options.json) {
    std::string json;
    JsonWriter out(json);
    modeller::WriteJson(*cost, out);
    Print(json + "\n");
  } else {
    Print(CostText(*cost));
  }
  return ExitCode::kDone;
}

}  // namespace kw::cli
