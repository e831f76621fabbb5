// SPDX-License-Identifier: Apache-2.0
// The SQL of questions and changes, read within a model file.
#include "modeller/model/sql.h"

#include <gtest/gtest.h>

#include <array>

#include "modeller/model/model_test_support.h"

namespace kw::modeller {
namespace {

constexpr std::string_view kEntities = R"(model: game
entities:
  Player:
    identity: [playerId]
    count: 10
    attributes:
      playerId:  {type: string}
      handle:    {type: string}
      rating:    {type: integer, min: 0, max: 99999}
      score:     {type: decimal, scale: 2}
      createdAt: {type: timestamp}
      born:      {type: date}
      banned:    {type: boolean}
      bag:       {type: list}
      nickname:  {type: string, optional: 0.5}
  Match:
    identity: [playerId, playedAt]
    references: {playerId: Player}
    count: 100
    attributes:
      playedAt: {type: timestamp}
      result:   {type: string, values: [win, loss, draw]}
  Order:
    identity: [orderId]
    count: 10
    attributes: {orderId: {type: string}, index: {type: integer}}
)";

// The SQL in double quotes of YAML, with its mark where it was.
std::string InYaml(std::string_view section, std::string_view sql) {
  std::string quoted;
  for (const char c : sql) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return std::string(kEntities) + std::string(section) + ":\n  it: {sql: \"" + quoted +
         "\", rate: 1/s}\n";
}

Question Ask(std::string_view sql) {
  Model model = Must(InYaml("questions", sql));
  EXPECT_EQ(model.questions().size(), 1);
  return model.questions().at(0);
}

Select AskSelect(std::string_view sql) { return std::get<Select>(Ask(sql).asks); }

Statement Do(std::string_view sql) {
  Model model = Must(InYaml("changes", sql));
  return model.changes().at(0).statements.at(0);
}

const Entity& Player() {
  static const Model model = Must(kEntities);
  return model.entity(0);
}
AttributeId Of(std::string_view attribute) { return *Player().Find(attribute); }
std::string ParameterOf(const Operand& operand) { return std::get<Parameter>(operand).name; }

TEST(SelectTest, EqualitiesColumnsOrderAndLimit) {
  const Select select = AskSelect(
      "select playerId, Player.rating from Player where handle = :h and banned = TRUE "
      "order by rating desc, createdAt asc limit 25;");
  EXPECT_EQ(std::get<std::vector<AttributeId>>(select.columns),
            (std::vector<AttributeId>{Of("playerId"), Of("rating")}));
  ASSERT_EQ(select.equalities.size(), 2);
  EXPECT_EQ(select.equalities[0].attribute, Of("handle"));
  EXPECT_EQ(ParameterOf(select.equalities[0].value), "h");
  EXPECT_EQ(std::get<Value>(select.equalities[1].value), Value(true));
  ASSERT_EQ(select.order.size(), 2);
  EXPECT_EQ(select.order[0].attribute, Of("rating"));
  EXPECT_TRUE(select.order[0].descending);
  EXPECT_FALSE(select.order[1].descending);
  EXPECT_EQ(select.limit, 25);
  EXPECT_FALSE(select.range);
}

TEST(SelectTest, NoConditionIsLegal) {
  const Select select = AskSelect("SELECT * FROM Player");
  EXPECT_TRUE(std::holds_alternative<AllColumns>(select.columns));
  EXPECT_TRUE(select.equalities.empty());
}

TEST(SelectTest, Aggregates) {
  const auto count = std::get<Aggregate>(AskSelect("SELECT COUNT(*) FROM Player").columns);
  EXPECT_EQ(count.kind, AggregateKind::kCount);
  EXPECT_FALSE(count.attribute);
  const auto sum = std::get<Aggregate>(AskSelect("SELECT sum(score) FROM Player").columns);
  EXPECT_EQ(sum.kind, AggregateKind::kSum);
  EXPECT_EQ(sum.attribute, Of("score"));
  EXPECT_EQ(std::get<Aggregate>(AskSelect("SELECT MIN(born) FROM Player").columns).kind,
            AggregateKind::kMin);
  EXPECT_EQ(std::get<Aggregate>(AskSelect("SELECT MAX(rating) FROM Player").columns).kind,
            AggregateKind::kMax);
}

struct RangeCase {
  std::string_view condition;
  std::string_view lower;  // "(" and "[" as bounds are written, then the value; or empty
  std::string_view upper;
};

std::string Shown(const std::optional<Bound>& bound, const Attribute& attribute) {
  if (!bound) return "";
  const auto* parameter = std::get_if<Parameter>(&bound->value);
  return (bound->inclusive ? "[" : "(") +
         (parameter != nullptr ? ":" + parameter->name
                               : ValueText(attribute, std::get<Value>(bound->value)));
}

TEST(SelectTest, Ranges) {
  constexpr auto kCases = std::to_array<RangeCase>({
      {"rating < 10", "", "(10"},
      {"rating <= :most", "", "[:most"},
      {"rating > -5", "(-5", ""},
      {"rating >= 0", "[0", ""},
      {"rating BETWEEN :a AND 7", "[:a", "[7"},
      {"rating >= :a AND rating < :b", "[:a", "(:b"},
      {"rating < :b AND handle = :h AND rating > :a", "(:a", "(:b"},
      {"score > 1.5", "(1.50", ""},
      {"born >= '2000-01-01'", "[2000-01-01", ""},
      {"createdAt < '2026-01-01T00:00:00Z'", "", "(2026-01-01T00:00:00Z"},
  });
  for (const RangeCase& c : kCases) {
    const Select select = AskSelect("SELECT * FROM Player WHERE " + std::string(c.condition));
    ASSERT_TRUE(select.range) << c.condition;
    const Attribute& attribute = Player().attributes[select.range->attribute];
    const auto& between = std::get<Between>(select.range->bounds);
    EXPECT_EQ(Shown(between.lower, attribute), c.lower) << c.condition;
    EXPECT_EQ(Shown(between.upper, attribute), c.upper) << c.condition;
  }
}

TEST(SelectTest, Prefixes) {
  const Select literal = AskSelect("SELECT * FROM Player WHERE handle LIKE 'night%'");
  EXPECT_EQ(std::get<Value>(std::get<Prefix>(literal.range->bounds).text),
            Value(std::string("night")));
  const Select parameter = AskSelect("SELECT * FROM Player WHERE handle LIKE :start || '%'");
  EXPECT_EQ(ParameterOf(std::get<Prefix>(parameter.range->bounds).text), "start");
}

TEST(SelectTest, Buckets) {
  const Select month = AskSelect("SELECT * FROM Player WHERE month(createdAt) = '2026-06'");
  EXPECT_EQ(month.equalities.at(0).bucket, Bucket::kMonth);
  EXPECT_EQ(std::get<Value>(month.equalities[0].value), Value(std::string("2026-06")));
  const Select day = AskSelect("SELECT * FROM Player WHERE date(createdAt) BETWEEN :a AND :b");
  EXPECT_EQ(day.range->bucket, Bucket::kDate);
  const Select hour =
      AskSelect("SELECT * FROM Player WHERE HOUR(createdAt) = :hour AND createdAt >= :since");
  EXPECT_EQ(hour.equalities.at(0).bucket, Bucket::kHour);
  EXPECT_EQ(hour.range->bucket, Bucket::kNone);
}

TEST(SelectTest, KeywordsAreQuoted) {
  const Select select = AskSelect(R"(SELECT "index" FROM "Order" WHERE orderId = :orderId)");
  EXPECT_EQ(select.entity, 2);
  EXPECT_EQ(std::get<std::vector<AttributeId>>(select.columns), (std::vector<AttributeId>{1}));
}

TEST(SelectTest, ALeftJoinIsACollection) {
  const Question question =
      Ask("SELECT * FROM Player LEFT JOIN Match USING (playerId) WHERE playerId = :playerId");
  const auto& collection = std::get<Collection>(question.asks);
  EXPECT_EQ(collection.by, std::vector<std::string>{"playerId"});
  ASSERT_EQ(collection.members.size(), 2);
  EXPECT_EQ(collection.members[0].entity, 0);
  EXPECT_EQ(collection.members[1].entity, 1);
  EXPECT_EQ(collection.members[1].by, std::vector<AttributeId>{0});
  EXPECT_FALSE(question.sql.empty());
}

TEST(StatementTest, Inserts) {
  EXPECT_EQ(Do("INSERT INTO Match").times, 1);
  for (const std::string_view times : {"× 3", "×3", "x 3", "x3", "X 3", "* 3"}) {
    const Statement statement = Do("INSERT INTO Match " + std::string(times));
    EXPECT_EQ(statement.times, 3) << times;
    EXPECT_EQ(statement.kind, StatementKind::kInsert);
    EXPECT_EQ(statement.entity, 1);
  }
}

TEST(StatementTest, UpdatesNameTheirRowAndWhatTheySet) {
  const Statement statement =
      Do("UPDATE Match SET result = 'win' WHERE playedAt = :at AND playerId = :winner");
  EXPECT_EQ(statement.kind, StatementKind::kUpdate);
  ASSERT_EQ(statement.identity.size(), 2);
  EXPECT_EQ(ParameterOf(statement.identity[0]), "winner");
  EXPECT_EQ(ParameterOf(statement.identity[1]), "at");
  ASSERT_EQ(statement.sets.size(), 1);
  EXPECT_EQ(std::get<Value>(statement.sets[0].value), Value(std::string("win")));
  const Statement removed = Do("UPDATE Player SET nickname = NULL WHERE playerId = :playerId");
  EXPECT_EQ(std::get<Value>(removed.sets.at(0).value), Value());
}

TEST(StatementTest, UpsertsAndDeletes) {
  EXPECT_TRUE(Do("UPSERT INTO Player").sets.empty());
  EXPECT_EQ(Do("UPSERT INTO Player SET rating = :rating").sets.size(), 1);
  const Statement statement = Do("DELETE FROM Player WHERE playerId = :playerId");
  EXPECT_EQ(statement.kind, StatementKind::kDelete);
  EXPECT_EQ(statement.identity.size(), 1);
}

constexpr std::string_view kOneEntity = "A question reads one entity: there are no subqueries.";
constexpr std::string_view kSecond = "Ask two questions, the second with what the first found.";
constexpr std::string_view kWanted = "Ask for the values that are wanted, with =.";
constexpr std::string_view kSecondRange =
    "A key answers one range, behind its equalities; this is a second one.";
constexpr std::string_view kBytewise =
    "Keep the text in lower case in an attribute of its own, and ask for that.";
constexpr std::string_view kOneOf =
    "A question returns columns, or *, or one of COUNT, SUM, MIN and MAX.";

constexpr auto kQuestionFaults = std::to_array<FaultCase>({
    // What a key cannot answer.
    {"SELECT * FROM Player WHERE handle = :a ▲OR handle = :b",
     "OR asks for more than one stretch of a key.", "Ask two questions, one for each side."},
    {"SELECT * FROM Player WHERE handle ▲IN (:a, :b)",
     "IN asks for more than one stretch of a key.", "Write = :value and ask once for each value."},
    {"SELECT * FROM Player WHERE handle ▲<> :a", "What is not equal lies at no one place of a key.",
     kWanted},
    {"SELECT * FROM Player WHERE handle ▲!= :a", "What is not equal lies at no one place of a key.",
     kWanted},
    {"SELECT * FROM Player WHERE ▲NOT handle = :a", "What is not so lies at no one place of a key.",
     kWanted},
    {"SELECT * FROM Player WHERE handle ▲NOT LIKE 'x%'",
     "What is not so lies at no one place of a key.", kWanted},
    {"SELECT * FROM Player WHERE nickname ▲IS NULL",
     "A row without an attribute stands in no index on it.",
     "Keep an attribute that says so, such as status, and ask for its value with =."},
    {"SELECT * FROM Player WHERE nickname = ▲NULL", "NULL equals nothing, in SQL as in a key.",
     "Keep an attribute that says so, such as status, and ask for its value."},
    {"SELECT * FROM Player WHERE rating > 1 AND ▲createdAt > :since", kSecondRange,
     "Keep the range on rating and make createdAt an equality, or keep the range on createdAt."},
    {"SELECT * FROM Player WHERE rating > 1 AND ▲rating > 2", kSecondRange,
     "Say the range once: BETWEEN :from AND :to."},
    {"SELECT * FROM Player WHERE handle LIKE 'a%' AND ▲handle LIKE 'b%'", kSecondRange,
     "Say the range once: BETWEEN :from AND :to."},
    {"SELECT * FROM Player WHERE ▲rating > 1 AND rating = 2", "rating is already fixed by =.",
     "Leave one of the two conditions out."},
    {"SELECT * FROM Player WHERE rating = 1 AND ▲rating = 2", "rating is already fixed by =.",
     "Leave one of the two conditions out."},
    {"SELECT * FROM Player WHERE handle = ▲(SELECT handle FROM Player)", kOneEntity, kSecond},
    {"SELECT * FROM Player WHERE ▲EXISTS (SELECT * FROM Match)", kOneEntity, kSecond},
    {"SELECT * FROM ▲(SELECT * FROM Match)",
     "A question reads one entity: there are no parentheses or subqueries.", kSecond},
    {"SELECT * FROM Player WHERE ▲(handle = :h)", "Conditions stand side by side, joined by AND.",
     "Leave the parentheses out."},
    {"SELECT * FROM Player WHERE ▲lower(handle) = :h", "A key is compared byte by byte.",
     kBytewise},
    {"SELECT * FROM Player WHERE ▲length(handle) = 3", "'length' is no function of a key.",
     "There are date(), month() and hour() of a timestamp; keep anything else in an attribute of "
     "its own."},
    {"SELECT * FROM Player WHERE rating ▲+ 1 = 3", "Keys do not calculate.",
     "Return the attributes, and calculate in the program."},
    {"SELECT * FROM Player WHERE rating = 1 ▲* 3", "Keys do not calculate.",
     "Return the attributes, and calculate in the program."},
    {"SELECT rating ▲/ 2 FROM Player", "Keys do not calculate.",
     "Return the attributes, and calculate in the program."},
    {"SELECT handle FROM Player ▲GROUP BY handle",
     "The group is what the equalities choose: one question answers for one group.",
     "Leave GROUP BY out and put = :parameter on its column in WHERE."},
    {"SELECT * FROM Player LIMIT 5 ▲OFFSET 5", "A key cannot skip rows it does not read.",
     "Leave OFFSET out: the next page begins behind the last row of the one before."},
    {"SELECT * FROM Player LIMIT 5▲, 5", "A key cannot skip rows it does not read.",
     "Write LIMIT with one number."},
    {"SELECT ▲DISTINCT handle FROM Player", "DISTINCT compares rows after they are read.",
     "Leave it out, or ask for an entity that has one row for each value."},
    {"SELECT COUNT(▲DISTINCT handle) FROM Player",
     "Distinct values can only be counted by reading them all.",
     "Leave DISTINCT out, or count an entity that has one row for each value."},
    {"SELECT ▲AVG(rating) FROM Player", "AVG is the quotient of two numbers that can be kept.",
     "Ask for SUM and for COUNT, and divide."},
    {"SELECT ▲upper(handle) FROM Player", "'upper' is no function that a question returns.",
     "There are COUNT, SUM, MIN and MAX."},
    {"SELECT handle, ▲COUNT(*) FROM Player", kOneOf, "Ask two questions."},
    {"SELECT COUNT(*)▲, handle FROM Player", kOneOf, "Ask two questions."},
    {"SELECT * FROM Player▲, Match", "A question reads one entity.",
     "Ask two questions, or a collection of several entities."},
    {"SELECT * FROM Player ▲p", "Names stand for themselves here: there are no aliases.",
     "Leave 'p' out."},
    {"SELECT * FROM Player ▲AS p", "Names stand for themselves here: there are no aliases.",
     "Leave AS and the alias out."},
    {"SELECT * FROM Player ▲UNION SELECT * FROM Player", "A question is one SELECT.",
     "Ask two questions, or a collection of several entities."},
    {"SELECT * FROM Player LIMIT ▲:n", "The bound of a page is part of the question.",
     "Write the number: LIMIT 20."},
    {"SELECT * FROM Player LIMIT ▲0", "LIMIT is a whole number from 1 to 1000000000.", ""},
    {"SELECT * FROM Player ORDER BY ▲lower(handle)", "Rows are ordered by attributes as they are.",
     "Write ORDER BY attribute."},
    {"SELECT * FROM Player ORDER BY handle ▲NULLS FIRST",
     "Rows without the attribute stand in no index on it.", "Leave NULLS out."},
    {"SELECT * FROM Player ORDER BY handle, ▲handle", "'handle' orders twice.",
     "Keep one of the two."},
    {"SELECT * FROM Player ORDER BY ▲bag", "A list has no order.",
     "Order by an attribute that a key can hold."},
    {"SELECT COUNT(*) FROM Player ORDER BY ▲handle", "An aggregate is one row.",
     "Leave ORDER BY out."},
    {"SELECT COUNT(*) FROM Player LIMIT ▲5", "An aggregate is one row.", "Leave LIMIT out."},
    {"SELECT SUM(▲handle) FROM Player", "A string has no such aggregate.",
     "SUM is of numbers; MIN and MAX are of what a key can hold."},
    {"SELECT MAX(▲bag) FROM Player", "A list has no such aggregate.",
     "SUM is of numbers; MIN and MAX are of what a key can hold."},
    // LIKE.
    {"SELECT * FROM Player WHERE handle LIKE ▲'%x'",
     "LIKE asks for a prefix: a text with one % at its end and no other wildcard.",
     "Write LIKE 'x%'."},
    {"SELECT * FROM Player WHERE handle LIKE ▲'a_%'",
     "LIKE asks for a prefix: a text with one % at its end and no other wildcard.",
     "Write LIKE 'x%'."},
    {"SELECT * FROM Player WHERE handle LIKE ▲'x'",
     "LIKE asks for a prefix: a text with one % at its end and no other wildcard.",
     "Write LIKE 'x%'."},
    {"SELECT * FROM Player WHERE handle LIKE ▲:x",
     "LIKE asks for a prefix, and the question must say so.", "Write LIKE :x || '%'."},
    {"SELECT * FROM Player WHERE ▲rating LIKE '1%'", "LIKE is of a string.",
     "Write BETWEEN :from AND :to."},
    // Types.
    {"SELECT * FROM Player WHERE ▲bag = :bag", "bag is a list, which no key can hold.",
     "Make an entity of its parts, and ask for those."},
    {"SELECT * FROM Player WHERE ▲banned > FALSE", "A boolean has no range.",
     "Write banned = true."},
    {"SELECT * FROM Player WHERE ▲month(born) = :m",
     "born is a date: date(), month() and hour() are of a timestamp.", "Write born itself."},
    {"SELECT * FROM Player WHERE month(createdAt) = ▲'June'", "'June' is not of this form.",
     "Write a month: '2026-06'."},
    {"SELECT * FROM Player WHERE rating = ▲'12'", "rating is an integer.",
     "Write 12 without quotes."},
    {"SELECT * FROM Player WHERE rating = ▲1.5", "rating is an integer.",
     "Write a whole number such as 1842."},
    {"SELECT * FROM Player WHERE handle = ▲12", "handle is a string.",
     "Write '12' in single quotes."},
    {"SELECT * FROM Player WHERE score > ▲1.234", "score is a decimal.",
     "Write a number with at most 2 digits behind the point."},
    {"SELECT * FROM Player WHERE createdAt > ▲'2026-06-23'", "createdAt is a timestamp.",
     "Write a time in UTC such as \"2026-06-23T14:00:00Z\"."},
    {"SELECT * FROM Match WHERE result = ▲'wins'", "'wins' is none of the values of result.",
     "Did you mean win?"},
    {"SELECT * FROM Player WHERE rating = ▲100000", "100000 is more than the max of rating.", ""},
    // Names.
    {"SELECT * FROM ▲Plaier WHERE playerId = :p", "There is no entity 'Plaier'.",
     "Did you mean Player?"},
    {"SELECT * FROM ▲player WHERE playerId = :p", "There is no entity 'player'.",
     "Did you mean Player?"},
    {"SELECT * FROM Player WHERE ▲ratng = 3", "Player has no attribute 'ratng'.",
     "Did you mean rating?"},
    {"SELECT ▲unheardOf FROM Player", "Player has no attribute 'unheardOf'.",
     "Add it to the attributes of Player."},
    {"SELECT handle, ▲handle FROM Player", "'handle' is returned twice.", "Keep one of the two."},
    {"SELECT * FROM Player WHERE ▲Match.result = 'win'", "The question reads Player, not Match.",
     "Ask for attributes of Player, or ask another question."},
    {"SELECT * FROM ▲Order WHERE orderId = :orderId",
     "Order is a word of SQL where an entity is due.",
     "If it is a name, put it in double quotes: \"Order\" (inside single quotes of YAML)."},
    {"SELECT ▲index FROM \"Order\"", "index is a word of SQL where an attribute is due.",
     "If it is a name, put it in double quotes: \"index\" (inside single quotes of YAML)."},
    // Collections.
    {"SELECT * FROM Player ▲JOIN Match USING (playerId)",
     "JOIN drops a parent that has no children.",
     "Write LEFT JOIN … USING (…): the parent with its children."},
    {"SELECT * FROM Player LEFT JOIN Match ▲ON playerId = playerId",
     "A join goes by attributes that both entities have.",
     "Write LEFT JOIN Match USING (playerId)."},
    {"SELECT * FROM Player LEFT JOIN Match USING (playerId) WHERE playerId = :playerId AND "
     "▲result = 'win'",
     "A filter in a collection would be read and thrown away.",
     "Ask a question of the one entity that has result."},
    {"SELECT * FROM Player LEFT JOIN Match USING (playerId) WHERE ▲playerId = :id",
     "A collection is named by the attributes it shares.", "Write playerId = :playerId."},
    {"SELECT * FROM ▲Player LEFT JOIN Match USING (playerId)",
     "A collection is that of one parent.", "Add WHERE playerId = :playerId."},
    {"SELECT ▲handle FROM Player LEFT JOIN Match USING (playerId) WHERE playerId = :playerId",
     "A collection returns whole rows, each once.", "Write SELECT *."},
    {"SELECT * FROM Player LEFT JOIN Match USING (playerId) WHERE playerId = :playerId ORDER BY "
     "▲handle",
     "A collection comes in the order of its keys.", "Leave ORDER BY out, or ask for one entity."},
    {"SELECT * FROM Player LEFT JOIN Match USING (playerId) WHERE playerId = :playerId LIMIT ▲5",
     "A collection is all of its rows.", "Leave LIMIT out, or ask for one entity."},
    {"SELECT * FROM Match LEFT JOIN ▲Player USING (playerId) WHERE playerId = :playerId",
     "Player does not refer to Match by these attributes.",
     "Add the reference to the entity, or write collection: […], by: …."},
    // Form.
    {"▲UPDATE Player SET rating = 1", "A question begins with SELECT.",
     "Write SELECT * FROM Entity WHERE attribute = :parameter."},
    {"SELECT * ▲WHERE handle = :h", "'WHERE' stands where FROM is due.",
     "Write SELECT * FROM Player."},
    {"SELECT * FROM Player WHERE ▲:h = handle", "':h' stands where an attribute is due.",
     "Write the attribute first: rating >= :least."},
    {"SELECT * FROM Player WHERE handle = ▲rating", "'rating' stands where a value is due.",
     "Write :rating for a parameter or 'rating' for a text."},
    {"SELECT * FROM Player WHERE handle = ▲", "the end stands where a value is due.",
     "Write a parameter (:name), a text ('open') or a number."},
    {"SELECT * FROM Player WHERE handle ▲:h", "':h' stands where a comparison is due.",
     "Write =, <, <=, >, >=, BETWEEN or LIKE."},
    {"SELECT * FROM Player LIMIT 5 ▲WHERE handle = :h", "'WHERE' cannot stand here.",
     "The order is: SELECT, FROM, WHERE, ORDER BY, LIMIT."},
    {"SELECT * FROM Player; ▲SELECT", "'SELECT' is left over.", "Leave it out."},
    {"SELECT * FROM Player WHERE handle = ▲'open", "The quote that opens here is not closed.",
     "End it with '."},
    {"SELECT * FROM Player WHERE handle = ▲?", "A parameter is a colon and a name.",
     "Write :playerId."},
    {"SELECT * FROM Player WHERE handle = ▲`x`", "This character has no meaning here.",
     "Put a text in single quotes: 'open'."},
    {"SELECT * FROM Player WHERE handle = '×' ▲OR handle = :b",
     "OR asks for more than one stretch of a key.", "Ask two questions, one for each side."},
});

TEST(SqlFaultTest, QuestionsSayWhyAndWhatToAsk) {
  for (const FaultCase& c : kQuestionFaults) {
    const std::string text = InYaml("questions", c.text);
    ExpectFault(&Model::Parse, {text, c.message, c.suggestion});
  }
}

constexpr auto kChangeFaults = std::to_array<FaultCase>({
    {"▲SELECT * FROM Player",
     "A change begins with INSERT INTO, UPDATE, UPSERT INTO or DELETE FROM.",
     "Write UPDATE Player SET rating = :rating WHERE playerId = :playerId."},
    {"INSERT ▲Player", "'Player' stands where INTO is due.", "Write INSERT INTO Entity."},
    {"INSERT INTO Player ▲(playerId) VALUES (:p)",
     "An insert writes the whole row, each attribute from its parameter.",
     "Write INSERT INTO Player."},
    {"INSERT INTO Player × ▲0", "The number of rows is a whole number from 1 to 1000000.", ""},
    {"INSERT INTO Player ▲x3y", "'x3y' is left over.", "Leave it out."},
    {"UPSERT INTO Player ▲VALUES (:p)", "An upsert writes the whole row, or what SET says.",
     "Write UPSERT INTO Player."},
    {"UPDATE Player SET rating = :r▲", "A change names the row that it changes.",
     "Add WHERE with the whole identity."},
    {"UPDATE Player SET rating = ▲rating + 1 WHERE playerId = :p",
     "A change sets an attribute to a parameter or a literal.",
     "Write rating = :rating for the new value."},
    {"UPDATE Player SET rating = :r ▲+ 1 WHERE playerId = :p", "Keys do not calculate.",
     "Return the attributes, and calculate in the program."},
    {"UPDATE Player SET ▲playerId = :q WHERE playerId = :p",
     "playerId is part of the identity, which never changes.",
     "Delete the row and insert another: DELETE FROM Player WHERE …, INSERT INTO Player."},
    {"UPDATE Player SET rating = 1, ▲rating = 2 WHERE playerId = :p", "'rating' is set twice.",
     "Keep one of the two."},
    {"UPDATE Player SET rating = ▲NULL WHERE playerId = :p",
     "rating is in every row: it cannot be NULL.", "Add optional: 0.5 to rating, or set a value."},
    {"UPDATE Match SET result = ▲'won' WHERE playerId = :p AND playedAt = :t",
     "'won' is none of the values of result.", "Did you mean win?"},
    {"UPDATE Match SET result = 'win' WHERE ▲playerId = :p",
     "WHERE does not name one row of Match.", "Add AND playedAt = :playedAt."},
    {"UPDATE Match SET result = 'win' WHERE playerId = :p AND ▲result = :r",
     "result is no part of the identity of Match.",
     "A change names one row, by its whole identity."},
    {"DELETE FROM Player WHERE ▲playerId > :p",
     "A change names one row, by equality with its identity.",
     "Write attribute = :parameter for each attribute of the identity."},
    {"DELETE FROM Player WHERE playerId = :p AND ▲playerId = :q", "'playerId' stands here twice.",
     "A change names one row, by its whole identity."},
    {"DELETE FROM ▲Plyer WHERE playerId = :p", "There is no entity 'Plyer'.",
     "Did you mean Player?"},
});

TEST(SqlFaultTest, ChangesSayWhyAndWhatToWrite) {
  for (const FaultCase& c : kChangeFaults) {
    const std::string text = InYaml("changes", c.text);
    ExpectFault(&Model::Parse, {text, c.message, c.suggestion});
  }
}

TEST(SqlFaultTest, TheLengthIsBounded) {
  const auto parsed = ParseSelect(std::string(kSqlBytesMax + 1, ' '));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message, "This SQL is longer than 4096 bytes.");
}

}  // namespace
}  // namespace kw::modeller
