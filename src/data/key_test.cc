// SPDX-License-Identifier: Apache-2.0
#include "data/key.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/bytes.h"
#include "data/item.h"

namespace kw {
namespace {

using namespace std::string_literals;

Item Parsed(const std::string& text) {
  JsonParser parser;
  return ParseAttributeMap(*parser.Parse(text)).value();
}

std::string PartOf(const AttributeValue& value) {
  std::string part;
  AppendKeyPart(part, value);
  return part;
}

std::string FaultOf(const Result<void>& result) {
  return result ? std::string() : result.error().message;
}

const KeySchema kComposite = {.partition = {{"id", KeyType::kString}},
                              .sort = {{"at", KeyType::kNumber}}};

TEST(KeyPart, SortsAsTheValues) {
  const std::vector<std::string> ascending = {
      ""s,      "\0"s, "\0\0"s,  "\0\xFF"s, "\x01"s,     "a"s,    "a\0"s,     "a\0b"s,
      "a\x01"s, "ab"s, "a\xFF"s, "b"s,      "\xC3\xA9"s, "\xFF"s, "\xFF\xFF"s};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      // Whatever follows must not change the order of different parts.
      const std::string a = PartOf(Binary{ascending[i]}) + "\xFF";
      const std::string b = PartOf(Binary{ascending[j]});
      if (i != j) {
        EXPECT_EQ(a < b, i < j) << i << " " << j;
      }
    }
  }
}

TEST(KeyPart, ReadsBack) {
  const Number number = Number::Parse("-1.5").value();
  std::string bytes;
  AppendKeyPart(bytes, "a\0b"s);
  AppendKeyPart(bytes, number);
  AppendKeyPart(bytes, Binary{"\0\xFF\x01"s});
  std::string_view rest = bytes;
  EXPECT_EQ(TakeKeyPart(rest, KeyType::kString), AttributeValue("a\0b"s));
  EXPECT_EQ(TakeKeyPart(rest, KeyType::kNumber), AttributeValue(number));
  EXPECT_EQ(TakeKeyPart(rest, KeyType::kBinary), AttributeValue(Binary{"\0\xFF\x01"s}));
  EXPECT_TRUE(rest.empty());
}

TEST(KeyPart, TakesOnlyParts) {
  for (const std::string& bytes : {""s, "a"s, "a\0"s, "a\0\x02"s, "a\0\xFF"s, "a\0\0\x01"s}) {
    std::string_view rest = bytes;
    EXPECT_FALSE(TakeKeyPart(rest, KeyType::kString)) << testing::PrintToString(bytes);
    EXPECT_EQ(rest, bytes);
  }
}

TEST(RowKey, IsHashAndParts) {
  const Item item = Parsed(R"({"id":{"S":"a"},"at":{"N":"1"},"other":{"S":"x"}})");
  const std::string part = "a\0\x01"s;
  std::string expected;
  AppendBigEndian64(expected, StableHash(part));
  expected += part;
  EXPECT_EQ(PartitionPrefix({item.Find("id")}), expected);
  EXPECT_EQ(RowKeyOf(kComposite, item), expected + "\x81\x82\x14");
}

TEST(PrefixEnd, IsTheNextString) {
  EXPECT_EQ(PrefixEnd("a"), "b");
  EXPECT_EQ(PrefixEnd("a\xFF\xFF"), "b");
  EXPECT_EQ(PrefixEnd("\x7F"), "\x80");
  EXPECT_EQ(PrefixEnd("\xFF\xFF"), "");
  EXPECT_EQ(PrefixEnd(""), "");
}

TEST(CheckKey, RefusesInTheServicesWords) {
  // observed: the sentence for empty strings, and the one for long keys (nextauthjs/next-auth issue
  // 5827). assumed: which key gets which.
  const std::string mismatch = "The provided key element does not match the schema";
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty string value. Key: id";
  const std::string too_long =
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
      "limit of2048 bytes";
  const auto text = [](std::size_t length) { return std::string(length, 'x'); };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"id":{"S":"a"},"at":{"N":"1"}})", ""},
      {R"({"id":{"S":"a"}})", mismatch},
      {R"({"id":{"S":"a"},"at":{"N":"1"},"x":{"N":"1"}})", mismatch},
      {R"({"id":{"S":"a"},"x":{"N":"1"}})", mismatch},
      {R"({"id":{"S":"a"},"at":{"S":"1"}})", mismatch},
      {R"({"id":{"S":""},"at":{"N":"1"}})", empty},
      {R"({"id":{"S":")" + text(2048) + R"("},"at":{"N":"1"}})", ""},
      {R"({"id":{"S":")" + text(2049) + R"("},"at":{"N":"1"}})", too_long},
  };
  for (const auto& [key, message] : cases) {
    EXPECT_EQ(FaultOf(CheckKey(kComposite, Parsed(key))), message) << key;
  }
}

