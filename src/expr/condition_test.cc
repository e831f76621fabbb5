// SPDX-License-Identifier: Apache-2.0
#include "expr/condition.h"

#include <gtest/gtest.h>

#include "expr/testing.h"

namespace kw {
namespace {

using testing::SampleItem;
using testing::SamplePlaceholders;

struct FaultCase {
  std::string text;
  std::string message;  // behind "Invalid ConditionExpression: "
  const char* source;
};

// aws-doc pages: "Condition" is Expressions.OperatorsAndFunctions, "Names" is
// Expressions.ExpressionAttributeNames, "Quotas" is Constraints.
const FaultCase kFaults[] = {
    // Syntax.
    {"", "The expression can not be empty;", "assumed"},
    {" \t\n", "The expression can not be empty;", "assumed"},
    {"s", R"~(Syntax error; token: "<EOF>", near: "s")~", "assumed"},
    {"s =", R"~(Syntax error; token: "<EOF>", near: "=")~", "assumed"},
    {"s = ", R"~(Syntax error; token: "<EOF>", near: "=")~", "assumed"},
    {"= :s", R"~(Syntax error; token: "=", near: "= :s")~", "assumed"},
    {"s x :s", R"~(Syntax error; token: "x", near: "s x :s")~", "assumed"},
    {"s  x  :s", R"~(Syntax error; token: "x", near: "s  x  :s")~", "assumed"},
    {"tenantAgent:abc123-1", R"~(Syntax error; token: ":abc123", near: "tenantAgent:abc123-")~",
     "observed: researchwiseai/langgraphjs-checkpoint-dynamodb#8"},
    {"contains()", R"~(Syntax error; token: ")", near: "()")~",
     "observed: ServiceStack/ServiceStack.Aws#5"},
    {"s = :s AND", R"~(Syntax error; token: "<EOF>", near: "AND")~", "assumed"},
    {"s = :s AND AND n = :n5", R"~(Syntax error; token: "AND", near: "AND AND n")~", "assumed"},
    {"s = :s OR OR n = :n5", R"~(Syntax error; token: "OR", near: "OR OR n")~", "assumed"},
    {"NOT", R"~(Syntax error; token: "<EOF>", near: "NOT")~", "assumed"},
    {"NOT s", R"~(Syntax error; token: "<EOF>", near: "s")~", "assumed"},
    {"s AND n = :n5", R"~(Syntax error; token: "AND", near: "s AND n")~", "assumed"},
    {"(s = :s", R"~(Syntax error; token: "<EOF>", near: ":s")~", "assumed"},
    {"s = :s)", R"~(Syntax error; token: ")", near: ":s)")~", "assumed"},
    {"()", R"~(Syntax error; token: ")", near: "()")~", "assumed"},
    {"s == :s", R"~(Syntax error; token: "=", near: "== :s")~", "assumed"},
    {"s != :s", R"~(Syntax error; token: "!", near: "s !=")~", "assumed"},
    {"s = :s = :s", R"~(Syntax error; token: "=", near: ":s = :s")~", "assumed"},
    {"s = 'hello'", R"~(Syntax error; token: "'", near: "= 'hello")~", "assumed"},
    {"n = 5", R"~(Syntax error; token: "5", near: "= 5")~", "assumed"},
    {"s.", R"~(Syntax error; token: "<EOF>", near: ".")~", "assumed"},
    {"s.1 = :s", R"~(Syntax error; token: "1", near: ".1 =")~", "assumed"},
    {"li[a] = :s", R"~(Syntax error; token: "a", near: "[a]")~", "assumed"},
    {"li[-1] = :s", R"~(Syntax error; token: "-", near: "[-1")~", "assumed"},
    {"li[0 = :s", R"~(Syntax error; token: "=", near: "0 = :s")~", "assumed"},
    {"a-b = :s", R"~(Syntax error; token: "-", near: "a-b")~", "assumed"},
    {"# = :s", R"~(Syntax error; token: "#", near: "# =")~", "assumed"},
    {"s = :", R"~(Syntax error; token: ":", near: "= :")~", "assumed"},
    {"s IN :ss", R"~(Syntax error; token: ":ss", near: "IN :ss")~", "assumed"},
    {"s IN ()", R"~(Syntax error; token: ")", near: "()")~", "assumed"},
    {"s IN (:s,)", R"~(Syntax error; token: ")", near: ",)")~", "assumed"},
    {"n BETWEEN :n1 OR :n5", R"~(Syntax error; token: "OR", near: ":n1 OR :n5")~", "assumed"},
    {"n BETWEEN :n1", R"~(Syntax error; token: "<EOF>", near: ":n1")~", "assumed"},
    {"(s = :s) = :s", R"~(Syntax error; token: "=", near: ") = :s")~", "assumed"},
    {"and = :s", R"~(Syntax error; token: "and", near: "and =")~", "assumed"},
    {"s = :s, n = :n5", R"~(Syntax error; token: ",", near: ":s, n")~", "assumed"},
    {"s = :s; n = :n5", R"~(Syntax error; token: ";", near: ":s; n")~", "assumed"},
    {"s = \xC3\xA9", "Syntax error; token: \"\xC3\xA9\", near: \"= \xC3\xA9\"", "assumed"},
    {"contains(s, :he", R"~(Syntax error; token: "<EOF>", near: ":he")~", "assumed"},
    {"attribute_exists(s AND n)", R"~(Syntax error; token: "AND", near: "s AND n")~", "assumed"},
    // Size.
    {"s = :" + std::string(4092, 's'),
     "Expression size has exceeded the maximum allowed size; expression size: 4097",
     "aws-doc: Quotas (4 KB); the wording is assumed"},
    // Names.
    {"status = :s", "Attribute name is a reserved keyword; reserved keyword: status",
     "aws-doc: Names"},
    {"Status = :s", "Attribute name is a reserved keyword; reserved keyword: Status",
     "aws-doc: Names"},
    {"m.name = :s", "Attribute name is a reserved keyword; reserved keyword: name",
     "aws-doc: Names"},
    {"add = :s", "Attribute name is a reserved keyword; reserved keyword: add", "aws-doc: Names"},
    {"size = :n5", "Attribute name is a reserved keyword; reserved keyword: size",
     "aws-doc: Names"},
    {"#u = :s",
     "An expression attribute name used in the document path is not defined; attribute name: #u",
     "assumed"},
    {"m.#u = :s",
     "An expression attribute name used in the document path is not defined; attribute name: #u",
     "assumed"},
    {"s = :u",
     "An expression attribute value used in expression is not defined; attribute value: :u",
     "assumed"},
    {"li[4294967296] = :s", "List index is not within the allowable range; index: [4294967296]",
     "assumed"},
    // Order of faults.
    {"status = :u AND", R"~(Syntax error; token: "<EOF>", near: "AND")~", "assumed"},
    {"s = :u AND status = :s", "Attribute name is a reserved keyword; reserved keyword: status",
     "assumed"},
    {"s = :u AND #u = :s",
     "An expression attribute name used in the document path is not defined; attribute name: #u",
     "assumed"},
    {"begins_with(s, :n5) AND s = :u",
     "An expression attribute value used in expression is not defined; attribute value: :u",
     "assumed"},
    // Functions.
    {"foo(s)", "Invalid function name; function: foo", "assumed"},
    {"Size(s) = :n5", "Invalid function name; function: Size",
     "aws-doc: Condition (case-sensitive); the wording is assumed"},
    {"if_not_exists(s, :s) = :s",
     "The function is not allowed in a condition expression; function: if_not_exists", "assumed"},
    {"list_append(li, :l) = :l",
     "The function is not allowed in a condition expression; function: list_append", "assumed"},
    {"size(s)", "The function is not allowed to be used this way in an expression; function: size",
     "assumed"},
    {"begins_with(s, :he) = :yes",
     "The function is not allowed to be used this way in an expression; function: begins_with",
     "assumed"},
    {"size(attribute_exists(s)) = :n1",
     "The function is not allowed to be used this way in an expression; function: attribute_exists",
     "assumed"},
    {"attribute_exists(s, n)",
     "Incorrect number of operands for operator or function; operator or function: "
     "attribute_exists, number of operands: 2",
     "assumed"},
    {"size(s, n) = :n1",
     "Incorrect number of operands for operator or function; operator or function: size, number of "
     "operands: 2",
     "assumed"},
    {"begins_with(s)",
     "Incorrect number of operands for operator or function; operator or function: begins_with, "
     "number of operands: 1",
     "assumed"},
    {"contains(s, :he, :he)",
     "Incorrect number of operands for operator or function; operator or function: contains, "
     "number of operands: 3",
     "assumed"},
    {"attribute_exists(:s)",
     "The operator or function requires a document path; operator or function: attribute_exists",
     "assumed"},
    {"attribute_not_exists(size(s))",
     "The operator or function requires a document path; operator or function: "
     "attribute_not_exists",
     "assumed"},
    // Types.
    {"begins_with(s, :n5)",
     "Incorrect operand type for operator or function; operator or function: begins_with, operand "
     "type: N",
     "assumed"},
    {"begins_with(:ss, s)",
     "Incorrect operand type for operator or function; operator or function: begins_with, operand "
     "type: SS",
     "assumed"},
    {"contains(:n5, s)",
     "Incorrect operand type for operator or function; operator or function: contains, operand "
     "type: N",
     "assumed"},
    {"size(:n5) = :n1",
     "Incorrect operand type for operator or function; operator or function: size, operand type: N",
     "assumed"},
    {"size(size(s)) = :n1",
     "Incorrect operand type for operator or function; operator or function: size, operand type: N",
     "assumed"},
    {"s < :yes",
     "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
     "assumed"},
    {"s >= :ss",
     "Incorrect operand type for operator or function; operator or function: >=, operand type: SS",
     "assumed"},
    {":m > s",
     "Incorrect operand type for operator or function; operator or function: >, operand type: M",
     "assumed"},
    {"n BETWEEN :l AND :n5",
     "Incorrect operand type for operator or function; operator or function: BETWEEN, operand "
     "type: L",
     "assumed"},
    {"attribute_type(s, :X)",
     "Invalid attribute type name found; type: X, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
     "assumed"},
    {"attribute_type(s, :n5)",
     "Incorrect operand type for operator or function; operator or function: attribute_type, "
     "operand type: N",
     "assumed"},
    {"attribute_type(s, n)",
     "Incorrect operand type for operator or function; operator or function: attribute_type, "
     "operand type: PATH",
     "aws-doc: Condition (must be a value); the wording is assumed"},
    // The same operand twice.
    {"s = s",
     "The first operand must be distinct from the remaining operands for this operator or "
     "function; operator: =, first operand: [s]",
     "assumed"},
    {"m.x <> #m.#x",
     "The first operand must be distinct from the remaining operands for this operator or "
     "function; operator: <>, first operand: [m, x]",
     "assumed"},
    {"li[0] < li[0]",
     "The first operand must be distinct from the remaining operands for this operator or "
     "function; operator: <, first operand: [li, [0]]",
     "assumed"},
    {"contains(s, s)",
     "The first operand must be distinct from the remaining operands for this operator or "
     "function; operator: contains, first operand: [s]",
     "aws-doc: Condition (is an error); the wording is assumed"},
    {"n BETWEEN :n1 AND n",
     "The first operand must be distinct from the remaining operands for this operator or "
     "function; operator: BETWEEN, first operand: [n]",
     "assumed"},
    {"n IN (:n1, n)",
     "The first operand must be distinct from the remaining operands for this operator or "
     "function; operator: IN, first operand: [n]",
     "assumed"},
    // BETWEEN.
    {"n BETWEEN :n5 AND :n1",
     "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower "
     "bound operand: AttributeValue: {N:5}, upper bound operand: AttributeValue: {N:1}",
     "assumed"},
    {"n BETWEEN :a AND :n1",
     "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
     "operand: AttributeValue: {S:a}, upper bound operand: AttributeValue: {N:1}",
     "assumed"},
    // Parentheses.
    {"((s = :s))", "The expression has redundant parentheses;", "assumed"},
    {"s = :s AND ((n = :n5))", "The expression has redundant parentheses;", "assumed"},
    {"((s)) = :s", "The expression has redundant parentheses;", "assumed"},
    {"((s = :s)) AND status = :s", "The expression has redundant parentheses;", "assumed"},
};

