// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "modeller/plan/plan.h"
#include "modeller/prove/dataset.h"
#include "modeller/prove/mutants.h"
#include "modeller/prove/oracle.h"
#include "modeller/prove/shrink.h"

namespace kw::modeller {
namespace {

using ::testing::HasSubstr;

Model Read(const std::string& yaml) {
  auto model = Model::Parse(yaml);
  EXPECT_TRUE(model) << (model ? "" : Describe(model.error(), "model"));
  return std::move(*model);
}

Model Example(const std::string& name) {
  std::ifstream file(std::string(KW_EXAMPLES) + "/" + name + ".kw.yaml");
  std::ostringstream text;
  text << file.rdbuf();
  return Read(text.str());
}

constexpr const char* kGame = R"(
model: game
entities:
  Player:
    identity: [playerId]
    attributes:
      playerId: {type: string, example: u1}
      season:   {type: string, values: [a, b]}
      rating:   {type: integer, min: -50, max: 5000}
      nick:     {type: string, optional: 0.5}
      seen:     {type: timestamp}
  Match:
    identity: [playerId, playedAt]
    references: {playerId: Player}
    attributes:
      playedAt: {type: timestamp}
      stake:    {type: decimal, scale: 2, min: 0, max: 100}
questions:
  top:     {sql: "SELECT playerId, rating FROM Player WHERE season = :season ORDER BY rating DESC LIMIT 5"}
  nicked:  {sql: "SELECT playerId FROM Player WHERE nick LIKE :start || '%'"}
  hour:    {sql: "SELECT * FROM Player WHERE hour(seen) = :hour ORDER BY seen LIMIT 3"}
  since:   {sql: "SELECT playedAt FROM Match WHERE playerId = :playerId AND playedAt >= :since ORDER BY playedAt"}
  staked:  {sql: "SELECT SUM(stake) FROM Match WHERE playerId = :playerId"}
  count:   {sql: "SELECT COUNT(*) FROM Match WHERE playerId = :playerId"}
  page:    {collection: [Player, Match], by: playerId}
)";

const Question& Find(const Model& model, std::string_view name) {
  for (const Question& question : model.questions()) {
    if (question.name == name) return question;
  }
  ADD_FAILURE() << "no question " << name;
  return model.questions().front();
}

Row Player(const std::string& id, const std::string& season, int rating, Value nick,
           const char* seen) {
  return {id, season, Number::FromInteger(rating), std::move(nick), *ParseTimestamp(seen)};
}

// Rows by hand, and answers by hand.
class ByHand : public ::testing::Test {
 protected:
  ByHand() : model(Read(kGame)) {
    dataset.rows.resize(2);
    dataset.rows[0] = {Player("u1", "a", 9, "nut", "2026-06-23T14:00:00Z"),
                       Player("u2", "a", 1000, {}, "2026-06-23T14:59:59Z"),
                       Player("u3", "a", 9, "nu", "2026-06-23T15:00:00Z"),
                       Player("u4", "b", -1, "Nu", "2026-06-24T14:00:00Z")};
    dataset.rows[1] = {
        {std::string("u1"), *ParseTimestamp("2026-01-31T23:59:59Z"), *Number::Parse("0.1")},
        {std::string("u1"), *ParseTimestamp("2026-02-01T00:00:00Z"), *Number::Parse("0.2")},
        {std::string("u2"), *ParseTimestamp("2026-02-01T00:00:00Z"), *Number::Parse("99.99")}};
    auto made = Oracle::Make(model, dataset);
    EXPECT_TRUE(made) << (made ? "" : made.error());
    oracle.emplace(std::move(*made));
  }

  Expectation Ask(std::string_view name, const Parameters& parameters) {
    auto answer = oracle->Answer(Find(model, name), parameters);
    EXPECT_TRUE(answer) << (answer ? "" : answer.error());
    return answer ? *answer : Expectation{};
  }
  static std::vector<std::string> Ids(const Expectation& expected) {
    std::vector<std::string> ids;
    for (const auto& row : expected.rows) ids.push_back(std::get<std::string>(row.tuple.values[0]));
    return ids;
  }