TEST(CheckItemKey, RefusesInTheServicesWords) {
  const std::string invalid = "One or more parameter values were invalid: ";
  const KeySchema binary_sort = {.partition = {{"id", KeyType::kString}},
                                 .sort = {{"at", KeyType::kBinary}}};
  const std::string long_binary = Base64(std::string(1025, 'x'));
  const std::vector<std::pair<std::string, std::string>> cases = {
      // observed, but where it says assumed.
      {R"({"id":{"S":"a"},"at":{"B":"AA=="},"x":{"S":""}})", ""},
      {R"({"at":{"B":"AA=="}})", invalid + "Missing the key id in the item"},
      {R"({"id":{"S":"a"}})", invalid + "Missing the key at in the item"},
      {R"({"id":{"N":"1"},"at":{"B":"AA=="}})",
       invalid + "Type mismatch for key id expected: S actual: N"},
      {R"({"id":{"S":""},"at":{"S":""}})",
       invalid + "Type mismatch for key at expected: B actual: S"},
      {R"({"id":{"S":"a"},"at":{"B":""}})",  // assumed
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty binary value. Key: at"},
      // observed: formkiq/formkiq-core issue 271
      {R"({"id":{"S":"a"},"at":{"B":")" + long_binary + R"("}})",
       invalid + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"},
  };
  for (const auto& [item, message] : cases) {
    EXPECT_EQ(FaultOf(CheckItemKey(binary_sort, Parsed(item))), message) << item;
  }
}

TEST(CheckIndexKeys, LooksOnlyAtWhatIsThere) {
  const TableSchema schema = TableSchema::Make(
      {.partition = {{"id", KeyType::kString}}, .sort = {}},
      {{.name = "gsi1",
        .scope = IndexScope::kGlobal,
        .key = {.partition = {{"gsipk", KeyType::kString}, {"second", KeyType::kBinary}},
                .sort = {{"gsisk", KeyType::kNumber}}},
        .projected = ProjectKeys{}}});
  const std::string not_valid =
      "One or more parameter values are not valid. A value specified for a secondary index key is "
      "not supported. The AttributeValue for a key attribute cannot contain an empty ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"id":{"S":"a"}})", ""},
      {R"({"id":{"S":"a"},"gsipk":{"S":"x"}})", ""},
      {R"({"gsipk":{"N":"1"}})",  // observed: mapbox/cardboard issue 85
       "One or more parameter values were invalid: Type mismatch for Index Key gsipk Expected: S "
       "Actual: N IndexName: gsi1"},
      {R"({"gsipk":{"NULL":true}})",  // assumed
       "One or more parameter values were invalid: Type mismatch for Index Key gsipk Expected: S "
       "Actual: NULL IndexName: gsi1"},
      {R"({"gsipk":{"S":""}})",  // observed
       not_valid + "string value. IndexName: gsi1, IndexKey: gsipk"},
      {R"({"second":{"B":""}})",  // assumed
       not_valid + "binary value. IndexName: gsi1, IndexKey: second"},
      // observed: wellcomecollection/platform issue 2285
      {R"({"gsipk":{"S":")" + std::string(2175, 'x') + R"("}})",
       "One or more parameter values were invalid: Size limit exceeded for Index Key gsipk Actual "
       "Size: 2175 bytes Max Size: 2048 bytes IndexName: gsi1"},
      // assumed, of several attributes
      {R"({"gsipk":{"S":")" + std::string(2048, 'x') + R"("},"second":{"B":"AA=="}})",
       "One or more parameter values were invalid: Size limit exceeded for Index Key second Actual "
       "Size: 2049 bytes Max Size: 2048 bytes IndexName: gsi1"},
  };
  for (const auto& [item, message] : cases) {
    EXPECT_EQ(FaultOf(CheckIndexKeys(schema, Parsed(item))), message) << item;
  }
}

}  // namespace
}  // namespace kw