TEST(Condition, RefusesInTheServicesWords) {
  for (const FaultCase& fault : kFaults) {
    auto placeholders = SamplePlaceholders();
    const auto condition = Condition::Parse(fault.text, ConditionKind::kCondition, placeholders);
    ASSERT_FALSE(condition.has_value()) << fault.text;
    EXPECT_EQ(condition.error().code, ErrorCode::kValidation);
    EXPECT_EQ(condition.error().message, "Invalid ConditionExpression: " + fault.message)
        << fault.text;
  }
}

TEST(Condition, NamesFilters) {
  auto placeholders = SamplePlaceholders();
  // assumed
  EXPECT_EQ(Condition::Parse("", ConditionKind::kFilter, placeholders).error().message,
            "Invalid FilterExpression: The expression can not be empty;");
  // assumed
  EXPECT_EQ(
      Condition::Parse("if_not_exists(s, :s) = :s", ConditionKind::kFilter, placeholders)
          .error()
          .message,
      "Invalid FilterExpression: The function is not allowed in a filter expression; function: "
      "if_not_exists");
}

struct HoldsCase {
  const char* text;
  bool holds;
  const char* source;
};

const HoldsCase kHolds[] = {
    // Comparisons.
    {"s = :s", true, "aws-doc: Condition"},
    {":s = s", true, "assumed"},
    {":s = :s", true, "assumed"},
    {"s = :he", false, "aws-doc: Condition"},
    {"s <> :he", true, "aws-doc: Condition"},
    {"s <> :s", false, "aws-doc: Condition"},
    {"s < :z", true, "aws-doc: Condition"},
    {"s < :s", false, "aws-doc: Condition"},
    {"s <= :s", true, "aws-doc: Condition"},
    {"s > :a", true, "aws-doc: Condition"},
    {"s >= :s", true, "aws-doc: Condition"},
    {"s >= :z", false, "aws-doc: Condition"},
    {"n = :n5", true, "aws-doc: Condition"},
    {"n2 = :n5", true, "aws-doc: HowItWorks.NamingRulesDataTypes (numbers are values)"},
    {"n = n2", true, "assumed"},
    {"n < :n9", true, "aws-doc: Condition"},
    {"n > :n9", false, "aws-doc: Condition"},
    {"n <= :n5", true, "aws-doc: Condition"},
    {"n = :five_text", false, "assumed"},
    {"n <> :five_text", true, "assumed"},
    {"n < :five_text", false, "assumed"},
    {"n > :five_text", false, "assumed"},
    {"b = :b", true, "aws-doc: Condition"},
    {"b > :b1", true, "aws-doc: Condition"},
    {"yes = :yes", true, "aws-doc: Condition"},
    {"yes = :no", false, "aws-doc: Condition"},
    {"nil = :nil", true, "assumed"},
    {"ss = :ss", true, "aws-doc: LegacyConditionalParameters.Conditions (order does not matter)"},
    {"ss = :sa", false, "assumed"},
    {"ns = :ns", true, "assumed"},
    {"li[2] = :m", true, "assumed"},
    {"li[3] = :in", true, "assumed"},
    {"e = :em", true, "assumed"},
    {"absent = :s", false, "assumed"},
    {"absent <> :s", true, "assumed"},
    {"absent < :s", false, "assumed"},
    {"NOT absent < :s", true, "assumed"},
    {"absent = gone", false, "assumed"},
    {"absent <> gone", true, "assumed"},
    {"yes < n", false, "assumed"},
    // Paths.
    {"m.x = :n1", true, "aws-doc: Expressions.Attributes"},
    {"m.y.deep = :d", true, "aws-doc: Expressions.Attributes"},
    {"#m.#x = :n1", true, "aws-doc: Names"},
    {"m.#dot <> :s", true, "assumed"},
    {"#name <> :s", true, "aws-doc: Names"},
    {"li[0] = :a", true, "aws-doc: Expressions.Attributes"},
    {"li [ 1 ] = :n1", true, "assumed"},
    {"li[2].x > :n5", true, "aws-doc: Expressions.Attributes"},
    {"li[3][0] <> :s", true, "aws-doc: Expressions.Attributes"},
    {"attribute_exists(li[4])", false, "assumed"},
    {"attribute_exists(s.x)", false, "assumed"},
    {"attribute_exists(m[0])", false, "assumed"},
    {"attribute_exists(li.x)", false, "assumed"},
    // Logic.
    {"s = :s AND n = :n5", true, "aws-doc: Condition"},
    {"s = :s AND n = :n9", false, "aws-doc: Condition"},
    {"s = :a OR n = :n5", true, "aws-doc: Condition"},
    {"s = :s OR n = :n5 AND n = :n9", true, "aws-doc: Condition (precedence)"},
    {"(s = :s OR n = :n5) AND n = :n9", false, "aws-doc: Condition (precedence)"},
    {"NOT s = :s OR n = :n5", true, "aws-doc: Condition (precedence)"},
    {"NOT (s = :s OR n = :n5)", false, "aws-doc: Condition"},
    {"NOT s = :s AND n = :n9", false, "aws-doc: Condition (precedence)"},
    {"NOT NOT s = :s", true, "assumed"},
    {"not s = :a aNd n = :n5", true, "assumed"},
    {"(s) = (:s)", true, "assumed"},
    {"(s = :s)", true, "aws-doc: Condition"},
    {"(s = :s) AND (n = :n5)", true, "aws-doc: Condition"},
    {"((s = :s) AND n = :n5)", true, "assumed"},
    // BETWEEN, IN.
    {"n BETWEEN :n1 AND :n9", true, "aws-doc: Condition"},
    {"n BETWEEN :n5 AND :n5", true, "aws-doc: Condition (inclusive)"},
    {"n BETWEEN :n1 AND :n2", false, "aws-doc: Condition"},
    {"n between :n1 and :n9 and s = :s", true, "aws-doc: Condition"},
    {":n3 BETWEEN m.x AND n", true, "aws-doc: Condition (operands)"},
    {"n BETWEEN m.x AND :n9", true, "assumed"},
    {"n BETWEEN absent AND :n9", false, "assumed"},
    {"s BETWEEN :n1 AND :n9", false, "assumed"},
    {"NOT n BETWEEN :n1 AND :n2", true, "assumed"},
    {"size(s) BETWEEN :n1 AND :n5", true, "assumed"},
    {"n IN (:n1, :n5)", true, "aws-doc: Condition"},
    {"n IN (:n1, :five_text)", false, "assumed"},
    {"n IN (n2)", true, "assumed"},
    {"absent IN (:n1, :n5)", false, "assumed"},
    {":a IN (s, li[0])", true, "assumed"},
    {"ss IN (:ss)", true, "assumed"},
    // Functions.
    {"attribute_exists(s)", true, "aws-doc: Condition"},
    {"attribute_exists(absent)", false, "aws-doc: Condition"},
    {"attribute_exists(nil)", true, "assumed"},
    {"attribute_exists(m.y.deep)", true, "aws-doc: Condition"},
    {"attribute_not_exists(absent)", true, "aws-doc: Condition"},
    {"attribute_not_exists(s)", false, "aws-doc: Condition"},
    {"attribute_not_exists(m.z.deep)", true, "aws-doc: Condition"},
    {"attribute_type(s, :S)", true, "aws-doc: Condition"},
    {"attribute_type(n, :N)", true, "aws-doc: Condition"},
    {"attribute_type(b, :B)", true, "aws-doc: Condition"},
    {"attribute_type(yes, :BOOL)", true, "aws-doc: Condition"},
    {"attribute_type(nil, :NULL)", true, "aws-doc: Condition"},
    {"attribute_type(ss, :SS)", true, "aws-doc: Condition"},
    {"attribute_type(ns, :NS)", true, "aws-doc: Condition"},
    {"attribute_type(bs, :BS)", true, "aws-doc: Condition"},
    {"attribute_type(li, :L)", true, "aws-doc: Condition"},
    {"attribute_type(m, :M)", true, "aws-doc: Condition"},
    {"attribute_type(m, :L)", false, "aws-doc: Condition"},
    {"attribute_type(absent, :S)", false, "assumed"},
    {"begins_with(s, :he)", true, "aws-doc: Condition"},
    {"begins_with(s, :z)", false, "aws-doc: Condition"},
    {"begins_with(s, :none)", true, "assumed"},
    {"begins_with(b, :b1)", true, "assumed"},
    {"begins_with(n, :he)", false, "assumed"},
    {"begins_with(absent, :he)", false, "assumed"},
    {"begins_with(:s, s)", true, "assumed"},
    {"contains(s, :he)", true, "aws-doc: Condition"},
    {"contains(s, :z)", false, "aws-doc: Condition"},
    {"contains(ss, :a)", true, "aws-doc: Condition"},
    {"contains(ss, :z)", false, "aws-doc: Condition"},
    {"contains(ns, :n1)", true, "aws-doc: Condition"},
    {"contains(ns, :five_text)", false, "assumed"},
    {"contains(bs, :b1)", true, "aws-doc: Condition"},
    {"contains(b, :b23)", true, "aws-doc: LegacyConditionalParameters.Conditions (binary)"},
    {"contains(li, :a)", true, "aws-doc: Condition"},
    {"contains(li, :m)", true, "assumed"},
    {"contains(li, :he)", false, "aws-doc: Condition"},
    {"contains(m, :a)", false, "assumed"},
    {"contains(n, :n5)", false, "assumed"},
    {"contains(absent, :a)", false, "assumed"},
    {"contains(:s, s)", true, "assumed"},
    {"size(s) = :n5", true, "aws-doc: Condition"},
    {"size(u) = :n3", true,
     "aws-doc: Condition (characters); that they are code points is assumed"},
    {"size(blank) = :n0", true, "assumed"},
    {"size(b) = :n3", true, "aws-doc: Condition (bytes)"},
    {"size(ss) = :n2", true, "aws-doc: Condition"},
    {"size(ns) = :n2", true, "aws-doc: Condition"},
    {"size(bs) = :n2", true, "aws-doc: Condition"},
    {"size(m.l) = :n1", true, "aws-doc: Condition"},
    {"size(li[2]) = :n1", true, "aws-doc: Condition"},
    {"size(e) = :n0", true, "aws-doc: Condition"},
    {"size(n) = :n1", false, "assumed"},
    {"size(yes) > :n0", false, "assumed"},
    {"size(absent) = :n0", false, "assumed"},
    {"size(s) > size(m)", true, "assumed"},
    {"size(:s) = n", true, "assumed"},
    {"(size(s)) = :n5", true, "assumed"},
};

