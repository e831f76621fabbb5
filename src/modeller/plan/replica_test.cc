// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/replica.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modeller/plan/plan_test_support.h"

namespace kw::modeller {
namespace {

using namespace std::literals;

std::vector<ReplayedPage> Ask(const Planned& planned, const Replica& replica,
                              std::string_view question, const Bindings& bindings) {
  const auto calls = planned.plan->CallsOf(planned.Question(question), bindings);
  EXPECT_EQ(calls.size(), 1U);
  return replica.Replay(calls.front());
}

std::size_t Count(const std::vector<ReplayedPage>& pages) {
  std::size_t count = 0;
  for (const auto& page : pages) count += page.items.size();
  return count;
}

// Matches of one player, a day apart, each of `bytes` in all.
void PutMatches(const Planned& planned, Replica& replica, int count, std::size_t bytes) {
  for (int i = 0; i < count; ++i) {
    auto row = planned.RowOf("Match", {{"playerId", "p"}, {"result", ""}});
    const auto& entity = planned.model->entity(planned.EntityOf("Match"));
    row[entity.Find("playedAt").value()] = Timestamp{std::int64_t{86'400'000'000} * i};
    auto item = planned.plan->ItemsOf(planned.EntityOf("Match"), row).front();
    item.item.Set("result",
                  std::string(bytes - static_cast<std::size_t>(SizeOf(item.item).value()), 'x'));
    replica.Put(std::move(item));
  }
}

TEST(ReplicaTest, AQueryIsRoundedOnceAndStopsAtItsLimit) {
  const auto planned = Planned::Example("leaderboard");
  ASSERT_EQ(planned.faults, "");
  Replica replica(*planned.plan);
  PutMatches(planned, replica, 30, 1000);
  // 20 items of 1,000 bytes: 20,000 bytes are 5 steps of 4 KB, half a unit each.
  // aws-doc: read-write-operations (Query: the total, rounded up once)
  const auto pages = Ask(planned, replica, "recent-matches", {{"playerId", "p"s}});
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].items.size(), 20U);
  EXPECT_EQ(pages[0].units.table_read, HalfUnits(5));
  EXPECT_EQ(Plain(*pages[0].items[0]->Find("sk")), "MATCH#1970-01-30T00:00:00Z");
  EXPECT_EQ(Plain(*pages[0].items[19]->Find("sk")), "MATCH#1970-01-11T00:00:00Z");
  EXPECT_EQ(Count(Ask(planned, replica, "recent-matches", {{"playerId", "q"s}})), 0U);
}

TEST(ReplicaTest, APageEndsBehindTheItemThatFillsIt) {
  const auto planned = Planned::Example("leaderboard");
  ASSERT_EQ(planned.faults, "");
  Replica replica(*planned.plan);
  PutMatches(planned, replica, 11, 200'000);
  // Six make 1,200,000 bytes, over 1 MB; five are left. 293 steps, then 245.
  const auto pages = Ask(planned, replica, "player-page", {{"playerId", "p"s}});
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].items.size(), 6U);
  EXPECT_EQ(pages[0].units.table_read, HalfUnits(293));
  EXPECT_EQ(pages[1].items.size(), 5U);
  EXPECT_EQ(pages[1].units.table_read, HalfUnits(245));
  EXPECT_EQ(Total(pages).table_read, HalfUnits(538));
}

TEST(ReplicaTest, WhoeverIsToldOfMoreAsksAgain) {
  const auto planned = Planned::Example("leaderboard");
  ASSERT_EQ(planned.faults, "");
  Replica replica(*planned.plan);
  PutMatches(planned, replica, 6, 200'000);
  // The sixth takes the page over 1 MB: the next page is empty, and costs the least there is.
  const auto pages = Ask(planned, replica, "player-page", {{"playerId", "p"s}});
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_TRUE(pages[1].items.empty());
  EXPECT_EQ(pages[1].units.table_read, HalfUnits(1));
}

TEST(ReplicaTest, IndexEntriesAreReadByTheirOwnSize) {
  const auto planned = Planned::Example("leaderboard");
  ASSERT_EQ(planned.faults, "");
  Replica replica(*planned.plan);
  const auto row = planned.RowOf("Player", {{"playerId", "p"},
                                            {"handle", "h"},
                                            {"region", "eu"},
                                            {"season", "s"},
                                            {"rating", "7"},
                                            {"createdAt", "2026-01-02T03:04:05Z"}});
  for (auto& item : planned.plan->ItemsOf(planned.EntityOf("Player"), row))
    replica.Put(std::move(item));
  const auto pages = Ask(planned, replica, "by-handle", {{"handle", "h"s}});
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(JsonOf(*pages[0].items.at(0)),
            R"({"handlePartition":{"S":"HANDLE#h"},"pk":{"S":"PLAYER#p"},)"
            R"("playerId":{"S":"p"},"sk":{"S":"PROFILE"}})");
  EXPECT_EQ(pages[0].units.global.at("byHandle").read, HalfUnits(1));
  EXPECT_EQ(pages[0].units.table_read, HalfUnits(0));
  const auto got = Ask(planned, replica, "profile", {{"playerId", "p"s}});
  EXPECT_EQ(Count(got), 1U);
  EXPECT_EQ(Total(got).table_read, HalfUnits(1));
}

// ---- writes ----

TEST(WritesTest, AnIndexedChangeIsAnUpdate) {
  const auto planned = Planned::Example("tickets");
  ASSERT_EQ(planned.faults, "");
  Replica replica(*planned.plan);
  auto before = planned.RowOf("Ticket", {{"ticketId", "8842"},
                                         {"teamId", "7"},
                                         {"status", "open"},
                                         {"priority", "4"},
                                         {"createdAt", "2026-06-27T10:00:00Z"},
                                         {"subject", "Help"}});
  const auto insert = planned.plan->WritesOf(StatementKind::kInsert, 0, nullptr, &before, replica);
  ASSERT_EQ(insert.steps.size(), 1U);
  EXPECT_EQ(insert.steps[0].kind, WriteStep::Kind::kPut);
  EXPECT_EQ(insert.steps[0].condition, WriteStep::Condition::kMustBeNew);
  // aws-doc: read-write-operations; a write is 1 unit a KB, and an entry of each index is a write.
  auto units = planned.plan->UnitsOf(insert).at(0);
  EXPECT_EQ(units.table_write, HalfUnits(2));
  EXPECT_EQ(units.global.at("byStatus").write, HalfUnits(2));
  EXPECT_EQ(units.global.at("openByPriority").write, HalfUnits(2));
  replica.Apply(insert);
  EXPECT_EQ(Count(Ask(planned, replica, "open-by-priority", {{"teamId", "7"s}})), 1U);

  auto after = before;
  after[planned.model->entity(0).Find("status").value()] = "closed"s;
  const auto update = planned.plan->WritesOf(StatementKind::kUpdate, 0, &before, &after, replica);
  ASSERT_EQ(update.steps.size(), 1U);
  EXPECT_EQ(update.steps[0].kind, WriteStep::Kind::kUpdate);
  EXPECT_EQ(update.steps[0].condition, WriteStep::Condition::kMustExist);
  units = planned.plan->UnitsOf(update).at(0);
  EXPECT_EQ(units.table_write, HalfUnits(2));
  EXPECT_EQ(units.global.at("byStatus").write, HalfUnits(4));        // delete and put
  EXPECT_EQ(units.global.at("openByPriority").write, HalfUnits(2));  // delete
  replica.Apply(update);
  EXPECT_EQ(Count(Ask(planned, replica, "open-by-priority", {{"teamId", "7"s}})), 0U);
  EXPECT_EQ(
      Count(Ask(planned, replica, "team-by-status", {{"teamId", "7"s}, {"status", "closed"s}})),
      1U);
}

TEST(WritesTest, AKeyChangeIsADeleteAndAPut) {
  // aws-doc: the worked case of a status in the base sort key; 1 KB, in a transaction: 4 units.
  const Planned planned(ReadExample("tickets.kw.yaml"), R"(
design: t
tables:
  Tickets:
    key: {partition: pk, sort: sk}
    entities:
      Ticket: {pk: "TEAM#{teamId}", sk: "{status}#{ticketId}"}
)");
  ASSERT_EQ(planned.faults, "");
  const Replica replica(*planned.plan);
  const auto before =
      planned.RowOf("Ticket", {{"ticketId", "1"}, {"teamId", "7"}, {"status", "open"}});
  auto after = before;
  after[planned.model->entity(0).Find("status").value()] = "closed"s;
  const auto writes = planned.plan->WritesOf(StatementKind::kUpdate, 0, &before, &after, replica);
  ASSERT_EQ(writes.steps.size(), 2U);
  EXPECT_EQ(writes.steps[0].kind, WriteStep::Kind::kDelete);
  EXPECT_EQ(writes.steps[1].kind, WriteStep::Kind::kPut);
  EXPECT_EQ(planned.plan->UnitsOf(writes).at(0).table_write, HalfUnits(8));
}

TEST(WritesTest, AGuardMovesWithItsAttribute) {
  const auto planned = Planned::Example("shop");
  ASSERT_EQ(planned.faults, "");
  Replica replica(*planned.plan);
  const auto user = planned.EntityOf("User");
  const auto before =
      planned.RowOf("User", {{"userId", "1"}, {"name", "John"}, {"email", "a@b.c"}});
  const auto insert =
      planned.plan->WritesOf(StatementKind::kInsert, user, nullptr, &before, replica);
  ASSERT_EQ(insert.steps.size(), 2U);
  EXPECT_EQ(insert.steps[1].condition, WriteStep::Condition::kMustBeNew);
  EXPECT_EQ(planned.plan->UnitsOf(insert).at(0).table_write, HalfUnits(8));
  replica.Apply(insert);
  auto after = before;
  after[planned.model->entity(user).Find("email").value()] = "d@e.f"s;
  const auto update =
      planned.plan->WritesOf(StatementKind::kUpdate, user, &before, &after, replica);
  ASSERT_EQ(update.steps.size(), 3U);
  replica.Apply(update);
  EXPECT_EQ(Count(Ask(planned, replica, "user-by-email", {{"email", "a@b.c"s}})), 0U);
  EXPECT_EQ(Count(Ask(planned, replica, "user-by-email", {{"email", "d@e.f"s}})), 1U);
  const auto removal =
      planned.plan->WritesOf(StatementKind::kDelete, user, &after, nullptr, replica);
  EXPECT_EQ(removal.steps.size(), 2U);
  replica.Apply(removal);
  EXPECT_EQ(Count(Ask(planned, replica, "user-by-email", {{"email", "d@e.f"s}})), 0U);
}

TEST(WritesTest, CountersFollowTheirChildren) {
  const auto planned = Planned::Example("shop");
  ASSERT_EQ(planned.faults, "");
  const auto user = planned.EntityOf("User");
  const auto purchase = planned.EntityOf("Purchase");
  const auto order = [&](const char* id) {
    return planned.RowOf("Purchase", {{"orderId", id},
                                      {"userId", "1"},
                                      {"createdAt", "2026-06-27T10:00:00Z"},
                                      {"status", "PENDING"},
                                      {"total", "5"}});
  };
  std::vector<std::vector<Row>> rows(planned.model->entities().size());
  rows[user] = {planned.RowOf("User", {{"userId", "1"}, {"name", "J"}, {"email", "a@b.c"}}),
                planned.RowOf("User", {{"userId", "2"}, {"name", "K"}, {"email", "d@e.f"}})};
  rows[purchase] = {order("x"), order("y")};
  Replica replica(*planned.plan);
  for (auto& item : LoadItems(*planned.plan, rows)) replica.Put(std::move(item));
  const auto counted = [&](const std::string& id) {
    const auto pages = Ask(planned, replica, "count-orders", {{"userId", id}});
    const auto* count = pages.front().items.front()->Find("orders");
    return count != nullptr ? Plain(*count) : "none";
  };
  EXPECT_EQ(counted("1"), "2");
  EXPECT_EQ(counted("2"), "none");

  // Two orders in one change: the counter's item is written once.
  WriteSet change;
  for (const auto* id : {"z", "w"}) {
    const auto row = order(id);
    auto writes = planned.plan->WritesOf(StatementKind::kInsert, purchase, nullptr, &row, replica);
    ASSERT_EQ(writes.steps.size(), 2U);
    EXPECT_EQ(writes.steps[1].kind, WriteStep::Kind::kUpdate);
    replica.Apply(writes);
    Append(*planned.plan, std::move(writes), change);
  }
  EXPECT_EQ(change.steps.size(), 3U);
  EXPECT_EQ(counted("1"), "4");
  // An update of the parent keeps the count.
  auto renamed = rows[user][0];
  renamed[planned.model->entity(user).Find("name").value()] = "Jo"s;
  replica.Apply(
      planned.plan->WritesOf(StatementKind::kUpsert, user, &rows[user][0], &renamed, replica));
  EXPECT_EQ(counted("1"), "4");
  const auto gone = order("z");
  replica.Apply(planned.plan->WritesOf(StatementKind::kDelete, purchase, &gone, nullptr, replica));
  EXPECT_EQ(counted("1"), "3");
}

}  // namespace
}  // namespace kw::modeller
