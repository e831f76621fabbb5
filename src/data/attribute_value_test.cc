// SPDX-License-Identifier: Apache-2.0
#include "data/attribute_value.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

Number N(const char* text) { return Number::Parse(text).value(); }

TEST(AttributeMap, SortsAndLetsTheLastOfEqualNamesWin) {
  bool duplicate = false;
  const auto map = AttributeMap::FromEntries(
      {{"b", N("1")}, {"a", N("2")}, {"b", N("3")}, {"", N("4")}, {"b", N("5")}}, &duplicate);
  EXPECT_TRUE(duplicate);
  ASSERT_EQ(map.size(), 3U);
  EXPECT_EQ(map.entries()[0].first, "");
  EXPECT_EQ(*map.Find("a"), AttributeValue(N("2")));
  EXPECT_EQ(*map.Find("b"), AttributeValue(N("5")));
  EXPECT_EQ(map.Find("c"), nullptr);

  bool untouched = false;
  EXPECT_EQ(AttributeMap::FromEntries({{"b", true}, {"a", true}}, &untouched).size(), 2U);
  EXPECT_FALSE(untouched);
}

TEST(AttributeMap, RemovesManyAtOnce) {
  AttributeMap map;
  for (const char* name : {"a", "b", "c", "d"}) map.Set(name, true);
  const std::string_view gone[] = {"", "a", "bb", "c", "e"};
  map.RemoveAll(gone);
  EXPECT_EQ(map.size(), 2U);
  EXPECT_NE(map.Find("b"), nullptr);
  EXPECT_NE(map.Find("d"), nullptr);
}

TEST(AttributeMap, SetsAndRemoves) {
  AttributeMap map;
  map.Set("b", true);
  map.Set("a", Null{});
  map.Set("b", false);
  EXPECT_EQ(map, AttributeMap::FromEntries({{"a", Null{}}, {"b", false}}));
  EXPECT_TRUE(map.Remove("a"));
  EXPECT_FALSE(map.Remove("a"));
  EXPECT_EQ(map.size(), 1U);
  EXPECT_FALSE(map.empty());
}

TEST(AttributeValue, KnowsItsType) {
  EXPECT_EQ(AttributeValue().type(), AttributeType::kNull);
  EXPECT_EQ(AttributeValue(std::string("a")).type(), AttributeType::kString);
  EXPECT_EQ(AttributeValue(true).type(), AttributeType::kBool);
  EXPECT_EQ(AttributeValue(AttributeMap()).type(), AttributeType::kMap);
  EXPECT_EQ(WireName(AttributeType::kNull), "NULL");
  EXPECT_EQ(WireName(AttributeType::kBinarySet), "BS");
  EXPECT_EQ(AttributeValue(true).As<Number>(), nullptr);
  EXPECT_NE(AttributeValue(true), AttributeValue(false));
}

TEST(SizeOf, FollowsTheRules) {
  // aws-doc: "DynamoDB item sizes and formats". observed: 1 for each element or pair.
  const AttributeValue s(std::string("h\xC3\xA9"));
  EXPECT_EQ(SizeOf(s).value(), 3);
  EXPECT_EQ(SizeOf(AttributeValue(Binary{"1234"})).value(), 4);
  EXPECT_EQ(SizeOf(AttributeValue(true)).value(), 1);
  EXPECT_EQ(SizeOf(AttributeValue(Null{})).value(), 1);
  EXPECT_EQ(SizeOf(AttributeValue(StringSet{{"a", "bc"}})).value(), 3);
  EXPECT_EQ(SizeOf(AttributeValue(NumberSet{{N("1"), N("-1")}})).value(), 5);
  EXPECT_EQ(SizeOf(AttributeValue(BinarySet{{{"a"}, {"bc"}}})).value(), 3);
  EXPECT_EQ(SizeOf(AttributeValue(List{})).value(), 3);
  EXPECT_EQ(SizeOf(AttributeValue(List{{s, true}})).value(), 3 + (1 + 3) + (1 + 1));
  const auto map = AttributeMap::FromEntries({{"ab", s}, {"c", List{{true}}}});
  EXPECT_EQ(SizeOf(AttributeValue(map)).value(), 3 + (1 + 2 + 3) + (1 + 1 + 3 + 1 + 1));
  EXPECT_EQ(SizeOf(map).value(), (2 + 3) + (1 + 3 + 1 + 1));  // an item has no map's overhead
}

TEST(NestingOf, CountsListsAndMaps) {
  EXPECT_EQ(NestingOf(true), 0);
  EXPECT_EQ(NestingOf(List{}), 1);
  EXPECT_EQ(NestingOf(List{{true, AttributeMap::FromEntries({{"a", List{}}}), List{}}}), 3);
}

}  // namespace
}  // namespace kw
