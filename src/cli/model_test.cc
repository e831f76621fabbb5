// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/commands.h"

namespace kw::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Ran {
  ExitCode code;
  std::string out;
  std::string err;
};

template <class... Words>
Ran Model(const Words&... words) {
  const std::array<std::string_view, sizeof...(words) + 1> arguments = {"model", words...};
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const ExitCode code = RunCommand(arguments);
  std::fflush(stdout);
  return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

class ModelCommand : public ::testing::Test {
 protected:
  ModelCommand() { std::filesystem::create_directory(folder_); }
  ~ModelCommand() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) { return (folder_ / name).string(); }
  std::string Write(const std::string& name, std::string_view text) {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }
  std::string ReadAll(const std::string& name) {
    std::ifstream file(Path(name));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) /
                                  ("model_command_" + std::to_string(::getpid()) + "_" +
                                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

constexpr std::string_view kTable = R"({"TableName": "Songs",
  "AttributeDefinitions": [{"AttributeName": "artist", "AttributeType": "S"}],
  "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}],
  "BillingMode": "PAY_PER_REQUEST", "Tags": [{"Key": "a", "Value": "b"}]})";

TEST_F(ModelCommand, ImportsIntoTwoFilesAndOut) {
  const auto table = Write("table.json", kTable);
  const auto stem = Path("songs");
  const Ran imported = Model("import", table, "--out", stem);
  EXPECT_EQ(imported.code, ExitCode::kDone) << imported.err;
  EXPECT_THAT(imported.err, HasSubstr("lost     Songs.Tags: This is not carried over."));
  EXPECT_THAT(ReadAll("songs.kw.yaml"), HasSubstr("identity: [artist]"));
  EXPECT_THAT(ReadAll("songs.design.yaml"), HasSubstr("key: {partition: {attribute: artist}}"));
  const Ran again = Model("import", table, "--out", stem);
  EXPECT_EQ(again.code, ExitCode::kWrongUsage);
  EXPECT_THAT(again.err, HasSubstr("exists"));
  // The design beside the model is taken.
  const Ran exported = Model("export", stem + ".kw.yaml", "--format", "terraform");
  EXPECT_EQ(exported.code, ExitCode::kDone) << exported.err;
  EXPECT_THAT(exported.out, AllOf(HasSubstr("resource \"aws_dynamodb_table\" \"Songs\""),
                                  HasSubstr("hash_key = \"artist\"")));
}

TEST_F(ModelCommand, ConvertsAFileOfAnotherTool) {
  const auto table = Write("table.json", kTable);
  const Ran ran = Model("export", table, "--format", "cloudformation", "--json");
  EXPECT_EQ(ran.code, ExitCode::kDone) << ran.err;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr(R"("format":"cloudformation")"), HasSubstr("AWS::DynamoDB::Table"),
                    HasSubstr(R"({"kind":"lost","where":"Songs.Tags")")));
  EXPECT_EQ(ran.err, "");
}

TEST_F(ModelCommand, SaysWhatItCannotDo) {
  const auto table = Write("table.json", kTable);
  EXPECT_THAT(Model().err, HasSubstr("followed by import or export"));
  EXPECT_THAT(Model("import").err, HasSubstr("Name a file"));
  EXPECT_THAT(Model("import", Write("x", "hello")).err, HasSubstr("looks like no known format"));
  EXPECT_THAT(Model("import", table, "--format", "cdk").err, HasSubstr("only written"));
  EXPECT_THAT(Model("export", table).err, HasSubstr("--format"));
  EXPECT_THAT(Model("export", table, "--format", "sql").err, HasSubstr("only read"));
  EXPECT_THAT(Model("export", Write("m.kw.yaml", "model: m\n"), "--format", "cdk").err,
              HasSubstr("model:1:1"));
  EXPECT_THAT(Model("--help").out, HasSubstr("workbench"));
}

}  // namespace
}  // namespace kw::cli
