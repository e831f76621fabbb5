// SPDX-License-Identifier: Apache-2.0
#include "access/pattern.h"

#include <gtest/gtest.h>

namespace kw::access {
namespace {

using Style = PatternStyle;

bool Matches(std::string_view pattern, std::string_view text, Style style = {},
             const Facts& facts = {}) {
  KeySet keys;
  const auto parsed = Pattern::Parse(pattern, style, keys);
  EXPECT_TRUE(parsed.has_value()) << pattern;
  return parsed && parsed->Matches(text, facts);
}

TEST(Pattern, WildcardsMatchAnyCharacters) {
  const struct {
    std::string_view pattern;
    std::string_view text;
    bool matches;
  } kCases[] = {
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "anything", true},
      {"a*", "a", true},
      {"a*", "ba", false},
      {"*a", "ba", true},
      {"*a", "ab", false},
      {"a*b*c", "a-b-b-c", true},
      {"a*b*c", "a-b-b-", false},
      {"*ab*ab", "abab", true},
      {"*ab*ab", "aab", false},
      {"?", "a", true},
      {"?", "", false},
      {"?", "ä", true},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"**a", "bca", true},
      {"*?", "", false},
      {"arn:aws:dynamodb:*:*:table/B?oks", "arn:aws:dynamodb:us-east-1:111122223333:table/Books",
       true},
      {"arn:aws:dynamodb:*:*:table/Books", "arn:aws:dynamodb:us-east-1:1:table/Books/index/i",
       false},
      {"arn:aws:dynamodb:*", "arn:aws:dynamodb:us-east-1:1:table/Books/index/i", true},
      {"${aws:username}", "${aws:username}", true},  // no variables before 2012-10-17
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Matches(test.pattern, test.text), test.matches) << test.pattern << " " << test.text;
  }
}

TEST(Pattern, AWildcardMayBeAPlainCharacter) {
  const Style plain{.wildcards = Style::Wildcards::kNone};
  EXPECT_TRUE(Matches("a*?", "a*?", plain));
  EXPECT_FALSE(Matches("a*?", "abc", plain));
  const Style variables{.variables = Style::Variables::kAny};
  EXPECT_TRUE(Matches("a${*}${?}${$}", "a*?$", variables));
  EXPECT_FALSE(Matches("a${*}", "ab", variables));
}

TEST(Pattern, CaseIsIgnoredWhereAskedFor) {
  EXPECT_FALSE(Matches("Ab*", "aBc"));
  EXPECT_TRUE(Matches("Ab*", "aBc", {.letters = Style::Case::kIgnored}));
  EXPECT_TRUE(Matches("AB", "ab", {.letters = Style::Case::kIgnored}));
}

TEST(Pattern, VariablesAreTakenLiterally) {
  const Style style{.variables = Style::Variables::kAny};
  Facts facts;
  facts.Say(Key::kUsername, std::string("a*"));
  EXPECT_TRUE(Matches("user/${aws:username}", "user/a*", style, facts));
  EXPECT_FALSE(Matches("user/${aws:username}", "user/abc", style, facts));
  EXPECT_TRUE(Matches("${AWS:UserName}#*", "a*#x", style, facts));
  // aws-doc: a variable without a value matches nothing; a default stands in for it.
  EXPECT_FALSE(Matches("user/${aws:userid}", "user/", style, facts));
  EXPECT_TRUE(Matches("user/${aws:userid, 'nobody'}", "user/nobody", style, facts));
  EXPECT_FALSE(Matches("${graph.facebook.com:id}", "", style, facts));
}

TEST(Pattern, ABrokenVariableIsNone) {
  KeySet keys;
  for (const auto* text :
       {"${", "${}", "${aws:username", "${aws:username, x}", "${,'x'}", "${ }"}) {
    EXPECT_FALSE(Pattern::Parse(text, {.variables = Style::Variables::kAny}, keys)) << text;
  }
}

}  // namespace
}  // namespace kw::access
