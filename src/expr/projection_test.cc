// SPDX-License-Identifier: Apache-2.0
#include "expr/projection.h"

#include <gtest/gtest.h>

#include "expr/testing.h"

namespace kw {
namespace {

using testing::JsonOf;
using testing::MapOf;
using testing::SamplePlaceholders;

// aws-doc pages: "Projection" is Expressions.ProjectionExpressions.
TEST(Projection, RefusesInTheServicesWords) {
  const struct {
    const char* text;
    const char* message;
    const char* source;
  } cases[] = {
      {"", "The expression can not be empty;", "assumed"},
      {"a,", R"~(Syntax error; token: "<EOF>", near: ",")~", "assumed"},
      {",a", R"~(Syntax error; token: ",", near: ",a")~", "assumed"},
      {"a b", R"~(Syntax error; token: "b", near: "a b")~", "assumed"},
      {"a..b", R"~(Syntax error; token: ".", near: "..b")~", "assumed"},
      {":s", R"~(Syntax error; token: ":s", near: ":s")~", "assumed"},
      {"size(a)", R"~(Syntax error; token: "(", near: "size(a")~", "assumed"},
      {"a, name", "Attribute name is a reserved keyword; reserved keyword: name",
       "aws-doc: Projection"},
      {"#u",
       "An expression attribute name used in the document path is not defined; attribute "
       "name: #u",
       "assumed"},
      {"a, b, a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [a], path two: [a]",
       "assumed"},
      {"m.x, m",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [m, x], path two: [m]",
       "assumed"},
      {"m.x, m[1]",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path one: [m, x], path two: [m, [1]]",
       "assumed"},
  };
  for (const auto& one : cases) {
    auto placeholders = SamplePlaceholders();
    const auto projection = Projection::Parse(one.text, placeholders);
    ASSERT_FALSE(projection.has_value()) << one.text;
    EXPECT_EQ(projection.error().message,
              std::string("Invalid ProjectionExpression: ") + one.message);
  }
}

TEST(Projection, Applies) {
  const struct {
    const char* text;
    const char* after;
    const char* source;
  } cases[] = {
      {"n", R"({"n":{"N":"5"}})", "aws-doc: Projection"},
      {"n, s, absent", R"({"n":{"N":"5"},"s":{"S":"hello"}})", "aws-doc: Projection"},
      {"absent", "{}", "assumed"},
      {"#name", R"({"name":{"S":"reserved"}})", "aws-doc: Projection"},
      {"m.x", R"({"m":{"M":{"x":{"N":"1"}}}})", "aws-doc: Projection"},
      {"m.y.deep, m.x", R"({"m":{"M":{"x":{"N":"1"},"y":{"M":{"deep":{"S":"d"}}}}}})", "assumed"},
      {"m.absent", "{}", "assumed"},
      {"m.y.absent, n", R"({"n":{"N":"5"}})", "assumed"},
      {"m.#dot", R"({"m":{"M":{"a.b":{"S":"dotted"}}}})", "aws-doc: ExpressionAttributeNames"},
      {"li[0]", R"({"li":{"L":[{"S":"a"}]}})", "aws-doc: Projection"},
      {"li[1], li[0]", R"({"li":{"L":[{"S":"a"},{"N":"1"}]}})", "assumed"},
      {"li[0], li[2].x", R"({"li":{"L":[{"S":"a"},{"M":{"x":{"N":"7"}}}]}})", "assumed"},
      {"li[10], li[3]", R"({"li":{"L":[{"L":[{"S":"in"}]}]}})", "assumed"},
      {"li[9]", "{}", "assumed"},
      {"li[0].x", "{}", "assumed"},
      {"s.x", "{}", "assumed"},
      {"s[0]", "{}", "assumed"},
      {"e", R"({"e":{"M":{}}})", "assumed"},
      {"m.l[0]", R"({"m":{"M":{"l":{"L":[{"S":"p"}]}}}})", "aws-doc: Projection"},
  };
  for (const auto& one : cases) {
    auto placeholders = SamplePlaceholders();
    const auto projection = Projection::Parse(one.text, placeholders);
    ASSERT_TRUE(projection.has_value()) << one.text << ": " << projection.error().message;
    EXPECT_EQ(JsonOf(projection->Apply(testing::SampleItem())), JsonOf(MapOf(one.after)))
        << one.text;
  }
}

TEST(Projection, TakesAttributesToGet) {
  const auto projection = Projection::OfAttributes({"s", "name", "m.x"});
  ASSERT_TRUE(projection.has_value());
  EXPECT_EQ(JsonOf(projection->Apply(testing::SampleItem())),
            JsonOf(MapOf(R"({"name":{"S":"reserved"},"s":{"S":"hello"}})")));
  EXPECT_EQ(projection->paths().size(), 3U);
  // assumed
  EXPECT_EQ(Projection::OfAttributes({"b", "a", "b"}).error().message,
            "One or more parameter values were invalid: Duplicate value in attribute name: b");
}

}  // namespace
}  // namespace kw
