// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "partiql/lexer.h"
#include "partiql/next_token.h"
#include "partiql/statements.h"

namespace kw::partiql {
namespace {

constexpr std::string_view kMalformed = "Statement wasn't well formed, can't be processed: ";

std::string Try(std::string_view text, std::vector<AttributeValue> parameters = {}) {
  const auto statement = Parse(text, std::move(parameters));
  if (statement) return statement->table();
  const std::string& message = statement.error().message;
  return message.starts_with(kMalformed) ? "! " + message.substr(kMalformed.size()) : message;
}

struct Case {
  std::string_view text;
  std::string_view expected;  // the table, or what is wrong
  std::string_view provenance;
};

TEST(Parse, TakesWhatTheGuideShows) {
  // aws-doc: ql-reference.* and ql-functions.*, the examples of the pages.
  const Case kCases[] = {
      {R"(SELECT OrderID, Total FROM "Orders" WHERE OrderID = 1)", "Orders", "select"},
      {R"(SELECT OrderID, Total FROM "Orders" WHERE OrderID IN [1, 2, 3] ORDER BY OrderID DESC)",
       "Orders", "select"},
      {R"(SELECT * FROM "Orders" WHERE OrderID = 100 or OrderID = 200)", "Orders", "select"},
      {R"(SELECT * FROM "TableName"."IndexName")", "TableName", "select"},
      {R"(SELECT Devices.FireStick.DateWatched[0] FROM WatchList WHERE CustomerID= 'C1')",
       "WatchList", "select"},
      {R"(SELECT Devices FROM WatchList WHERE Devices.FireStick.DateWatched[0] >= '12/24/19')",
       "WatchList", "select"},
      {R"(INSERT INTO "Music" value {'Artist' : 'Acme Band','SongTitle' : 'PartiQL Rocks'})",
       "Music", "insert"},
      {R"(INSERT INTO TypesTable value {'primarykey':'1', 'NumberType':1,
          'MapType' : {'entryname1': 'value', 'entryname2': 4}, 'ListType': [1,'stringval'],
          'NumberSetType':<<1,34,32,4.5>>, 'StringSetType':<<'stringval','stringval2'>> })",
       "TypesTable", "data-types"},
      {R"(UPDATE "Music" SET AwardsWon=1 SET AwardDetail={'Grammys':[2020, 2018]}
          WHERE Artist='Acme Band' AND SongTitle='PartiQL Rocks' RETURNING ALL OLD *)",
       "Music", "update"},
      {R"(UPDATE Music SET AwardsWon=1, AwardDetail={'Grammys':[2020, 2018]} WHERE Artist='A')",
       "Music", "multiplestatements.batching"},
      {R"(UPDATE "Music" REMOVE AwardDetail.Grammys[2] WHERE Artist='Acme Band')", "Music",
       "update"},
      {R"(UPDATE TypesTable SET NumberType=NumberType + 100
          SET MapType.NewMapEntry=[2020, 'stringvalue', 2.4]
          SET ListType = LIST_APPEND(ListType, [4, <<'string1', 'string2'>>])
          SET NumberSetType= SET_ADD(NumberSetType, <<345, 48.4>>)
          SET StringSetType = SET_ADD(StringSetType, <<'stringsetvalue1', 'stringsetvalue2'>>)
          WHERE primarykey='1')",
       "TypesTable", "data-types"},
      {R"(DELETE FROM "Music" WHERE "Artist" = 'Acme Band' RETURNING ALL OLD *)", "Music",
       "delete"},
      {R"(EXISTS( SELECT * FROM "Music" WHERE "Artist" = 'Acme Band' AND "SongTitle" = 'P'))",
       "Music", "exists"},
      {R"(SELECT * FROM "Music" WHERE Attribute_Type("Artist", 'S'))", "Music", "attribute_type"},
      {R"(SELECT * FROM "Orders" WHERE "OrderID"=1 AND begins_with("Address", '7834 24th'))",
       "Orders", "beginswith"},
      {R"(SELECT * FROM "Orders" WHERE "OrderID"=1 AND contains("Address", 'Kirkland'))", "Orders",
       "contains"},
      {R"(SELECT * FROM Music WHERE Awards is MISSING)", "Music", "missing"},
      {R"(SELECT * FROM "Orders" WHERE "OrderID"=1 AND size("Image") >300)", "Orders", "size"},
  };
  for (const Case& one : kCases) EXPECT_EQ(Try(one.text), one.expected) << one.text;
}

