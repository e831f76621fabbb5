// SPDX-License-Identifier: Apache-2.0
#include "server/keys.h"

#include <gtest/gtest.h>

namespace kw::server {
namespace {

TEST(Keys, LinesAreRead) {
  const auto keys = ParseKeys("# team\n\nAKID1 secret/1+x=\r\n\tAKID2\tsecret2 111122223333");
  ASSERT_TRUE(keys) << keys.error().message;
  ASSERT_EQ(keys->size(), 2U);
  EXPECT_EQ(keys->at("AKID1").secret, "secret/1+x=");
  EXPECT_EQ(keys->at("AKID1").account, kDefaultAccount);
  EXPECT_EQ(keys->at("AKID2").account, "111122223333");
}

TEST(Keys, FaultsNameTheLineAndNeverTheSecret) {
  const struct {
    std::string_view text;
    std::string_view message;
  } kCases[] = {
      {"", "the file holds no key"},
      {"# nothing\n", "the file holds no key"},
      {"\nAKID", "line 2: write ACCESS_KEY_ID SECRET [ACCOUNT], separated by blanks"},
      {"a b 111122223333 d", "line 1: write ACCESS_KEY_ID SECRET [ACCOUNT], separated by blanks"},
      {"a hush 1234", "line 1: an account is 12 digits"},
      {"a hush\na other", "line 2: the key a was given before"},
  };
  for (const auto& test : kCases) {
    const auto keys = ParseKeys(test.text);
    ASSERT_FALSE(keys) << test.text;
    EXPECT_EQ(keys.error().message, test.message);
    EXPECT_EQ(keys.error().message.find("hush"), std::string::npos);
  }
}

TEST(Keys, AccountsOfUnknownKeysAreStableAndOfTwelveDigits) {
  EXPECT_EQ(AccountOf("123456789012"), "123456789012");
  const std::string account = AccountOf("test");
  EXPECT_EQ(account.size(), 12U);
  EXPECT_EQ(account, AccountOf("test"));
  EXPECT_NE(account, AccountOf("other"));
}

}  // namespace
}  // namespace kw::server
