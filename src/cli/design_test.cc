// SPDX-License-Identifier: Apache-2.0
// What the search designs is proved on a real database; and `design` and `cost` as a user sees
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "modeller/design/designer.h"
#include "modeller/prove/prove.h"
#include "studio/local_engine.h"

namespace kw::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class DesignedExamples : public ::testing::TestWithParam<std::string> {};

TEST_P(DesignedExamples, AreProvedInEveryShape) {
  const auto model =
      modeller::Model::Parse(ReadAll(fs::path(KW_EXAMPLES) / (GetParam() + ".kw.yaml")));
  ASSERT_TRUE(model);
  const auto proposals = modeller::DesignTables(*model);
  ASSERT_TRUE(proposals) << proposals.error();
  for (const auto& proposal : proposals->shapes) {
    SCOPED_TRACE(proposal.design->ToYaml(*model));
    const auto engine = studio::LocalEngine::Open();
    ASSERT_TRUE(engine) << engine.error();
    const modeller::Database database(engine->sender());
    const auto proof = modeller::Prove(*proposal.plan, database,
                                       {.asks = 8, .change_runs = 3, .break_on_purpose = false});
    ASSERT_TRUE(proof) << proof.error();
    for (const auto& question : proof->questions) {
      const auto* refuted = std::get_if<modeller::Refuted>(&question.verdict);
      EXPECT_EQ(modeller::WordOf(question.verdict), "proved")
          << question.question << ": " << (refuted != nullptr ? refuted->why : "");
    }
    for (const auto& change : proof->changes) {
      const auto* refuted = std::get_if<modeller::Refuted>(&change.verdict);
      EXPECT_EQ(modeller::WordOf(change.verdict), "proved")
          << change.change << ": " << (refuted != nullptr ? refuted->why : "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DesignedExamples,
                         ::testing::Values("leaderboard", "shop", "tenants", "tickets"),
                         [](const auto& test) { return test.param; });

struct Ran {
  ExitCode code;
  std::string out;
  std::string err;
};

Ran Ask(const std::vector<std::string>& words) {
  const std::vector<std::string_view> arguments(words.begin(), words.end());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const ExitCode code = RunCommand(arguments);
  std::fflush(stdout);
  return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

class DesignFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / "kw-design-files";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::copy_file(fs::path(KW_EXAMPLES) / "tickets.kw.yaml", folder_ / "tickets.kw.yaml");
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string File(const std::string& name) const {
    return (folder_ / name).string();
  }

  fs::path folder_;
};

TEST_F(DesignFiles, AreWrittenBesideTheModel) {
  const auto ran = Ask({"design", File("tickets.kw.yaml")});
  EXPECT_EQ(ran.code, ExitCode::kDone) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("* is best"));
  for (const std::string shape : {"single", "tables", "native"}) {
    const auto text = ReadAll(File("tickets." + shape + ".design.yaml"));
    EXPECT_THAT(text, HasSubstr("in the shape `" + shape + "`"));
    EXPECT_EQ(
        Ask({"cost", File("tickets.kw.yaml"), File("tickets." + shape + ".design.yaml")}).code,
        ExitCode::kDone);
  }
  const auto cost = Ask({"cost", File("tickets.kw.yaml")});
  EXPECT_EQ(cost.code, ExitCode::kDone) << cost.err;
  EXPECT_THAT(cost.out, HasSubstr("set-status"));
  EXPECT_THAT(Ask({"cost", File("tickets.kw.yaml"), "--json"}).out, HasSubstr("\"lines\""));
}

TEST_F(DesignFiles, AreNotWrittenOverADesignByHand) {
  std::ofstream(File("tickets.design.yaml")) << "# mine\n";
  const auto ran = Ask({"design", File("tickets.kw.yaml"), "--shape", "single"});
  EXPECT_EQ(ran.code, ExitCode::kDone) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("--force writes over it"));
  EXPECT_EQ(ReadAll(File("tickets.design.yaml")), "# mine\n");
  EXPECT_FALSE(fs::exists(File("tickets.native.design.yaml")));
  Ask({"design", File("tickets.kw.yaml"), "--shape", "single", "--force"});
  EXPECT_THAT(ReadAll(File("tickets.design.yaml")), Not(HasSubstr("# mine")));
}

TEST_F(DesignFiles, WrongWordsAreNamed) {
  EXPECT_EQ(Ask({"design"}).code, ExitCode::kWrongUsage);
  const auto ran = Ask({"design", File("tickets.kw.yaml"), "--shape", "round"});
  EXPECT_EQ(ran.code, ExitCode::kWrongUsage);
  EXPECT_THAT(ran.err, HasSubstr("'round' is no shape"));
  EXPECT_EQ(Ask({"design", File("none.kw.yaml")}).code, ExitCode::kWrongUsage);
  EXPECT_EQ(Ask({"cost", File("tickets.kw.yaml"), "--region", "moon-1"}).code,
            ExitCode::kWrongUsage);
}

}  // namespace
}  // namespace kw::cli