TEST(Parse, TakesEveryFormOfACondition) {
  for (const std::string_view condition : {"a = 1",
                                           "1 = a",
                                           "a <> 'x'",
                                           "a != -1",
                                           "a < 1.5",
                                           "a <= .5",
                                           "a > 1e10",
                                           "a >= 1E-3",
                                           "a = TRUE and b = false or c = Null",
                                           "not a = 1",
                                           "NOT NOT (a = 1)",
                                           "(a) = (1 + 2 - 3)",
                                           "a BETWEEN 1 AND 2",
                                           "a NOT BETWEEN 1 AND 2",
                                           "a IN (1, 'x', [1])",
                                           "a NOT IN [1]",
                                           "a IS NULL",
                                           "a IS NOT NULL",
                                           "a IS NOT MISSING",
                                           "a IS BAG",
                                           "a IS NOT STRING",
                                           "a.b[3].\"c d\"['e'] = ''",
                                           "a = 'it''s' -- the end",
                                           "/* so */ a = 1 ;",
                                           "a = {'k': {'l': <<1>>}}",
                                           "a + 1 > b - 2",
                                           "size(a.b) + 1 < 3"}) {
    EXPECT_EQ(Try("SELECT * FROM t WHERE " + std::string(condition)), "t") << condition;
  }
}

TEST(Parse, SaysWhatIsWrong) {
  // All assumed, but for the sentences of expressions (their tests) and the words before the colon
  // (from memory).
  const Case kCases[] = {
      {"", "! Unexpected end of statement at 1:1:0", "assumed"},
      {"CREATE TABLE t", "! Unexpected keyword at 1:1:6", "assumed"},
      {"SELECT FROM t", "! Unexpected keyword at 1:8:4", "assumed"},
      {"SELECT *\nFROM t WHERE a == 1", "! Unexpected term at 2:17:1", "assumed"},
      {"SELECT user FROM t", "! Unexpected keyword at 1:8:4", "assumed"},
      {"SELECT COUNT(*) FROM t", "! Unsupported function: COUNT at 1:8:5", "assumed"},
      {"SELECT * FROM t WHERE a = 'open", "! Invalid character at 1:27:5", "assumed"},
      {"SELECT * FROM t WHERE a", "! Unexpected end of statement at 1:24:0", "assumed"},
      {"SELECT * FROM t WHERE a = 1 b", "! Unexpected term at 1:29:1", "assumed"},
      {"SELECT * FROM t LIMIT 5", "! Unexpected keyword at 1:17:5", "assumed"},
      {"SELECT * FROM t WHERE attribute_exists(a)",
       "! Unsupported function: attribute_exists at 1:23:16", "assumed"},
      {"SELECT * FROM t WHERE size(a, b) = 1",
       "Incorrect number of operands for operator or function; operator or function: size, number "
       "of operands: 2",
       "assumed"},
      {"SELECT * FROM t WHERE begins_with(a, 1)",
       "Incorrect operand type for operator or function; operator or function: begins_with, "
       "operand type: N",
       "assumed"},
      {"SELECT * FROM t WHERE attribute_type(a, 'X')",
       "Invalid attribute type name found; type: X, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
       "assumed"},
      {"SELECT * FROM t WHERE attribute_type(a, b)",
       "Invalid attribute type name found; type: PATH, valid types: "
       "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
       "assumed"},
      {"SELECT * FROM t WHERE a < TRUE",
       "Incorrect operand type for operator or function; operator: <, operand type: BOOL",
       "assumed"},
      {"SELECT * FROM t WHERE a BETWEEN 2 AND 1",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
       "lower bound operand: AttributeValue: {\"N\":\"2\"}, upper bound operand: AttributeValue: "
       "{\"N\":\"1\"}",
       "assumed"},
      {"INSERT INTO t VALUE 5", "The value of an INSERT statement must be an item", "assumed"},
      {"INSERT INTO t VALUE {'a': <<>>}",
       "One or more parameter values were invalid: An string set  may not be empty", "assumed"},
      {"INSERT INTO t VALUE {'a': <<1, 'x'>>}",
       "One or more parameter values were invalid: All members of a set must be of one type",
       "assumed"},
      {"INSERT INTO t VALUE {'a': <<1, 1.0>>}", "Input collection contains duplicates", "assumed"},
      {"INSERT INTO \"t\".\"i\" VALUE {}", "! Unexpected keyword at 1:21:5", "assumed"},
      {"UPDATE t WHERE a = 1", "! Expected data manipulation",
       "observed: awsdocs/aws-sdk-for-javascript-v3 issue 98"},
      {"UPDATE t SET a = 1, a.b = 2 WHERE k = 1",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [a], path two: [a, b]",
       "assumed"},
      {"UPDATE t SET a = set_add(b, <<1>>) WHERE k = 1",
       "The first operand of SET_ADD must be the path that is set", "assumed"},
      {"UPDATE t SET a = set_delete(a, 1) WHERE k = 1",
       "Incorrect operand type for operator or function; operator: SET_DELETE, operand type: N",
       "assumed"},
      {"UPDATE t SET a = 'x' + 1 WHERE k = 1",
       "Incorrect operand type for operator or function; operator or function: +, operand type: S",
       "assumed"},
      {"DELETE FROM t WHERE k = 1 RETURNING ALL NEW *", "! Unexpected keyword at 1:41:3",
       "assumed"},
      {"EXISTS(SELECT * FROM \"t\".\"i\" WHERE k = 1)", "! Unexpected term at 1:41:1", "assumed"},
      {"SELECT * FROM t WHERE k = ?", "Number of parameters in request and statement don't match.",
       "assumed, from memory"},
  };
  for (const Case& one : kCases) EXPECT_EQ(Try(one.text), one.expected) << one.text;
  EXPECT_EQ(Try("SELECT * FROM t WHERE k = ?", {AttributeValue(true), AttributeValue(false)}),
            "Number of parameters in request and statement don't match.");
}

