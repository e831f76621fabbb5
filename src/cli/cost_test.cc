// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "cli/commands.h"
#include "cli/text_table.h"

namespace kw::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Ran {
  ExitCode code;
  std::string out;
  std::string err;
};

template <class... Words>
Ran Ask(Words... words) {
  const std::array<std::string_view, sizeof...(words)> arguments = {words...};
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const ExitCode code = RunCommand(arguments);
  std::fflush(stdout);
  return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

TEST(TextTable, AlignsByCharacters) {
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  table.Add({"é", "1", "x"});
  table.Add({"abc", "22", ""});
  EXPECT_EQ(table.ToText("  "), "  é     1  x\n  abc  22\n");
}

TEST(Cost, AnswersInWordsAndInJson) {
  EXPECT_EQ(Ask("cost", "read", "--items", "200", "--size", "2k", "--kind", "query").out,
            "50 units in 1 call\n");
  EXPECT_EQ(Ask("cost", "write", "--size", "1025", "--transaction", "--json").out,
            "{\"units\":4}\n");
  const Ran month = Ask("cost", "month", "--reads", "100", "--writes", "10", "--storage", "10");
  EXPECT_EQ(month.code, ExitCode::kDone);
  EXPECT_THAT(month.out, HasSubstr("$51.78 a month: on demand, Standard\n"));
  EXPECT_THAT(month.out, HasSubstr("262800000 units × $0.125 a million"));
}

TEST(Cost, WrongUsageSaysWhatToWrite) {
  const Ran nothing = Ask("cost");
  EXPECT_EQ(nothing.code, ExitCode::kWrongUsage);
  EXPECT_THAT(nothing.err, StartsWith("Usage: keywright cost item FILE"));
  EXPECT_THAT(Ask("cost", "weather").err, HasSubstr("there is no calculator 'weather'"));
  EXPECT_EQ(Ask("cost", "read", "--kind", "look").err,
            "keywright cost read: kind must be one of: get, query.\n");
  EXPECT_EQ(Ask("cost", "read", "--items", "many").err,
            "keywright cost read: --items: 'many' is no number.\n");
  EXPECT_EQ(Ask("cost", "item", "/nowhere/item.json").code, ExitCode::kWrongUsage);
}

}  // namespace
}  // namespace kw::cli