TEST(Condition, Holds) {
  for (const HoldsCase& one : kHolds) {
    auto placeholders = SamplePlaceholders();
    const auto condition = Condition::Parse(one.text, ConditionKind::kCondition, placeholders);
    ASSERT_TRUE(condition.has_value()) << one.text << ": " << condition.error().message;
    EXPECT_EQ(condition->Holds(SampleItem()), one.holds) << one.text;
  }
}

std::string Chain(int operators) {
  std::string text = "yes = :yes";
  // One for "=", two for each "AND yes = :yes".
  for (int i = 1; i < operators; i += 2) text += " AND n=n2";
  return text;
}

TEST(Condition, LimitsOperators) {
  auto placeholders = SamplePlaceholders();
  // aws-doc: Quotas (300 operators); what counts, and the wording, is assumed.
  EXPECT_TRUE(Condition::Parse(Chain(299), ConditionKind::kCondition, placeholders).has_value());
  EXPECT_EQ(Condition::Parse(Chain(301), ConditionKind::kCondition, placeholders).error().message,
            "Invalid ConditionExpression: The expression contains too many operators; operator "
            "count: 301");
}

TEST(Condition, LimitsIn) {
  auto placeholders = SamplePlaceholders();
  const auto in = [](int count) {
    std::string text = "n IN (:n1";
    for (int i = 1; i < count; ++i) text += ", :n1";
    return text + ")";
  };
  // aws-doc: Condition (100 values); the wording is assumed.
  EXPECT_TRUE(Condition::Parse(in(100), ConditionKind::kFilter, placeholders).has_value());
  EXPECT_EQ(Condition::Parse(in(101), ConditionKind::kFilter, placeholders).error().message,
            "Invalid FilterExpression: The IN operator is provided with too many operands; number "
            "of operands: 101");
}

