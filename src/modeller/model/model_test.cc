// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "modeller/model/model_test_support.h"

namespace kw::modeller {
namespace {

Model ReadExample(const std::string& name) {
  std::ifstream in(std::string(KW_EXAMPLES) + "/" + name + ".kw.yaml", std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return Must(text.str());
}

const Entity& EntityOf(const Model& model, std::string_view name) {
  return model.entity(*model.FindEntity(name));
}
const Attribute& AttributeOf(const Entity& entity, std::string_view name) {
  return entity.attributes.at(*entity.Find(name));
}
const Question& QuestionOf(const Model& model, std::string_view name) {
  return *std::find_if(model.questions().begin(), model.questions().end(),
                       [&](const Question& question) { return question.name == name; });
}
std::vector<std::string> NamesOf(const Entity& entity) {
  std::vector<std::string> names;
  for (const Attribute& attribute : entity.attributes) names.push_back(attribute.name);
  return names;
}

TEST(ExamplesTest, Leaderboard) {
  const Model model = ReadExample("leaderboard");
  EXPECT_EQ(model.name(), "leaderboard");
  ASSERT_EQ(model.entities().size(), 2);
  EXPECT_EQ(model.questions().size(), 5);
  EXPECT_EQ(model.changes().size(), 2);

  const Entity& match = EntityOf(model, "Match");
  EXPECT_EQ(NamesOf(match),
            (std::vector<std::string>{"playerId", "playedAt", "result", "ratingDelta", "mapId"}));
  EXPECT_EQ(match.identity, (std::vector<AttributeId>{0, 1}));
  EXPECT_EQ(match.rows, 50'000'000);
  EXPECT_EQ(match.family->average.count, 50);
  EXPECT_EQ(match.family->max, 20'000);
  EXPECT_EQ(match.references.at(0).by, std::vector<AttributeId>{0});
  EXPECT_EQ(AttributeOf(match, "playerId").type, FieldType::kString);
  EXPECT_EQ(AttributeOf(match, "playerId").example, Value(std::string("u8231")));
  EXPECT_EQ(AttributeOf(match, "ratingDelta").min, Number::FromInteger(-50));

  const Entity& player = EntityOf(model, "Player");
  EXPECT_TRUE(AttributeOf(player, "rating").is_mutable);
  EXPECT_FALSE(AttributeOf(player, "handle").is_mutable);
  EXPECT_EQ(AttributeOf(player, "season").distinct, 8);
  EXPECT_EQ(AttributeOf(player, "region").distinct, 3);
  EXPECT_EQ(player.at, (Position{4, 3}));

  const auto& top = std::get<Select>(QuestionOf(model, "season-top").asks);
  EXPECT_EQ(top.limit, 100);
  EXPECT_TRUE(top.order.at(0).descending);
  EXPECT_EQ(QuestionOf(model, "season-top").rate->count, 50);
  const auto& page = std::get<Collection>(QuestionOf(model, "player-page").asks);
  EXPECT_EQ(page.by, std::vector<std::string>{"playerId"});
  EXPECT_EQ(page.members.at(1).entity, 1);
  EXPECT_TRUE(QuestionOf(model, "player-page").sql.empty());
}

TEST(ExamplesTest, Shop) {
  const Model model = ReadExample("shop");
  EXPECT_EQ(model.entities().size(), 8);
  EXPECT_EQ(model.questions().size(), 17);
  EXPECT_EQ(model.changes().size(), 7);

  const Entity& purchase = EntityOf(model, "Purchase");
  EXPECT_EQ(NamesOf(purchase),
            (std::vector<std::string>{"orderId", "userId", "createdAt", "status", "total"}));
  EXPECT_EQ(AttributeOf(purchase, "total").scale, 2);
  EXPECT_EQ(AttributeOf(purchase, "status").shares.at(1).value(), 950'000);
  EXPECT_TRUE(AttributeOf(purchase, "status").is_mutable);
  EXPECT_EQ(purchase.rows, 36'000'000);
  EXPECT_EQ(EntityOf(model, "PurchaseLine").rows, 108'000'000);
  EXPECT_EQ(EntityOf(model, "PurchaseLine").references.size(), 2);
  EXPECT_EQ(EntityOf(model, "Cart").rows, 600'000);
  // An upsert writes the whole row.
  EXPECT_TRUE(AttributeOf(EntityOf(model, "Cart"), "items").is_mutable);
  EXPECT_FALSE(AttributeOf(EntityOf(model, "Cart"), "userId").is_mutable);
  const Entity& user = EntityOf(model, "User");
  EXPECT_EQ(user.unique, std::vector<AttributeId>{*user.Find("email")});
  EXPECT_EQ(AttributeOf(user, "phone").present.value(), 300'000);

  EXPECT_EQ(QuestionOf(model, "monthly-report").answer, AnswerBy::kScan);
  EXPECT_EQ(QuestionOf(model, "monthly-report").rate->count, 2);
  EXPECT_EQ(QuestionOf(model, "monthly-report").rate->per, 86'400);
  EXPECT_EQ(QuestionOf(model, "cart").consistency, Consistency::kStrong);
  EXPECT_EQ(model.changes().at(1).statements.at(1).times, 3);
  EXPECT_EQ(model.changes().at(1).statements.at(1).sql, "INSERT INTO PurchaseLine × 3");
  const auto says = [&](std::string_view sentence) {
    return std::find(model.assumptions().begin(), model.assumptions().end(), sentence) !=
           model.assumptions().end();
  };
  EXPECT_TRUE(says("Reading.temperature has 2 digits behind the point."));
  EXPECT_FALSE(says("Purchase.total has 2 digits behind the point."));
  EXPECT_TRUE(says("User.name has 16 bytes on average."));
  EXPECT_TRUE(says("Cart.items has 200 bytes on average."));
}

TEST(ExamplesTest, Tenants) {
  const Model model = ReadExample("tenants");
  EXPECT_EQ(model.entities().size(), 5);
  const Entity& user = EntityOf(model, "User");
  EXPECT_EQ(user.size, ByteCount(2048));
  EXPECT_EQ(RowSize(model, *model.FindEntity("User")), ByteCount(2048));
  EXPECT_EQ(user.rows, 1'000'000);
  EXPECT_EQ(AttributeOf(EntityOf(model, "AuditEvent"), "at").precision,
            TimePrecision::kMicrosecond);
  EXPECT_EQ(std::get<Collection>(QuestionOf(model, "whole-tenant").asks).members.size(), 5);
  const auto& open = std::get<Select>(QuestionOf(model, "open-invoices").asks);
  EXPECT_EQ(std::get<Value>(open.equalities.at(0).value), Value(std::string("open")));
}

TEST(ExamplesTest, Tickets) {
  const Model model = ReadExample("tickets");
  const auto& open = std::get<Select>(QuestionOf(model, "open-by-priority").asks);
  EXPECT_EQ(open.equalities.size(), 2);
  EXPECT_EQ(open.order.size(), 2);
  EXPECT_TRUE(AttributeOf(model.entity(0), "status").is_mutable);
  EXPECT_TRUE(model.assumptions().empty());
}

TEST(ModelTest, ReferencesByLists) {
  const Model model = Must(R"(model: bank
entities:
  Account:
    identity: [tenantId, accountId]
    count: 100
    attributes: {tenantId: {type: string}, accountId: {type: integer, min: 1, max: 99999}}
  Booking:
    identity: [tenantId, accountId, at]
    references:
      - {to: Account, by: [tenantId, accountId]}
      - {to: Booking, by: [tenantId, accountId, reverses]}
    per: {Account: {average: 2.5}}
    expires: until
    attributes:
      at: {type: timestamp, precision: millisecond}
      until: {type: timestamp, optional: 0.25}
      reverses: {optional: 0.01}
)");
  const Entity& booking = EntityOf(model, "Booking");
  EXPECT_EQ(booking.references.at(0).by, (std::vector<AttributeId>{0, 1}));
  EXPECT_EQ(booking.references.at(1).to, 1);
  EXPECT_EQ(AttributeOf(booking, "accountId").max, Number::FromInteger(99'999));
  EXPECT_EQ(AttributeOf(booking, "reverses").type, FieldType::kTimestamp);
  EXPECT_EQ(AttributeOf(booking, "reverses").precision, TimePrecision::kMillisecond);
  EXPECT_EQ(AttributeOf(booking, "reverses").present.value(), 10'000);
  EXPECT_EQ(booking.expires, booking.Find("until"));
  EXPECT_EQ(booking.rows, 250);
}

TEST(ModelTest, RatesAreExact) {
  const auto rate = [](std::string_view text) {
    const Model model = Must(
        "model: m\nentities: {E: {identity: a, count: 1, attributes: {a: {type: string}}}}\n"
        "questions: {q: {sql: SELECT * FROM E, rate: " +
        std::string(text) + "}}\n");
    const Ratio ratio = *model.questions().at(0).rate;
    return std::pair(ratio.count, ratio.per);
  };
  EXPECT_EQ(rate("500/s"), std::pair(std::int64_t{500}, std::int64_t{1}));
  EXPECT_EQ(rate("0.25/s"), std::pair(std::int64_t{25}, std::int64_t{100}));
  EXPECT_EQ(rate("7/h"), std::pair(std::int64_t{7}, std::int64_t{3'600}));
  EXPECT_EQ(rate("2/day"), std::pair(std::int64_t{2}, std::int64_t{86'400}));
}

TEST(ModelTest, EveryFaultIsReportedInTheTextsOrder) {
  const auto model = Model::Parse(R"(model: m
entities:
  A: {identity: [x], attributes: {x: {type: strin}}}
  B: {identity: [y], count: none, attributes: {y: {type: string}}}
questions:
  q: {sql: "SELECT * FROM B WHERE z = :z AND w = :w", rate: 5}
  r: {sql: "SELECT * FROM A WHERE z = :z"}
)");
  ASSERT_FALSE(model);
  EXPECT_EQ(Describe(model.error(), "m.kw.yaml"),
            "m.kw.yaml:3:45: There is no type 'strin'.\n    Did you mean string?\n"
            "m.kw.yaml:4:29: count is a whole number from 1 to 1000000000000000.\n"
            "m.kw.yaml:6:61: rate is how often, on average.\n"
            "    Write rate: 500/s, 20/h or 2/day.\n");
}

TEST(ModelTest, FaultsAreBounded) {
  std::string text = "model: m\nentities: {E: {identity: a, attributes: {a: {type: string}}}}\n";
  text += "questions:\n";
  for (int i = 0; i < 500; ++i) text += "  q" + std::to_string(i) + ": {sql: \"nothing\"}\n";
  const auto model = Model::Parse(text);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().size(), 100);
}

TEST(RowSizeTest, FollowsFromTheAttributes) {
  const Model model = Must(R"(model: m
entities:
  E:
    identity: [id]
    count: 1
    attributes:
      id:   {type: string, length: 8}
      flag: {type: boolean, optional: 0.5}
      kind: {type: string, values: [ab, abcd], shares: [0.25, 0.75]}
      n:    {type: integer, min: 0, max: 99999}
      at:   {type: timestamp, precision: millisecond}
)");
  // 2 + 8, half of 4 + 1, 4 + 3.5, 1 + 4, 2 + 24: 48.5, in 51 bytes with the halves.
  EXPECT_EQ(RowSize(model, 0), ByteCount(51));
}

TEST(ValueTextTest, RoundTrips) {
  struct Case {
    FieldType type;
    std::string_view text;
  };
  for (const Case& c : {Case{FieldType::kString, "a b"}, Case{FieldType::kInteger, "-7"},
                        Case{FieldType::kDecimal, "-7.50"}, Case{FieldType::kBoolean, "true"},
                        Case{FieldType::kTimestamp, "2026-06-23T14:00:00Z"},
                        Case{FieldType::kDate, "2026-06-23"}, Case{FieldType::kBinary, "aGk="}}) {
    Attribute attribute;
    attribute.type = c.type;
    attribute.scale = 2;
    const auto value = ParseValue(attribute, c.text);
    ASSERT_TRUE(value) << c.text;
    EXPECT_EQ(ValueText(attribute, *value), c.text);
  }
}

constexpr auto kFileFaults = std::to_array<FaultCase>({
    {"▲", "The file is a mapping.", "Write model: shop, then entities:, questions: and changes:."},
    {"▲- a\n", "The file is a mapping.",
     "Write model: shop, then entities:, questions: and changes:."},
    {"▲model: m\n", "A model has a name and entities.",
     "Write model: shop, then entities:, questions: and changes:."},
    {"model: m\n▲entitees: {}\nentities: {}\n", "The file has no 'entitees'.",
     "Did you mean entities?"},
    {"model: ▲a b\nentities: {}\n", "The model's name is letters, digits, _ and -, a letter first.",
     "Write a name such as recent-matches."},
    {"model: m\nentities: ▲[A]\n", "entities is a mapping.",
     "Write entities: {Player: {identity: [playerId], attributes: {…}}}."},
    {"model: m\nentities: {}\nquestions: ▲[a]\n", "questions is a mapping.",
     "Write questions: {profile: {sql: …}}."},
    {"model: m\nentities: {}\nquestions: {q: ▲x}\n", "q is a mapping.",
     "Write {sql: \"SELECT …\", rate: 50/s}."},
    {"model: m\nentities: {}\nquestions: {▲q: {rate: 1/s}}\n",
     "A question is one SELECT or one collection.",
     "Write sql: \"SELECT …\", or collection: [Player, Match], by: playerId."},
    {"model: m\nentities: {}\nchanges: {▲c: {rate: 1/s}}\n", "A change says what it writes.",
     "Write {rate: 2/s, sql: [\"INSERT INTO Player\"]}."},
});

TEST(ModelFaultTest, TheFile) {
  for (const FaultCase& c : kFileFaults) ExpectFault(&Model::Parse, c);
}

// What stands under `entities:`, two in.
constexpr auto kEntityFaults = std::to_array<FaultCase>({
    {"▲1A: {identity: a, attributes: {a: {type: string}}}",
     "An entity's name is letters, digits and _, a letter first.",
     "Write a name such as playerId."},
    {"A: ▲x", "A is a mapping.", "Write {identity: [playerId], attributes: {…}}."},
    {"A: {identity: a, attributes: {a: {type: string}}, ▲sise: 2KB}", "A has no 'sise'.",
     "Did you mean size?"},
    {"A: {identity: a, attributes: {a: {type: string}}, ▲zzzzzzz: 2KB}", "A has no 'zzzzzzz'.",
     "It may have identity, attributes, references, per, count, size, unique or expires."},
    {"A: {identity: a, attributes: {a: {type: string}}}\n"
     "  ▲a: {identity: a, attributes: {a: {type: string}}}",
     "SQL does not tell a from A.", "Rename one of them."},
    {"▲A: {attributes: {a: {type: string}}}", "A has no identity.",
     "Add the attributes that tell its rows apart: identity: [playerId]."},
    {"A: {identity: ▲[], attributes: {a: {type: string}}}", "identity names nothing.",
     "Write identity: [playerId]."},
    {"A: {identity: ▲{a: 1}, attributes: {a: {type: string}}}", "identity is a list of names.",
     "Write identity: [playerId]."},
    {"A: {identity: [▲7], attributes: {a: {type: string}}}", "identity is a text.",
     "Write identity: [playerId]."},
    {"A: {identity: [▲plaierId], attributes: {playerId: {type: string}}}",
     "A has no attribute 'plaierId'.", "Did you mean playerId?"},
    {"A: {identity: [▲other], attributes: {playerId: {type: string}}}",
     "A has no attribute 'other'.", "Add other: {type: string} to its attributes."},
    {"A: {identity: [a, ▲a], attributes: {a: {type: string}}}", "'a' stands in the identity twice.",
     "Keep one of the two."},
    {"A: {identity: ▲a, attributes: {a: {type: list}}}", "A list cannot identify a row.",
     "Choose attributes that are strings, numbers, times or bytes."},
    {"A: {identity: ▲a, attributes: {a: {type: string, optional: 0.5}}}",
     "An attribute of the identity is in every row.", "Leave optional out of a."},
    {"A: {identity: a, attributes: {a: {type: string}, ▲A: {type: string}}}",
     "SQL does not tell A from a.", "Rename one of them."},
    {"A: {identity: a, attributes: {a: {type: string}, ▲b-c: {type: string}}}",
     "An attribute's name is letters, digits and _, a letter first.",
     "Write a name such as playerId."},
    {"A: {identity: a, attributes: {a: {type: string}, ▲b: {example: x}}}", "'b' has no type.",
     "Write b: {type: string}."},
    // Attributes.
    {"A: {identity: a, attributes: {a: ▲string}}", "a is a mapping.", "Write {type: string}."},
    {"A: {identity: a, attributes: {a: {type: string, ▲lenght: 3}}}", "a has no 'lenght'.",
     "Did you mean length?"},
    {"A: {identity: a, attributes: {a: {type: ▲number}}}", "There is no type 'number'.",
     "Write string, integer, decimal, boolean, timestamp, date, binary, list or map."},
    {"A: {identity: a, attributes: {a: {type: string, ▲precision: second}}}",
     "Only a timestamp has a precision.", "Leave it out."},
    {"A: {identity: a, attributes: {a: {type: timestamp, precision: ▲minute}}}",
     "There is no such precision.", "Write second, millisecond or microsecond."},
    {"A: {identity: a, attributes: {a: {type: integer, ▲scale: 2}}}", "Only a decimal has a scale.",
     "Leave it out."},
    {"A: {identity: a, attributes: {a: {type: decimal, scale: ▲21}}}",
     "scale is a whole number from 0 to 20.", ""},
    {"A: {identity: a, attributes: {a: {type: string, ▲min: 2}}}", "Only a number has a min.",
     "Leave it out."},
    {"A: {identity: a, attributes: {a: {type: integer, min: ▲x}}}", "min is an integer.",
     "Write a whole number such as 1842."},
    {"A: {identity: a, attributes: {a: {type: integer, min: ▲\"2\"}}}", "min is an integer.",
     "Write a whole number such as 1842."},
    {"A: {identity: a, attributes: {a: {type: integer, min: 3, max: ▲2}}}", "max is less than min.",
     "Swap them."},
    {"A: {identity: a, attributes: {a: {type: integer, ▲length: 2}}}",
     "Only a string or binary has a length.", "Leave it out."},
    {"A: {identity: a, attributes: {a: {type: string, length: ▲0}}}",
     "length is a whole number from 1 to 409600.", ""},
    {"A: {identity: a, attributes: {a: {type: string, values: ▲some}}}",
     "values is the list of values, or how many there are.",
     "Write values: [open, closed] or values: 8."},
    {"A: {identity: a, attributes: {a: {type: string, values: ▲0}}}",
     "values is a whole number from 1 to 1000000000000.", ""},
    {"A: {identity: a, attributes: {a: {type: string, values: [x, ▲x]}}}", "'x' is listed twice.",
     "Keep one of the two."},
    {"A: {identity: a, attributes: {a: {type: string, values: [x, ▲7]}}}",
     "A value is a string, and 7 is not read as one.", "Put it in quotes: \"7\"."},
    {"A: {identity: a, attributes: {a: {type: string}, b: {type: map, ▲values: 3}}}",
     "Lists and maps are not counted.", "Leave values out."},
    {"A: {identity: a, attributes: {a: {type: string, values: [x, y], shares: ▲[1]}}}",
     "shares has one share for each of the listed values.",
     "Write values: [open, closed], shares: [0.1, 0.9]."},
    {"A: {identity: a, attributes: {a: {type: string, values: 3, shares: ▲[1]}}}",
     "shares has one share for each of the listed values.",
     "Write values: [open, closed], shares: [0.1, 0.9]."},
    {"A: {identity: a, attributes: {a: {type: string, values: [x, y], shares: ▲[0.3, 0.69]}}}",
     "The shares add up to 0.99, not to 1.", "Change one of them."},
    {"A: {identity: a, attributes: {a: {type: string, values: [x, y], shares: [0.3, ▲most]}}}",
     "A share is a number from 0 to 1 with at most six digits.",
     "Write 0.25 for a quarter of the rows."},
    {"A: {identity: a, attributes: {a: {type: string}, b: {type: string, optional: ▲true}}}",
     "optional is the share of rows that have the attribute.",
     "Write optional: 0.3 for three rows in ten."},
    {"A: {identity: a, attributes: {a: {type: string}, b: {type: string, optional: ▲1.5}}}",
     "optional is the share of rows that have the attribute.",
     "Write optional: 0.3 for three rows in ten."},
    {"A: {identity: a, attributes: {a: {type: string, example: ▲12345}}}",
     "example is a string, and 12345 is not read as one.", "Put it in quotes: \"12345\"."},
    {"A: {identity: a, attributes: {a: {type: timestamp, example: ▲2026-06-23}}}",
     "example is a timestamp.", "Write a time in UTC such as \"2026-06-23T14:00:00Z\"."},
    {"A: {identity: a, attributes: {a: {type: timestamp, precision: millisecond, example: "
     "▲\"2026-06-23T14:00:00.0001Z\"}}}",
     "example is a timestamp.", "Write a time in UTC such as \"2026-06-23T14:00:00.000Z\"."},
    {"A: {identity: a, attributes: {a: {type: date, example: ▲2026-06-31}}}", "example is a date.",
     "Write a date such as 2026-06-23."},
    {"A: {identity: a, attributes: {a: {type: binary, example: ▲x}}}", "example is a binary.",
     "Write bytes in base64, such as aGVsbG8=."},
    {"A: {identity: a, attributes: {a: {type: string}, b: {type: boolean, example: ▲yes}}}",
     "example is a boolean.", "Write true or false."},
    {"A: {identity: a, attributes: {a: {type: string}, b: {type: list, example: ▲yes}}}",
     "example is a list.", "Write [a, b]."},
    {"A: {identity: a, attributes: {a: {type: string, example: ▲[b]}}}", "example is one string.",
     ""},
    {"A: {identity: a, attributes: {a: {type: integer, max: 9, example: ▲10}}}",
     "10 is more than the max of a.", "Write one that a row may have."},
    {"A: {identity: a, attributes: {a: {type: string, values: [x], example: ▲z}}}",
     "'z' is none of the values of a.", "Write one that a row may have."},
    // How many, how large, which unique.
    {"A: {identity: a, count: ▲many, attributes: {a: {type: string}}}",
     "count is a whole number from 1 to 1000000000000000.", ""},
    {"A: {identity: a, size: ▲2, attributes: {a: {type: string}}}", "size is a number of bytes.",
     "Write size: 2KB or size: 300B."},
    {"A: {identity: a, size: ▲401KB, attributes: {a: {type: string}}}",
     "An item has at most 400KB.", "Split the row, or keep the large part elsewhere."},
    {"A: {identity: a, unique: [▲b], attributes: {a: {type: string}}}", "A has no attribute 'b'.",
     "Did you mean a?"},
    {"A: {identity: a, unique: ▲a, attributes: {a: {type: string}}}",
     "The identity is unique as it is.", "Leave it out."},
    {"A: {identity: a, unique: ▲b, attributes: {a: {type: string}, b: {type: map}}}",
     "A map cannot be unique.", "Choose attributes that are strings, numbers, times or bytes."},
    {"A: {identity: a, expires: ▲a, attributes: {a: {type: string}}}", "A string says no time.",
     "Name a timestamp, or an integer of seconds since 1970."},
    {"A: {identity: a, expires: ▲[a, b], attributes: {a: {type: integer}, b: {type: integer}}}",
     "expires names one attribute.", "Keep one of them."},
    // References and families; P is identified by p, Q by p and q.
    {"A: {identity: a, references: {p: ▲R}, attributes: {a: {type: string}}}",
     "There is no entity 'R'.", "Did you mean A?"},
    {"A: {identity: a, references: ▲P, attributes: {a: {type: string}}}",
     "references says which attributes name which entity.",
     "Write references: {playerId: Player}, or [{to: Account, by: [tenantId, accountId]}]."},
    {"A: {identity: a, references: [▲{to: P}], attributes: {a: {type: string}}}",
     "A reference says to which entity and by which attributes.",
     "Write {to: Account, by: [tenantId, accountId]}."},
    {"A: {identity: a, references: [▲x], attributes: {a: {type: string}}}",
     "A reference is a mapping.", "Write {to: Account, by: [tenantId, accountId]}."},
    {"A: {identity: a, references: {▲q: Q}, attributes: {a: {type: string}}}",
     "Q is identified by p, q, not by 1 attribute.", "Write references: [{to: Q, by: [p, q]}]."},
    {"A: {identity: a, references: {▲p: P}, attributes: {a: {type: string}, p: {type: date}}}",
     "p is a date, and p of P is a string.", "Leave the type of p out: it follows."},
    {"A: {identity: ▲x, references: {x: B}}\n  B: {identity: y, references: {y: A}}",
     "No type is said for 'x', here or where it refers to.",
     "Add x: {type: string} to the attributes of one of them."},
    {"A: {identity: a, per: ▲3, attributes: {a: {type: string}}}", "per is a mapping.",
     "Write per: {Player: {average: 50, max: 20000}}."},
    {"A: {identity: a, per: ▲{}, attributes: {a: {type: string}}}", "per names one parent.",
     "Write per: {Player: {average: 50, max: 20000}}."},
    {"A: {identity: a, per: {▲P: {average: 3}}, attributes: {a: {type: string}}}",
     "A has no reference to P.", "Add references: {attribute: P}."},
    {"A: {identity: p, references: {p: P}, per: {▲P: {max: 3}}}",
     "per says how many rows each of the parent's has.",
     "Write per: {Player: {average: 50, max: 20000}}."},
    {"A: {identity: p, references: {p: P}, per: {P: {average: ▲few}}}",
     "average is a number of rows for each of the parent's.", "Write average: 50 or average: 0.2."},
    {"A: {identity: p, references: {p: P}, per: {P: {average: 3, max: ▲2}}}",
     "max is less than average.", "Swap them."},
    {"A: {identity: p, references: {p: P}, count: 7, per: {▲P: {average: 3}}}",
     "The number of rows is said twice: by count and by average.", "Leave one of the two out."},
    {"▲A: {identity: a, references: {b: A}, per: {A: {average: 3}}, attributes: {a: {type: "
     "string}}}",
     "A is counted per itself.", "Say count for one of the entities in the circle."},
    {"▲A: {identity: [p, a], references: {p: P}, per: {P: {average: 900000000000}}, attributes: "
     "{a: {type: string}}}",
     "A has more than 1000000000000000 rows.", "Lower the average."},
});

TEST(ModelFaultTest, Entities) {
  for (const FaultCase& c : kEntityFaults) {
    std::string text =
        "model: m\nentities:\n  " + std::string(c.text) +
        "\n  P: {identity: p, count: 2000, attributes: {p: {type: string}}}\n"
        "  Q: {identity: [p, q], attributes: {p: {type: string}, q: {type: date}}}\n";
    ExpectFault(&Model::Parse, {text, c.message, c.suggestion});
  }
}

// A question or change on P, of Q or the rest.
constexpr auto kEnvelopeFaults = std::to_array<FaultCase>({
    {"questions: {▲q!: {sql: SELECT * FROM P}}",
     "A question's name is letters, digits, _ and -, a letter first.",
     "Write a name such as recent-matches."},
    {"questions: {q: {sql: SELECT * FROM P, rate: ▲500}}", "rate is how often, on average.",
     "Write rate: 500/s, 20/h or 2/day."},
    {"questions: {q: {sql: SELECT * FROM P, rate: ▲5/week}}", "rate is how often, on average.",
     "Write rate: 500/s, 20/h or 2/day."},
    {"questions: {q: {sql: SELECT * FROM P, rate: 5/s, peak: ▲4/s}}",
     "peak is less than the average rate.", "Swap them."},
    {"questions: {q: {sql: SELECT * FROM P, consistency: ▲weak}}",
     "consistency is strong or eventual.",
     "Write consistency: strong where a stale read will not do."},
    {"questions: {q: {sql: SELECT * FROM P, answer: ▲soon}}", "answer is key or scan.",
     "Write answer: scan where reading the whole table is good enough."},
    {"questions: {q: {sql: SELECT * FROM P, ▲by: p}}", "by belongs to a collection.",
     "Leave it out."},
    {"questions: {q: {▲sqll: x, sql: SELECT * FROM P}}", "q has no 'sqll'.", "Did you mean sql?"},
    {"questions: {q: {sql: ▲[SELECT]}}", "sql is a text.", "Write sql: \"SELECT …\"."},
    {"questions: {q: {collection: ▲[P, Q]}}",
     "A collection says which attribute its entities share.",
     "Write collection: [Player, Match], by: playerId."},
    {"questions: {q: {collection: ▲[P], by: p}}", "A collection has two entities or more.",
     "Write sql: \"SELECT * FROM P WHERE p = :p\"."},
    {"questions: {q: {collection: [P, ▲P], by: p}}", "P stands in the collection twice.",
     "Keep one of the two."},
    {"questions: {q: {collection: [P, ▲Z], by: p}}", "There is no entity 'Z'.", "Did you mean P?"},
    {"questions: {q: {collection: [Q, ▲P], by: [p, q]}}", "P has no attribute 'q'.",
     "A collection's entities share the attributes that by names."},
    {"questions: {q: {collection: [Q, ▲R], by: q}}", "q of R is an integer, and of Q a date.",
     "Give both the same type."},
    {"changes: {c: {sql: ▲{}}}", "sql is a list of names.",
     "Write {rate: 2/s, sql: [\"INSERT INTO Player\"]}."},
});

TEST(ModelFaultTest, QuestionsAndChanges) {
  for (const FaultCase& c : kEnvelopeFaults) {
    const std::string text =
        "model: m\nentities:\n  P: {identity: p, attributes: {p: {type: string}}}\n"
        "  Q: {identity: [p, q], attributes: {p: {type: string}, q: {type: date}}}\n"
        "  R: {identity: q, attributes: {q: {type: integer}}}\n" +
        std::string(c.text) + "\n";
    ExpectFault(&Model::Parse, {text, c.message, c.suggestion});
  }
}

}  // namespace
}  // namespace kw::modeller
