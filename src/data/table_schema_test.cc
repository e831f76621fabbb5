// SPDX-License-Identifier: Apache-2.0
#include "data/table_schema.h"

#include <gtest/gtest.h>

#include "data/item.h"

namespace kw {
namespace {

Item Parsed(const std::string& text) {
  JsonParser parser;
  return ParseAttributeMap(*parser.Parse(text)).value();
}

TableSchema Orders() {
  const KeyAttribute id = {"id", KeyType::kString};
  const KeyAttribute at = {"at", KeyType::kNumber};
  const KeyAttribute state = {"state", KeyType::kString};
  const KeyAttribute region = {"region", KeyType::kString};
  return TableSchema::Make({.partition = {id}, .sort = {at}},
                           {{.name = "all",
                             .scope = IndexScope::kGlobal,
                             .key = {.partition = {state}, .sort = {at}},
                             .projected = ProjectAll{}},
                            {.name = "keys",
                             .scope = IndexScope::kGlobal,
                             .key = {.partition = {state, region}, .sort = {}},
                             .projected = ProjectKeys{}},
                            {.name = "some",
                             .scope = IndexScope::kLocal,
                             .key = {.partition = {id}, .sort = {state}},
                             .projected = ProjectInclude{{"total", "absent"}}}});
}

TEST(TableSchema, FindsIndexesAndKeyAttributes) {
  const TableSchema schema = Orders();
  EXPECT_EQ(schema.FindIndex("keys")->key.partition.size(), 2U);
  EXPECT_EQ(schema.FindIndex("none"), nullptr);
  EXPECT_EQ(schema.FindKeyAttribute("at")->type, KeyType::kNumber);
  EXPECT_EQ(schema.FindKeyAttribute("region")->type, KeyType::kString);
  EXPECT_EQ(schema.FindKeyAttribute("total"), nullptr);
  EXPECT_TRUE(schema.key().Has("at"));
  EXPECT_FALSE(schema.key().Has("state"));
}

TEST(EntryOf, ProjectsAndIsSparse) {
  const TableSchema schema = Orders();
  const std::string item =
      R"({"at":{"N":"1"},"id":{"S":"a"},"more":{"S":"m"},"state":{"S":"s"},"total":{"N":"9"}})";
  EXPECT_EQ(schema.EntryOf(*schema.FindIndex("all"), Parsed(item)), Parsed(item));
  EXPECT_EQ(schema.EntryOf(*schema.FindIndex("some"), Parsed(item)),
            Parsed(R"({"at":{"N":"1"},"id":{"S":"a"},"state":{"S":"s"},"total":{"N":"9"}})"));
  // One of two partition attributes is absent.
  EXPECT_EQ(schema.EntryOf(*schema.FindIndex("keys"), Parsed(item)), std::nullopt);
  const std::string whole =
      R"({"at":{"N":"1"},"id":{"S":"a"},"region":{"S":"r"},"state":{"S":"s"},"total":{"N":"9"}})";
  EXPECT_EQ(schema.EntryOf(*schema.FindIndex("keys"), Parsed(whole)),
            Parsed(R"({"at":{"N":"1"},"id":{"S":"a"},"region":{"S":"r"},"state":{"S":"s"}})"));
}

}  // namespace
}  // namespace kw
