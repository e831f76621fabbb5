// SPDX-License-Identifier: Apache-2.0
// Whole proofs, over the API's own JSON on an engine in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json.h"
#include "cli/commands.h"

namespace kw::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Ran {
  ExitCode code;
  std::string out;
  std::string err;
};

template <class... Words>
Ran Ask(const Words&... words) {
  const std::array<std::string_view, sizeof...(words)> arguments = {words...};
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const ExitCode code = RunCommand(arguments);
  std::fflush(stdout);
  return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

std::string ExampleFile(const std::string& name) { return std::string(KW_EXAMPLES) + "/" + name; }

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class TheExamples : public ::testing::TestWithParam<const char*> {};

TEST_P(TheExamples, AreProved) {
  const Ran ran = Ask("prove", ExampleFile(GetParam() + std::string(".kw.yaml")), "--json",
                      "--asks", "6", "--no-mutants");
  EXPECT_EQ(ran.code, ExitCode::kDone) << ran.out << ran.err;
  JsonParser parser;
  const auto json = parser.Parse(ran.out);
  ASSERT_TRUE(json);
  EXPECT_TRUE(json->object().Find("holds")->boolean());
  for (const JsonValue each : json->object().Find("questions")->array()) {
    const JsonObject question = each.object();
    EXPECT_GE(question.Find("asked")->integer(), 2) << question.Find("question")->string();
    EXPECT_GT(question.Find("rows")->integer(), 0) << question.Find("question")->string();
    EXPECT_GT(question.Find("units")->number(), 0) << question.Find("question")->string();
  }
  for (const JsonValue each : json->object().Find("changes")->array()) {
    EXPECT_EQ(each.object().Find("runs")->integer(), 8) << each.object().Find("change")->string();
  }
}
INSTANTIATE_TEST_SUITE_P(All, TheExamples,
                         ::testing::Values("leaderboard", "shop", "tenants", "tickets"));

class Prove : public ::testing::Test {
 protected:
  Prove() : folder_(std::filesystem::temp_directory_path() / "kw-prove-XXXXXX") {
    std::string name = folder_.string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Prove() override { std::filesystem::remove_all(folder_); }
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(Prove, AnUnpaddedRatingIsRefused) {
  std::string design = ReadAll(ExampleFile("leaderboard.design.yaml"));
  const std::size_t at = design.find("{rating:05}");
  ASSERT_NE(at, design.npos);
  design.replace(at, 11, "{rating}");
  const std::string path = Write("unpadded.design.yaml", design);
  const Ran ran = Ask("prove", ExampleFile("leaderboard.kw.yaml"), path, "--no-mutants");
  EXPECT_EQ(ran.code, ExitCode::kNo);
  EXPECT_THAT(ran.out, HasSubstr("season-top      not expressible"));
  EXPECT_THAT(ran.out, HasSubstr("The design is refuted."));
}

TEST_F(Prove, WhereThereIsNoDesignOneIsMade) {
  const std::string model = Write("new.kw.yaml", ReadAll(ExampleFile("tickets.kw.yaml")));
  const Ran ran = Ask("prove", model, "--asks", "4", "--no-mutants");
  EXPECT_EQ(ran.code, ExitCode::kDone) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("There is no"));
  EXPECT_THAT(ran.out, HasSubstr("Every question and every change is proved."));
}

TEST_F(Prove, ASeedSaysTheSameTwice) {
  const auto run = [] {
    return Ask("prove", ExampleFile("tickets.kw.yaml"), "--seed", "7", "--asks", "5").out;
  };
  const std::string once = run();
  EXPECT_THAT(once, HasSubstr("seed 7"));
  EXPECT_EQ(once, run());
}

TEST_F(Prove, WritesAJunitReport) {
  const std::string report = (folder_ / "proof.xml").string();
  EXPECT_EQ(
      Ask("prove", ExampleFile("tickets.kw.yaml"), "--asks", "2", "--no-mutants", "--junit", report)
          .code,
      ExitCode::kDone);
  const std::string xml = ReadAll(report);
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"tickets\" tests=\"5\" failures=\"0\">"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"tickets.changes\" name=\"set-status\"/>"));
}

TEST_F(Prove, WrongFilesAreSaid) {
  EXPECT_THAT(Ask("prove").err, HasSubstr("Name a model"));
  EXPECT_EQ(Ask("prove", "/nowhere.kw.yaml").code, ExitCode::kWrongUsage);
  const std::string wrong = Write("wrong.kw.yaml", "model: x\nentitys: {}\n");
  const Ran ran = Ask("prove", wrong, ExampleFile("tickets.design.yaml"));
  EXPECT_EQ(ran.code, ExitCode::kWrongUsage);
  EXPECT_THAT(ran.err, HasSubstr("wrong.kw.yaml:2:1"));
}

}  // namespace
}  // namespace kw::cli
