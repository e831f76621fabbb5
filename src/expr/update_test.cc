// SPDX-License-Identifier: Apache-2.0
#include "expr/update.h"

#include <gtest/gtest.h>

#include "expr/testing.h"
#include "expr/update_tree.h"

namespace kw {
namespace {

using testing::JsonOf;
using testing::MapOf;
using testing::SamplePlaceholders;

struct FaultCase {
  const char* text;
  const char* message;  // behind "Invalid UpdateExpression: "
  const char* source;
};

// aws-doc pages: "Update" is Expressions.UpdateExpressions.
const FaultCase kFaults[] = {
    {"", "The expression can not be empty;", "assumed"},
    {"INVALID SYNTAX HERE", R"~(Syntax error; token: "INVALID", near: "INVALID SYNTAX")~",
     "assumed"},
    {"ADD hits : incr", R"~(Syntax error; token: ":", near: "hits : incr")~",
     "observed: aws/aws-cdk issue 7591"},
    {"SET a = :n1, #, b = :n1", R"~(Syntax error; token: "#", near: ", #,")~",
     "observed: getndazn/dazn-lambda-powertools issue 242"},
    {"SET  REMOVE #Options", R"~(Syntax error; token: "REMOVE", near: "SET  REMOVE #Options")~",
     "observed: 4ossiblellc/dynamodb-update-expression issue 6"},
    {"SET", R"~(Syntax error; token: "<EOF>", near: "SET")~", "assumed"},
    {"SET a", R"~(Syntax error; token: "<EOF>", near: "a")~", "assumed"},
    {"SET a =", R"~(Syntax error; token: "<EOF>", near: "=")~", "assumed"},
    {"SET a = :n1,", R"~(Syntax error; token: "<EOF>", near: ",")~", "assumed"},
    {"SET a = :n1 b = :n2", R"~(Syntax error; token: "b", near: ":n1 b =")~", "assumed"},
    {"SET a :n1", R"~(Syntax error; token: ":n1", near: "a :n1")~", "assumed"},
    {"SET a = a + b + :n1", R"~(Syntax error; token: "+", near: "b + :n1")~", "assumed"},
    {"SET a = (a + b) + :n1", R"~(Syntax error; token: "+", near: ") + :n1")~", "assumed"},
    {"SET a = a * :n2", R"~(Syntax error; token: "*", near: "a * :n2")~", "assumed"},
    {"SET a = list_append(a + b, :l)", R"~(Syntax error; token: "+", near: "a + b")~", "assumed"},
    {"SET :n1 = a", R"~(Syntax error; token: ":n1", near: "SET :n1 =")~", "assumed"},
    {"SET a = 5", R"~(Syntax error; token: "5", near: "= 5")~", "assumed"},
    {"REMOVE", R"~(Syntax error; token: "<EOF>", near: "REMOVE")~", "assumed"},
    {"REMOVE a b", R"~(Syntax error; token: "b", near: "a b")~", "assumed"},
    {"ADD a", R"~(Syntax error; token: "<EOF>", near: "a")~", "assumed"},
    {"ADD a b", R"~(Syntax error; token: "b", near: "a b")~", "assumed"},
    {"ADD a = :n1", R"~(Syntax error; token: "=", near: "a = :n1")~", "assumed"},
    {"DELETE a", R"~(Syntax error; token: "<EOF>", near: "a")~", "assumed"},
    {"SET set = :n1", R"~(Syntax error; token: "set", near: "SET set =")~", "assumed"},
    {"SET a = :n1 SET b = :n1",
     "The \"SET\" section can only be used once in an update expression;",
     "aws-doc: Update (once); the wording is assumed"},
    {"REMOVE a remove b", "The \"REMOVE\" section can only be used once in an update expression;",
     "aws-doc: Update (once); the wording is assumed"},
    {"SET status = :n1", "Attribute name is a reserved keyword; reserved keyword: status",
     "aws-doc: Expressions.ExpressionAttributeNames"},
    {"SET a = name", "Attribute name is a reserved keyword; reserved keyword: name", "assumed"},
    {"SET #u = :n1",
     "An expression attribute name used in the document path is not defined; attribute name: #u",
     "assumed"},
    {"SET a = :u",
     "An expression attribute value used in expression is not defined; attribute value: :u",
     "assumed"},
    {"ADD a :u",
     "An expression attribute value used in expression is not defined; attribute value: :u",
     "assumed"},
    {"SET a = foo(b)", "Invalid function name; function: foo", "assumed"},
    {"SET a = size(b)", "The function is not allowed in an update expression; function: size",
     "assumed"},
    {"SET a = attribute_exists(b)",
     "The function is not allowed in an update expression; function: attribute_exists", "assumed"},
    {"SET a = if_not_exists(b)",
     "Incorrect number of operands for operator or function; operator or function: if_not_exists, "
     "number of operands: 1",
     "assumed"},
    {"SET a = list_append(a, b, :l)",
     "Incorrect number of operands for operator or function; operator or function: list_append, "
     "number of operands: 3",
     "assumed"},
    {"SET a = if_not_exists(:n1, :n2)",
     "The operator or function requires a document path; operator or function: if_not_exists",
     "assumed"},
    {"SET a = list_append(a, :n1)",
     "Incorrect operand type for operator or function; operator or function: list_append, operand "
     "type: N",
     "assumed"},
    {"SET a = a + :s",
     "Incorrect operand type for operator or function; operator or function: +, operand type: S",
     "assumed"},
    {"SET a = :l - a",
     "Incorrect operand type for operator or function; operator or function: -, operand type: L",
     "assumed"},
    {"SET a = list_append(a, :l) + :n1",
     "Incorrect operand type for operator or function; operator or function: +, operand type: L",
     "assumed"},
    {"ADD a :s",
     "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, "
     "typeSet: ALLOWED_FOR_ADD_OPERAND",
     "observed: the specs of Dynamoid/dynamoid"},
    {"ADD a :m",
     "Incorrect operand type for operator or function; operator: ADD, operand type: MAP, typeSet: "
     "ALLOWED_FOR_ADD_OPERAND",
     "assumed"},
    {"DELETE a :l",
     "Incorrect operand type for operator or function; operator: DELETE, operand type: LIST, "
     "typeSet: ALLOWED_FOR_DELETE_OPERAND",
     "observed: typedorm/typedorm issue 264"},
    {"ADD a :l",
     "Incorrect operand type for operator or function; operator: ADD, operand type: LIST, "
     "typeSet: ALLOWED_FOR_ADD_OPERAND",
     "assumed"},
    {"DELETE a :s",
     "Incorrect operand type for operator or function; operator: DELETE, operand type: STRING, "
     "typeSet: ALLOWED_FOR_DELETE_OPERAND",
     "observed: a comment in zio/zio-dynamodb"},
    {"DELETE a :n1",
     "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, "
     "typeSet: ALLOWED_FOR_DELETE_OPERAND",
     "assumed"},
    {"SET a = :n1, a = :n2",
     "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
     "one: [a], path two: [a]",
     "assumed"},
    {"SET a = :n1 REMOVE a[0]",
     "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
     "one: [a], path two: [a, [0]]",
     "assumed"},
    {"SET a.b.c = :n1, d = :n1, a.b = :n2",
     "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
     "one: [a, b, c], path two: [a, b]",
     "assumed"},
    {"SET a.b = :n1, a[0] = :n1",
     "Two document paths conflict with each other; must remove or rewrite one of these paths; path "
     "one: [a, b], path two: [a, [0]]",
     "assumed"},
    {"SET a[1].b = :n1 REMOVE a[1][0], a[2]",
     "Two document paths conflict with each other; must remove or rewrite one of these paths; path "
     "one: [a, [1], b], path two: [a, [1], [0]]",
     "assumed"},
    {"SET a = ((b))", "The expression has redundant parentheses;", "assumed"},
};

TEST(Update, RefusesInTheServicesWords) {
  for (const FaultCase& fault : kFaults) {
    auto placeholders = SamplePlaceholders();
    const auto update = Update::Parse(fault.text, placeholders);
    ASSERT_FALSE(update.has_value()) << fault.text;
    EXPECT_EQ(update.error().code, ErrorCode::kValidation);
    EXPECT_EQ(update.error().message, std::string("Invalid UpdateExpression: ") + fault.message)
        << fault.text;
  }
}

struct ApplyCase {
  const char* text;
  const char* before;
  const char* after;
  const char* source;
};

const ApplyCase kApplied[] = {
    {"SET a = :n1", R"({})", R"({"a":{"N":"1"}})", "aws-doc: Update"},
    {"SET a = :n1", R"({"a":{"S":"old"}})", R"({"a":{"N":"1"}})", "aws-doc: Update"},
    {"set a = :n1", R"({})", R"({"a":{"N":"1"}})", "assumed"},
    {"SET a = b", R"({"b":{"S":"x"}})", R"({"a":{"S":"x"},"b":{"S":"x"}})", "aws-doc: Update"},
    {"SET a = (b)", R"({"b":{"S":"x"}})", R"({"a":{"S":"x"},"b":{"S":"x"}})", "assumed"},
    {"SET a = b, b = a", R"({"a":{"N":"1"},"b":{"N":"2"}})", R"({"a":{"N":"2"},"b":{"N":"1"}})",
     "assumed"},
    {"SET a = b REMOVE b", R"({"b":{"S":"x"}})", R"({"a":{"S":"x"}})", "assumed"},
    {"REMOVE b SET a = b", R"({"b":{"S":"x"}})", R"({"a":{"S":"x"}})",
     "aws-doc: Update (sections in any order)"},
    {"SET a = a + :n2", R"({"a":{"N":"1"}})", R"({"a":{"N":"3"}})", "aws-doc: Update"},
    {"SET a = a - :n2", R"({"a":{"N":"1"}})", R"({"a":{"N":"-1"}})", "aws-doc: Update"},
    {"SET a = (a + :n2)", R"({"a":{"N":"1"}})", R"({"a":{"N":"3"}})", "assumed"},
    {"SET a = :n9 - b.c", R"({"b":{"M":{"c":{"N":"0.5"}}}})",
     R"({"a":{"N":"8.5"},"b":{"M":{"c":{"N":"0.5"}}}})", "aws-doc: Update"},
    {"SET a = if_not_exists(a, :n1)", R"({})", R"({"a":{"N":"1"}})", "aws-doc: Update"},
    {"SET a = if_not_exists(a, :n1)", R"({"a":{"N":"5"}})", R"({"a":{"N":"5"}})",
     "aws-doc: Update"},
    {"SET a = if_not_exists(a, :n0) + :n1", R"({})", R"({"a":{"N":"1"}})", "assumed"},
    {"SET a = if_not_exists(a, b)", R"({"a":{"N":"5"}})", R"({"a":{"N":"5"}})", "assumed"},
    {"SET a = if_not_exists(b, if_not_exists(c, :n1))", R"({"c":{"N":"2"}})",
     R"({"a":{"N":"2"},"c":{"N":"2"}})", "assumed"},
    {"SET a = list_append(a, :l)", R"({"a":{"L":[{"S":"x"}]}})",
     R"({"a":{"L":[{"S":"x"},{"S":"new"}]}})", "aws-doc: Update"},
    {"SET a = list_append(:l, a)", R"({"a":{"L":[{"S":"x"}]}})",
     R"({"a":{"L":[{"S":"new"},{"S":"x"}]}})", "aws-doc: Update"},
    {"SET a = list_append(if_not_exists(a, :el), :l)", R"({})", R"({"a":{"L":[{"S":"new"}]}})",
     "assumed"},
    {"SET a = list_append(list_append(:l, :l), a)", R"({"a":{"L":[]}})",
     R"({"a":{"L":[{"S":"new"},{"S":"new"}]}})", "assumed"},
    // Nested targets.
    {"SET m.x = :n1", R"({"m":{"M":{}}})", R"({"m":{"M":{"x":{"N":"1"}}}})", "aws-doc: Update"},
    {"SET m.y.z = :n1", R"({"m":{"M":{"y":{"M":{"q":{"N":"0"}}}}}})",
     R"({"m":{"M":{"y":{"M":{"q":{"N":"0"},"z":{"N":"1"}}}}}})", "aws-doc: Update"},
    {"SET m.x = m.y, m.y = m.x", R"({"m":{"M":{"x":{"N":"1"},"y":{"N":"2"}}}})",
     R"({"m":{"M":{"x":{"N":"2"},"y":{"N":"1"}}}})", "assumed"},
    {"SET #dashed = :n1", R"({})", R"({"a-b":{"N":"1"}})", "aws-doc: Update"},
    {"SET a[1] = :n1", R"({"a":{"L":[{"N":"7"},{"N":"8"}]}})",
     R"({"a":{"L":[{"N":"7"},{"N":"1"}]}})", "aws-doc: Update"},
    {"SET a[9] = :n1", R"({"a":{"L":[{"N":"7"}]}})", R"({"a":{"L":[{"N":"7"},{"N":"1"}]}})",
     "aws-doc: Update"},
    {"SET a[9] = :n9, a[5] = :n5, a[0] = :n0", R"({"a":{"L":[{"N":"7"}]}})",
     R"({"a":{"L":[{"N":"0"},{"N":"5"},{"N":"9"}]}})", "aws-doc: Update (in index order)"},
    {"SET a[10] = :n1, a[9] = :n9", R"({"a":{"L":[]}})", R"({"a":{"L":[{"N":"9"},{"N":"1"}]}})",
     "aws-doc: Update (in index order)"},
    {"SET a[0].x = :n1", R"({"a":{"L":[{"M":{}}]}})", R"({"a":{"L":[{"M":{"x":{"N":"1"}}}]}})",
     "assumed"},
    // REMOVE.
    {"REMOVE a", R"({"a":{"N":"1"},"b":{"N":"2"}})", R"({"b":{"N":"2"}})", "aws-doc: Update"},
    {"REMOVE a, c", R"({"b":{"N":"2"}})", R"({"b":{"N":"2"}})", "aws-doc: Update"},
    {"REMOVE m.x", R"({"m":{"M":{"x":{"N":"1"}}}})", R"({"m":{"M":{}}})", "aws-doc: Update"},
    {"REMOVE m.q", R"({"m":{"M":{"x":{"N":"1"}}}})", R"({"m":{"M":{"x":{"N":"1"}}}})",
     "aws-doc: Update"},
    {"REMOVE a[1], a[2]",
     R"({"a":{"L":[{"S":"Chisel"},{"S":"Hammer"},{"S":"Nails"},{"S":"Screwdriver"},{"S":"Saw"}]}})",
     R"({"a":{"L":[{"S":"Chisel"},{"S":"Screwdriver"},{"S":"Saw"}]}})", "aws-doc: Update"},
    {"REMOVE a[2], a[0]", R"({"a":{"L":[{"N":"0"},{"N":"1"},{"N":"2"}]}})",
     R"({"a":{"L":[{"N":"1"}]}})", "aws-doc: Update"},
    {"REMOVE a[7]", R"({"a":{"L":[{"N":"0"}]}})", R"({"a":{"L":[{"N":"0"}]}})", "assumed"},
    {"REMOVE a[0] SET a[3] = :n9", R"({"a":{"L":[{"N":"0"},{"N":"1"}]}})",
     R"({"a":{"L":[{"N":"1"},{"N":"9"}]}})", "assumed"},
    {"REMOVE a[0] SET a[1] = :n9", R"({"a":{"L":[{"N":"0"},{"N":"1"}]}})",
     R"({"a":{"L":[{"N":"9"}]}})", "assumed"},
    {"REMOVE a[2] SET a[5] = :n9", R"({"a":{"L":[{"N":"0"},{"N":"1"}]}})",
     R"({"a":{"L":[{"N":"0"},{"N":"1"},{"N":"9"}]}})", "assumed"},
    {"REMOVE a[0], a[1].x", R"({"a":{"L":[{"N":"0"},{"M":{"x":{"N":"1"},"y":{"N":"2"}}}]}})",
     R"({"a":{"L":[{"M":{"y":{"N":"2"}}}]}})", "assumed"},
    // ADD.
    {"ADD a :n5", R"({})", R"({"a":{"N":"5"}})", "aws-doc: Update"},
    {"ADD a :n5", R"({"a":{"N":"-2"}})", R"({"a":{"N":"3"}})", "aws-doc: Update"},
    {"ADD a :sc", R"({})", R"({"a":{"SS":["c"]}})", "aws-doc: Update"},
    {"ADD a :sc", R"({"a":{"SS":["d","b"]}})", R"({"a":{"SS":["b","c","d"]}})", "aws-doc: Update"},
    {"ADD a :sc", R"({"a":{"SS":["c"]}})", R"({"a":{"SS":["c"]}})", "aws-doc: Update"},
    {"ADD a :ns", R"({"a":{"NS":["2","3"]}})", R"({"a":{"NS":["1","2","3"]}})", "aws-doc: Update"},
    {"ADD a :bs", R"({"a":{"BS":["Ag=="]}})", R"({"a":{"BS":["AQ==","Ag=="]}})", "aws-doc: Update"},
    {"ADD m.x :n5", R"({"m":{"M":{}}})", R"({"m":{"M":{"x":{"N":"5"}}}})", "assumed"},
    {"ADD a[0] :n5", R"({"a":{"L":[{"N":"1"}]}})", R"({"a":{"L":[{"N":"6"}]}})", "assumed"},
    {"ADD a :n1, b :n2", R"({})", R"({"a":{"N":"1"},"b":{"N":"2"}})", "aws-doc: Update"},
    // DELETE.
    {"DELETE a :sa", R"({"a":{"SS":["a","b"]}})", R"({"a":{"SS":["b"]}})", "aws-doc: Update"},
    {"DELETE a :ss", R"({"a":{"SS":["a","b"]},"k":{"N":"1"}})", R"({"k":{"N":"1"}})",
     "aws-doc: HowItWorks.NamingRulesDataTypes (no empty sets); that the attribute goes is "
     "assumed"},
    {"DELETE a :sc", R"({"a":{"SS":["a","b"]}})", R"({"a":{"SS":["a","b"]}})", "assumed"},
    {"DELETE a :sc", R"({})", R"({})", "assumed"},
    {"DELETE a :ns", R"({"a":{"NS":["2","3"]}})", R"({"a":{"NS":["3"]}})", "aws-doc: Update"},
    {"DELETE m.x :sa", R"({"m":{"M":{"x":{"SS":["a"]}}}})", R"({"m":{"M":{}}})", "assumed"},
    {"SET a = :n1 REMOVE b ADD c :n2 DELETE d :sa",
     R"({"b":{"N":"0"},"c":{"N":"1"},"d":{"SS":["a","z"]}})",
     R"({"a":{"N":"1"},"c":{"N":"3"},"d":{"SS":["z"]}})", "aws-doc: Update"},
};

TEST(Update, Applies) {
  for (const ApplyCase& one : kApplied) {
    auto placeholders = SamplePlaceholders();
    const auto update = Update::Parse(one.text, placeholders);
    ASSERT_TRUE(update.has_value()) << one.text << ": " << update.error().message;
    const auto after = update->Apply(MapOf(one.before));
    ASSERT_TRUE(after.has_value()) << one.text << ": " << after.error().message;
    EXPECT_EQ(JsonOf(*after), JsonOf(MapOf(one.after))) << one.text;
  }
}

struct FailCase {
  const char* text;
  const char* before;
  const char* message;
};

constexpr auto kPath = "The document path provided in the update expression is invalid for update";
constexpr auto kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr auto kType = "An operand in the update expression has an incorrect data type";

// assumed, all of them: which of the three answers each case.
const FailCase kFails[] = {
    {"SET m.x = :n1", R"({})", kPath},
    {"SET m.x = :n1", R"({"m":{"N":"1"}})", kPath},
    {"SET m.x = :n1", R"({"m":{"L":[]}})", kPath},
    {"SET m.x.y = :n1", R"({"m":{"M":{}}})", kPath},
    {"SET a[0] = :n1", R"({})", kPath},
    {"SET a[0] = :n1", R"({"a":{"M":{}}})", kPath},
    {"SET a[1].x = :n1", R"({"a":{"L":[{"M":{}}]}})", kPath},
    {"SET a[1].x = :n1, a[0] = :m", R"({"a":{"L":[]}})", kPath},
    {"REMOVE m.x", R"({})", kPath},
    {"REMOVE a[0]", R"({"a":{"S":"x"}})", kPath},
    {"ADD m.x :n1", R"({})", kPath},
    {"DELETE m.x :sa", R"({})", kPath},
    {"SET a = b", R"({})", kMissing},
    {"SET a = a + :n1", R"({})", kMissing},
    {"SET a = :n1 - b.c", R"({"b":{"M":{}}})", kMissing},
    {"SET a = list_append(a, :l)", R"({})", kMissing},
    {"SET a = if_not_exists(b, c)", R"({})", kMissing},
    {"SET a = a + :n1", R"({"a":{"S":"1"}})", kType},
    {"SET a = list_append(a, :l)", R"({"a":{"SS":["x"]}})", kType},
    {"ADD a :n1", R"({"a":{"S":"1"}})", kType},
    {"ADD a :sa", R"({"a":{"NS":["1"]}})", kType},
    {"ADD a :sa", R"({"a":{"N":"1"}})", kType},
    {"DELETE a :sa", R"({"a":{"S":"a"}})", kType},
    {"DELETE a :sa", R"({"a":{"NS":["1"]}})", kType},
};

TEST(Update, FailsOnItemsThatDoNotFit) {
  for (const FailCase& one : kFails) {
    auto placeholders = SamplePlaceholders();
    const auto update = Update::Parse(one.text, placeholders);
    ASSERT_TRUE(update.has_value()) << one.text << ": " << update.error().message;
    const auto after = update->Apply(MapOf(one.before));
    ASSERT_FALSE(after.has_value()) << one.text;
    EXPECT_EQ(after.error().message, one.message) << one.text;
  }
}

TEST(Update, PassesOnNumberFaults) {
  auto placeholders = SamplePlaceholders();
  const auto update = Update::Parse("SET a = a + :big", placeholders);
  const auto after = update->Apply(MapOf(R"({"a":{"N":"9E+125"}})"));
  ASSERT_FALSE(after.has_value());
  EXPECT_EQ(after.error().code, ErrorCode::kValidation);
}

TEST(Update, LimitsNesting) {
  std::string path = "a";
  std::string item = R"({"L":[]})";
  for (int i = 0; i < 31; ++i) {
    path += "[0]";
    item = R"({"L":[)" + item + "]}";
  }
  auto placeholders = SamplePlaceholders();
  const Item before = MapOf(R"({"a":)" + item + "}");
  EXPECT_TRUE(Update::Parse("SET " + path + "[0] = :n1", placeholders)->Apply(before).has_value());
  EXPECT_TRUE(Update::Parse("SET " + path + " = :l", placeholders)->Apply(before).has_value());
  // aws-doc: API_TransactWriteItems (the first half); the second is assumed.
  EXPECT_EQ(
      Update::Parse("SET " + path + "[0] = :l", placeholders)->Apply(before).error().message,
      "Nesting Levels have exceeded supported limits: Attributes nested deeper than 32 levels");
}

TEST(Update, CountsAndListsItsActions) {
  auto placeholders = SamplePlaceholders();
  const auto update = Update::Parse(
      "SET b = :n1, a.x[2] = :n2 REMOVE q ADD c :n1 DELETE d :sa, e :sa", placeholders);
  ASSERT_TRUE(update.has_value());
  EXPECT_EQ(update->SettingActions(), 3);
  EXPECT_EQ(update->ClearingActions(), 3);
  EXPECT_EQ(
      update->Targets(),
      (std::vector<Path>{{"b", {}}, {"a", {"x", 2U}}, {"q", {}}, {"c", {}}, {"d", {}}, {"e", {}}}));
}

TEST(Update, SurvivesDeepAndLongTexts) {
  for (const std::string piece : {"(", "list_append(", "a,", "a.b,", "[", "if_not_exists(a,"}) {
    std::string text = "SET a = ";
    while (text.size() + piece.size() <= 4096) text += piece;
    auto placeholders = SamplePlaceholders();
    EXPECT_FALSE(Update::Parse(text, placeholders).has_value());
  }
}

Placeholders ValuesOf(AttributeMap values) {
  Placeholders::Input input;
  input.has_values = true;
  input.values = std::move(values);
  return *Placeholders::Make(std::move(input));
}

// A list of nulls, two bytes each and three of its own.
// aws-doc: Developer Guide, "DynamoDB item sizes and formats".
AttributeValue NullsOf(std::size_t count) {
  return List{std::vector<AttributeValue>(count, AttributeValue(Null{}))};
}

TEST(Update, PutsManyNewMembersBetweenThoseThatAre) {
  Item before =
      MapOf(R"({"l":{"L":[{"M":{"k":{"S":"z"}}}]},"m":{"M":{"in":{"M":{}}}},"z":{"N":"0"}})");
  AttributeMap& map = *before.Find("m")->As<AttributeMap>();
  for (int i = 0; i < 2000; ++i) map.Set(std::to_string(2 * i), Null{});
  std::string text = "SET l[0].a = :s, l[7] = :s, l[0].k = :s, m.#in.x = :s, top = :s, a = :s";
  Placeholders::Input input;
  input.has_names = true;
  input.has_values = true;
  input.values.Set(":s", std::string("s"));
  input.names.emplace_back("#in", "in");
  for (int i = 0; i < 200; ++i) {
    const std::string key = std::to_string(20 * i + 1);
    text += ", m.#" + key + " = :s";
    input.names.emplace_back("#" + key, key);
  }
  auto placeholders = *Placeholders::Make(std::move(input));
  const auto update = Update::Parse(text, placeholders);
  ASSERT_TRUE(update) << update.error().message;
  const auto after = update->Apply(before);
  ASSERT_TRUE(after) << after.error().message;

  Item expected = before;
  const AttributeValue s(std::string("s"));
  List& list = *expected.Find("l")->As<List>();
  list.values[0].As<AttributeMap>()->Set("a", s);
  list.values[0].As<AttributeMap>()->Set("k", s);
  list.values.push_back(s);
  AttributeMap& members = *expected.Find("m")->As<AttributeMap>();
  members.Find("in")->As<AttributeMap>()->Set("x", s);
  for (int i = 0; i < 200; ++i) members.Set(std::to_string(20 * i + 1), s);
  expected.Set("top", s);
  expected.Set("a", s);
  EXPECT_EQ(*after, expected);
}

TEST(Update, StopsAtWhatNoItemCanHold) {
  AttributeMap values;
  values.Set(":half", NullsOf(110'000));  // of the 409,600 bytes of an item
  values.Set(":large", std::string(1'000'000, 'x'));
  const char* const texts[] = {
      "SET a = list_append(:half, :half)",
      "SET a = list_append(:half, list_append(:half, list_append(:half, :half)))",
      "SET a = list_append(list_append(:half, :half), :half)",
      "SET a = :half, b = :half",
      "SET a = :large",
  };
  for (const char* text : texts) {
    Placeholders placeholders = ValuesOf(values);
    const auto update = Update::Parse(text, placeholders);
    ASSERT_TRUE(update) << text;
    const auto after = update->Apply({});
    ASSERT_FALSE(after) << text;
    // observed: the sentence of an update that makes an item too large.
    EXPECT_EQ(after.error().message, "Item size to update has exceeded the maximum allowed size");
  }
}

// Names count as values do.
// aws-doc: Developer Guide, "DynamoDB item sizes and formats".
TEST(Update, StopsAtNamesThatNoItemCanHold) {
  UpdateTree tree;
  const auto value = std::make_shared<const AttributeValue>(Null{});
  for (int i = 0; i < 7; ++i) {
    tree.targets.push_back({std::string(60'000, static_cast<char>('a' + i)), {}});
    tree.actions.emplace_back(SetValue{Operand{value}});
    tree.order.push_back(static_cast<std::size_t>(i));
  }
  const auto after = Update(std::make_shared<const UpdateTree>(tree)).Apply({});
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().message, "Item size to update has exceeded the maximum allowed size");
}

TEST(Update, SharesAValueThatItUsesOften) {
  Placeholders placeholders = SamplePlaceholders();
  const auto value = placeholders.Value(":s");
  const auto before = value.use_count();
  const auto update = Update::Parse("SET a = :s, b = :s, c = if_not_exists(d, :s)", placeholders);
  ASSERT_TRUE(update);
  EXPECT_EQ(value.use_count(), before + 3);
}

TEST(PickPaths, ShowsWhatWasWritten) {
  const Item item = MapOf(
      R"({"a":{"N":"1"},"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"}]},"m":{"M":{"x":{"N":"1"},"y":{"N":"2"}}}})");
  // assumed: the shape of UPDATED_OLD and UPDATED_NEW.
  EXPECT_EQ(JsonOf(PickPaths(item, {{"m", {"y"}}, {"l", {2U}}, {"l", {0U}}, {"z", {}}})),
            JsonOf(MapOf(R"({"l":{"L":[{"N":"0"},{"N":"2"}]},"m":{"M":{"y":{"N":"2"}}}})")));
  EXPECT_EQ(JsonOf(PickPaths(item, {{"m", {"q"}}, {"a", {"x"}}})), "{}");
}

}  // namespace
}  // namespace kw
