// SPDX-License-Identifier: Apache-2.0
#include "expr/key_condition.h"

#include <gtest/gtest.h>

#include "expr/testing.h"

namespace kw {
namespace {

using testing::SamplePlaceholders;
using testing::ValueOf;

const KeySchema kHashOnly = {{{"pk", KeyType::kString}}, {}};
const KeySchema kTextSort = {{{"pk", KeyType::kString}}, {{"sk", KeyType::kString}}};
const KeySchema kNumberSort = {{{"pk", KeyType::kString}}, {{"sk", KeyType::kNumber}}};
const KeySchema kMany = {{{"pk", KeyType::kString}, {"pk2", KeyType::kNumber}},
                         {{"sk", KeyType::kString}, {"sk2", KeyType::kNumber}}};

TEST(KeyCondition, RefusesInTheServicesWords) {
  const struct {
    const char* text;
    const char* message;
    const char* source;
  } cases[] = {
      {"", "Invalid KeyConditionExpression: The expression can not be empty;", "assumed"},
      {"pk", R"~(Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "pk")~",
       "assumed"},
      {"contains()", R"~(Invalid KeyConditionExpression: Syntax error; token: ")", near: "()")~",
       "observed: ServiceStack/ServiceStack.Aws#5"},
      {"status = :s",
       "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: "
       "status",
       "aws-doc: Query.KeyConditionExpressions (is refused); the wording is assumed"},
      {"pk = :u",
       "Invalid KeyConditionExpression: An expression attribute value used in expression is not "
       "defined; attribute value: :u",
       "assumed"},
      {"pk = :s AND sk BETWEEN :z AND :a",
       "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater "
       "than or equal to lower bound; lower bound operand: AttributeValue: {S:z}, upper bound "
       "operand: AttributeValue: {S:a}",
       "assumed"},
      {"pk = :s AND begins_with(sk, :n1)",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator "
       "or function: begins_with, operand type: N",
       "assumed"},
      {"pk = :s OR sk = :a", "Invalid operator used in KeyConditionExpression: OR",
       "observed: the specs of Surge, an Elixir client"},
      {"pk = :s AND sk IN (:a, :z)", "Invalid operator used in KeyConditionExpression: IN",
       "observed: til.obiefernandez.com/posts/184022159f"},
      {"NOT pk = :s", "Invalid operator used in KeyConditionExpression: NOT", "assumed"},
      {"pk <> :s", "Invalid operator used in KeyConditionExpression: <>", "assumed"},
      {"pk = :s AND attribute_exists(sk)",
       "Invalid operator used in KeyConditionExpression: attribute_exists", "assumed"},
      {"pk = :s AND contains(sk, :a)", "Invalid operator used in KeyConditionExpression: contains",
       "assumed"},
      {"pk = :s AND sk > :a AND sk < :z",
       "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
       "per key",
       "observed: aws-amplify/amplify-category-api#3531"},
      {"size(pk) = :n1", "KeyConditionExpressions cannot contain nested operations", "assumed"},
      {"pk.x = :s", "KeyConditionExpressions cannot have conditions on nested attributes",
       "assumed"},
      {"pk = sk",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
       "condition",
       "assumed"},
      {":s = :a", "Invalid condition in KeyConditionExpression: No key attribute specified",
       "assumed"},
  };
  for (const auto& one : cases) {
    auto placeholders = SamplePlaceholders();
    const auto condition = KeyCondition::Parse(one.text, placeholders);
    ASSERT_FALSE(condition.has_value()) << one.text;
    EXPECT_EQ(condition.error().message, one.message) << one.text;
  }
}

TEST(KeyCondition, RefusesWhatDoesNotFitTheKey) {
  constexpr auto kNotSupported = "Query key condition not supported";
  constexpr auto kType =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  // assumed, all of them: which answer each case.
  const struct {
    const char* text;
    const KeySchema& key;
    std::string message;
  } cases[] = {
      {"sk = :s", kTextSort, "Query condition missed key schema element: pk"},
      {"a = :s", kHashOnly, "Query condition missed key schema element: pk"},
      {"pk = :s AND a = :a", kTextSort, "Query condition missed key schema element: sk"},
      {"pk = :s AND a = :a", kHashOnly, kNotSupported},
      {"pk = :s AND sk = :a AND a = :a", kTextSort, kNotSupported},
      {"pk > :s", kHashOnly, kNotSupported},
      {"begins_with(pk, :s)", kTextSort, kNotSupported},
      {"pk = :n1", kHashOnly, kType},
      {"pk = :s AND sk = :n1", kTextSort, kType},
      {"pk = :s AND begins_with(sk, :a)", kNumberSort, kType},
      {"pk = :s AND sk BETWEEN :a AND :z", kNumberSort, kType},
      {"pk = :none", kHashOnly,
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty string value. Key: pk"},
      {"pk = :s", kMany, "Query condition missed key schema element: pk2"},
      {"pk = :s AND pk2 > :n1", kMany, kNotSupported},
      {"pk = :s AND pk2 = :n1 AND sk2 = :n1", kMany,
       "Query condition missed key schema element: sk"},
      {"pk = :s AND pk2 = :n1 AND sk > :a AND sk2 = :n1", kMany, kNotSupported},
  };
  for (const auto& one : cases) {
    auto placeholders = SamplePlaceholders();
    const auto condition = KeyCondition::Parse(one.text, placeholders);
    ASSERT_TRUE(condition.has_value()) << one.text << ": " << condition.error().message;
    const auto range = condition->Resolve(one.key);
    ASSERT_FALSE(range.has_value()) << one.text;
    EXPECT_EQ(range.error().message, one.message) << one.text;
  }
}

KeyRange RangeOf(const char* text, const KeySchema& key) {
  auto placeholders = SamplePlaceholders();
  const auto condition = KeyCondition::Parse(text, placeholders);
  EXPECT_TRUE(condition.has_value()) << text;
  auto range = condition->Resolve(key);
  EXPECT_TRUE(range.has_value()) << text << ": " << range.error().message;
  return *range;
}

TEST(KeyCondition, ResolvesPartitions) {
  const KeyRange range = RangeOf("pk = :s", kTextSort);
  EXPECT_EQ(range.partition, std::vector{ValueOf(R"({"S":"hello"})")});
  EXPECT_TRUE(range.sort_equal.empty());
  EXPECT_FALSE(range.sort.has_value());
}

TEST(KeyCondition, ResolvesSortKeys) {
  // aws-doc: Query.KeyConditionExpressions; that sides may be exchanged is assumed.
  const struct {
    const char* text;
    KeyOperator op;
  } cases[] = {
      {"pk = :s AND sk < :n5", KeyOperator::kLess},
      {"pk = :s AND sk <= :n5", KeyOperator::kLessEqual},
      {"pk = :s AND sk > :n5", KeyOperator::kGreater},
      {"sk >= :n5 AND pk = :s", KeyOperator::kGreaterEqual},
      {"(pk = :s) AND (sk > :n5)", KeyOperator::kGreater},
      {":s = pk AND :n5 > sk", KeyOperator::kLess},
      {"pk = :s AND :n5 >= sk", KeyOperator::kLessEqual},
      {"pk = :s AND :n5 < sk", KeyOperator::kGreater},
      {"pk = :s AND :n5 <= sk", KeyOperator::kGreaterEqual},
  };
  for (const auto& one : cases) {
    const KeyRange range = RangeOf(one.text, kNumberSort);
    ASSERT_TRUE(range.sort.has_value()) << one.text;
    EXPECT_EQ(range.sort->op, one.op) << one.text;
    EXPECT_EQ(range.sort->value, ValueOf(R"({"N":"5"})")) << one.text;
    EXPECT_FALSE(range.sort->high.has_value());
  }
  EXPECT_EQ(RangeOf("pk = :s AND sk = :n5", kNumberSort).sort_equal,
            std::vector{ValueOf(R"({"N":"5"})")});
  const KeyRange between = RangeOf("pk = :s AND sk BETWEEN :n1 AND :n5", kNumberSort);
  EXPECT_EQ(between.sort->op, KeyOperator::kBetween);
  EXPECT_EQ(between.sort->high, ValueOf(R"({"N":"5"})"));
  EXPECT_EQ(RangeOf("pk = :s AND begins_with(sk, :a)", kTextSort).sort->op,
            KeyOperator::kBeginsWith);
}

// aws-doc: GSI.DesignPattern.MultiAttributeKeys.
TEST(KeyCondition, ResolvesKeysOfManyAttributes) {
  const KeyRange partition = RangeOf("pk2 = :n1 AND pk = :s", kMany);
  EXPECT_EQ(partition.partition,
            (std::vector{ValueOf(R"({"S":"hello"})"), ValueOf(R"({"N":"1"})")}));
  const KeyRange first = RangeOf("pk = :s AND pk2 = :n1 AND sk > :a", kMany);
  EXPECT_TRUE(first.sort_equal.empty());
  EXPECT_EQ(first.sort->attribute, "sk");
  const KeyRange second = RangeOf("pk = :s AND pk2 = :n1 AND sk = :a AND sk2 > :n1", kMany);
  EXPECT_EQ(second.sort_equal, std::vector{ValueOf(R"({"S":"a"})")});
  EXPECT_EQ(second.sort->attribute, "sk2");
  EXPECT_EQ(RangeOf("pk = :s AND pk2 = :n1 AND sk = :a AND sk2 = :n1", kMany).sort_equal.size(),
            2U);
}

}  // namespace
}  // namespace kw
