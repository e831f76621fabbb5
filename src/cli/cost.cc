// SPDX-License-Identifier: Apache-2.0
// `keywright cost`: the calculators in a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/text_table.h"
#include "modeller/cost/calculators.h"

namespace kw::cli {
namespace {

using modeller::Calculator;
using Text = Expected<std::string, UsageError>;

constexpr std::string_view kUsage =
    "Usage: keywright cost item FILE             an item in DynamoDB JSON; - reads it from stdin\n"
    "       keywright cost read [options]        units of reading items\n"
    "       keywright cost write [options]       units of writing items\n"
    "       keywright cost month [options]       what a month costs\n"
    "       keywright cost MODEL [DESIGN]        what a design costs, by addend; a file *.yaml\n"
    "\n"
    "read and write:\n"
    "  --items N             how many (1)\n"
    "  --size BYTES          of one, such as 2k (4k to read, 1k to write)\n"
    "  --kind get|query      one by one, or side by side (get)\n"
    "  --consistency WORD    eventual, strong or transactional (eventual)\n"
    "  --transaction         the write is part of a transaction\n"
    "month:\n"
    "  --region NAME         (us-east-1)\n"
    "  --reads N --writes N  capacity units a second, on average\n"
    "  --reads-peak N --writes-peak N\n"
    "  --storage GB --backups GB\n"
    "  --utilization N       percent of provisioned capacity in use at the peak (70)\n"
    "  --replicas N          further regions of a global table\n"
    "  --stream-reads N      GetRecords requests a month\n"
    "  --point-in-time       with point-in-time recovery\n"
    "\n"
    "--json prints what the page is given.\n";

// The input of a calculator as it is asked over JSON.
class Input {
 public:
  void Number(std::string_view name, std::string_view number) { Add(name, std::string(number)); }
  void Word(std::string_view name, std::string_view word) {
    std::string quoted;
    JsonWriter(quoted).String(word);
    Add(name, std::move(quoted));
  }
  void Raw(std::string_view name, std::string_view json) { Add(name, std::string(json)); }
  [[nodiscard]] std::string ToJson() const { return "{" + members_ + "}"; }

