// SPDX-License-Identifier: Apache-2.0
// The four examples with their designs written by hand: every key text and every request.
#include "modeller/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modeller/plan/plan_test_support.h"
#include "modeller/plan/replica.h"

namespace kw::modeller {
namespace {

using namespace std::literals;
using ::testing::HasSubstr;

const char kHighest[] = "\xF4\x8F\xBF\xBF";

Row Nighthawk(const Planned& planned) {
  return planned.RowOf("Player", {{"playerId", "u8231"},
                                  {"handle", "nighthawk"},
                                  {"region", "eu"},
                                  {"season", "2026-Q2"},
                                  {"rating", "1842"},
                                  {"createdAt", "2026-01-02T03:04:05Z"}});
}

TEST(LeaderboardTest, ItemsCarryAttributesAndKeys) {
  const auto planned = Planned::Example("leaderboard");
  ASSERT_EQ(planned.faults, "");
  const auto items = planned.plan->ItemsOf(planned.EntityOf("Player"), Nighthawk(planned));
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(JsonOf(items[0].item),
            R"({"createdAt":{"S":"2026-01-02T03:04:05Z"},"handle":{"S":"nighthawk"},)"
            R"("handlePartition":{"S":"HANDLE#nighthawk"},"pk":{"S":"PLAYER#u8231"},)"
            R"("playerId":{"S":"u8231"},"rating":{"N":"1842"},"region":{"S":"eu"},)"
            R"("season":{"S":"2026-Q2"},"seasonPartition":{"S":"SEASON#2026-Q2"},)"
            R"("seasonSort":{"S":"RATING#01842"},"sk":{"S":"PROFILE"}})");
}

TEST(LeaderboardTest, RowsReadBack) {
  const auto planned = Planned::Example("leaderboard");
  ASSERT_EQ(planned.faults, "");
  const auto row = Nighthawk(planned);
  auto item = planned.plan->ItemsOf(planned.EntityOf("Player"), row).front().item;
  const auto read = planned.plan->RowOf(0, item);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->first, planned.EntityOf("Player"));
  EXPECT_EQ(read->second, row);
  item.Set("sk", AttributeValue("MATCH#2026-01-02T03:04:05Z"s));
  EXPECT_FALSE(planned.plan->RowOf(0, item));
}

TEST(LeaderboardTest, EveryQuestionIsOneRequest) {
  const auto planned = Planned::Example("leaderboard");
  ASSERT_EQ(planned.faults, "");
  const Bindings bindings{{"playerId", "u8231"s}, {"season", "2026-Q2"s}, {"handle", "nighthawk"s}};
  EXPECT_EQ(planned.Calls("profile", bindings), "get Leaderboard pk=PLAYER#u8231 sk=PROFILE");
  EXPECT_EQ(planned.Calls("recent-matches", bindings),
            "query Leaderboard pk=PLAYER#u8231 sk^MATCH# backward limit 20");
  EXPECT_EQ(planned.Calls("player-page", bindings), "query Leaderboard pk=PLAYER#u8231");
  EXPECT_EQ(planned.Calls("season-top", bindings),
            "query Leaderboard.bySeason seasonPartition=SEASON#2026-Q2 seasonSort^RATING# backward "
            "limit 100");
  EXPECT_EQ(planned.Calls("by-handle", bindings),
            "query Leaderboard.byHandle handlePartition=HANDLE#nighthawk");
  // A parameter that is absent or of another type matches no row.
  EXPECT_EQ(planned.Calls("profile", {}), "");
  EXPECT_EQ(planned.Calls("profile", {{"playerId", Number::FromInteger(1)}}), "");
}

TEST(LeaderboardTest, ConditionsAreSaidInWords) {
  const auto planned = Planned::Example("leaderboard");
  ASSERT_EQ(planned.faults, "");
  const auto where = [&](std::string_view question) {
    return planned.plan->answers()[planned.Question(question)].where;
  };
  EXPECT_EQ(where("profile"), "pk = PLAYER#{playerId}, sk = PROFILE");
  EXPECT_EQ(where("recent-matches"), "pk = PLAYER#{playerId}, sk begins_with MATCH#");
  EXPECT_EQ(where("player-page"), "pk = PLAYER#{playerId}");
}

TEST(LeaderboardTest, AWrittenAnswerThatIsNoneIsAFault) {
  auto design = ReadExample("leaderboard.design.yaml");
  const auto at = design.find("begins_with MATCH#");
  ASSERT_NE(at, std::string::npos);
  design.replace(at, 18, "begins_with MATHC#");
  const Planned planned(ReadExample("leaderboard.kw.yaml"), design);
  EXPECT_THAT(planned.faults, HasSubstr("This does not answer `recent-matches`."));
  EXPECT_THAT(planned.faults, HasSubstr("sk begins_with MATCH#"));
}

TEST(ShopTest, EveryQuestionIsOneRequest) {
  const auto planned = Planned::Example("shop");
  ASSERT_EQ(planned.faults, "");
  const Bindings bindings{{"userId", "12345"s},
                          {"email", "john@example.com"s},
                          {"phone", "555"s},
                          {"orderId", "2024-001234"s},
                          {"hour", "2026-06-23T14"s},
                          {"from", Time("2026-06-01T00:00:00Z")},
                          {"to", Time("2026-06-30T23:59:59Z")},
                          {"since", Time("2026-06-23T14:00:00Z")},
                          {"productId", "PROD001"s},
                          {"postId", "p1"s},
                          {"deviceId", "SENSOR001"s}};
  const auto calls = [&](std::string_view question) { return planned.Calls(question, bindings); };
  EXPECT_EQ(calls("user"), "get Shop pk=USER#12345 sk=PROFILE");
  EXPECT_EQ(calls("user-by-email"), "get Shop pk=EMAIL#john@example.com sk=EMAIL#john@example.com");
  EXPECT_EQ(calls("user-by-phone"), "query Shop.index1 pk1=PHONE#555 sk1=USER");
  EXPECT_EQ(calls("orders-of-user"),
            "query Shop.index1 pk1=USER#12345 sk1^ORDER# backward limit 25");
  EXPECT_EQ(calls("order"), "get Shop pk=ORDER#2024-001234 sk=ORDER");
  EXPECT_EQ(calls("order-with-lines"), "query Shop pk=ORDER#2024-001234");
  EXPECT_EQ(calls("orders-of-hour"), "query Shop.index2 pk2=HOUR#2026-06-23T14 limit 500");
  EXPECT_EQ(calls("orders-in-range"),
            "query Shop.index1 pk1=USER#12345 sk1>=ORDER#2026-06-01T00:00:00Z"
            "<=ORDER#2026-06-30T23:59:59Z limit 100");
  EXPECT_EQ(calls("monthly-report"), "scan");
  EXPECT_EQ(calls("pending-orders"), "query Shop.index3 pk3=PENDING limit 100");
  EXPECT_EQ(calls("orders-of-product"),
            "query Shop.index1 pk1=PRODUCT#PROD001 sk1^ORDER# limit 200");
  EXPECT_EQ(calls("count-orders"), "get Shop pk=USER#12345 sk=PROFILE");
  EXPECT_EQ(calls("cart"), "get Shop pk=USER#12345 sk=CART strong");
  EXPECT_EQ(calls("following"), "query Shop pk=USER#12345 sk^FOLLOWING# limit 500");
  EXPECT_EQ(calls("followers"), "query Shop pk=USER#12345 sk^FOLLOWER# limit 500");
  EXPECT_EQ(calls("comments"), "query Shop pk=POST#p1 sk^COMMENT# limit 50");
  EXPECT_EQ(calls("last-hour"),
            "query Shop pk=DEVICE#SENSOR001 sk>=READING#2026-06-23T14:00:00Z<=READING#"s +
                kHighest + " limit 3600");
}

TEST(ShopTest, AGuardLeadsToItsRow) {
  const auto planned = Planned::Example("shop");
  ASSERT_EQ(planned.faults, "");
  const auto row =
      planned.RowOf("User", {{"userId", "12345"}, {"name", "John"}, {"email", "john@example.com"}});
  const auto items = planned.plan->ItemsOf(planned.EntityOf("User"), row);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(JsonOf(items[1].item),
            R"({"email":{"S":"john@example.com"},"pk":{"S":"EMAIL#john@example.com"},)"
            R"("sk":{"S":"EMAIL#john@example.com"},"userId":{"S":"12345"}})");
  // The phone is absent: no entry in the index.
  EXPECT_EQ(items[0].item.Find("pk1"), nullptr);
  const auto question = planned.Question("user-by-email");
  const auto next = planned.plan->FollowGuard(question, items[1].item);
  ASSERT_TRUE(next);
  EXPECT_EQ(TextOf(*planned.plan, *next), "get Shop pk=USER#12345 sk=PROFILE");
  EXPECT_FALSE(planned.plan->FollowGuard(planned.Question("user"), items[1].item));
}

TEST(ShopTest, ACopyStandsUnderItsOwnKey) {
  const auto planned = Planned::Example("shop");
  ASSERT_EQ(planned.faults, "");
  const auto row = planned.RowOf(
      "Follow", {{"followerId", "a"}, {"followedId", "b"}, {"followedAt", "2026-01-02T03:04:05Z"}});
  const auto items = planned.plan->ItemsOf(planned.EntityOf("Follow"), row);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(Plain(*items[0].item.Find("sk")), "FOLLOWING#b");
  EXPECT_EQ(Plain(*items[1].item.Find("pk")), "USER#b");
  EXPECT_EQ(Plain(*items[1].item.Find("sk")), "FOLLOWER#a");
  const auto read = planned.plan->RowOf(0, items[1].item);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->second, row);
}

TEST(TenantsTest, EveryQuestionIsOneRequest) {
  const auto planned = Planned::Example("tenants");
  ASSERT_EQ(planned.faults, "");
  const Bindings bindings{{"tenantId", "acme"s}, {"since", Time("2026-06-23T14:00:00Z")}};
  const auto calls = [&](std::string_view question) { return planned.Calls(question, bindings); };
  EXPECT_EQ(calls("members"), "query Billing pk=TENANT#acme sk^USER# limit 200");
  EXPECT_EQ(calls("groups"), "query Billing pk=TENANT#acme sk^USERGROUP#");
  EXPECT_EQ(calls("invoices"), "query Billing pk=TENANT#acme sk^INVOICE# limit 100");
  EXPECT_EQ(calls("open-invoices"), "query Billing.across acrossPartition=OPEN limit 100");
  EXPECT_EQ(calls("all-admins"), "query Billing.across acrossPartition=ADMINS limit 200");
  EXPECT_EQ(calls("recent-audit"),
            "query Billing pk=TENANT#acme sk>=AUDIT#2026-06-23T14:00:00.000000Z<=AUDIT#"s +
                kHighest + " backward limit 50");
  EXPECT_EQ(calls("whole-tenant"), "query Billing pk=TENANT#acme");
}

TEST(TicketsTest, EveryQuestionIsOneRequest) {
  const auto planned = Planned::Example("tickets");
  ASSERT_EQ(planned.faults, "");
  const Bindings bindings{{"ticketId", "8842"s}, {"teamId", "7"s}, {"status", "open"s}};
  const auto calls = [&](std::string_view question) { return planned.Calls(question, bindings); };
  EXPECT_EQ(calls("ticket"), "get Tickets ticketId=8842 strong");
  EXPECT_EQ(calls("team-by-status"), "query Tickets.byStatus teamId=7 status=open limit 100");
  EXPECT_EQ(calls("open-by-priority"), "query Tickets.openByPriority openTeam=7 limit 100");
  const auto row = planned.RowOf("Ticket", {{"ticketId", "8842"},
                                            {"teamId", "7"},
                                            {"status", "open"},
                                            {"priority", "4"},
                                            {"createdAt", "2026-06-27T10:00:00Z"},
                                            {"subject", "Help"}});
  const auto item = planned.plan->ItemsOf(0, row).front().item;
  EXPECT_EQ(Plain(*item.Find("openSort")), "5#2026-06-27T10:00:00Z");
}

}  // namespace
}  // namespace kw::modeller