TEST(Condition, LimitsPathDepth) {
  auto placeholders = SamplePlaceholders();
  std::string path = "s";
  for (int i = 0; i < 32; ++i) path += "[0]";
  EXPECT_TRUE(Condition::Parse(path + " = :s", ConditionKind::kFilter, placeholders).has_value());
  // assumed
  EXPECT_EQ(
      Condition::Parse(path + "[0] = :s", ConditionKind::kFilter, placeholders).error().message,
      "Invalid FilterExpression: The document path has too many nesting levels; nesting levels: "
      "33");
}

TEST(Condition, SurvivesDeepTexts) {
  for (const std::string piece : {"(", "NOT ", "NOT (", "size(", "a = b AND (", "[", "a.", "((a"}) {
    std::string text;
    while (text.size() + piece.size() <= 4096) text += piece;
    auto placeholders = SamplePlaceholders();
    EXPECT_FALSE(Condition::Parse(text, ConditionKind::kCondition, placeholders).has_value());
  }
}

TEST(Condition, ListsItsAttributes) {
  auto placeholders = SamplePlaceholders();
  const auto condition =
      Condition::Parse("#m.#x = :n1 AND (size(s) > n OR NOT begins_with(li[0], :a))",
                       ConditionKind::kFilter, placeholders);
  EXPECT_EQ(condition->Attributes(), (std::set<std::string, std::less<>>{"li", "m", "n", "s"}));
}

}  // namespace
}  // namespace kw
