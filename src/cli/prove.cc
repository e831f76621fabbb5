// SPDX-License-Identifier: Apache-2.0
// `keywright prove MODEL [DESIGN]`: asks every question of the model on a real database.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "cli/commands.h"
#include "cli/model_files.h"
#include "cli/options.h"
#include "client/endpoint.h"
#include "modeller/design/designer.h"
#include "modeller/model/model.h"
#include "modeller/plan/plan.h"
#include "modeller/prove/prove.h"
#include "modeller/prove/report.h"
#include "studio/local_engine.h"

namespace kw::cli {
namespace {

// Seconds that an index elsewhere may lag behind.
constexpr int kPatience = 15;

struct Options {
  std::string model;
  std::string design;
  std::int64_t seed = 1;
  std::int64_t asks = 24;
  bool json = false;
  bool mutants = true;
  std::string junit;
  std::string endpoint;  // empty: an engine of its own, in memory
};

std::vector<Option> OptionsOf(Options& o) {
  const auto flag = [](std::string_view name, std::string_view help, bool& to, bool on) {
    return Option{.name = name,
                  .kind = OptionKind::kSwitch,
                  .placeholder = "",
                  .help = help,
                  .set = [&to, on](std::string_view value) -> Parsed {
                    to = (value == "true") == on;
                    return {};
                  }};
  };
  const auto number = [](std::string_view name, std::string_view help, std::int64_t most,
                         std::int64_t& to) {
    return Option{.name = name,
                  .kind = OptionKind::kValue,
                  .placeholder = "N",
                  .help = help,
                  .set = [&to, most](std::string_view value) -> Parsed {
                    TRY_ASSIGN(to, ParseNumber(value, 1, most));
                    return {};
                  }};
  };
  return {
      number("seed", "Makes other rows (1)", 1'000'000'000, o.seed),
      number("asks", "How often each question is asked (24)", 10'000, o.asks),
      flag("no-mutants", "Do not break the design on purpose", o.mutants, false),
      flag("json", "Print JSON", o.json, true),
      Option{.name = "endpoint",
             .kind = OptionKind::kValue,
             .placeholder = "URL",
             .help = "Prove on this database, AWS included, with the credentials of the AWS CLI",
             .set = [&o](std::string_view url) -> Parsed {
               o.endpoint = url;
               return {};
             }},
      Option{.name = "junit",
             .kind = OptionKind::kValue,
             .placeholder = "FILE",
             .help = "Also write a JUnit report",
             .set = [&o](std::string_view path) -> Parsed {
               o.junit = path;
               return {};
             }}};
}

ExitCode Fail(ExitCode code, std::string_view message) {
  fmt::print(stderr, "keywright prove: {}\n", message);
  return code;
}

Expected<Options, UsageError> Read(std::span<const std::string_view> arguments) {
  Options options;
  TRY_ASSIGN(const auto files,
             ParseFilesAndOptions(OptionsOf(options), arguments, 2,
                                  [](const char* name) { return std::getenv(name); }));
  if (files.empty()) return Unexpected(UsageError{"Name a model: shop.kw.yaml."});
  options.model = files[0];
  if (files.size() > 1) options.design = files[1];
  return options;
}

// The named design, or the one beside the model; where there is none, the cheapest that the search
// finds.
Expected<std::string, UsageError> DesignText(const modeller::Model& model, const Options& options) {
  if (!options.design.empty()) return ReadFile(options.design);
  const std::string beside = DesignBeside(options.model);
  if (std::filesystem::exists(beside)) return ReadFile(beside);
  auto proposals = modeller::DesignTables(model);
  if (!proposals) return Unexpected(UsageError{std::move(proposals.error())});
  const modeller::Proposal& best = proposals->shapes[proposals->best];
  fmt::print(stderr, "There is no {}: this proves the {} design that `keywright design` makes.\n",
             beside, modeller::NameOf(best.shape));
  return best.design->ToYaml(model);
}

std::string NameOfDesign(const Options& options) {
  return options.design.empty() ? DesignBeside(options.model) : options.design;
}

// One line that is written over, where someone looks.
class Progress {
 public:
  void Say(std::string_view text) const {
    if (shown_) fmt::print(stderr, "\r\x1b[2K{}…", text);
  }
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\x1b[2K");
  }

 private:
  bool shown_ = isatty(STDERR_FILENO) != 0;
};

Expected<modeller::Proof, std::string> Run(const modeller::Plan& plan, const Options& options,
                                           const modeller::Database& database) {
  const Progress progress;
  return modeller::Prove(plan, database,
                         {.seed = static_cast<std::uint64_t>(options.seed),
                          .asks = static_cast<std::size_t>(options.asks),
                          .break_on_purpose = options.mutants,
                          .patience = options.endpoint.empty() ? 0 : kPatience,
                          .progress = [&](std::string_view text) { progress.Say(text); }});
}

Expected<modeller::Proof, std::string> RunHere(const modeller::Plan& plan, const Options& options) {
  TRY_ASSIGN(const studio::LocalEngine engine, studio::LocalEngine::Open());
  return Run(plan, options, modeller::Database(engine.sender()));
}

Expected<modeller::Proof, std::string> RunThere(const modeller::Plan& plan,
                                                const Options& options) {
  TRY_ASSIGN(client::Profile profile,
             client::LoadProfile([](const char* name) { return std::getenv(name); }));
  TRY_ASSIGN(client::Endpoint endpoint,
             client::Endpoint::Open({.url = options.endpoint, .profile = std::move(profile)}));
  const auto send = [&endpoint](std::string_view operation,
                                std::string_view body) -> modeller::Asked<std::string> {
    auto answer = endpoint.Call(operation, body);
    if (answer) return std::move(*answer);
    return Unexpected(
        modeller::DatabaseFault{std::move(answer.error().code), std::move(answer.error().message)});
  };
  return Run(plan, options, modeller::Database(send, std::chrono::milliseconds(500)));
}

}  // namespace

ExitCode Prove(std::span<const std::string_view> arguments) {
  if (std::ranges::find(arguments, "--help") != arguments.end()) {
    Options defaults;
    fmt::print(
        "Usage: keywright prove MODEL [DESIGN] [options]\n\nWithout DESIGN the one beside the "
        "model is "
        "proved, or where there is none, one that is made first.\n\n{}",
        DescribeOptions(OptionsOf(defaults)));
    return ExitCode::kDone;
  }
  const auto options = Read(arguments);
  if (!options) return Fail(ExitCode::kWrongUsage, options.error().message);
  const auto model_text = ReadFile(options->model);
  if (!model_text) return Fail(ExitCode::kWrongUsage, model_text.error().message);
  const auto model = modeller::Model::Parse(*model_text);
  if (!model) {
    fmt::print(stderr, "{}", modeller::Describe(model.error(), options->model));
    return ExitCode::kWrongUsage;
  }
  const auto design_text = DesignText(*model, *options);
  if (!design_text) return Fail(ExitCode::kWrongUsage, design_text.error().message);
  const auto design = modeller::Design::Parse(*design_text, *model);
  if (!design) {
    fmt::print(stderr, "{}", modeller::Describe(design.error(), NameOfDesign(*options)));
    return ExitCode::kWrongUsage;
  }
  const auto plan = modeller::Plan::Compile(*model, *design);
  if (!plan) {
    fmt::print(stderr, "{}", modeller::Describe(plan.error(), NameOfDesign(*options)));
    return ExitCode::kNo;
  }
  const auto proof =
      options->endpoint.empty() ? RunHere(*plan, *options) : RunThere(*plan, *options);
  if (!proof) return Fail(ExitCode::kWorldFailed, proof.error());

  const std::string text = options->json
                               ? modeller::ProofJson(*plan, *proof)
                               : modeller::ProofText(*plan, *proof, isatty(STDOUT_FILENO) != 0);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!options->junit.empty()) {
    const std::string report = modeller::ProofJunit(*plan, *proof);
    std::FILE* file = std::fopen(options->junit.c_str(), "w");
    const bool written =
        file != nullptr && std::fwrite(report.data(), 1, report.size(), file) == report.size();
    if (file == nullptr || std::fclose(file) != 0 || !written) {
      return Fail(ExitCode::kWorldFailed, fmt::format("cannot write {}", options->junit));
    }
  }
  return proof->holds() ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace kw::cli
