// SPDX-License-Identifier: Apache-2.0
#include "data/item_bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/item.h"

namespace kw {
namespace {

using namespace std::string_literals;

Item Parsed(const std::string& text) {
  JsonParser parser;
  return ParseAttributeMap(*parser.Parse(text)).value();
}

const char* const kEveryType =
    R"({"b":{"B":"AP8="},"bool":{"BOOL":true},"bs":{"BS":["AA==","/w=="]},)"
    R"("l":{"L":[{"S":"x"},{"M":{"k":{"N":"1"}}},{"L":[]}]},"m":{"M":{"a":{"S":""},"b":{"NULL":true}}},)"
    R"("n":{"N":"-12.5"},"ns":{"NS":["-1","0","7"]},"null":{"NULL":true},"s":{"S":"héllo"},)"
    R"("ss":{"SS":["","a"]}})";

TEST(StoreItem, HoldsEveryType) {
  const Item item = Parsed(kEveryType);
  const std::string stored = StoreItem(item);
  EXPECT_TRUE(IsStoredItem(stored));
  EXPECT_EQ(LoadItem(stored), item);
  EXPECT_EQ(StoredItemSize(stored), SizeOf(item));
  std::string json;
  JsonWriter writer(json);
  WriteStoredItem(stored, writer);
  EXPECT_EQ(json, kEveryType);
}

TEST(StoreItem, HasAFixedForm) {
  EXPECT_EQ(StoreItem(Item()), std::string("\x01\x00\x00", 3));
  // Version, size 1+1 + 1+3+1+1, two attributes; a list of 4 bytes that has 1 element.
  EXPECT_EQ(StoreItem(Parsed(R"({"a":{"S":"x"},"l":{"L":[{"BOOL":true}]}})")),
            "\x01\x08\x02"
            "\x01"
            "a\x00\x01"
            "x\x01l\x08\x00\x00\x00\x03\x01\x03\x01"s);
}

TEST(LoadAttribute, FindsEachAndNoOther) {
  const Item item = Parsed(kEveryType);
  const std::string stored = StoreItem(item);
  for (const auto& [name, value] : item.entries()) {
    EXPECT_EQ(LoadAttribute(stored, name), value) << name;
  }
  for (const char* name : {"", "a", "bo", "k", "zz"}) {
    EXPECT_FALSE(LoadAttribute(stored, name)) << name;
  }
}

TEST(IsStoredItem, RefusesEveryPrefixAndEverySpareByte) {
  const std::string stored = StoreItem(Parsed(kEveryType));
  for (std::size_t length = 0; length < stored.size(); ++length) {
    EXPECT_FALSE(IsStoredItem(stored.substr(0, length))) << length;
  }
  EXPECT_FALSE(IsStoredItem(stored + '\0'));
}

TEST(IsStoredItem, RefusesWhatIsNotCanonical) {
  const std::vector<std::string> wrong = {
      "\x02\x00\x00"s,      // version
      "\x01\x01\x00"s,      // size
      "\x01\x80\x00\x00"s,  // a longer varint
      "\x01\x04\x02\x01"
      "b\x04\x01"
      "a\x04"s,  // names not in order
      "\x01\x04\x02\x01"
      "a\x04\x01"
      "a\x04"s,  // a name twice
      "\x01\x02\x01\x01"
      "a\x0A"s,  // no such type
      "\x01\x02\x01\x01"
      "a\x03\x02"s,  // a boolean that is 2
      "\x01\x02\x01\x01"
      "a\x01\x02\x80\x80"s,  // a spare byte behind a number
      "\x01\x01\x01\x01"
      "a\x05\x00\x00\x00\x01\x00"s,  // an empty set
      "\x01\x03\x01\x01"
      "a\x05\x00\x00\x00\x05\x02\x01"
      "b\x01"
      "a"s,  // a set out of order
      "\x01\x04\x01\x01"
      "a\x08\x00\x00\x00\x02\x00\x00"s,  // a spare byte in a list
      "\x01\x02\x01\x01"
      "a\x00\x01\xFF"s,                                     // not UTF-8
      "\x01\x02\x01\x01\xFF\x04"s,                          // nor a name
      "\x01\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s,  // a count beyond all bytes
  };
  for (const std::string& bytes : wrong) {
    EXPECT_FALSE(IsStoredItem(bytes)) << testing::PrintToString(bytes);
  }
}

TEST(IsStoredItem, RefusesDeepNesting) {
  const auto nested = [](int lists) {
    AttributeValue value = true;
    for (int i = 0; i < lists; ++i) {
      List list;
      list.values.push_back(std::move(value));
      value = std::move(list);
    }
    return StoreItem(AttributeMap::FromEntries({{"a", std::move(value)}}));
  };
  EXPECT_TRUE(IsStoredItem(nested(32)));
  EXPECT_FALSE(IsStoredItem(nested(33)));
  EXPECT_FALSE(IsStoredItem(nested(5000)));
}

}  // namespace
}  // namespace kw
