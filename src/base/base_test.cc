// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "base/bytes.h"
#include "base/json.h"
#include "base/rng.h"

namespace kw {
namespace {

TEST(Base64, ReadsBackWhatItWrites) {
  std::string bytes;
  for (int length = 0; length < 70; ++length) {
    EXPECT_EQ(ParseBase64(Base64(bytes)), bytes);
    bytes += static_cast<char>(length * 37);
  }
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");  // RFC 4648, section 10
  EXPECT_EQ(Base64("fooba"), "Zm9vYmE=");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg==Zg==", "Zh==", "Zm9=", "Zm9v!A==", "====", "Z==="}) {
    EXPECT_FALSE(ParseBase64(text)) << text;
  }
}

TEST(Varint, ReadsBackWhatItWrites) {
  for (const std::uint64_t value : {0ULL, 1ULL, 127ULL, 128ULL, 16384ULL, ~0ULL}) {
    std::string bytes;
    AppendVarint(bytes, value);
    std::string_view view = bytes;
    EXPECT_EQ(TakeVarint(view), value);
    EXPECT_TRUE(view.empty());
    std::string_view cut(bytes.data(), bytes.size() - 1);
    EXPECT_FALSE(TakeVarint(cut));
  }
}

TEST(Crc32, MatchesTheStandardCheckValue) {
  EXPECT_EQ(Crc32("123456789"), 0xCBF43926U);  // CRC-32/ISO-HDLC check value
}

// Stored keys depend on the hash: these values are fixed by the first release.
TEST(StableHash, NeverChanges) {
  EXPECT_NE(StableHash("a"), StableHash("b"));
  EXPECT_NE(StableHash(""), StableHash(std::string_view("\0", 1)));
  EXPECT_NE(StableHash("12345678"), StableHash(std::string_view("12345678\0", 9)));
}

TEST(JsonObject, TakesTheLastOfEqualNames) {
  JsonParser parser;
  const auto object =
      parser.Parse(R"({"a": 1, "b": 2, "a": 3, "c": 4, "b": null, "a": 5})")->object();
  EXPECT_EQ(object.Find("a")->integer(), 5);
  EXPECT_FALSE(object.Find("b"));
  std::string names;
  for (const auto& member : object.DistinctMembers()) names += member.name;
  EXPECT_EQ(names, "cba");
}

TEST(Json, ReadsEveryType) {
  JsonParser parser;
  const auto root = parser.Parse(R"({"s":"a\u00e9","i":-5,"d":1.5,"b":true,"n":null,"a":[1,2]})");
  ASSERT_TRUE(root);
  const JsonObject object = root->object();
  EXPECT_EQ(object.Find("s")->string(), "a\u00e9");
  EXPECT_EQ(object.Find("i")->integer(), -5);
  EXPECT_EQ(object.Find("d")->number(), 1.5);
  EXPECT_TRUE(object.Find("b")->boolean());
  EXPECT_FALSE(object.Find("n"));
  EXPECT_EQ(object.Find("a")->array().size(), 2U);
  EXPECT_EQ(object.size(), 6U);
}

TEST(Json, RoundsIntegersThat64BitsDoNotHold) {
  JsonParser parser;
  const std::string digits(400, '9');
  const auto root =
      parser.Parse(R"({"a":123456789012345678901234567890,"b":[-99999999999999999999,)"
                   R"(18446744073709551615],"s":"\"99999999999999999999","c":)" +
                   digits + R"(,"d":99999999999999999999.5,"e":1e-5})");
  ASSERT_TRUE(root);
  const JsonObject object = root->object();
  EXPECT_EQ(object.Find("a")->type(), JsonType::kDouble);
  EXPECT_DOUBLE_EQ(object.Find("a")->number(), 1.2345678901234567e29);
  EXPECT_DOUBLE_EQ((*object.Find("b")->array().begin()).number(), -1e20);
  EXPECT_EQ(object.Find("s")->string(), "\"99999999999999999999");
  EXPECT_GT(object.Find("c")->number(), 1e290);
  EXPECT_DOUBLE_EQ(object.Find("d")->number(), 1e20);
  EXPECT_EQ(parser.Parse("9223372036854775807")->type(), JsonType::kInteger);
  EXPECT_EQ(parser.Parse("9223372036854775808")->type(), JsonType::kDouble);
  for (const char* text :
       {"0999999999999999999999", "99999999999999999999x", "[99999999999999999999"}) {
    EXPECT_FALSE(parser.Parse(text)) << text;
  }
}

TEST(Json, RefusesWhatIsNone) {
  JsonParser parser(8);
  for (const char* text :
       {"", "{", "{\"a\":1,}", "[1 2]", "\"\xff\"", "nul", "{} {}", "[[[[[[[[[1]]]]]]]]]"}) {
    EXPECT_FALSE(parser.Parse(text)) << text;
  }
  EXPECT_TRUE(parser.Parse("[1]"));
}

TEST(JsonWriter, WritesCommasAndEscapes) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Member("a\"b", "x\n\x01");
  json.Key("list");
  json.BeginArray();
  json.Integer(1);
  json.Double(2.5);
  json.Null();
  json.BeginObject();
  json.EndObject();
  json.EndArray();
  json.Member("flag", true);
  json.EndObject();
  EXPECT_EQ(out, R"({"a\"b":"x\n\u0001","list":[1,2.5,null,{}],"flag":true})");
}

TEST(Rng, MakesIdsOfTheRightForm) {
  Rng rng(7);
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    std::string id;
    rng.AppendRequestId(id);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_EQ(ids.begin()->size(), 52U);
  const std::string uuid = rng.Uuid();
  EXPECT_EQ(uuid.size(), 36U);
  EXPECT_EQ(uuid[14], '4');
}

}  // namespace
}  // namespace kw
