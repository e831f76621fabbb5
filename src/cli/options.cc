// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/nearest.h"

namespace kw::cli {
namespace {

constexpr std::string_view kConfig = "config";
constexpr std::size_t kHelpColumn = 30;

auto Wrong(std::string message) { return Unexpected(UsageError{std::move(message)}); }

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

const Option* Find(std::span<const Option> options, std::string_view name) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == name; });
  return found == options.end() ? nullptr : &*found;
}

// `prefix` goes before the name, as it stood before the wrong one.
std::string Suggest(std::span<const Option> options, std::string_view name,
                    std::string_view prefix) {
  std::vector<std::string_view> names = {kConfig};
  for (const Option& option : options) names.push_back(option.name);
  const std::string_view nearest = Nearest(name, names);
  return nearest.empty() ? "" : fmt::format(" Did you mean {}{}?", prefix, nearest);
}

// `where` names the place for the error: "--port", "KEYWRIGHT_PORT", "kw.conf line 3".
Parsed Set(const Option& option, std::string_view value, std::string_view where) {
  if (option.kind == OptionKind::kSwitch && value != "true" && value != "false") {
    return Wrong(fmt::format("{}: '{}' is neither true nor false.", where, value));
  }
  if (Parsed set = option.set(value); !set) {
    return Wrong(fmt::format("{}: {}", where, set.error().message));
  }
  return {};
}

// A value from the file or the environment; lists come whole.
Parsed SetText(const Option& option, std::string_view text, std::string_view where) {
  if (option.kind != OptionKind::kList) return Set(option, text, where);
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (const std::string_view value = Trim(part); !value.empty()) TRY(Set(option, value, where));
  }
  return {};
}

Parsed ApplyFile(std::span<const Option> options, const std::string& path) {
  TRY_ASSIGN(const std::string text, ReadFile(path));
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string_view content = Trim(line);
    if (content.empty() || content.starts_with('#')) continue;
    const std::string where = fmt::format("{} line {}", path, number);
    const std::size_t equals = content.find('=');
    if (equals == content.npos) return Wrong(fmt::format("{}: write name = value.", where));
    const std::string_view name = Trim(content.substr(0, equals));
    const Option* option = Find(options, name);
    if (option == nullptr) {
      return Wrong(
          fmt::format("{}: there is no option '{}'.{}", where, name, Suggest(options, name, "")));
    }
    TRY(SetText(*option, Trim(content.substr(equals + 1)), where));
  }
  return {};
}

struct Argument {
  const Option* option;
  std::string_view value;
};

struct Arguments {
  std::vector<Argument> options;
  std::optional<std::string> config;
};

// "--name value" or "--name=value".
Expected<Arguments, UsageError> SplitArguments(std::span<const Option> options,
                                               std::span<const std::string_view> arguments) {
  Arguments split;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with("--")) {
      return Wrong(fmt::format("'{}' is not an option; options begin with --.", argument));
    }
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string_view name = argument.substr(2, equals - 2);
    const Option* option = Find(options, name);
    if (option == nullptr && name != kConfig) {
      return Wrong(fmt::format("There is no option --{}.{}", name, Suggest(options, name, "--")));
    }
    std::string_view value = argument.substr(std::min(equals + 1, argument.size()));
    if (equals == argument.size()) {
      if (option != nullptr && option->kind == OptionKind::kSwitch) {
        value = "true";
      } else if (i + 1 == arguments.size()) {
        return Wrong(fmt::format("--{} needs a value.", name));
      } else {
        value = arguments[++i];
      }
    }
    if (option == nullptr) {
      split.config = std::string(value);
    } else {
      split.options.push_back({.option = option, .value = value});
    }
  }
  return split;
}

}  // namespace

Expected<std::string, UsageError> ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // A folder can be opened; only reading it fails. An empty file is no failure.
  if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in || text.bad()) return Wrong(fmt::format("Cannot read the file {}.", path));
  return std::move(text).str();
}

std::string EnvironmentName(std::string_view option) {
  std::string name = "KEYWRIGHT_";
  for (const char c : option) {
    name += c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

Parsed ParseOptions(std::span<const Option> options, std::span<const std::string_view> arguments,
                    const Environment& environment) {
  TRY_ASSIGN(const Arguments split, SplitArguments(options, arguments));
  std::optional<std::string> config = split.config;
  if (!config) {
    if (const char* named = environment(EnvironmentName(kConfig).c_str())) config = named;
  }
  if (config) TRY(ApplyFile(options, *config));
  for (const Option& option : options) {
    const std::string name = EnvironmentName(option.name);
    if (const char* value = environment(name.c_str())) TRY(SetText(option, value, name));
  }
  for (const Argument& argument : split.options) {
    TRY(Set(*argument.option, argument.value, fmt::format("--{}", argument.option->name)));
  }
  return {};
}

Expected<std::vector<std::string>, UsageError> ParseFilesAndOptions(
    std::span<const Option> options, std::span<const std::string_view> arguments, std::size_t most,
    const Environment& environment) {
  std::vector<std::string> files;
  std::vector<std::string_view> flags;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with("--")) {
      files.emplace_back(argument);
      continue;
    }
    flags.push_back(argument);
    const std::string_view name = argument.substr(2);
    const Option* option = Find(options, name);
    const bool takes_next =
        name == kConfig || (option != nullptr && option->kind != OptionKind::kSwitch);
    if (takes_next && i + 1 < arguments.size()) flags.push_back(arguments[++i]);
  }
  TRY(ParseOptions(options, flags, environment));
  if (files.size() > most) return Wrong(fmt::format("'{}' is one file too many.", files[most]));
  return files;
}

std::string DescribeOptions(std::span<const Option> options) {
  std::string text;
  const auto row = [&](std::string_view flag, std::string_view help) {
    std::string left = fmt::format("  {}", flag);
    // A flag that is too long stands alone.
    if (left.size() + 2 > kHelpColumn) {
      text += left + '\n';
      left.clear();
    }
    left.resize(kHelpColumn, ' ');
    text += left;
    text += help;
    text += '\n';
  };
  for (const Option& option : options) {
    row(option.kind == OptionKind::kSwitch
            ? fmt::format("--{}", option.name)
            : fmt::format("--{} {}", option.name, option.placeholder),
        option.help);
  }
  row("--config FILE", "Lines of `name = value`, with these names");
  return text;
}

Expected<std::int64_t, UsageError> ParseNumber(std::string_view text, std::int64_t least,
                                               std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most) {
    return Wrong(fmt::format("'{}' is no whole number from {} to {}.", text, least, most));
  }
  return number;
}

Expected<std::int64_t, UsageError> ParseBytes(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  int shift = 0;
  std::string_view digits = text;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': shift = 10; break;
      case 'm':
      case 'M': shift = 20; break;
      case 'g':
      case 'G': shift = 30; break;
      default: break;
    }
    if (shift > 0) digits.remove_suffix(1);
  }
  const auto number = ParseNumber(digits, 0, kMost >> shift);
  if (!number) return Wrong(fmt::format("'{}' is no size such as 64M or 2G.", text));
  return *number << shift;
}

}  // namespace kw::cli
