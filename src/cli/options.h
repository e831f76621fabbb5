// SPDX-License-Identifier: Apache-2.0
// Options of a command as one table: each row is a flag (--index-lag 5), an environment variable
// (KEYWRIGHT_INDEX_LAG=5) and a line of a config file (index-lag = 5), and writes itself into
// --help. A flag beats the environment, which beats the file.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace kw::cli {

// What is wrong and what to do, in one sentence.
struct UsageError {
  std::string message;
};
using Parsed = Expected<void, UsageError>;

enum class OptionKind : std::uint8_t {
  kValue,   // --port 8000
  kSwitch,  // --memory; elsewhere true or false
  kList,    // may be given several times; elsewhere separated by commas
};

struct Option {
  std::string_view name;  // "index-lag"
  OptionKind kind = OptionKind::kValue;
  std::string_view placeholder;  // "MS"
  std::string_view help;         // one line, with the default
  // Takes one value; switches get "true" or "false". Errors: what a good value looks like.
  std::function<Parsed(std::string_view value)> set;
};

// Looks up an environment variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;
// Reads a whole file. Errors: a sentence with the path.
Expected<std::string, UsageError> ReadFile(const std::string& path);

// Applies the config file (--config FILE or KEYWRIGHT_CONFIG), the environment and the arguments,
// in this order. Errors: an unknown option (with the nearest known one), a missing or bad value.
Parsed ParseOptions(std::span<const Option> options, std::span<const std::string_view> arguments,
                    const Environment& environment);

// The same for a command that takes files: gives the arguments that belong to no option.
// Errors also: more than `most` of them.
Expected<std::vector<std::string>, UsageError> ParseFilesAndOptions(
    std::span<const Option> options, std::span<const std::string_view> arguments, std::size_t most,
    const Environment& environment);

// The rows of --help.
std::string DescribeOptions(std::span<const Option> options);

// "KEYWRIGHT_INDEX_LAG" of "index-lag".
std::string EnvironmentName(std::string_view option);

// Values that several options take. Errors: what was expected.
Expected<std::int64_t, UsageError> ParseNumber(std::string_view text, std::int64_t least,
                                               std::int64_t most);
Expected<std::int64_t, UsageError> ParseBytes(std::string_view text);  // "512", "64k", "256M", "2G"

}  // namespace kw::cli
