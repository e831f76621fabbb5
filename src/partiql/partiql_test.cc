// SPDX-License-Identifier: Apache-2.0
// Statements over an engine in memory: what they answer, change and cost.
#include "partiql/partiql.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "data/item.h"
#include "data/item_bytes.h"
#include "engine/engine_test_support.h"

namespace kw::partiql {
namespace {

using engine::Global;
using engine::Local;
using engine::N;
using engine::S;

class PartiQl : public ::testing::Test {
 protected:
  PartiQl() {
    const auto music =
        engine_.MakeTable("Music", {{S("artist")}, {N("year")}},
                          {Local("ByTitle", S("artist"), S("title")),
                           Global("ByGenre", {{S("genre")}, {N("sold")}}, ProjectKeys{}),
                           Global("ByShelf", {{S("genre")}, {N("sold"), S("title")}})});
    for (const auto* item :
         {R"({"artist":{"S":"a"},"year":{"N":"1"},"title":{"S":"z"},"genre":{"S":"g"},)"
          R"("sold":{"N":"5"},"m":{"M":{"x":{"N":"7"},"l":{"L":[{"S":"p"},{"S":"q"}]}}}})",
          R"({"artist":{"S":"a"},"year":{"N":"2"},"title":{"S":"y"},"genre":{"S":"g"},)"
          R"("sold":{"N":"3"},"tags":{"SS":["u","v"]}})",
          R"({"artist":{"S":"a"},"year":{"N":"3"},"title":{"S":"x"},"nil":{"NULL":true}})",
          R"({"artist":{"S":"b"},"year":{"N":"1"},"title":{"S":"w"}})"}) {
      EXPECT_TRUE(engine_.Put(music, item).has_value()) << item;
    }
    engine_.MakeTable("Users", {{S("id")}, {}});
  }

  Result<Command> Prepare(std::string_view text, std::string_view parameters = "[]") {
    JsonParser parser;
    const auto json = parser.Parse(parameters);
    std::vector<AttributeValue> values;
    for (const JsonValue value : json->array()) values.push_back(*ParseAttributeValue(value));
    TRY_ASSIGN(Statement statement, Parse(text, std::move(values)));
    engine::TableKey table{"000000000000", "us-east-1", statement.table()};
    return Command{std::move(statement), std::move(table)};
  }
  Result<Outcome> Run(Command command, const ReadOptions& options = {}) {
    std::promise<Result<Outcome>> answer;
    Execute(engine_.engine(), engine_.call(), std::move(command), options,
            [&](Result<Outcome> outcome) { answer.set_value(std::move(outcome)); });
    return answer.get_future().get();
  }
  Result<Outcome> Run(std::string_view text, std::string_view parameters = "[]",
                      const ReadOptions& options = {}) {
    TRY_ASSIGN(Command command, Prepare(text, parameters));
    return Run(std::move(command), options);
  }

  // The items as JSON, one behind the other, or the error.
  static std::string Show(const Result<Outcome>& outcome) {
    if (!outcome) return outcome.error().message;
    std::string text;
    for (const auto& item : outcome->items)
      text += (text.empty() ? "" : " ") + engine::ToJson(item);
    return text;
  }
  std::string Show(std::string_view text) { return Show(Run(text)); }
  // Only their years.
  std::string Years(const Result<Outcome>& outcome) {
    if (!outcome) return outcome.error().message;
    std::string text;
    for (const auto& item : outcome->items) {
      const Item loaded = LoadItem(item);
      text += loaded.Find("artist")->As<std::string>()->substr(0, 1) +
              loaded.Find("year")->As<Number>()->ToString() + " ";
    }
    return text;
  }

