// SPDX-License-Identifier: Apache-2.0
// Real calls are tested where a server is at hand (tests/conformance/prove_endpoint).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "client/endpoint.h"

namespace kw::client {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kCredentials = R"(
# mine
[default]
aws_access_key_id = AKIDEFAULT
aws_secret_access_key=secret1
[work]
aws_access_key_id = AKIWORK
aws_secret_access_key = secret=2
aws_session_token = token
region = eu-north-1
)";
constexpr std::string_view kConfig =
    "[default]\nregion = eu-west-1\n[profile work]\nregion = us-west-2";

TEST(Profile, IsReadFromBothFiles) {
  const Profile first = ReadProfile(kCredentials, kConfig, "default");
  EXPECT_EQ(first.credentials.access_key, "AKIDEFAULT");
  EXPECT_EQ(first.credentials.secret_key, "secret1");
  EXPECT_EQ(first.credentials.session_token, "");
  EXPECT_EQ(first.region, "eu-west-1");
  const Profile second = ReadProfile(kCredentials, kConfig, "work");
  EXPECT_EQ(second.credentials.secret_key, "secret=2");
  EXPECT_EQ(second.credentials.session_token, "token");
  EXPECT_EQ(second.region, "us-west-2");
  EXPECT_EQ(ReadProfile(kCredentials, kConfig, "none").credentials.access_key, "");
  EXPECT_EQ(ReadProfile("[", "]\n[x", "x").region, "");
}

TEST(Profile, TheEnvironmentWins) {
  std::map<std::string, std::string> variables = {{"AWS_ACCESS_KEY_ID", "AKIENV"},
                                                  {"AWS_SECRET_ACCESS_KEY", "s"},
                                                  {"AWS_REGION", "ap-south-1"},
                                                  {"HOME", "/nowhere"}};
  const Environment environment = [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
  const auto profile = LoadProfile(environment);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->credentials.access_key, "AKIENV");
  EXPECT_EQ(profile->region, "ap-south-1");
  variables.erase("AWS_ACCESS_KEY_ID");
  const auto none = LoadProfile(environment);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error(), HasSubstr("/nowhere/.aws/credentials a profile [default]"));
}

TEST(Endpoint, SaysWhatIsNoUrl) {
  for (const char* url : {"", "localhost:8000", "ftp://x", "http://"}) {
    EXPECT_FALSE(Endpoint::Open({.url = url, .profile = {}})) << url;
  }
}

TEST(Endpoint, SaysThatNobodyAnswers) {
  auto endpoint =
      Endpoint::Open({.url = "http://127.0.0.1:1",
                      .profile = {.credentials = {"a", "b", ""}, .region = "us-east-1"}});
  ASSERT_TRUE(endpoint);
  const auto answer = endpoint->Call("ListTables", "{}");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "");
  EXPECT_THAT(answer.error().message, HasSubstr("http://127.0.0.1:1 does not answer"));
}

}  // namespace
}  // namespace kw::client