  Model model;
  Dataset dataset;
  std::optional<Oracle> oracle;
};

TEST_F(ByHand, OrdersNumbersAsNumbersAndTellsTies) {
  const Expectation top = Ask("top", {{"season", std::string("a")}});
  ASSERT_EQ(top.rows.size(), 3U);
  EXPECT_EQ(Ids(top).front(), "u2");
  EXPECT_EQ(top.rows[0].run, 0U);
  EXPECT_EQ(top.rows[1].run, 1U);
  EXPECT_EQ(top.rows[2].run, 1U);  // 9 and 9
  EXPECT_EQ(top.count, 3U);
}

TEST_F(ByHand, PrefixesAreCaseSensitiveAndAbsentValuesNeverMatch) {
  EXPECT_EQ(Ids(Ask("nicked", {{"start", std::string("nu")}})),
            (std::vector<std::string>{"u1", "u3"}));
}

TEST_F(ByHand, AnHourEndsBeforeTheNext) {
  const Expectation hour = Ask("hour", {{"hour", std::string("2026-06-23T14")}});
  EXPECT_EQ(Ids(hour), (std::vector<std::string>{"u1", "u2"}));
}

TEST_F(ByHand, RangesIncludeTheirBound) {
  const auto since = *ParseTimestamp("2026-02-01T00:00:00Z");
  EXPECT_EQ(Ask("since", {{"playerId", std::string("u1")}, {"since", since}}).rows.size(), 1U);
}

TEST_F(ByHand, SumsAreDecimalAndCountsOfNothingAreZero) {
  EXPECT_EQ(Ask("staked", {{"playerId", std::string("u1")}}).rows[0].tuple.values[0],
            Value(*Number::Parse("0.3")));
  EXPECT_EQ(Ask("staked", {{"playerId", std::string("u9")}}).rows[0].tuple.values[0], Value());
  EXPECT_EQ(Ask("count", {{"playerId", std::string("u9")}}).rows[0].tuple.values[0],
            Value(Number()));
}

TEST_F(ByHand, ACollectionIsEachRowOnce) {
  const Expectation page = Ask("page", {{"playerId", std::string("u1")}});
  EXPECT_EQ(page.count, 3U);
  EXPECT_EQ(page.rows[0].tuple.entity, 0U);
  EXPECT_EQ(page.rows[2].tuple.entity, 1U);
}

TEST_F(ByHand, FollowsChanges) {
  ASSERT_TRUE(oracle->Delete(1, dataset.rows[1][0]));
  EXPECT_EQ(Ask("page", {{"playerId", std::string("u1")}}).count, 2U);
  ASSERT_TRUE(oracle->Insert(1, dataset.rows[1][0]));
  EXPECT_EQ(Ask("page", {{"playerId", std::string("u1")}}).count, 3U);
  EXPECT_FALSE(oracle->Insert(1, dataset.rows[1][0])) << "an identity is unique";
}

TEST_F(ByHand, AMissingParameterIsSaid) {
  const auto answer = oracle->Answer(Find(model, "top"), {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error(), HasSubstr("no value was given"));
}

TEST(WhyNot, TiesComeInAnyOrderAndAreCutAnywhere) {
  const auto tuple = [](const char* text) { return Tuple{0, {std::string(text)}}; };
  const Expectation expected{.rows = {{tuple("a"), 0}, {tuple("b"), 1}, {tuple("c"), 1}},
                             .count = 2};
  EXPECT_EQ(WhyNot(expected, {tuple("a"), tuple("b")}), std::nullopt);
  EXPECT_EQ(WhyNot(expected, {tuple("a"), tuple("c")}), std::nullopt);
  EXPECT_NE(WhyNot(expected, {tuple("b"), tuple("a")}), std::nullopt);
  EXPECT_NE(WhyNot(expected, {tuple("b"), tuple("c")}), std::nullopt);
  EXPECT_NE(WhyNot(expected, {tuple("a"), tuple("a")}), std::nullopt);
  EXPECT_NE(WhyNot(expected, {tuple("a")}), std::nullopt);
  EXPECT_NE(WhyNot(expected, {tuple("a"), tuple("b"), tuple("c")}), std::nullopt);
}

TEST(Dataset, IsTheSameForASeed) {
  const Model model = Example("shop");
  EXPECT_EQ(Generate(model, {.seed = 7}).rows, Generate(model, {.seed = 7}).rows);
  EXPECT_NE(Generate(model, {.seed = 7}).rows, Generate(model, {.seed = 8}).rows);
}

std::string ExampleText(const std::string& name) {
  std::ifstream file(std::string(KW_EXAMPLES) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The design sorts admins by `{tenantId}#{userId}`, which is right while no tenant's name holds a
// character up to '#': the plan says so, and these rows show it.
TEST(Shrink, FindsTheTwoRowsThatRefute) {
  const Model model = Example("tenants");
  const auto design = Design::Parse(ExampleText("tenants.design.yaml"), model);
  ASSERT_TRUE(design);
  const auto plan = Plan::Compile(model, *design);
  ASSERT_TRUE(plan);
  std::size_t question = 0;
  while (model.questions()[question].name != "all-admins") ++question;

  Dataset dataset = Generate(model, {.stray_rows = 10, .crowd_rows_max = 20});
  const auto user = [&](const std::string& tenant) {
    Row row = dataset.rows[*model.FindEntity("User")].front();
    row[0] = tenant;
    row[*model.entity(*model.FindEntity("User")).Find("role")] = std::string("admin");
    dataset.rows[*model.FindEntity("User")].push_back(row);
  };
  EXPECT_EQ(RefutedBy(*plan, question, dataset, {}), std::nullopt);
  user("zz");
  user("zz!");
  EXPECT_THAT(RefutedBy(*plan, question, dataset, {}),
              ::testing::Optional(HasSubstr("is not the one that is right")));
  const auto example = Shrink(*plan, question, dataset, {});
  ASSERT_TRUE(example);
  std::size_t rows = 0;
  for (const auto& each : example->rows.rows) rows += each.size();
  EXPECT_EQ(rows, 2U);
  ASSERT_EQ(example->expected.size(), 2U);
  EXPECT_EQ(example->expected[0], example->got[1]);
  EXPECT_EQ(example->expected[1], example->got[0]);
}

TEST(Shrink, GivesNothingWhereNothingIsWrong) {
  const Model model = Example("leaderboard");
  const auto design = Design::Parse(ExampleText("leaderboard.design.yaml"), model);
  ASSERT_TRUE(design);
  const auto plan = Plan::Compile(model, *design);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(Shrink(*plan, 0, Generate(model, {}), {{"playerId", std::string("u8231")}}));
}

class Examples : public ::testing::TestWithParam<const char*> {};

TEST_P(Examples, HaveCrowdsBehindEveryLimitAndKeepReferences) {
  const Model model = Example(GetParam());
  const Dataset dataset = Generate(model, {});
  const auto oracle = Oracle::Make(model, dataset);
  ASSERT_TRUE(oracle) << oracle.error();
  Rng rng(1);
  for (const Question& question : model.questions()) {
    const auto asked = Ask(model, question, dataset, 10, rng);
    ASSERT_EQ(asked.size(), 10U);
    std::size_t most = 0;
    for (const Parameters& parameters : asked) {
      const auto answer = oracle->Answer(question, parameters);
      ASSERT_TRUE(answer) << question.name << ": " << answer.error();
      most = std::max(most, answer->rows.size());
    }
    const auto* select = std::get_if<Select>(&question.asks);
    if (select != nullptr && select->limit) {
      EXPECT_GT(most, static_cast<std::size_t>(*select->limit)) << question.name;
    } else {
      EXPECT_GE(most, 1U) << question.name;
    }
  }
  for (EntityId e = 0; e < model.entities().size(); ++e) {
    EXPECT_FALSE(dataset.rows[e].empty()) << model.entity(e).name;
    for (const Reference& reference : model.entity(e).references) {
      for (const Row& row : dataset.rows[e]) {
        if (std::holds_alternative<std::monostate>(row[reference.by[0]])) continue;
        const bool held = std::ranges::any_of(dataset.rows[reference.to], [&](const Row& target) {
          for (std::size_t i = 0; i < reference.by.size(); ++i) {
            const AttributeId id = model.entity(reference.to).identity[i];
            if (!(row[reference.by[i]] == target[id])) return false;
          }
          return true;
        });
        EXPECT_TRUE(held) << model.entity(e).name;
      }
    }
  }
}

TEST_P(Examples, ShowThatTheyAreBroken) {
  const Model model = Example(GetParam());
  const auto design = Design::Parse(ExampleText(GetParam() + std::string(".design.yaml")), model);
  ASSERT_TRUE(design);
  const auto plan = Plan::Compile(model, *design);
  ASSERT_TRUE(plan);
  const std::vector<Mutant> mutants = BreakOnPurpose(*plan, 1);
  std::size_t caught = 0;
  std::size_t harmless = 0;
  for (const Mutant& mutant : mutants) {
    caught += mutant.caught ? 1 : 0;
    harmless += mutant.harmless.empty() ? 0 : 1;
  }
  EXPECT_GT(mutants.size(), 10U);
  EXPECT_GE(caught * 100, (mutants.size() - harmless) * 95);
}

INSTANTIATE_TEST_SUITE_P(All, Examples,
                         ::testing::Values("leaderboard", "shop", "tenants", "tickets"));

}  // namespace
}  // namespace kw::modeller