  engine::TestEngine engine_;
};

struct YearsCase {
  std::string_view where;
  std::string_view years;
};

TEST_F(PartiQl, SelectsByKeyByPartitionAndByScan) {
  // aws-doc: ql-reference.select, ql-operators, ql-functions; the pages' own examples are in
  // parser_test.cc. That key conditions may be anything beside the partition's is assumed.
  const YearsCase kCases[] = {
      {"WHERE artist = 'a' AND year = 2", "a2 "},
      {"WHERE 2 = year AND artist = 'a'", "a2 "},
      {"WHERE artist = 'a' AND year = 1 + 1", "a2 "},
      {"WHERE artist = 'a' AND year = 9", ""},
      {"WHERE artist = 'a' AND year = 2 AND title = 'z'", ""},
      {"WHERE artist = 'a' AND year IN [3, 1, 3]", "a3 a1 "},
      {"WHERE artist = 'a' AND (year = 3 OR year = 2)", "a3 a2 "},
      {"WHERE artist IN ['b', 'a'] AND year = 1", "b1 a1 "},
      {"WHERE artist = 'a'", "a1 a2 a3 "},
      {"WHERE artist = 'a' AND year > 1", "a2 a3 "},
      {"WHERE artist = 'a' AND 2 >= year", "a1 a2 "},
      {"WHERE artist = 'a' AND year BETWEEN 2 AND 3", "a2 a3 "},
      {"WHERE artist = 'a' AND year <> 2", "a1 a3 "},
      {"WHERE artist = 'a' AND year > 1 AND year < 3", "a2 "},
      {"WHERE artist = 'a' AND NOT title = 'y'", "a1 a3 "},
      {"WHERE artist = 'a' AND artist = 'b'", ""},
      {"WHERE artist = 'a' OR artist = 'b'", "a1 a2 a3 b1 "},
      {"WHERE artist IN ('b', 'a')", "b1 a1 a2 a3 "},
      {"WHERE artist = 'a' ORDER BY year DESC", "a3 a2 a1 "},
      {"WHERE artist = 'a' ORDER BY artist, year ASC", "a1 a2 a3 "},
      {"WHERE artist IN ['a', 'b'] ORDER BY artist DESC, year DESC", "b1 a3 a2 a1 "},
      {"WHERE artist = 'a' AND year IN [1, 3] ORDER BY year DESC", "a3 a1 "},
      {"WHERE artist = 'a' AND m.x = 7", "a1 "},
      {"WHERE artist = 'a' AND m.l[1] = 'q'", "a1 "},
      {"WHERE artist = 'a' AND m.l[1] > 'q'", ""},
      {"WHERE artist = 'a' AND nil IS NULL", "a3 "},
      {"WHERE artist = 'a' AND nil IS MISSING", "a1 a2 "},
      {"WHERE artist = 'a' AND nil IS NOT MISSING", "a3 "},
      {"WHERE artist = 'a' AND tags IS BAG", "a2 "},
      {"WHERE artist = 'a' AND contains(tags, 'u')", "a2 "},
      {"WHERE artist = 'a' AND size(tags) = 2", "a2 "},
      {"WHERE artist = 'a' AND attribute_type(tags, 'SS')", "a2 "},
      {"WHERE artist = 'a' AND begins_with(title, 'z')", "a1 "},
      {"WHERE artist = 'a' AND sold - 1 = 2", "a2 "},
      {"WHERE title IN ['w', 'z'] AND artist >= 'b'", "b1 "},
      {"WHERE begins_with(artist, 'b')", "b1 "},
  };
  for (const auto& one : kCases) {
    EXPECT_EQ(Years(Run("SELECT * FROM Music " + std::string(one.where))), one.years) << one.where;
  }
}

TEST_F(PartiQl, SelectsFromIndexes) {
  EXPECT_EQ(Years(Run(R"(SELECT * FROM "Music"."ByTitle" WHERE artist = 'a')")), "a3 a2 a1 ");
  EXPECT_EQ(Years(Run(R"(SELECT * FROM "Music"."ByGenre" WHERE genre = 'g' AND sold >= 3)")),
            "a2 a1 ");
  EXPECT_EQ(Years(Run(R"(SELECT * FROM "Music"."ByGenre" WHERE genre = 'g' ORDER BY sold DESC)")),
            "a1 a2 ");
  EXPECT_EQ(Years(Run(R"(SELECT * FROM "Music"."ByGenre" WHERE genre = 'g' AND sold IN [5, 6])")),
            "a1 ");
  EXPECT_EQ(Show(R"(SELECT * FROM "Music"."None" WHERE genre = 'g')"),
            "The table does not have the specified index: None");
}

TEST_F(PartiQl, ShowsColumns) {
  // assumed: names of columns follow the PartiQL specification.
  EXPECT_EQ(Show("SELECT title, year, absent FROM Music WHERE artist = 'b' AND year = 1"),
            R"({"title":{"S":"w"},"year":{"N":"1"}})");
  EXPECT_EQ(Show("SELECT m.x, m.l[1], title FROM Music WHERE artist = 'a' AND year = 1"),
            R"({"_2":{"S":"q"},"title":{"S":"z"},"x":{"N":"7"}})");
  EXPECT_EQ(Show("SELECT m.x + 1, size(title) FROM Music WHERE artist = 'a' AND year = 1"),
            R"({"_1":{"N":"8"},"_2":{"N":"1"}})");
  EXPECT_EQ(Show("SELECT title FROM Music WHERE artist = 'b' AND title = 'w'"),
            R"({"title":{"S":"w"}})");
  EXPECT_EQ(Show("SELECT absent FROM Music WHERE artist = 'b'"), "{}");
}

TEST_F(PartiQl, RefusesWhatCannotBeOrdered) {
  // assumed, from memory; the last is ours.
  EXPECT_EQ(Show("SELECT * FROM Music ORDER BY year"),
            "Must have WHERE clause in the statement when using ORDER BY clause.");
  EXPECT_EQ(Show("SELECT * FROM Music WHERE title = 'z' ORDER BY year"),
            "Must have at least one non-optional hash key condition in WHERE clause when using "
            "ORDER BY clause.");
  EXPECT_EQ(Show("SELECT * FROM Music WHERE artist = 'a' ORDER BY title"),
            "Variable reference title in ORDER BY clause must be part of the primary key");
  EXPECT_EQ(Show("SELECT * FROM Music WHERE artist IN ['a', 'b'] ORDER BY year"),
            "The ORDER BY clause must follow the order of the key");
}

TEST_F(PartiQl, OrdersByASortKeyOfSeveralAttributes) {
  // assumed: a query reads one way through its sort key, so an order of two ways is refused.
  const std::string wrong = "The ORDER BY clause must follow the order of the key";
  const auto order = [&](const std::string& tail) {
    return Years(Run(R"(SELECT * FROM "Music"."ByShelf" WHERE genre = 'g' )" + tail));
  };
  EXPECT_EQ(order("ORDER BY sold, title"), "a2 a1 ");
  EXPECT_EQ(order("ORDER BY genre, sold DESC, title DESC"), "a1 a2 ");
  EXPECT_EQ(order("AND sold = 5 ORDER BY title DESC"), "a1 ");
  EXPECT_EQ(order("ORDER BY sold, title DESC"), wrong);
  EXPECT_EQ(order("ORDER BY title"), wrong);
  EXPECT_EQ(order("ORDER BY sold, genre"), wrong);
}

TEST_F(PartiQl, ReadsAPageAtATime) {
  for (const std::string text :
       {"SELECT * FROM Music", "SELECT * FROM Music WHERE artist IN ['a', 'b']",
        "SELECT * FROM Music WHERE artist IN ['a', 'b'] AND year IN [1, 2, 3]"}) {
    std::string years;
    ReadOptions options{.limit = 1};
    int pages = 0;
    do {
      const auto page = Run(text, "[]", options);
      ASSERT_TRUE(page.has_value()) << page.error().message;
      EXPECT_LE(page->items.size(), 1U);
      years += Years(page);
      options.next_token = page->next_token;
    } while (options.next_token && ++pages < 20);
    EXPECT_EQ(years.size(), 12U) << years;
  }
  // Another statement's token.
  const auto page = Run("SELECT * FROM Music", "[]", {.limit = 1});
  EXPECT_EQ(Show(Run("SELECT title FROM Music", "[]", {.next_token = page->next_token})),
            "NextToken does not match request");
  // aws-doc: ql-operators, pages of up to 10 items for IN.
  std::string list = "[0";
  for (int i = 1; i < 12; ++i) list += "," + std::to_string(i);
  const std::string many = "SELECT * FROM Music WHERE artist = 'a' AND year IN " + list + "]";
  const auto first = Run(many);
  ASSERT_TRUE(first.has_value());
  ASSERT_TRUE(first->next_token.has_value());
  EXPECT_EQ(first->capacity.table_read.value(), 10);
  EXPECT_EQ(Run(many, "[]", {.next_token = first->next_token})->next_token, std::nullopt);
}

TEST_F(PartiQl, CostsWhatTheNativeOperationCosts) {
  const auto reads = [&](std::string_view text, bool consistent = false) {
    const auto outcome = Run(text, "[]", {.consistent = consistent});
    return outcome ? outcome->capacity.read_total().value() : -1;
  };
  EXPECT_EQ(reads("SELECT * FROM Music WHERE artist = 'a' AND year = 1"), 1);  // halves
  EXPECT_EQ(reads("SELECT * FROM Music WHERE artist = 'a' AND year = 1", true), 2);
  EXPECT_EQ(reads("SELECT * FROM Music WHERE artist = 'a' AND year = 9"), 1);
  EXPECT_EQ(reads("SELECT * FROM Music WHERE artist = 'a'"), 1);
  EXPECT_EQ(reads("SELECT * FROM Music WHERE artist IN ['a', 'b']"), 2);
  EXPECT_EQ(reads("SELECT * FROM Music WHERE title = 'none'"), 1);
  EXPECT_EQ(Run("INSERT INTO Users VALUE {'id': 'c'}")->capacity.table_write.value(), 2);
}

TEST_F(PartiQl, InsertsOnlyWhatIsNew) {
  EXPECT_EQ(Show(Run("INSERT INTO Users VALUE {'id': ?, 'n': -1.50}", R"([{"S":"u"}])")), "");
  EXPECT_EQ(Show("SELECT * FROM Users WHERE id = 'u'"), R"({"id":{"S":"u"},"n":{"N":"-1.5"}})");
  const auto again = Run("INSERT INTO Users VALUE {'id': 'u'}");
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::kDuplicateItem);
  EXPECT_EQ(again.error().message, "Duplicate primary key exists in table");  // assumed
  EXPECT_EQ(Show(Run("INSERT INTO Users VALUE ?", R"([{"M":{"id":{"S":"w"}}}])")), "");
}

TEST_F(PartiQl, UpdatesAnItemThatIsThere) {
  const std::string where = " WHERE artist = 'a' AND year = 1";
  const auto update = [&](const std::string& changes, const std::string& tail = "") {
    return Show("UPDATE Music " + changes + where + tail);
  };
  EXPECT_EQ(update("SET sold = sold + 1 - 2", " RETURNING MODIFIED NEW *"),
            R"({"sold":{"N":"4"}})");
  EXPECT_EQ(update("SET sold = 9", " RETURNING MODIFIED OLD *"), R"({"sold":{"N":"4"}})");
  EXPECT_EQ(update("SET m.l = LIST_APPEND(m.l, ['r']) REMOVE m.x", " RETURNING MODIFIED NEW *"),
            R"({"m":{"M":{"l":{"L":[{"S":"p"},{"S":"q"},{"S":"r"}]}}}})");
  EXPECT_EQ(update("SET t = set_add(t, <<'b', 'a'>>), u = title", " RETURNING MODIFIED NEW *"),
            R"({"t":{"SS":["a","b"]},"u":{"S":"z"}})");
  EXPECT_EQ(update("SET t = SET_DELETE(t, <<'a'>>)", " RETURNING MODIFIED NEW *"),
            R"({"t":{"SS":["b"]}})");
  EXPECT_EQ(update("SET t = set_delete(t, <<'b'>>)", " RETURNING MODIFIED NEW *"), "");
  EXPECT_EQ(update("REMOVE m, u, genre", " RETURNING ALL NEW *"),
            R"({"artist":{"S":"a"},"sold":{"N":"9"},"title":{"S":"z"},"year":{"N":"1"}})");
  EXPECT_EQ(update("SET sold = none + 1"),
            "The provided expression refers to an attribute that does not exist in the item");
  EXPECT_EQ(update("SET sold = title + 1"),
            "An operand in the update expression has an incorrect data type");
  EXPECT_EQ(update("SET sold = 1", " AND title = 'no'"), "The conditional request failed");
  EXPECT_EQ(update("SET sold = 1", " AND title = 'z' AND sold BETWEEN 8 AND 10"), "");
  EXPECT_EQ(update("SET year = 5"),
            "One or more parameter values were invalid: Cannot update attribute year. This "
            "attribute is part of the key");
  // aws-doc: ql-reference.update.
  EXPECT_EQ(Show("UPDATE Music SET a = 1 WHERE artist = 'no' AND year = 1"),
            "The conditional request failed");
  // assumed: the wording, from memory.
  for (const auto* text : {"UPDATE Music SET a = 1", "UPDATE Music SET a = 1 WHERE artist = 'a'",
                           "UPDATE Music SET a = 1 WHERE artist = 'a' AND year IN [1]",
                           "DELETE FROM Music WHERE artist = 'a' OR year = 1"}) {
    EXPECT_EQ(Show(text),
              "Where clause does not contain a mandatory equality on all key attributes")
        << text;
  }
}

TEST_F(PartiQl, HoldsAnUpdateAgainstTheItemLimitAlone) {
  // observed: of statements only the item counts, an update's actions add nothing.
  ASSERT_EQ(Show("INSERT INTO Users VALUE {'id': 'k'}"), "");
  const std::string big(409'600 - 4, 'x');  // and "id", "k", "v"
  const auto update = [&](const std::string& value) {
    return Show(Run("UPDATE Users SET v = ? WHERE id = 'k'", R"([{"S":")" + value + R"("}])"));
  };
  EXPECT_EQ(update(big), "");
  EXPECT_EQ(update(big + "x"), "Item size to update has exceeded the maximum allowed size");
}

TEST_F(PartiQl, DeletesWhatMatchesOrIsNotThere) {
  // aws-doc: ql-reference.delete.
  EXPECT_EQ(Show("DELETE FROM Music WHERE artist = 'no' AND year = 1 AND title = 'x'"), "");
  EXPECT_EQ(Show("DELETE FROM Music WHERE artist = 'b' AND year = 1 AND title = 'x'"),
            "The conditional request failed");
  EXPECT_EQ(
      Show("DELETE FROM Music WHERE artist = 'b' AND year = 1 AND title = 'w' RETURNING ALL OLD *"),
      R"({"artist":{"S":"b"},"title":{"S":"w"},"year":{"N":"1"}})");
  EXPECT_EQ(Show("DELETE FROM Music WHERE artist = 'b' AND year = 1 RETURNING ALL OLD *"), "");
}

TEST_F(PartiQl, ReturnsTheItemInTheWay) {
  auto command = Prepare("UPDATE Users SET n = 2 WHERE id = 'u' AND n = 5");
  ASSERT_EQ(Show("INSERT INTO Users VALUE {'id': 'u', 'n': 1}"), "");
  command->on_failure = engine::FailureReturn::kAllOld;
  const auto outcome = Run(std::move(*command));
  ASSERT_FALSE(outcome.has_value());
  const auto* old = std::get_if<OldItem>(&outcome.error().detail);
  ASSERT_NE(old, nullptr);
  EXPECT_EQ(engine::ToJson(old->stored), R"({"id":{"S":"u"},"n":{"N":"1"}})");
}

TEST_F(PartiQl, RunsABatchOfReadsOrOfWrites) {
  const auto batch = [&](const std::vector<std::string>& texts) {
    std::vector<BatchEntry> entries;
    for (const auto& text : texts) entries.push_back({.command = Prepare(text)});
    std::promise<Result<BatchOutcome>> answer;
    ExecuteBatch(engine_.engine(), engine_.call(), std::move(entries),
                 [&](Result<BatchOutcome> outcome) { answer.set_value(std::move(outcome)); });
    const auto outcome = answer.get_future().get();
    std::vector<std::string> shown;
    if (!outcome) return std::vector{outcome.error().message};
    for (const auto& one : *outcome) shown.push_back(Show(one));
    return shown;
  };
  EXPECT_EQ(batch({"SELECT title FROM Music WHERE artist = 'b' AND year = 1",
                   "SELECT * FROM Music WHERE artist = 'b' AND year = 2",
                   "SELECT * FROM Music WHERE artist = 'a'", "SELECT * FROM None WHERE a = 1"}),
            (std::vector<std::string>{
                R"({"title":{"S":"w"}})", "",
                "Select statements within BatchExecuteStatement must specify the primary key in "
                "the where clause.",
                "Requested resource not found"}));
  EXPECT_EQ(batch({"INSERT INTO Users VALUE {'id': '1'}", "INSERT INTO Users VALUE {'id': '1'}",
                   "DELETE FROM Users WHERE id = '1' RETURNING ALL OLD *", "nonsense"}),
            (std::vector<std::string>{
                "", "Duplicate primary key exists in table", R"({"id":{"S":"1"}})",
                "Statement wasn't well formed, can't be processed: Unexpected term at 1:1:8"}));
  EXPECT_EQ(batch({"INSERT INTO Users VALUE {'id': '2'}", "SELECT * FROM Users WHERE id = '2'"}),
            (std::vector<std::string>{"BatchExecuteStatement does not support both read and write "
                                      "statements in one request."}));
}

TEST_F(PartiQl, RunsATransaction) {
  const auto run = [&](const std::vector<std::string>& texts,
                       std::optional<std::string> token = std::nullopt) {
    TransactionRequest request{.commands = {}, .token = std::move(token), .fingerprint = 1};
    for (const auto& text : texts) request.commands.push_back(*Prepare(text));
    std::promise<Result<TransactionOutcome>> answer;
    ExecuteTransaction(
        engine_.engine(), engine_.call(), std::move(request),
        [&](Result<TransactionOutcome> outcome) { answer.set_value(std::move(outcome)); });
    const auto outcome = answer.get_future().get();
    if (!outcome) return outcome.error().message;
    std::string shown;
    for (const auto& item : outcome->items) shown += engine::ToJson(item) + " ";
    return shown;
  };
  const std::string cancelled =
      "Transaction cancelled, please refer cancellation reasons for specific reasons ";
  EXPECT_EQ(run({"INSERT INTO Users VALUE {'id': 't'}",
                 "EXISTS(SELECT * FROM Music WHERE artist = 'a' AND year = 1 AND title = 'z')",
                 "UPDATE Music SET n = 1 WHERE artist = 'a' AND year = 2"},
                "token"),
            "");
  // The same token: nothing happens twice.
  EXPECT_EQ(run({"INSERT INTO Users VALUE {'id': 't'}"}, "token"), "");
  EXPECT_EQ(run({"INSERT INTO Users VALUE {'id': 't'}",
                 "EXISTS(SELECT * FROM Music WHERE artist = 'a' AND year = 9)",
                 "DELETE FROM Users WHERE id = 'none'"}),
            cancelled + "[DuplicateItem, ConditionalCheckFailed, None]");
  EXPECT_EQ(run({"SELECT n FROM Music WHERE artist = 'a' AND year = 2",
                 "SELECT * FROM Users WHERE id = 't' AND x = 1"}),
            R"({"n":{"N":"1"}} nothing )");
  EXPECT_EQ(run({"SELECT * FROM Music WHERE artist = 'a'"}),
            "Select statements within ExecuteTransaction must specify the primary key in the where "
            "clause.");
  EXPECT_EQ(run({"SELECT * FROM Users WHERE id = 't'", "DELETE FROM Users WHERE id = 't'"}),
            "ExecuteTransaction does not support both read and write statements in one request.");
  EXPECT_EQ(run({"DELETE FROM Users WHERE id = 't' RETURNING ALL OLD *"}),
            "RETURNING is not supported in ExecuteTransaction.");
  EXPECT_EQ(Show("EXISTS(SELECT * FROM Users WHERE id = 't')"),
            "EXISTS can only be used in transactions");
}

}  // namespace
}  // namespace kw::partiql
