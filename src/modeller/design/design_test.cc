// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "modeller/design/assemble.h"
#include "modeller/design/designer.h"
#include "modeller/design/entity_solver.h"
#include "modeller/design/options.h"
#include "modeller/design/solve.h"

namespace kw::modeller {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string ReadExample(const std::string& name) {
  std::ifstream in(std::string(KW_EXAMPLES) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Model Parse(std::string_view text) {
  auto model = Model::Parse(text);
  EXPECT_TRUE(model) << Describe(model ? std::vector<Fault>{} : model.error(), "model");
  return std::move(*model);
}

class Examples : public testing::TestWithParam<std::string> {};

TEST_P(Examples, AreAnsweredInEveryShape) {
  const auto model = Parse(ReadExample(GetParam() + ".kw.yaml"));
  const auto proposals = DesignTables(model);
  ASSERT_TRUE(proposals) << proposals.error();
  ASSERT_EQ(proposals->shapes.size(), kShapes);
  for (const auto& proposal : proposals->shapes) {
    const auto yaml = proposal.design->ToYaml(model);
    SCOPED_TRACE(yaml);
    EXPECT_THAT(proposal.cost.unanswered, IsEmpty());
    EXPECT_TRUE(proposal.optimal);
    // What is written is what was weighed.
    const auto read = Design::Parse(yaml, model);
    ASSERT_TRUE(read) << Describe(read ? std::vector<Fault>{} : read.error(), "design");
    const auto plan = Plan::Compile(model, *read);
    ASSERT_TRUE(plan) << Describe(plan ? std::vector<Fault>{} : plan.error(), "design");
    EXPECT_EQ(CostOf(*plan)->total, proposal.cost.total);
    for (const auto& answer : plan->answers()) {
      const auto* query = std::get_if<QueryPath>(answer.found());
      EXPECT_TRUE(query == nullptr || query->partitions == 1) << answer.where;
    }
  }
}

TEST_P(Examples, AreNoDearerThanByHand) {
  const auto model = Parse(ReadExample(GetParam() + ".kw.yaml"));
  const auto by_hand = Design::Parse(ReadExample(GetParam() + ".design.yaml"), model);
  ASSERT_TRUE(by_hand);
  const auto plan = Plan::Compile(model, *by_hand);
  ASSERT_TRUE(plan);
  const auto cost = CostOf(*plan);
  const auto proposals = DesignTables(model);
  ASSERT_TRUE(proposals) << proposals.error();
  const auto& best = proposals->shapes[proposals->best];
  EXPECT_LE(best.cost.total, cost->total) << best.design->ToYaml(model);
  EXPECT_LE(best.cost.on_demand, cost->on_demand) << best.design->ToYaml(model);
}

TEST_P(Examples, AreDesignedTheSameEveryTime) {
  const auto model = Parse(ReadExample(GetParam() + ".kw.yaml"));
  const auto text = [&] {
    std::string json;
    JsonWriter out(json);
    WriteJson(*DesignTables(model), out);
    return json;
  };
  EXPECT_EQ(text(), text());
}

INSTANTIATE_TEST_SUITE_P(All, Examples,
                         testing::Values("leaderboard", "shop", "tenants", "tickets"),
                         [](const auto& test) { return test.param; });

// ---- against every design there is ----

// Every base key, every way of giving each question an index key or the base, priced as a plan.
NanoDollars CheapestByTrying(const Model& model, std::size_t& tried) {
  const auto& entity = model.entity(0);
  const KeyOptions keys(model, 0, KeyStyle::kText);
  std::vector<KeyOption> all;
  for (const auto& question : model.questions()) {
    for (auto& option : keys.IndexKeys(std::get<Select>(question.asks))) {
      all.push_back(std::move(option));
    }
  }
  std::optional<NanoDollars> least;
  const auto questions = model.questions().size();
  for (const auto& base : keys.BaseKeys({})) {
    // 0: by the base key; i + 1: by the index key i.
    std::vector<std::size_t> ways(questions, 0);
    for (bool more = true; more;) {
      Selection selection;
      selection.entities.resize(1);
      auto& choice = selection.entities.front();
      choice.base = base;
      std::map<std::size_t, std::size_t> places;
      for (std::size_t q = 0; q < questions; ++q) {
        if (ways[q] == 0) continue;
        const auto [place, fresh] = places.try_emplace(ways[q] - 1, choice.indexes.size());
        if (fresh) {
          choice.indexes.push_back({.option = all[ways[q] - 1],
                                    .all = false,
                                    .shown = entity.identity,
                                    .collection = {},
                                    .questions = {}});
        }
        auto& index = choice.indexes[place->second];
        for (const auto id : ShownBy(entity, std::get<Select>(model.questions()[q].asks))) {
          if (std::ranges::find(index.shown, id) == index.shown.end()) index.shown.push_back(id);
        }
        index.all = index.shown.size() == entity.attributes.size();
      }
      const auto design = Assemble(model, selection, Shape::kTables);
      const auto plan = Plan::Compile(model, design);
      if (plan) {
        ++tried;
        const auto cost = CostOf(*plan);
        if (cost->unanswered.empty() && (!least || cost->on_demand < *least)) {
          least = cost->on_demand;
        }
      }
      more = false;
      for (auto& way : ways) {
        if (++way <= all.size()) {
          more = true;
          break;
        }
        way = 0;
      }
    }
  }
  return least.value_or(NanoDollars());
}

constexpr std::string_view kSmall[] = {
    R"(
model: desk
entities:
  Ticket:
    identity: [teamId, ticketId]
    count: 200000
    size: 1KB
    attributes:
      teamId:   {type: string, values: 100}
      ticketId: {type: string, length: 8}
      status:   {type: string, values: [open, pending, closed]}
      priority: {type: integer, min: 1, max: 5}
      title:    {type: string, length: 80}
questions:
  one:    {sql: "SELECT * FROM Ticket WHERE teamId = :teamId AND ticketId = :ticketId", rate: 90/s}
  team:   {sql: "SELECT * FROM Ticket WHERE teamId = :teamId LIMIT 50", rate: 20/s}
  status: {sql: "SELECT ticketId, title FROM Ticket WHERE teamId = :teamId AND status = :status ORDER BY priority LIMIT 50", rate: 30/s}
changes:
  add:  {rate: 5/s, sql: ["INSERT INTO Ticket"]}
  move: {rate: 9/s, sql: ["UPDATE Ticket SET status = :status WHERE teamId = :teamId AND ticketId = :ticketId"]}
)",
    R"(
model: readings
entities:
  Reading:
    identity: [deviceId, at]
    count: 5000000
    size: 3KB
    attributes:
      deviceId: {type: string, values: 2000}
      at:       {type: timestamp}
      kind:     {type: string, values: 4}
      level:    {type: integer, min: 0, max: 999}
questions:
  last: {sql: "SELECT * FROM Reading WHERE deviceId = :deviceId ORDER BY at DESC LIMIT 10", rate: 50/s}
  kind: {sql: "SELECT level FROM Reading WHERE deviceId = :deviceId AND kind = :kind ORDER BY at DESC LIMIT 10", rate: 5/s}
  high: {sql: "SELECT * FROM Reading WHERE kind = :kind AND level >= :level ORDER BY level LIMIT 10", rate: 2/s}
changes:
  add: {rate: 40/s, sql: ["INSERT INTO Reading"]}
)"};

TEST(Search, FindsWhatTryingEverythingFinds) {
  for (const auto text : kSmall) {
    const auto model = Parse(text);
    const auto& prices = PriceBook::Current().Find("us-east-1")->standard;
    const auto selection = Solve(model, {.styles = {KeyStyle::kText},
                                         .weights = {.read_million = prices.read_million,
                                                     .write_million = prices.write_million,
                                                     .storage_gb = prices.storage_gb},
                                         .one_table = false});
    const auto design = Assemble(model, selection, Shape::kTables);
    const auto plan = Plan::Compile(model, design);
    ASSERT_TRUE(plan) << Describe(plan ? std::vector<Fault>{} : plan.error(), "design");
    std::size_t tried = 0;
    EXPECT_EQ(CostOf(*plan)->on_demand, CheapestByTrying(model, tried)) << design.ToYaml(model);
    EXPECT_GT(tried, 50U);
    EXPECT_EQ(selection.cost, CostOf(*plan)->on_demand);
  }
}

// ---- what is chosen, and why ----

const Choice& ChoiceOf(const Proposal& proposal, std::string_view name) {
  return *std::ranges::find(proposal.choices, name, &Choice::name);
}

std::string Orders(std::string_view reads, std::string_view writes) {
  return fmt::format(R"(
model: orders
entities:
  User:
    identity: [userId]
    count: 1000
    attributes: {{userId: {{type: string, length: 8}}, name: {{type: string}}}}
  Purchase:
    identity: [userId, orderId]
    references: {{userId: User}}
    per: {{User: {{average: 500, max: 10000}}}}
    size: 2KB
    attributes: {{orderId: {{type: string, length: 8}}}}
questions:
  orders: {{sql: "SELECT * FROM Purchase WHERE userId = :userId LIMIT 10", rate: 5/s}}
  count:  {{sql: "SELECT COUNT(*) FROM Purchase WHERE userId = :userId", rate: {}}}
changes:
  order:  {{rate: {}, sql: ["INSERT INTO Purchase"]}}
)",
                     reads, writes);
}

TEST(Search, KeepsACountWhereItIsReadMoreThanItChanges) {
  const auto often = Parse(Orders("100/s", "1/s"));
  const auto kept = DesignTables(often, {}, Shape::kSingle);
  EXPECT_THAT(ChoiceOf(kept->shapes.front(), "count").how, HasSubstr("its `purchaseCount`"));
  const auto seldom = Parse(Orders("1/h", "100/s"));
  const auto counted = DesignTables(seldom, {}, Shape::kSingle);
  EXPECT_THAT(ChoiceOf(counted->shapes.front(), "count").how, HasSubstr("Query Orders: "));
}

TEST(Search, SpreadsAPartitionThatTakesTooManyWrites) {
  const auto model = Parse(R"(
model: jobs
entities:
  Job:
    identity: [jobId]
    count: 1000000
    attributes:
      jobId:  {type: string, length: 8}
      status: {type: string, values: [open, done], shares: [0.1, 0.9]}
      due:    {type: timestamp}
questions:
  next: {sql: "SELECT * FROM Job WHERE status = 'open' ORDER BY due LIMIT 10", rate: 1/s}
changes:
  add:  {rate: 2000/s, sql: ["INSERT INTO Job"]}
  done: {rate: 2000/s, sql: ["UPDATE Job SET status = 'done' WHERE jobId = :jobId"]}
)");
  const auto proposals = DesignTables(model);
  ASSERT_TRUE(proposals) << proposals.error();
  for (const auto& proposal : proposals->shapes) {
    // 4,000 writes a second at 700 a shard.
    EXPECT_THAT(proposal.design->ToYaml(model), HasSubstr("shards: 6"));
    EXPECT_LE(HottestOf(proposal.cost).percent, 70);
    EXPECT_THAT(ChoiceOf(proposal, "next").how, HasSubstr("6 times"));
  }
}

TEST(Search, TellsWhatItRejectedAndWhatMayLag) {
  const auto model = Parse(ReadExample("tickets.kw.yaml"));
  const auto proposals = DesignTables(model);
  ASSERT_TRUE(proposals);
  for (const auto& proposal : proposals->shapes) {
    EXPECT_THAT(ChoiceOf(proposal, "team-by-status").rejected, testing::Not(IsEmpty()));
    EXPECT_THAT(proposal.stale,
                testing::UnorderedElementsAre("team-by-status", "open-by-priority"));
  }
}

TEST(Search, SaysWhichQuestionHasNoKey) {
  const auto model = Parse(R"(
model: strong
entities:
  User:
    identity: [userId]
    count: 10
    attributes: {userId: {type: string}, team: {type: string, values: 3}}
questions:
  team: {sql: "SELECT * FROM User WHERE team = :team", rate: 1/s, consistency: strong}
)");
  const auto proposals = DesignTables(model);
  ASSERT_TRUE(proposals);
  EXPECT_EQ(proposals->shapes.front().cost.unanswered, std::vector<std::string>{"team"});
  EXPECT_THAT(proposals->shapes.front().remarks, testing::Contains(HasSubstr("`team` has no key")));
}

// Twenty entities, a hundred questions: each has siblings that could share an index.
TEST(Search, IsExactOnALargeModel) {
  std::string text = "model: large\nentities:\n";
  std::string questions = "questions:\n";
  std::string changes = "changes:\n";
  for (int e = 0; e < 20; ++e) {
    text += fmt::format(
        "  E{0}:\n    identity: [owner{0}, id{0}]\n    count: {1}000\n    attributes:\n"
        "      owner{0}: {{type: string, values: 100}}\n      id{0}: {{type: string}}\n"
        "      a{0}: {{type: string, values: 9}}\n      b{0}: {{type: integer, min: 0, max: 99}}\n"
        "      c{0}: {{type: timestamp}}\n      d{0}: {{type: string, length: 90}}\n",
        e, e + 1);
    const char* asks[] = {"owner{0} = :o AND id{0} = :i", "owner{0} = :o ORDER BY c{0} LIMIT 9",
                          "owner{0} = :o AND a{0} = :a ORDER BY c{0} DESC LIMIT 9",
                          "a{0} = :a AND b{0} >= :b ORDER BY b{0} LIMIT 9",
                          "a{0} = 'x' ORDER BY b{0}, c{0} LIMIT 9"};
    for (int q = 0; q < 5; ++q) {
      questions += fmt::format("  q{}-{}: {{sql: \"SELECT * FROM E{} WHERE {}\", rate: {}/s}}\n", e,
                               q, e, fmt::format(fmt::runtime(asks[q]), e), q + 1);
    }
    changes += fmt::format(
        "  put{0}: {{rate: 3/s, sql: [\"INSERT INTO E{0}\"]}}\n"
        "  set{0}: {{rate: 3/s, sql: [\"UPDATE E{0} SET b{0} = :b WHERE owner{0} = :o AND id{0} = "
        ":i\"]}}\n",
        e);
  }
  const auto model = Parse(text + questions + changes);
  const auto proposals = DesignTables(model, {}, Shape::kSingle);
  ASSERT_TRUE(proposals) << proposals.error();
  const auto& proposal = proposals->shapes.front();
  EXPECT_TRUE(proposal.optimal);
  EXPECT_THAT(proposal.cost.unanswered, IsEmpty());
  // Every entity shares the same few indexes.
  EXPECT_LE(proposal.indexes, 4U);
}

}  // namespace
}  // namespace kw::modeller
