// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "modeller/check/findings.h"

namespace kw::modeller {
namespace {

using ::testing::HasSubstr;

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Finding> Look(const std::string& model_text, const std::string& design_text) {
  const auto model = Model::Parse(model_text);
  if (!model) {
    ADD_FAILURE() << Describe(model.error(), "model");
    return {};
  }
  if (design_text.empty()) return Advise({.model = *model});
  const auto design = Design::Parse(design_text, *model);
  if (!design) {
    ADD_FAILURE() << Describe(design.error(), "design");
    return {};
  }
  const auto plan = Plan::Compile(*model, *design);
  if (!plan) {
    ADD_FAILURE() << Describe(plan.error(), "plan");
    return {};
  }
  return Advise({.model = *model, .plan = &*plan});
}

// A model that is sound, with a place for more attributes, questions and changes.
std::string Shop(const std::string& attributes = "", const std::string& questions = "",
                 const std::string& changes = "", const std::string& entity = "") {
  return "model: shop\n"
         "entities:\n"
         "  User:\n"
         "    identity: [userId]\n"
         "    count: 1000000\n" +
         entity +
         "    attributes:\n"
         "      userId: {type: string}\n"
         "      team: {type: string, values: 5000}\n"
         "      city: {type: string, values: 900}\n" +
         attributes +
         "questions:\n"
         "  user: {sql: \"SELECT * FROM User WHERE userId = :userId\", rate: 9/s}\n" +
         questions + (changes.empty() ? "" : "changes:\n" + changes);
}

std::string Design(const std::string& entity, const std::string& indexes = "",
                   const std::string& more = "") {
  return "design: shop\n"
         "tables:\n"
         "  Shop:\n"
         "    key: {partition: pk, sort: sk}\n" +
         (indexes.empty() ? "" : "    indexes:\n" + indexes) +
         "    entities:\n"
         "      User: {pk: \"USER#{userId}\", sk: \"USER\"" +
         entity + "}\n" + more;
}

const char* const kByTeam =
    "  by-team: {sql: \"SELECT * FROM User WHERE team = :team\", rate: 1/s}\n";
const char* const kTeamIndex = "      byTeam: {partition: team1, sort: team2, project: all}\n";
const char* const kTeamKeys = ", team1: \"TEAM#{team}\", team2: \"{userId}\"";
const char* const kOrders =
    "  Purchase:\n"
    "    identity: [orderId]\n"
    "    references: {userId: User}\n"
    "    count: 5000000\n"
    "    attributes: {orderId: {type: string}, at: {type: timestamp}}\n";

std::string WithOrders(const std::string& questions) {
  std::string text = Shop("", questions);
  return text.insert(text.find("questions:"), kOrders);
}

struct Case {
  std::string rule;
  std::string says;
  std::string model;
  std::string design;
};

std::vector<Case> Cases() {
  const auto question = [](const std::string& sql, const std::string& more = "") {
    return "  asked: {sql: \"" + sql + "\", rate: 1/s" + more + "}\n";
  };
  return {
      {"unanswered-question", "by-team", Shop("", kByTeam), Design("")},
      {"filter-as-key", "left to a filter",
       Shop("", question("SELECT * FROM User WHERE team = :team AND city = :city")),
       Design(kTeamKeys, kTeamIndex)},
      {"filter-as-key", "its order is not the question's",
       Shop("", question("SELECT * FROM User WHERE team = :team ORDER BY city LIMIT 5")),
       Design(kTeamKeys, kTeamIndex)},
      {"narrow-projection", "does not hold", Shop("", kByTeam),
       Design(kTeamKeys, "      byTeam: {partition: team1, sort: team2, project: [team]}\n")},
      {"strong-read-of-index", "strong read",
       Shop("", question("SELECT * FROM User WHERE team = :team", ", consistency: strong")),
       Design(kTeamKeys, kTeamIndex)},
      {"two-roles-one-index", "under another key",
       Shop("", kByTeam + question("SELECT * FROM User WHERE city = :city")),
       Design(kTeamKeys, kTeamIndex)},
      {"unpadded-number", "9 sorts after 1000",
       Shop("      score: {type: integer, min: 0, max: 9999}\n", kByTeam),
       Design(", team1: \"TEAM#{team}\", team2: \"S#{score}\"", kTeamIndex)},
      {"colliding-prefixes", "also finds Purchase", WithOrders(""),
       Design(", team1: \"TEAM#{team}\", team2: \"USER{userId}\"", kTeamIndex,
              "      Purchase: {pk: \"ORDER#{orderId}\", sk: \"ORDER\", team1: \"TEAM#{userId}\", "
              "team2: \"USERORDER#{orderId}\"}\n")},
      {"mistyped-prefix", "differ by one letter", WithOrders(""),
       Design("", "", "      Purchase: {pk: \"USERS#{userId}\", sk: \"ORDER#{orderId}\"}\n")},
      {"mixed-delimiters", "`:` in Purchase.pk", WithOrders(""),
       Design("", "", "      Purchase: {pk: \"ORDER:{orderId}\", sk: \"ORDER\"}\n")},
      {"time-as-text", "does not sort as time runs",
       Shop("      joined: {type: string, example: \"23/06/2026\"}\n"), ""},
      {"version-as-text", "text puts v10.0 before v2.0",
       Shop("      release: {type: string, example: v2.0}\n",
            question("SELECT * FROM User WHERE team = :team ORDER BY release")),
       ""},
      {"stored-rank", "whoever overtakes", Shop("      rank: {type: integer}\n"), ""},
      {"mutable-key", "which changes",
       Shop("      state: {type: string, values: [a, b]}\n", "",
            "  move: {rate: 1/s, sql: [\"UPDATE User SET state = :state WHERE userId = "
            ":userId\"]}\n"),
       "design: shop\ntables:\n  Shop:\n    key: {partition: pk, sort: sk}\n    entities:\n"
       "      User: {pk: \"USER#{userId}\", sk: \"STATE#{state}\"}\n"},
      {"hot-partition", "has 2 values",
       Shop("      state: {type: string, values: [a, b]}\n",
            question("SELECT * FROM User WHERE state = :state")),
       Design(", team1: \"STATE#{state}\", team2: \"{userId}\"", kTeamIndex)},
      {"missing-guard", "nothing keeps it so",
       Shop("      email: {type: string}\n", "", "", "    unique: [email]\n"), Design("")},
      {"unused-index", "no question reads it", Shop(), Design(kTeamKeys, kTeamIndex)},
      {"large-item", "an item may have 409600", Shop("", "", "", "    size: 390KB\n"), ""},
      {"large-change", "a transaction has at most 100",
       Shop("", "", "  flood: {rate: 1/s, sql: [\"INSERT INTO User × 101\"]}\n"), ""},
      {"reserved-word", "SET status = :v is refused", Shop("      status: {type: string}\n"), ""},
  };
}

TEST(Rules, EachIsTrippedByItsExample) {
  for (const Case& c : Cases()) {
    const auto findings = Look(c.model, c.design);
    bool said = false;
    std::string all;
    for (const Finding& finding : findings) {
      all += finding.rule + ": " + finding.message + " | " + finding.example + "\n";
      said = said || (finding.rule == c.rule &&
                      (finding.message + " " + finding.example).find(c.says) != std::string::npos);
    }
    EXPECT_TRUE(said) << c.rule << ": " << c.says << "\n" << all;
  }
}

TEST(Rules, AreNotTrippedByWhatIsSound) {
  for (const Finding& finding : Look(Shop("", kByTeam), Design(kTeamKeys, kTeamIndex))) {
    ADD_FAILURE() << finding.rule << ": " << finding.message;
  }
}

TEST(Rules, EveryFindingSaysWhatToDo) {
  for (const Case& c : Cases()) {
    for (const Finding& finding : Look(c.model, c.design)) {
      EXPECT_FALSE(finding.fix.empty()) << finding.rule;
      EXPECT_FALSE(finding.example.empty()) << finding.rule;
      EXPECT_TRUE(finding.message.ends_with('.')) << finding.message;
    }
  }
}

TEST(Rules, TheExamplesHaveNoErrors) {
  for (const std::string name : {"leaderboard", "shop", "tenants", "tickets"}) {
    const auto findings = Look(ReadAll(std::string(KW_EXAMPLES) + "/" + name + ".kw.yaml"),
                               ReadAll(std::string(KW_EXAMPLES) + "/" + name + ".design.yaml"));
    for (const Finding& finding : findings) {
      EXPECT_NE(finding.grade, Grade::kError) << name << ": " << finding.message;
    }
  }
}

TEST(Rules, HaveIdsOfTheirOwnAndAPageThatTeachesThem) {
  const std::string page = ReadAll(std::string(KW_DOCS) + "/guides/pitfalls.md");
  std::set<std::string_view> ids;
  for (const Rule& rule : Rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_THAT(page,
                HasSubstr("## " + std::string(rule.title) + "\n`" + std::string(rule.id) + "`"))
        << rule.id;
  }
}

}  // namespace
}  // namespace kw::modeller
