// SPDX-License-Identifier: Apache-2.0
#include "server/users.h"

#include <gtest/gtest.h>

#include <string>

namespace kw::server {
namespace {

constexpr std::string_view kAllowAll =
    R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})";

Expected<std::string, KeyFileError> ReadNothing(std::string_view name) {
  return Unexpected(KeyFileError{"no file " + std::string(name)});
}
Expected<KeyRing, KeyFileError> Parse(std::string_view users) {
  return ParseKeyFile("\n {\"Users\":[" + std::string(users) + "]}", ReadNothing);
}

TEST(Users, LinesAreStillRead) {
  const auto keys = ParseKeyFile("# team\nAKID1 secret 111122223333\n", ReadNothing);
  ASSERT_TRUE(keys) << keys.error().message;
  const auto& root = *keys->at("AKID1").principal;
  EXPECT_EQ(root.caller.arn, "arn:aws:iam::111122223333:root");
  EXPECT_FALSE(root.policies.has_value());
}

TEST(Users, AUserHasKeysAndPolicies) {
  const auto read = [](std::string_view name) -> Expected<std::string, KeyFileError> {
    EXPECT_EQ(name, "all.json");
    return std::string(kAllowAll);
  };
  const auto keys = ParseKeyFile(
      R"({"Users":[{"UserName":"ann","Account":"111122223333","Path":"/team/","UserId":"AIDA1",
          "AccessKeys":[{"AccessKeyId":"A1","SecretAccessKey":"s1"},
                        {"AccessKeyId":"A2","SecretAccessKey":"s2"}],
          "Policies":["all.json",)" +
          std::string(kAllowAll) + R"(]},
         {"UserName":"bo","AccessKeys":[{"AccessKeyId":"B","SecretAccessKey":"s"}]},
         {"UserName":"cy","Policies":[],
          "AccessKeys":[{"AccessKeyId":"C","SecretAccessKey":"s"}]},
         {"Account":"444455556666","AccessKeys":[{"AccessKeyId":"R","SecretAccessKey":"s"}]}]})",
      read);
  ASSERT_TRUE(keys) << keys.error().message;
  ASSERT_EQ(keys->size(), 5U);
  EXPECT_EQ(keys->at("A2").secret, "s2");
  EXPECT_EQ(keys->at("A2").account, "111122223333");
  EXPECT_EQ(keys->at("A1").principal, keys->at("A2").principal);
  const auto& ann = *keys->at("A1").principal;
  EXPECT_EQ(ann.caller.arn, "arn:aws:iam::111122223333:user/team/ann");
  EXPECT_EQ(ann.id, "AIDA1");
  EXPECT_EQ(ann.policies->size(), 2U);
  EXPECT_FALSE(keys->at("B").principal->policies.has_value());
  EXPECT_TRUE(keys->at("B").principal->id.starts_with("AIDA"));
  EXPECT_TRUE(keys->at("C").principal->policies->empty());
  EXPECT_EQ(keys->at("R").principal->caller.kind, access::CallerKind::kRoot);
}

TEST(Users, FaultsNameTheUserAndNeverTheSecret) {
  const std::string key = R"("AccessKeys":[{"AccessKeyId":"A","SecretAccessKey":"hush"}])";
  const struct {
    std::string users;
    std::string message;
  } kCases[] = {
      {"", "the file: it holds no key"},
      {"1", "user 1: a JSON object is expected"},
      {R"({"UserName":"ann"})", "the file: it holds no key"},
      {R"({"UserNames":"ann"})", "user 1: UserNames is no member that it may have"},
      {R"({"UserName":"ann","UserName":"bo"})", "user 1: UserName twice"},
      {R"({"UserName":""})", "user 1: UserName is a text"},
      {R"({"UserName":"ann","Account":"1"})", "user 1: an account is 12 digits"},
      {R"({"UserName":"ann","Path":"x"})", "user 1: Path begins and ends with /"},
      {R"({"Policies":[]})",
       "user 1: only a user, who has a UserName, has Path, UserId and Policies"},
      {R"({"UserName":"ann","Policies":{}})", "user 1: Policies is a list"},
      {R"({"UserName":"ann","Policies":["x.json"]})", "no file x.json"},
      {R"({"UserName":"ann","Policies":[{}]})",
       "user 1, policy 1: Invalid policy document: it has no Statement."},
      {R"({"UserName":"ann","AccessKeys":{}})", "user 1: AccessKeys is a list"},
      {R"({"UserName":"ann","AccessKeys":[{"SecretAccessKey":"hush"}]})",
       "user 1: a key has an AccessKeyId and a SecretAccessKey"},
      {R"({"UserName":"ann",)" + key + R"(},{"UserName":"bo",)" + key + "}",
       "user 2: the key A was given before"},
      {R"({"UserName":"ann"},{"UserName":"ann"})",
       "user 2: arn:aws:iam::000000000000:user/ann was given before"},
  };
  for (const auto& test : kCases) {
    const auto keys = Parse(test.users);
    ASSERT_FALSE(keys) << test.users;
    EXPECT_EQ(keys.error().message, test.message);
    EXPECT_EQ(keys.error().message.find("hush"), std::string::npos);
  }
  EXPECT_FALSE(ParseKeyFile("{\"Users\":", ReadNothing));
  EXPECT_FALSE(ParseKeyFile("{}", ReadNothing));
}

}  // namespace
}  // namespace kw::server
