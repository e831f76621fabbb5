// SPDX-License-Identifier: Apache-2.0
#include "expr/legacy.h"

#include <gtest/gtest.h>

#include "expr/testing.h"

namespace kw {
namespace {

using testing::JsonOf;
using testing::MapOf;
using testing::SampleItem;

using Op = ComparisonOperator;

// The elements of an AttributeValueList.
std::vector<AttributeValue> ListOf(const std::string& json) {
  return testing::ValueOf(R"({"L":)" + json + "}").As<List>()->values;
}

constexpr const char* kPrefix = "One or more parameter values were invalid: ";

TEST(FilterOf, RefusesInTheServicesWords) {
  // assumed, all of the wording but for the first: observed, Dynamoid/dynamoid pull request 225.
  // The rules are aws-doc: LegacyConditionalParameters.Conditions.
  const struct {
    Op op;
    const char* values;
    const char* message;
  } cases[] = {
      {Op::kEq, "[]", "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {Op::kEq, R"([{"N":"1"},{"N":"2"}])",
       "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {Op::kNull, R"([{"N":"1"}])",
       "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {Op::kNotNull, R"([{"N":"1"}])",
       "Invalid number of argument(s) for the NOT_NULL ComparisonOperator"},
      {Op::kBetween, R"([{"N":"1"}])",
       "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {Op::kIn, "[]", "Invalid number of argument(s) for the IN ComparisonOperator"},
      {Op::kBeginsWith, R"([{"N":"1"}])",
       "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
      {Op::kLt, R"([{"SS":["a"]}])",
       "ComparisonOperator LT is not valid for SS AttributeValue type"},
      {Op::kContains, R"([{"SS":["a"]}])",
       "ComparisonOperator CONTAINS is not valid for SS AttributeValue type"},
      {Op::kIn, R"([{"L":[]}])", "ComparisonOperator IN is not valid for L AttributeValue type"},
      {Op::kIn, R"([{"N":"1"},{"S":"a"}])",
       "AttributeValues inside AttributeValueList must be of same type"},
      {Op::kBetween, R"([{"N":"1"},{"S":"a"}])",
       "AttributeValues inside AttributeValueList must be of same type"},
      {Op::kBetween, R"([{"N":"2"},{"N":"1"}])",
       "The BETWEEN condition was provided a range where the lower bound is greater than the upper "
       "bound"},
  };
  for (const auto& one : cases) {
    const auto filter = FilterOf({{.attribute = "n", .op = one.op, .values = ListOf(one.values)}},
                                 ConditionalOperator::kAnd);
    ASSERT_FALSE(filter.has_value()) << one.message;
    EXPECT_EQ(filter.error().message, std::string(kPrefix) + one.message);
  }
}

TEST(FilterOf, Holds) {
  const struct {
    const char* attribute;
    Op op;
    const char* values;
    bool holds;
    const char* source;
  } cases[] = {
      {"n", Op::kEq, R"([{"N":"5"}])", true, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kEq, R"([{"S":"5"}])", false, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"ss", Op::kEq, R"([{"SS":["b","a"]}])", true,
       "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kNe, R"([{"N":"5"}])", false, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kNe, R"([{"S":"5"}])", true, "assumed"},
      {"missing", Op::kNe, R"([{"N":"5"}])", true, "assumed"},
      {"n", Op::kLt, R"([{"N":"9"}])", true, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kLe, R"([{"N":"5"}])", true, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kGt, R"([{"N":"5"}])", false, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kGe, R"([{"N":"5"}])", true, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kGe, R"([{"S":"5"}])", false, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kNotNull, "[]", true, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"nil", Op::kNotNull, "[]", true, "aws-doc: API_Condition (existence, not type)"},
      {"missing", Op::kNull, "[]", true, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kNull, "[]", false, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"s", Op::kContains, R"([{"S":"ell"}])", true,
       "aws-doc: LegacyConditionalParameters.Conditions"},
      {"ss", Op::kContains, R"([{"S":"a"}])", true,
       "aws-doc: LegacyConditionalParameters.Conditions"},
      {"b", Op::kContains, R"([{"B":"AgM="}])", true,
       "aws-doc: LegacyConditionalParameters.Conditions"},
      {"ss", Op::kNotContains, R"([{"S":"z"}])", true,
       "aws-doc: LegacyConditionalParameters.Conditions"},
      {"ss", Op::kNotContains, R"([{"S":"a"}])", false,
       "aws-doc: LegacyConditionalParameters.Conditions"},
      {"missing", Op::kNotContains, R"([{"S":"a"}])", true, "assumed"},
      {"s", Op::kBeginsWith, R"([{"S":"he"}])", true,
       "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kIn, R"([{"N":"1"},{"N":"5"}])", true,
       "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kIn, R"([{"N":"1"}])", false, "aws-doc: LegacyConditionalParameters.Conditions"},
      {"n", Op::kBetween, R"([{"N":"5"},{"N":"9"}])", true,
       "aws-doc: LegacyConditionalParameters.Conditions"},
  };
  for (const auto& one : cases) {
    const auto filter =
        FilterOf({{.attribute = one.attribute, .op = one.op, .values = ListOf(one.values)}},
                 ConditionalOperator::kAnd);
    ASSERT_TRUE(filter.has_value()) << one.attribute << one.values << filter.error().message;
    EXPECT_EQ(filter->Holds(SampleItem()), one.holds) << one.attribute << one.values;
  }
}

// aws-doc: LegacyConditionalParameters.ConditionalOperator.
TEST(FilterOf, Joins) {
  const std::vector<LegacyCondition> conditions = {
      {.attribute = "n", .op = Op::kEq, .values = ListOf(R"([{"N":"5"}])")},
      {.attribute = "s", .op = Op::kEq, .values = ListOf(R"([{"S":"x"}])")}};
  EXPECT_FALSE(FilterOf(conditions, ConditionalOperator::kAnd)->Holds(SampleItem()));
  EXPECT_TRUE(FilterOf(conditions, ConditionalOperator::kOr)->Holds(SampleItem()));
  EXPECT_TRUE(FilterOf({}, ConditionalOperator::kOr)->Holds(SampleItem()));
  EXPECT_EQ(FilterOf(conditions, ConditionalOperator::kOr)->Attributes(),
            (std::set<std::string, std::less<>>{"n", "s"}));
}

TEST(ConditionOf, RefusesInTheServicesWords) {
  const AttributeValue one = Number::FromInteger(1);
  // assumed, all of the wording. The rules are aws-doc: API_ExpectedAttributeValue.
  const struct {
    LegacyExpected expected;
    const char* message;
  } cases[] = {
      {{.attribute = "a", .value = {}, .exists = {}, .op = {}, .values = {}},
       "Value must be provided when Exists is null for Attribute: a"},
      {{.attribute = "a", .value = {}, .exists = true, .op = {}, .values = {}},
       "Value must be provided when Exists is true for Attribute: a"},
      {{.attribute = "a", .value = one, .exists = false, .op = {}, .values = {}},
       "Value cannot be used when Exists is false for Attribute: a"},
      {{.attribute = "a", .value = {}, .exists = {}, .op = {}, .values = {{one}}},
       "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {{.attribute = "a", .value = {}, .exists = true, .op = Op::kEq, .values = {{one}}},
       "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {{.attribute = "a", .value = one, .exists = {}, .op = Op::kEq, .values = {{one}}},
       "Value and AttributeValueList cannot be used together for Attribute: a"},
      {{.attribute = "a", .value = {}, .exists = {}, .op = Op::kEq, .values = {}},
       "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
      {{.attribute = "a",
        .value = {},
        .exists = {},
        .op = Op::kEq,
        .values = std::vector<AttributeValue>{}},
       "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {{.attribute = "a", .value = one, .exists = {}, .op = Op::kNull, .values = {}},
       "Invalid number of argument(s) for the NULL ComparisonOperator"},
  };
  for (const auto& one_case : cases) {
    const auto condition = ConditionOf({one_case.expected}, ConditionalOperator::kAnd);
    ASSERT_FALSE(condition.has_value()) << one_case.message;
    EXPECT_EQ(condition.error().message, std::string(kPrefix) + one_case.message);
  }
}

// aws-doc: API_ExpectedAttributeValue.
TEST(ConditionOf, Holds) {
  const AttributeValue five = Number::FromInteger(5);
  const auto holds = [](LegacyExpected expected) {
    return ConditionOf({std::move(expected)}, ConditionalOperator::kAnd)->Holds(SampleItem());
  };
  EXPECT_TRUE(holds({.attribute = "n", .value = five, .exists = {}, .op = {}, .values = {}}));
  EXPECT_TRUE(holds({.attribute = "n", .value = five, .exists = true, .op = {}, .values = {}}));
  EXPECT_FALSE(holds({.attribute = "s", .value = five, .exists = {}, .op = {}, .values = {}}));
  EXPECT_TRUE(holds({.attribute = "q", .value = {}, .exists = false, .op = {}, .values = {}}));
  EXPECT_FALSE(holds({.attribute = "n", .value = {}, .exists = false, .op = {}, .values = {}}));
  EXPECT_TRUE(holds({.attribute = "n", .value = five, .exists = {}, .op = Op::kGe, .values = {}}));
  EXPECT_TRUE(holds({.attribute = "q", .value = {}, .exists = {}, .op = Op::kNull, .values = {}}));
}

TEST(KeyConditionOf, BuildsRanges) {
  const KeySchema key = {{{"pk", KeyType::kString}}, {{"sk", KeyType::kNumber}}};
  const LegacyCondition pk = {.attribute = "pk", .op = Op::kEq, .values = ListOf(R"([{"S":"a"}])")};
  const auto condition = KeyConditionOf(
      {{.attribute = "sk", .op = Op::kBetween, .values = ListOf(R"([{"N":"1"},{"N":"2"}])")}, pk});
  ASSERT_TRUE(condition.has_value());
  const auto range = condition->Resolve(key);
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->sort->op, KeyOperator::kBetween);
  EXPECT_EQ(range->sort->high, AttributeValue(Number::FromInteger(2)));
  // assumed
  EXPECT_EQ(KeyConditionOf({{.attribute = "pk", .op = Op::kNe, .values = ListOf(R"([{"S":"a"}])")}})
                .error()
                .message,
            "Attempted conditional constraint is not an indexable operation");
  // observed: Dynamoid/dynamoid pull request 225
  EXPECT_EQ(KeyConditionOf({{.attribute = "pk", .op = Op::kEq, .values = {}}}).error().message,
            "One or more parameter values were invalid: Invalid number of argument(s) for the EQ "
            "ComparisonOperator");
}

TEST(UpdateOf, RefusesInTheServicesWords) {
  // assumed, all of the wording but of DELETE: observed, awslabs/dynamodb-document-js-sdk issue 20.
  EXPECT_EQ(
      UpdateOf({{.attribute = "a", .value = {}}}).error().message,
      std::string(kPrefix) + "Only DELETE action is allowed when no attribute value is specified");
  EXPECT_EQ(UpdateOf({{.attribute = "a", .value = true, .action = AttributeAction::kAdd}})
                .error()
                .message,
            std::string(kPrefix) + "ADD action is not supported for the type BOOLEAN");
  EXPECT_EQ(
      UpdateOf({{.attribute = "a", .value = std::string("x"), .action = AttributeAction::kDelete}})
          .error()
          .message,
      std::string(kPrefix) + "DELETE action with value is not supported for the type STRING");
}

TEST(UpdateOf, Applies) {
  const auto update = UpdateOf({
      {.attribute = "put", .value = true},
      {.attribute = "gone", .value = {}, .action = AttributeAction::kDelete},
      {.attribute = "less",
       .value = testing::ValueOf(R"({"SS":["a"]})"),
       .action = AttributeAction::kDelete},
      {.attribute = "sum", .value = Number::FromInteger(2), .action = AttributeAction::kAdd},
      {.attribute = "list",
       .value = testing::ValueOf(R"({"L":[{"N":"2"}]})"),
       .action = AttributeAction::kAdd},
  });
  ASSERT_TRUE(update.has_value());
  EXPECT_EQ(update->SettingActions(), 3);
  EXPECT_EQ(update->ClearingActions(), 2);
  // aws-doc: LegacyConditionalParameters.AttributeUpdates; ADD to lists is assumed.
  EXPECT_EQ(
      JsonOf(*update->Apply(MapOf(
          R"({"gone":{"N":"1"},"less":{"SS":["a","b"]},"sum":{"N":"1"},"list":{"L":[{"N":"1"}]}})"))),
      JsonOf(MapOf(
          R"({"put":{"BOOL":true},"less":{"SS":["b"]},"sum":{"N":"3"},"list":{"L":[{"N":"1"},{"N":"2"}]}})")));
  EXPECT_EQ(JsonOf(*update->Apply({})),
            JsonOf(MapOf(R"({"put":{"BOOL":true},"sum":{"N":"2"},"list":{"L":[{"N":"2"}]}})")));
  // aws-doc: re:Post, "Why does my TransactWriteItems API call fail"; that ADD says it is assumed.
  EXPECT_EQ(update->Apply(MapOf(R"({"sum":{"S":"1"}})")).error().message,
            "Type mismatch for attribute to update");
}

}  // namespace
}  // namespace kw
