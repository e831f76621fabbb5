// SPDX-License-Identifier: Apache-2.0
#include "expr/placeholders.h"

#include <gtest/gtest.h>

#include "expr/testing.h"

namespace kw {
namespace {

using testing::MapOf;

Placeholders::Input InputOf(std::vector<std::pair<std::string, std::string>> names,
                            std::string_view values) {
  return {
      .has_names = true, .has_values = true, .names = std::move(names), .values = MapOf(values)};
}

TEST(Placeholders, RefusesBadKeys) {
  const std::string long_key = "#" + std::string(255, 'a');
  const struct {
    std::vector<std::pair<std::string, std::string>> names;
    std::string values;
    std::string message;
    const char* source;
  } cases[] = {
      {{}, R"({":a":{"N":"1"}})", "ExpressionAttributeNames must not be empty", "assumed"},
      {{{"#a", "a"}},
       "{}",
       "ExpressionAttributeValues must not be empty",
       "observed: d2a4u/meteor issue 372"},
      {{{"a", "a"}},
       R"({":a":{"N":"1"}})",
       R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "a")",
       "assumed"},
      {{{"#sryLiyD8D-", "a"}},
       R"({":a":{"N":"1"}})",
       R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "#sryLiyD8D-")",
       "observed: 4ossiblellc/dynamodb-update-expression issue 13"},
      {{{"#", "a"}},
       R"({":a":{"N":"1"}})",
       R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "#")",
       "assumed"},
      {{{"#a-b", "a"}},
       R"({":a":{"N":"1"}})",
       R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b")",
       "assumed"},
      {{{"", "a"}},
       R"({":a":{"N":"1"}})",
       R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "")",
       "assumed"},
      {{{"#a", "a"}},
       R"({"a":{"N":"1"}})",
       R"(ExpressionAttributeValues contains invalid key: Syntax error; key: "a")",
       "assumed"},
      {{{long_key, "a"}},
       R"({":a":{"N":"1"}})",
       "ExpressionAttributeNames contains invalid key: Key is too long; key size: 256",
       "aws-doc: Constraints (255 bytes); the wording is assumed"},
  };
  for (const auto& one : cases) {
    const auto made = Placeholders::Make(InputOf(one.names, one.values));
    ASSERT_FALSE(made.has_value()) << one.message;
    EXPECT_EQ(made.error().message, one.message);
  }
}

TEST(Placeholders, FindsAndMarks) {
  auto made = Placeholders::Make(
      InputOf({{"#b", "two"}, {"#a", "one"}}, R"({":x":{"N":"1"},":y":{"S":"s"}})"));
  ASSERT_TRUE(made.has_value());
  EXPECT_FALSE(made->empty());
  // observed: AllocZero/EfficientDynamoDb issue 170; the list of several is assumed.
  EXPECT_EQ(made->CheckAllUsed().error().message,
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}");
  EXPECT_EQ(*made->Name("#a"), "one");
  EXPECT_EQ(*made->Name("#b"), "two");
  EXPECT_EQ(made->Name("#c"), nullptr);
  EXPECT_EQ(*made->Value(":x"), AttributeValue(Number::FromInteger(1)));
  EXPECT_EQ(made->Value(":z"), nullptr);
  // assumed
  EXPECT_EQ(made->CheckAllUsed().error().message,
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y}");
  made->Value(":y");
  EXPECT_TRUE(made->CheckAllUsed().has_value());
}

TEST(Placeholders, MayBeAbsent) {
  auto made = Placeholders::Make({});
  ASSERT_TRUE(made.has_value());
  EXPECT_TRUE(made->empty());
  EXPECT_TRUE(made->CheckAllUsed().has_value());
  EXPECT_EQ(made->Name("#a"), nullptr);
}

}  // namespace
}  // namespace kw
