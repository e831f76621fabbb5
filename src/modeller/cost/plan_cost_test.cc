// SPDX-License-Identifier: Apache-2.0
#include "modeller/cost/plan_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace kw::modeller {
namespace {

std::string ReadExample(const std::string& name) {
  std::ifstream in(std::string(KW_EXAMPLES) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

PlanCost Cost(std::string_view model_text, std::string_view design_text) {
  const auto model = Model::Parse(model_text);
  EXPECT_TRUE(model) << Describe(model ? std::vector<Fault>{} : model.error(), "model");
  if (!model) return {};
  const auto design = Design::Parse(design_text, *model);
  EXPECT_TRUE(design) << Describe(design ? std::vector<Fault>{} : design.error(), "design");
  if (!design) return {};
  const auto plan = Plan::Compile(*model, *design);
  EXPECT_TRUE(plan) << Describe(plan ? std::vector<Fault>{} : plan.error(), "design");
  if (!plan) return {};
  return CostOf(*plan).value();
}

// Units of one ask or change, by table and index.
std::map<std::string, std::string> Each(const PlanCost& cost, std::string_view of) {
  std::map<std::string, MicroUnits> sums;
  for (const auto& line : cost.lines) {
    if (line.of == of && line.kind != CostLine::Kind::kStorage) sums[line.where] += line.each;
  }
  std::map<std::string, std::string> texts;
  for (const auto& [where, units] : sums) texts[where] = FormatMicroUnits(units);
  return texts;
}

using Units = std::map<std::string, std::string>;

constexpr std::string_view kTickets = R"(
model: tickets
entities:
  Ticket:
    identity: [ticketId]
    count: 1000000
    size: 1KB
    attributes:
      ticketId:  {type: string, length: 8}
      teamId:    {type: string, values: 100}
      status:    {type: string, values: [open, pending, closed], shares: [0.02, 0.03, 0.95]}
      createdAt: {type: timestamp}
questions:
  by-status: {sql: "SELECT * FROM Ticket WHERE teamId = :teamId AND status = :status ORDER BY createdAt LIMIT 20", rate: 10/s}
changes:
  create:     {rate: 1/s, sql: ["INSERT INTO Ticket"]}
  set-status: {rate: 100/s, sql: ["UPDATE Ticket SET status = :status WHERE ticketId = :ticketId"]}
)";

// aws-doc: a worked case of metering.md: 1 KB, 4 units by delete and put, 3 by an index's key.
TEST(PlanCost, AStatusInTheBaseKeyIsDeletedAndPut) {
  const auto cost = Cost(kTickets, R"(
design: tickets
tables:
  Tickets:
    key: {partition: pk, sort: sk}
    entities:
      Ticket: {pk: "TEAM#{teamId}", sk: "{status}#{createdAt}#{ticketId}"}
)");
  EXPECT_EQ(Each(cost, "set-status"), (Units{{"Tickets", "4"}}));
  EXPECT_EQ(Each(cost, "create"), (Units{{"Tickets", "1"}}));
}

TEST(PlanCost, AStatusInAnIndexKeyMovesTheEntryAlone) {
  const auto cost = Cost(kTickets, R"(
design: tickets
tables:
  Tickets:
    key: {partition: {attribute: ticketId}}
    indexes:
      byStatus: {partition: [teamId, status], sort: {attribute: createdAt}, project: all}
    entities:
      Ticket: {}
)");
  EXPECT_EQ(Each(cost, "set-status"), (Units{{"Tickets", "1"}, {"Tickets.byStatus", "2"}}));
  EXPECT_EQ(Each(cost, "create"), (Units{{"Tickets", "1"}, {"Tickets.byStatus", "1"}}));
  // 20 entries of 1,024 bytes are five steps of 4 KB, half a unit each.
  EXPECT_EQ(Each(cost, "by-status"), (Units{{"Tickets.byStatus", "2.5"}}));
  // 100 a second × 2,628,000 seconds × (1 + 2) units × $0.625 a million, and 1/s × 2 units.
  EXPECT_EQ(cost.Of(CostLine::Kind::kWrite), NanoDollars(492'750'000'000 + 3'285'000'000));
  // Two structures of a million × 1,124 bytes at $0.25 a GB.
  const auto each = Price(1'124'000'000, NanoDollars(250'000'000), 1 << 30);
  EXPECT_EQ(cost.Of(CostLine::Kind::kStorage), each * 2);
}

TEST(PlanCost, ASparseEntryIsWrittenByTheRowsThatComeAndGo) {
  const auto cost = Cost(kTickets, R"(
design: tickets
tables:
  Tickets:
    key: {partition: {attribute: ticketId}}
    indexes:
      open: {partition: openTeam, sort: {attribute: createdAt}, project: all}
    entities:
      Ticket:
        openTeam: {text: "{teamId}", when: "status = 'open'"}
)");
  // Of three values a change goes from one to another: two in three touch `open`.
  EXPECT_EQ(Each(cost, "set-status"), (Units{{"Tickets", "1"}, {"Tickets.open", "0.666666"}}));
  // New rows have the first value.
  EXPECT_EQ(Each(cost, "create"), (Units{{"Tickets", "1"}, {"Tickets.open", "1"}}));
  EXPECT_EQ(cost.unanswered, std::vector<std::string>{"by-status"});
}

constexpr std::string_view kShop = R"(
model: shop
entities:
  User:
    identity: [userId]
    unique: [email]
    count: 1000
    attributes: {userId: {type: string, length: 8}, email: {type: string, length: 20}}
  Purchase:
    identity: [userId, orderId]
    references: {userId: User}
    per: {User: {average: 12, max: 100}}
    size: 2KB
    attributes: {orderId: {type: string, length: 8}, total: {type: integer, min: 0, max: 99}}
questions:
  orders:  {sql: "SELECT * FROM Purchase WHERE userId = :userId"}
  count:   {sql: "SELECT COUNT(*) FROM Purchase WHERE userId = :userId", rate: 10/s}
  mail:    {sql: "SELECT userId FROM User WHERE email = :email", rate: 1/s}
changes:
  sign-up: {rate: 1/s, sql: ["INSERT INTO User"]}
  order:   {rate: 5/s, sql: ["INSERT INTO Purchase"]}
  pay:     {rate: 5/s, sql: ["UPDATE Purchase SET total = :total WHERE userId = :userId AND orderId = :orderId"]}
)";
constexpr std::string_view kShopDesign = R"(
design: shop
tables:
  Shop:
    key: {partition: pk, sort: sk}
    entities:
      User:
        pk: "USER#{userId}"
        sk: USER
        "EMAIL#{email}": guard
        counts: {orders: Purchase}
      Purchase: {pk: "USER#{userId}", sk: "ORDER#{orderId}"}
)";

TEST(PlanCost, GuardsAndCountersMakeTransactions) {
  const auto cost = Cost(kShop, kShopDesign);
  EXPECT_EQ(Each(cost, "sign-up"), (Units{{"Shop", "4"}}));  // row and guard, twice
  EXPECT_EQ(Each(cost, "order"), (Units{{"Shop", "6"}}));    // 2 KB and the count, twice
  EXPECT_EQ(Each(cost, "pay"), (Units{{"Shop", "2"}}));
  EXPECT_EQ(Each(cost, "count"), (Units{{"Shop", "0.5"}}));
  EXPECT_EQ(Each(cost, "mail"), (Units{{"Shop", "0.5"}}));
  // Twelve rows of 2 KB: 24 KB, six steps.
  EXPECT_EQ(Each(cost, "orders"), (Units{{"Shop", "3"}}));
}

TEST(PlanCost, AnUnknownRateIsSaidAndNotPriced) {
  const auto cost = Cost(kShop, kShopDesign);
  EXPECT_THAT(cost.assumptions, testing::Contains("`orders` is not priced: no rate is said."));
  for (const auto& line : cost.lines) {
    if (line.of != "orders") continue;
    EXPECT_EQ(line.on_demand, NanoDollars());
  }
}

TEST(PlanCost, AHotPartitionIsSeen) {
  const auto cost =
      Cost(ReadExample("leaderboard.kw.yaml"), ReadExample("leaderboard.design.yaml"));
  // 300 ratings a second change over eight seasons; two writes of an entry each.
  const auto season = std::ranges::find(cost.loads, "Leaderboard.bySeason", &StructureLoad::where);
  ASSERT_NE(season, cost.loads.end());
  EXPECT_EQ(FormatMicroUnits(season->hottest_writes), "75");
  EXPECT_EQ(season->hottest, "SEASON#{season}");
}

TEST(PlanCost, ExamplesArePricedWhole) {
  for (const std::string name : {"leaderboard", "shop", "tenants", "tickets"}) {
    const auto cost = Cost(ReadExample(name + ".kw.yaml"), ReadExample(name + ".design.yaml"));
    EXPECT_TRUE(cost.unanswered.empty()) << name;
    EXPECT_GT(cost.total, NanoDollars()) << name;
    NanoDollars sum;
    for (const auto& line : cost.lines) sum += line.on_demand;
    EXPECT_EQ(sum, cost.on_demand) << name;
    EXPECT_LE(cost.total, cost.on_demand) << name;
  }
}

TEST(PlanCost, RefusesAnUnknownRegion) {
  const auto model = Model::Parse(kShop).value();
  const auto design = Design::Parse(kShopDesign, model).value();
  const auto plan = Plan::Compile(model, design).value();
  EXPECT_FALSE(CostOf(plan, {.region = "moon-1"}));
}

}  // namespace
}  // namespace kw::modeller
