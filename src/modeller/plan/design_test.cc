// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/design.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modeller/plan/plan_test_support.h"

namespace kw::modeller {
namespace {

using ::testing::HasSubstr;

Model ModelOf(const std::string& name) {
  auto model = Model::Parse(ReadExample(name + ".kw.yaml"));
  EXPECT_TRUE(model) << Describe(model.error(), name);
  return std::move(*model);
}

// Two texts say the same at different places.
Design Placeless(Design design) {
  for (auto& table : design.tables) {
    table.at = {};
    for (auto& index : table.indexes) index.at = {};
    for (auto& layout : table.entities) layout.at = {};
  }
  for (auto& answer : design.answers) answer.at = {};
  return design;
}

std::string FaultsOf(const std::string& model_name, const std::string& yaml) {
  const auto model = ModelOf(model_name);
  const auto design = Design::Parse(yaml, model);
  return design ? "none" : Describe(design.error(), "d");
}

// With one table around the members of its one entity.
std::string Tickets(const std::string& key, const std::string& indexes, const std::string& ticket) {
  return "design: d\ntables:\n  Tickets:\n    key: " + key + "\n    indexes: " + indexes +
         "\n    entities:\n      Ticket: " + ticket + "\n";
}

TEST(DesignTest, ExamplesPrintAndReadBack) {
  for (const std::string name : {"leaderboard", "shop", "tenants", "tickets"}) {
    const auto model = ModelOf(name);
    const auto design = Design::Parse(ReadExample(name + ".design.yaml"), model);
    ASSERT_TRUE(design) << Describe(design.error(), name);
    const auto text = design->ToYaml(model);
    const auto again = Design::Parse(text, model);
    ASSERT_TRUE(again) << text << Describe(again.error(), name);
    EXPECT_TRUE(Placeless(*again) == Placeless(*design)) << text;
    EXPECT_EQ(again->ToYaml(model), text);
  }
}

TEST(DesignTest, EveryFormPrintsAndReadsBack) {
  const auto model = ModelOf("shop");
  const std::string yaml = R"(design: all
tables:
  Users:
    key: {partition: pk, sort: sk}
    indexes:
      one: {partition: [status, {text: pk1}], sort: {attribute: createdAt}, project: keys}
      two: {partition: pk2 number, project: [total, userId]}
      three: {partition: pk, sort: {attribute: total}, local: true, project: all}
    entities:
      User:
        pk: "USER#{userId}"
        sk: "a \"quoted\" {{text}}\x85\u2028\uFEFF"
        counts: {orders: Purchase, spent: {sum: total, of: Purchase}, fans: {of: Follow, by: followedId}}
        guards: [{pk: "EMAIL#{email}", sk: GUARD}]
      Purchase:
        pk: {text: "ORDER#{orderId}", shards: 4, by: orderId}
        sk: ORDER
        pk1: {text: "S", when: "total = 12.50"}
        pk2: "{total}"
      Follow: {pk: "USER#{followerId}", sk: "F#{followedId}", copy: [{pk: "USER#{followedId}", sk: "G#{followerId}", attributes: [followedAt]}]}
answers:
  user: {get: Users, where: "pk = USER#{userId}"}
  monthly-report: {scan: Users}
)";
  const auto design = Design::Parse(yaml, model);
  ASSERT_TRUE(design) << Describe(design.error(), "d");
  const auto again = Design::Parse(design->ToYaml(model), model);
  ASSERT_TRUE(again) << design->ToYaml(model) << Describe(again.error(), "d");
  EXPECT_TRUE(Placeless(*again) == Placeless(*design)) << design->ToYaml(model);
  const auto& table = design->tables.front();
  EXPECT_TRUE(table.indexes[0].key.partition[0].native);
  EXPECT_FALSE(table.indexes[0].key.partition[1].native);
  EXPECT_EQ(table.indexes[1].key.partition[0].type, KeyType::kNumber);
  EXPECT_EQ(table.indexes[2].scope, IndexScope::kLocal);
  EXPECT_EQ(table.indexes[2].key.sort[0].type, KeyType::kNumber);
  EXPECT_EQ(table.entities[0].counters.size(), 3U);
  EXPECT_EQ(table.entities[1].keys.at("pk").shards->count, 4);
}

TEST(DesignTest, FaultsHaveTheirPlace) {
  const auto faults =
      FaultsOf("tickets", Tickets("{partition: pk}", "{}", "{pk: \"T#{ticketIdd}\"}"));
  EXPECT_THAT(faults, HasSubstr("d:7:20: Ticket has no attribute `ticketIdd`."));
}

TEST(DesignTest, SaysWhatIsWrong) {
  const auto of = [](const std::string& key, const std::string& indexes,
                     const std::string& ticket) {
    return FaultsOf("tickets", Tickets(key, indexes, ticket));
  };
  EXPECT_THAT(FaultsOf("tickets", "a"), HasSubstr("A design is a mapping"));
  EXPECT_THAT(
      FaultsOf("tickets", "design: d\ntables: {T: {key: {partition: pk}, entities: {Tickt: {}}}}"),
      HasSubstr("Did you mean Ticket?"));
  EXPECT_THAT(of("{sort: sk}", "{}", "{}"), HasSubstr("needs its partition"));
  EXPECT_THAT(of("{partition: pk, shards: 3}", "{}", "{}"), HasSubstr("not known in a key"));
  EXPECT_THAT(of("{partition: pk text}", "{}", "{}"), HasSubstr("no type of a key"));
  EXPECT_THAT(of("{partition: {attribute: nothing}}", "{}", "{}"),
              HasSubstr("No entity of this table has an attribute `nothing`."));
  EXPECT_THAT(of("{partition: pk}", "{}", "{pkk: X}"), HasSubstr("`pkk` is no key attribute"));
  EXPECT_THAT(of("{partition: {attribute: ticketId}}", "{}", "{ticketId: X}"),
              HasSubstr("takes no text"));
  EXPECT_THAT(of("{partition: pk number}", "{}", "{pk: \"T#{ticketId}\"}"),
              HasSubstr("is no text"));
  EXPECT_THAT(of("{partition: pk, sort: sk}", "{}", "{sk: {text: x, shards: 3}}"),
              HasSubstr("Shards spread a partition"));
  EXPECT_THAT(of("{partition: pk}", "{}", "{pk: {text: x, shards: 0}}"), HasSubstr("whole number"));
  EXPECT_THAT(of("{partition: pk}", "{}", "{pk: {text: x, when: \"status\"}}"),
              HasSubstr("equals a literal"));
  EXPECT_THAT(of("{partition: pk}", "{}", "{pk: {text: x, when: \"priority = 'x'\"}}"),
              HasSubstr("equals a literal"));
  EXPECT_THAT(of("{partition: pk}", "{}", "{\"A#{ticketId}\": gard}"), HasSubstr("lists a guard"));
  EXPECT_THAT(of("{partition: pk number}", "{}", "{\"A#{ticketId}\": guard}"),
              HasSubstr("is no text"));
  EXPECT_THAT(of("{partition: {attribute: ticketId}}", "{}", "{\"A#{subject}\": guard}"),
              HasSubstr("whose key is an attribute"));
  EXPECT_THAT(of("{partition: pk}", "{}", "{guards: [{pk: X}]}"), HasSubstr("names the attribute"));
  EXPECT_THAT(of("{partition: pk}", "{i: {partition: x, project: some}}", "{}"),
              HasSubstr("A projection is"));
  EXPECT_THAT(of("{partition: pk}", "{i: {partition: x, local: 3}}", "{}"),
              HasSubstr("true or false"));
  EXPECT_THAT(of("{partition: pk}", "{}", "{counts: {n: Ticket}}"), HasSubstr("no references"));
  EXPECT_THAT(of("{partition: pk}", "{}", "{}"), ::testing::Eq("none"));
}

TEST(DesignTest, AnswersAreOfKnownQuestionsAndTables) {
  const auto base = Tickets("{partition: pk}", "{}", "{}");
  EXPECT_THAT(FaultsOf("tickets", base + "answers: {tickt: {get: Tickets}}"),
              HasSubstr("no question `tickt`"));
  EXPECT_THAT(FaultsOf("tickets", base + "answers: {ticket: {get: Ticket}}"),
              HasSubstr("no table `Ticket`"));
  EXPECT_THAT(FaultsOf("tickets", base + "answers: {ticket: {get: Tickets, query: Tickets}}"),
              HasSubstr("one of get, query, scan"));
  EXPECT_THAT(FaultsOf("tickets", base + "answers: {ticket: {get: Tickets, order: up}}"),
              HasSubstr("ascending or descending"));
}

}  // namespace
}  // namespace kw::modeller
