// SPDX-License-Identifier: Apache-2.0
// Scenarios: conversations with the service as text (docs in scenarios/README.md). Reads them,
// plays them against anything that answers calls, and compares replies as JSON, not as text.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace kw::test {

struct CallReply {
  int status = 0;
  std::string body;
};

// Where a scenario is played.
struct ScenarioTarget {
  std::function<CallReply(const std::string& operation, const std::string& body)> call;
  std::function<void(std::chrono::seconds)> advance;              // moves the clock
  std::function<void()> throttle;                                 // lets capacity limits hold
  std::function<std::string(const std::string& path)> read_file;  // for `given`
};

struct ScenarioFault {
  std::size_t line;
  std::string message;
};

enum class Bless : std::uint8_t { kNo, kYes };

struct ScenarioOutcome {
  std::vector<ScenarioFault> faults;
  std::string blessed;  // the text with the replies as they came, if that was asked for
};

ScenarioOutcome PlayScenario(const std::string& text, const ScenarioTarget& target, Bless bless);

// Why two JSON texts differ, or nothing. "<any>" in `expected` matches any value that is there;
// `unordered` compares lists as bags.
std::string JsonDifference(std::string_view expected, std::string_view actual, bool unordered);

}  // namespace kw::test
