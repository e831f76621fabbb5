// SPDX-License-Identifier: Apache-2.0
#include "engine/key_insights.h"

#include <gtest/gtest.h>

#include "engine/capacity_ledger.h"
#include "engine/contributor_insights.h"
#include "engine/engine_test_support.h"
#include "engine/sweeper.h"

namespace kw::engine {
namespace {

class KeyInsightsTest : public ::testing::Test {
 protected:
  KeyInsightsTest() { test_.engine().insights = &insights_; }

  TableKey Make(std::vector<IndexSchema> indexes = {}) {
    const auto key = test_.MakeTable("t", {{S("p")}, {N("s")}}, std::move(indexes));
    test_.Change(key, [](Table& table) { table.billing = BillingMode::kPayPerRequest; });
    return key;
  }
  void Enable(const TableKey& table, std::optional<std::string> index = {},
              InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys) {
    ASSERT_TRUE(UpdateContributorInsights(test_.engine(), {.table = table,
                                                           .index = std::move(index),
                                                           .action = InsightsAction::kEnable,
                                                           .mode = mode}));
  }
  TablePtr Find(const TableKey& table) { return *test_.engine().catalog.Find(table); }
  // "key=count" of each, highest first.
  static std::vector<std::string> Texts(const std::vector<CountedKey>& keys) {
    std::vector<std::string> texts;
    for (const auto& counted : keys) {
      texts.push_back(ToJson(counted.key) + "=" + std::to_string(counted.count));
    }
    return texts;
  }
  HotKeys Top(const TableKey& table, std::optional<std::size_t> index = {}) {
    return insights_.Top(*Find(table), index, 25);
  }
  using Texts_t = std::vector<std::string>;

  TestEngine test_;
  KeyInsights insights_;
  CapacityLedger ledger_{test_.clock()};
};

// aws-doc: contributorinsights_HowItWorks (three times the write units, and the read units).
TEST_F(KeyInsightsTest, WeighsReadsAndWrites) {
  const auto table = Make();
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"before"},"s":{"N":"1"}})"));
  Enable(table);
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"1"}})"));
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"2"}})"));
  EXPECT_NE(test_.Read(table, R"({"p":{"S":"a"},"s":{"N":"2"}})"), "nothing");
  // A Query names a partition, a Scan nothing.
  ASSERT_TRUE(test_.Query({.page = {.table = table, .consistent = true},
                           .key_condition = TestEngine::ParseKeyCondition(
                               "p = :p AND s > :s", R"({":p":{"S":"b"},":s":{"N":"0"}})")}));
  ASSERT_TRUE(test_.Scan({.page = {.table = table}}));
  const auto hot = Top(table);
  // In half units.
  EXPECT_EQ(Texts(hot.accessed_partitions),
            (Texts_t{R"({"p":{"S":"a"}}=13)", R"({"p":{"S":"b"}}=2)"}));
  EXPECT_EQ(Texts(hot.accessed),
            (Texts_t{R"({"p":{"S":"a"},"s":{"N":"2"}}=7)", R"({"p":{"S":"a"},"s":{"N":"1"}}=6)"}));
  EXPECT_TRUE(hot.throttled.empty());
}

TEST_F(KeyInsightsTest, CountsIndexesByTheirKeys) {
  const auto table = Make({Global("g", {{S("x")}, {}}), Global("off", {{S("y")}, {}})});
  Enable(table, "g");
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"1"},"x":{"S":"hot"},"y":{"S":"no"}})"));
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"2"},"x":{"S":"hot"}})"));
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"1"},"x":{"S":"cold"}})"));
  EXPECT_EQ(Texts(Top(table, 0).accessed_partitions),
            (Texts_t{R"({"x":{"S":"hot"}}=18)", R"({"x":{"S":"cold"}}=6)"}));
  EXPECT_TRUE(Top(table, 0).accessed.empty());  // the index has no sort key
  EXPECT_TRUE(Top(table).accessed.empty());
  EXPECT_TRUE(Top(table, 1).accessed_partitions.empty());
}

