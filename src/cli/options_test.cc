// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

namespace kw::cli {
namespace {

class OptionsTest : public testing::Test {
 protected:
  std::int64_t port = 8000;
  bool memory = false;
  std::vector<std::string> hosts;
  std::map<std::string, std::string> environment;

  const std::vector<Option> options = {
      {.name = "port",
       .kind = OptionKind::kValue,
       .placeholder = "N",
       .help = "Where to listen (8000)",
       .set = [this](std::string_view value) -> Parsed {
         TRY_ASSIGN(port, ParseNumber(value, 0, 65535));
         return {};
       }},
      {.name = "memory",
       .kind = OptionKind::kSwitch,
       .placeholder = "",
       .help = "Keep nothing",
       .set = [this](std::string_view value) -> Parsed {
         memory = value == "true";
         return {};
       }},
      {.name = "allow-host",
       .kind = OptionKind::kList,
       .placeholder = "NAME",
       .help = "A further name",
       .set = [this](std::string_view value) -> Parsed {
         hosts.emplace_back(value);
         return {};
       }},
  };

  std::string Parse(std::vector<std::string_view> arguments) {
    const Parsed parsed = ParseOptions(options, arguments, [this](const char* name) {
      const auto found = environment.find(name);
      return found == environment.end() ? nullptr : found->second.c_str();
    });
    return parsed ? "" : parsed.error().message;
  }

  std::string WriteFile(std::string_view text) {
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("kw_options_") +
             testing::UnitTest::GetInstance()->current_test_info()->name());
    std::ofstream(path_) << text;
    return path_;
  }
  void TearDown() override {
    if (!path_.empty()) std::filesystem::remove(path_);
  }

 private:
  std::filesystem::path path_;
};

TEST_F(OptionsTest, Flags) {
  EXPECT_EQ(Parse({"--port", "1", "--memory", "--allow-host=a", "--allow-host", "b"}), "");
  EXPECT_EQ(port, 1);
  EXPECT_TRUE(memory);
  EXPECT_EQ(hosts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Parse({"--memory=false"}), "");
  EXPECT_FALSE(memory);
}

TEST_F(OptionsTest, EnvironmentVariables) {
  environment = {
      {"KEYWRIGHT_PORT", "2"}, {"KEYWRIGHT_MEMORY", "true"}, {"KEYWRIGHT_ALLOW_HOST", "a, b,"}};
  EXPECT_EQ(Parse({}), "");
  EXPECT_EQ(port, 2);
  EXPECT_TRUE(memory);
  EXPECT_EQ(hosts, (std::vector<std::string>{"a", "b"}));
}

TEST_F(OptionsTest, TheNearerSourceWins) {
  const std::string file = WriteFile("# mine\n\nport = 3\r\n  memory=true\nallow-host = a,b\n");
  EXPECT_EQ(Parse({"--config", file}), "");
  EXPECT_EQ(port, 3);
  EXPECT_TRUE(memory);
  environment = {{"KEYWRIGHT_CONFIG", file}, {"KEYWRIGHT_PORT", "4"}};
  EXPECT_EQ(Parse({}), "");
  EXPECT_EQ(port, 4);
  EXPECT_EQ(Parse({"--port", "5"}), "");
  EXPECT_EQ(port, 5);
}

TEST_F(OptionsTest, ErrorsSayWhere) {
  EXPECT_EQ(Parse({"--prot", "1"}), "There is no option --prot. Did you mean --port?");
  EXPECT_EQ(Parse({"--zzzzzzz"}), "There is no option --zzzzzzz.");
  EXPECT_EQ(Parse({"--port"}), "--port needs a value.");
  EXPECT_EQ(Parse({"port"}), "'port' is not an option; options begin with --.");
  EXPECT_EQ(Parse({"--port", "99999"}), "--port: '99999' is no whole number from 0 to 65535.");
  EXPECT_EQ(Parse({"--memory=maybe"}), "--memory: 'maybe' is neither true nor false.");
  environment = {{"KEYWRIGHT_PORT", "x"}};
  EXPECT_EQ(Parse({}), "KEYWRIGHT_PORT: 'x' is no whole number from 0 to 65535.");
  environment = {};
  EXPECT_EQ(Parse({"--config", "/nonexistent"}), "Cannot read the file /nonexistent.");
  const std::string folder = testing::TempDir();
  EXPECT_EQ(Parse({"--config", folder}), "Cannot read the file " + folder + ".");
  const std::string empty = WriteFile("");
  EXPECT_EQ(Parse({"--config", empty}), "");
  const std::string file = WriteFile("port = 3\nallow_host = a\n");
  EXPECT_EQ(Parse({"--config", file}),
            file + " line 2: there is no option 'allow_host'. Did you mean allow-host?");
  const std::string bare = WriteFile("port\n");
  EXPECT_EQ(Parse({"--config", bare}), bare + " line 1: write name = value.");
}

TEST_F(OptionsTest, Help) {
  EXPECT_EQ(DescribeOptions(options),
            "  --port N                    Where to listen (8000)\n"
            "  --memory                    Keep nothing\n"
            "  --allow-host NAME           A further name\n"
            "  --config FILE               Lines of `name = value`, with these names\n");
}

TEST(Options, Sizes) {
  EXPECT_EQ(ParseBytes("512").value(), 512);
  EXPECT_EQ(ParseBytes("64k").value(), 64 << 10);
  EXPECT_EQ(ParseBytes("256M").value(), 256 << 20);
  EXPECT_EQ(ParseBytes("2G").value(), std::int64_t{2} << 30);
  for (const std::string_view text : {"", "M", "-1", "1T", "99999999999G", "1.5G"}) {
    EXPECT_FALSE(ParseBytes(text)) << text;
  }
}

}  // namespace
}  // namespace kw::cli