TEST(Parse, PutsParametersWhereTheyStand) {
  const auto statement =
      Parse("INSERT INTO t VALUE {'a': ?, 'b': [?, {'c': ?}]}",
            {AttributeValue(std::string("x")), AttributeValue(true), AttributeValue(Null{})});
  ASSERT_TRUE(statement.has_value());
  const Item& item = std::get<InsertStatement>(statement->what).item;
  EXPECT_EQ(*item.Find("a"), AttributeValue(std::string("x")));
  EXPECT_EQ(item.Find("b")->As<List>()->values[0], AttributeValue(true));
}

TEST(Parse, BoundsEveryNesting) {
  const auto nested = [](std::string_view head, std::string_view piece, int times) {
    std::string text(head);
    for (int i = 0; i < times; ++i) text += piece;
    return text;
  };
  for (const auto& text :
       {nested("SELECT * FROM t WHERE ", "(", 4000), nested("SELECT * FROM t WHERE ", "NOT ", 2000),
        nested("INSERT INTO t VALUE ", "[", 4000), nested("INSERT INTO t VALUE ", "{'a':", 1500),
        nested("SELECT * FROM t WHERE ", "size(", 1500), nested("INSERT INTO t VALUE ", "<<", 4000),
        nested("SELECT * FROM t WHERE a = 1", " + b", 1500)}) {
    EXPECT_TRUE(Try(text).starts_with("! ")) << text.substr(0, 40);
  }
  // Width is not depth.
  EXPECT_EQ(Try(nested("SELECT * FROM t WHERE a = 1", " AND a = 1", 700)), "t");
}

TEST(Keywords, AreFoundInAnyCase) {
  for (const std::string_view word : {"select", "SELECT", "Zone", "absolute", "MISSING"}) {
    EXPECT_TRUE(IsKeyword(word)) << word;
  }
  for (const std::string_view word : {"", "Total", "Address", "current_timestamps", "_"}) {
    EXPECT_FALSE(IsKeyword(word)) << word;
  }
}

TEST(NextToken, SurvivesItsWayAndBelongsToOneStatement) {
  for (const auto& start :
       {std::optional<Item>(), std::optional(Item::FromEntries({{"k", AttributeValue(true)}}))}) {
    const std::string token = EncodeToken({.part = 300, .start = start}, 7);
    const auto position = DecodeToken(token, 7);
    ASSERT_TRUE(position.has_value());
    EXPECT_EQ(position->part, 300U);
    EXPECT_EQ(position->start, start);
    EXPECT_FALSE(DecodeToken(token, 8).has_value());
    EXPECT_FALSE(DecodeToken(token.substr(4), 7).has_value());
    EXPECT_FALSE(DecodeToken("*" + token, 7).has_value());
  }
}

}  // namespace
}  // namespace kw::partiql