TEST_F(KeyInsightsTest, CountsWhatIsThrottled) {
  const auto table = Make({Global("g", {{S("x")}, {}})});
  Enable(table, {}, InsightsMode::kThrottledKeys);
  Enable(table, "g", InsightsMode::kThrottledKeys);
  test_.engine().capacity = &ledger_;
  test_.Change(table, [](Table& next) {
    next.billing = BillingMode::kProvisioned;
    next.provisioned = {1, 2, {}, {}, 0};
    next.index_states[0].provisioned = {1, 1, {}, {}, 0};
  });
  const std::string_view indexed = R"({"p":{"S":"a"},"s":{"N":"1"},"x":{"S":"hot"}})";
  ASSERT_TRUE(test_.Put(table, indexed));
  EXPECT_FALSE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"1"},"x":{"S":"warm"}})"));
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"2"}})"));
  EXPECT_FALSE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"3"}})"));
  EXPECT_FALSE(test_.Delete(table, R"({"p":{"S":"a"},"s":{"N":"3"}})"));
  const auto hot = Top(table);
  EXPECT_TRUE(hot.accessed.empty());
  EXPECT_EQ(Texts(hot.throttled_partitions), (Texts_t{R"({"p":{"S":"a"}}=2)"}));
  EXPECT_EQ(Texts(hot.throttled), (Texts_t{R"({"p":{"S":"a"},"s":{"N":"3"}}=2)"}));
  // The write was held up by the index, where it took the place of another entry.
  EXPECT_EQ(Texts(Top(table, 0).throttled_partitions), (Texts_t{R"({"x":{"S":"hot"}}=1)"}));
}

TEST_F(KeyInsightsTest, FindsTheFrequentAmongManyWithinBounds) {
  const auto table = Make();
  Enable(table);
  const auto snapshot = Find(table);
  const auto access = [&](const std::string& partition) {
    const auto item = ParseItem(R"({"p":{"S":")" + partition + R"("},"s":{"N":"1"}})");
    insights_.CountAccess(*snapshot, {.index = {},
                                      .flow = Flow::kRead,
                                      .key = ItemRow(*snapshot, item).key.substr(1),
                                      .units = HalfUnits(1)});
  };
  for (int i = 0; i < 20000; ++i) {
    access(std::to_string(i));
    if (i % 10 == 0) access("hot");
  }
  const auto top = insights_.Top(*snapshot, {}, 1000).accessed_partitions;
  EXPECT_EQ(top.size(), kSketchCounters);
  EXPECT_EQ(ToJson(top[0].key), R"({"p":{"S":"hot"}})");
  // Never understated, and overstated by no more than it says.
  EXPECT_GE(top[0].count, 2000);
  EXPECT_LE(top[0].count - top[0].error_max, 2000);
}

TEST_F(KeyInsightsTest, BeginsAnewWhenEnabledAgain) {
  const auto table = Make();
  Enable(table);
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"N":"1"}})"));
  const InsightsRequest disable{
      .table = table, .index = {}, .action = InsightsAction::kDisable, .mode = {}};
  ASSERT_TRUE(UpdateContributorInsights(test_.engine(), disable));
  EXPECT_TRUE(Top(table).accessed.empty());
  test_.clock().Advance(std::chrono::seconds(1));
  Enable(table);
  EXPECT_TRUE(Top(table).accessed.empty());
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"b"},"s":{"N":"1"}})"));
  EXPECT_EQ(Texts(Top(table).accessed), (Texts_t{R"({"p":{"S":"b"},"s":{"N":"1"}}=6)"}));
  ASSERT_TRUE(RunSweeps(test_.engine()));
  EXPECT_EQ(Top(table).accessed.size(), 1U);
}

}  // namespace
}  // namespace kw::engine