 private:
  void Add(std::string_view name, std::string json) {
    members_ += fmt::format("{}\"{}\": {}", members_.empty() ? "" : ", ", name, json);
  }
  std::string members_;
};

Option NumberFlag(std::string_view flag, std::string_view name, Input& input) {
  return {.name = flag,
          .kind = OptionKind::kValue,
          .placeholder = "N",
          .help = "",
          .set = [&input, name](std::string_view text) -> Parsed {
            const bool digits = !text.empty() && std::ranges::all_of(text, [](char c) {
              return (c >= '0' && c <= '9') || c == '.';
            });
            if (!digits) return Unexpected(UsageError{fmt::format("'{}' is no number.", text)});
            input.Number(name, text);
            return {};
          }};
}

Option WordFlag(std::string_view flag, std::string_view name, Input& input) {
  return {.name = flag,
          .kind = OptionKind::kValue,
          .placeholder = "WORD",
          .help = "",
          .set = [&input, name](std::string_view word) -> Parsed {
            input.Word(name, word);
            return {};
          }};
}

Option Flag(std::string_view flag, std::function<void()> set) {
  return {.name = flag,
          .kind = OptionKind::kSwitch,
          .placeholder = "",
          .help = "",
          .set = [set = std::move(set)](std::string_view) -> Parsed {
            set();
            return {};
          }};
}

std::vector<Option> OptionsOf(std::string_view calculator, Input& input) {
  const Option size = {.name = "size",
                       .kind = OptionKind::kValue,
                       .placeholder = "BYTES",
                       .help = "",
                       .set = [&input](std::string_view text) -> Parsed {
                         TRY_ASSIGN(const std::int64_t bytes, ParseBytes(text));
                         input.Number("bytes", std::to_string(bytes));
                         return {};
                       }};
  if (calculator == "read") {
    return {NumberFlag("items", "items", input), size, WordFlag("kind", "kind", input),
            WordFlag("consistency", "consistency", input)};
  }
  if (calculator == "write") {
    return {NumberFlag("items", "items", input), size,
            Flag("transaction", [&input] { input.Word("mode", "transactional"); })};
  }
  if (calculator == "month") {
    return {WordFlag("region", "region", input),
            NumberFlag("reads", "readUnits", input),
            NumberFlag("writes", "writeUnits", input),
            NumberFlag("reads-peak", "readUnitsPeak", input),
            NumberFlag("writes-peak", "writeUnitsPeak", input),
            NumberFlag("storage", "storageGb", input),
            NumberFlag("backups", "backupGb", input),
            NumberFlag("utilization", "utilizationPercent", input),
            NumberFlag("replicas", "replicas", input),
            NumberFlag("stream-reads", "streamReads", input),
            Flag("point-in-time", [&input] { input.Word("pointInTimeRecovery", "yes"); })};
  }
  return {};
}

// ---- answers as text ----

std::string ItemText(JsonObject answer) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  table.Add({"attribute", "type", "name", "value"});
  for (const JsonValue each : answer.Find("attributes")->array()) {
    const JsonObject attribute = each.object();
    table.Add({std::string(attribute.Find("name")->string()),
               std::string(attribute.Find("type")->string()),
               std::to_string(attribute.Find("nameBytes")->integer()),
               std::to_string(attribute.Find("valueBytes")->integer())});
  }
  const auto number = [&](std::string_view name) { return answer.Find(name)->number(); };
  std::string text = table.ToText();
  text += fmt::format("\n{} bytes of at most {}; stored {}.\n", number("bytes"), number("bytesMax"),
                      number("storedBytes"));
  if (!answer.Find("fits")->boolean()) text += "This item is too large to be written.\n";
  text += fmt::format("Read: {} units eventually, {} strongly, {} in a transaction.\n",
                      number("readEventual"), number("readStrong"), number("readTransactional"));
  text += fmt::format("Write: {} units, {} in a transaction.\n", number("write"),
                      number("writeTransactional"));
  return text;
}

std::string MonthText(JsonObject answer) {
  std::string text = fmt::format("{}, prices of {}\n", answer.Find("region")->string(),
                                 answer.Find("priceDate")->string());
  for (const JsonValue each : answer.Find("prices")->array()) {
    const JsonObject price = each.object();
    text += fmt::format("\n{} a month: {}, {}\n", price.Find("total")->string(),
                        price.Find("billing")->string(), price.Find("tableClass")->string());
    TextTable table({Align::kRight, Align::kLeft, Align::kLeft});
    for (const JsonValue line : price.Find("addends")->array()) {
      const JsonObject addend = line.object();
      table.Add({std::string(addend.Find("monthly")->string()),
                 std::string(addend.Find("name")->string()),
                 std::string(addend.Find("basis")->string())});
    }
    text += table.ToText("  ");
  }
  text +=
      fmt::format("\nProvisioned capacity is cheaper where more than {:.1f} % of it is in use.\n",
                  static_cast<double>(answer.Find("breakEvenWritePpm")->integer()) / 10000);
  text += "Not confirmed by a page of AWS:";
  for (const JsonValue path : answer.Find("unverified")->array()) {
    text += fmt::format(" {}", path.string());
  }
  return text + ".\n";
}

std::string AnswerText(std::string_view calculator, JsonObject answer) {
  if (calculator == "item") return ItemText(answer);
  if (calculator == "month") return MonthText(answer);
  const auto counted = [](double count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  const auto calls = answer.Find("calls");
  return fmt::format("{}{}\n", counted(answer.Find("units")->number(), "unit"),
                     calls ? " in " + counted(calls->number(), "call") : "");
}

Text Calculate(const Calculator& calculator, std::span<const std::string_view> arguments) {
  Input input;
  bool json = false;
  if (calculator.name == "item") {
    if (arguments.empty()) return Unexpected(UsageError{"Name the file of the item, or - ."});
    const std::string path(arguments.front() == "-" ? "/dev/stdin" : arguments.front());
    TRY_ASSIGN(const std::string item, ReadFile(path));
    input.Raw("item", item);
    arguments = arguments.subspan(1);
  }
  std::vector<Option> options = OptionsOf(calculator.name, input);
  options.push_back(Flag("json", [&json] { json = true; }));
  TRY(ParseOptions(options, arguments, [](const char*) -> const char* { return nullptr; }));

  JsonParser parser;
  const auto parsed = parser.Parse(input.ToJson());
  if (!parsed)
    return Unexpected(UsageError{fmt::format("That is no JSON: {}.", parsed.error().message)});
  std::string answer;
  JsonWriter out(answer);
  if (auto done = calculator.run(parsed->object(), out); !done) {
    return Unexpected(UsageError{std::move(done).error()});
  }
  if (json) return answer + "\n";
  const auto read = parser.Parse(answer);
  return AnswerText(calculator.name, read->object());
}

}  // namespace

ExitCode Cost(std::span<const std::string_view> arguments) {
  if (arguments.empty() || arguments.front() == "--help") {
    fmt::print(arguments.empty() ? stderr : stdout, "{}", kUsage);
    return arguments.empty() ? ExitCode::kWrongUsage : ExitCode::kDone;
  }
  if (arguments.front().ends_with(".yaml")) return CostOfModel(arguments);
  for (const Calculator& calculator : modeller::Calculators()) {
    if (calculator.name != arguments.front()) continue;
    const Text text = Calculate(calculator, arguments.subspan(1));
    if (!text) {
      fmt::print(stderr, "keywright cost {}: {}\n", calculator.name, text.error().message);
      return ExitCode::kWrongUsage;
    }
    std::fwrite(text->data(), 1, text->size(), stdout);
    return ExitCode::kDone;
  }
  fmt::print(stderr, "keywright cost: there is no calculator '{}'.\n{}", arguments.front(), kUsage);
  return ExitCode::kWrongUsage;
}

}  // namespace kw::cli
