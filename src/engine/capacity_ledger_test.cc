// SPDX-License-Identifier: Apache-2.0
#include "engine/capacity_ledger.h"

#include <gtest/gtest.h>

#include "data/key.h"
#include "engine/engine_test_support.h"

namespace kw::engine {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

HalfUnits Units(std::int64_t units) { return HalfUnits(2 * units); }

class CapacityLedgerTest : public ::testing::Test {
 protected:
  TablePtr Provision(const std::string& name, std::int64_t read, std::int64_t write,
                     std::vector<IndexSchema> indexes = {}) {
    const auto key = test_.MakeTable(name, {{S("p")}, {S("s")}}, std::move(indexes));
    test_.Change(key, [&](Table& table) {
      table.provisioned = {read, write, {}, {}, 0};
      for (auto& state : table.index_states) state.provisioned = table.provisioned;
    });
    return *test_.engine().catalog.Find(key);
  }
  TablePtr OnDemand(const std::string& name, std::optional<OnDemandMaximum> maximum = {},
                    std::optional<WarmThroughput> warm = {}) {
    const auto key = test_.MakeTable(name, {{S("p")}, {S("s")}});
    test_.Change(key, [&](Table& table) {
      table.billing = BillingMode::kPayPerRequest;
      table.on_demand = maximum;
      table.warm = warm;
    });
    return *test_.engine().catalog.Find(key);
  }
  static Draw At(std::string_view item, Flow flow, std::int64_t units = 0) {
    const KeySchema schema{{S("p")}, {S("s")}};
    return {.index = std::nullopt,
            .flow = flow,
            .key = RowKeyOf(schema, ParseItem(item)),
            .units = Units(units)};
  }
  static Draw Write(std::int64_t units, std::string_view item = kItem) {
    return At(item, Flow::kWrite, units);
  }
  static Draw Read(std::int64_t units, std::string_view item = kItem) {
    return At(item, Flow::kRead, units);
  }
  // The limit in the way, or nothing; then the units are taken.
  std::optional<LimitType> Take(const Table& table, const Draw& draw) {
    const auto refusal = ledger_.Take(table, {&draw, 1});
    return refusal ? std::optional(refusal->limit) : std::nullopt;
  }
  void Pass(std::chrono::milliseconds time) { test_.clock().Advance(time); }

  static constexpr std::string_view kItem = R"({"p":{"S":"a"},"s":{"S":"1"}})";
  TestEngine test_;
  CapacityLedger ledger_{test_.clock()};
};

constexpr auto kPasses = std::nullopt;

TEST_F(CapacityLedgerTest, TakesWhatARequestCostsAndLetsTheNextWait) {
  const auto table = Provision("t", 10, 2);
  EXPECT_EQ(Take(*table, Write(5)), kPasses);  // two were there
  EXPECT_EQ(Take(*table, Write(1)), LimitType::kProvisionedThroughput);
  EXPECT_EQ(Take(*table, Read(1)), kPasses);  // reads are counted apart
  Pass(std::chrono::milliseconds(1500));      // the debt of three is paid, exactly
  EXPECT_EQ(Take(*table, Write(1)), LimitType::kProvisionedThroughput);
  Pass(std::chrono::milliseconds(1));
  EXPECT_EQ(Take(*table, Write(1)), kPasses);
}

// aws-doc: burst-adaptive-capacity ("up to 5 minutes (300 seconds) of unused capacity").
TEST_F(CapacityLedgerTest, SavesUnusedCapacityForFiveMinutes) {
  const auto table = Provision("t", 10, 1);
  EXPECT_EQ(Take(*table, Read(10)), kPasses);
  EXPECT_EQ(Take(*table, Read(1)), LimitType::kProvisionedThroughput);
  Pass(minutes(20));
  EXPECT_EQ(Take(*table, Read(2999)), kPasses);
  EXPECT_EQ(Take(*table, Read(1)), kPasses);
  Pass(seconds(1));  // of the partition
  EXPECT_EQ(Take(*table, Read(10)), kPasses);
  EXPECT_EQ(Take(*table, Read(1)), LimitType::kProvisionedThroughput);
}

// aws-doc: bp-partition-key-design (3,000 and 1,000 a second).
TEST_F(CapacityLedgerTest, NeverLiftsAPartitionsLimit) {
  const auto table = Provision("t", 1000, 1000);
  Take(*table, Write(0));
  Pass(minutes(5));
  EXPECT_EQ(ledger_.Partitions(*table, {}), 1U);
  EXPECT_EQ(Take(*table, Write(1000)), kPasses);
  EXPECT_EQ(Take(*table, Write(1)), LimitType::kKeyRangeThroughput);
  EXPECT_EQ(Take(*table, Read(3000)), kPasses);
  EXPECT_EQ(Take(*table, Read(1)), LimitType::kKeyRangeThroughput);
  Pass(seconds(9));
  EXPECT_EQ(Take(*table, Write(1000)), kPasses);
  EXPECT_EQ(Take(*table, Write(1)), LimitType::kKeyRangeThroughput);
}

// aws-doc: on-demand-capacity-mode (4,000 writes and 12,000 reads: four partitions).
TEST_F(CapacityLedgerTest, BeginsWithThePartitionsOfTheWarmThroughput) {
  EXPECT_EQ(ledger_.Partitions(*Provision("small", 5, 5), {}), 1U);
  EXPECT_EQ(ledger_.Partitions(*Provision("reads", 3001, 5), {}), 2U);
  EXPECT_EQ(ledger_.Partitions(*Provision("writes", 5, 2500), {}), 3U);
  EXPECT_EQ(ledger_.Partitions(*OnDemand("demand"), {}), 4U);
  EXPECT_EQ(ledger_.Partitions(*OnDemand("warm", {}, WarmThroughput{12000, 20000}), {}), 20U);
}

TEST_F(CapacityLedgerTest, GrowsByTenGigabytes) {
  const auto table = Provision("t", 5, 5);
  ledger_.Grow(*table, {}, ByteCount(kPartitionBytes));
  EXPECT_EQ(ledger_.Partitions(*table, {}), 1U);
  ledger_.Grow(*table, {}, ByteCount(kPartitionBytes + 1));
  EXPECT_EQ(ledger_.Partitions(*table, {}), 2U);
  ledger_.Grow(*table, {}, ByteCount(kPartitionBytes * 1'000'000));
  EXPECT_EQ(ledger_.Partitions(*table, {}), kPartitionsMax);
}

TEST_F(CapacityLedgerTest, SpreadsKeysOverPartitions) {
  const auto table = OnDemand("t");
  // Of many keys some lie beside the first one's, and some in another partition.
  ASSERT_EQ(Take(*table, Write(1000, R"({"p":{"S":"0"},"s":{"S":"1"}})")), kPasses);
  int refused = 0;
  for (int i = 1; i <= 40; ++i) {
    const auto item = R"({"p":{"S":")" + std::to_string(i) + R"("},"s":{"S":"1"}})";
    if (Take(*table, Write(1, item)) == LimitType::kKeyRangeThroughput) ++refused;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 30);
}

// aws-doc: burst-adaptive-capacity ("isolates frequently accessed items").
TEST_F(CapacityLedgerTest, SplitsAHotPartitionByPartitionKey) {
  const auto table = Provision("t", 1000, 1000);
  Take(*table, Write(0));
  Pass(minutes(5));
  const std::string_view other = R"({"p":{"S":"b"},"s":{"S":"1"}})";
  // A second of it is refused each second, from either key.
  const auto press = [&] {
    Take(*table, Write(1000));
    Take(*table, Write(1, other));
    Take(*table, Write(1));
    Pass(seconds(1));
  };
  for (int i = 0; i < 60; ++i) press();
  EXPECT_EQ(ledger_.Partitions(*table, {}), 1U);
  press();
  EXPECT_EQ(ledger_.Partitions(*table, {}), 2U);
  Pass(minutes(5));
  EXPECT_EQ(Take(*table, Write(1000)), kPasses);
  EXPECT_EQ(Take(*table, Write(1000, other)), kPasses);
  EXPECT_EQ(Take(*table, Write(1, other)), LimitType::kKeyRangeThroughput);
}

TEST_F(CapacityLedgerTest, LeavesASingleHotItemWhole) {
  const auto table = Provision("t", 1000, 2000);
  Take(*table, Write(0));
  Pass(minutes(5));
  const auto before = ledger_.Partitions(*table, {});
  for (int i = 0; i < 300; ++i) {
    Take(*table, Write(1000));
    EXPECT_EQ(Take(*table, Write(1)), LimitType::kKeyRangeThroughput);
    Pass(seconds(1));
  }
  EXPECT_EQ(ledger_.Partitions(*table, {}), before);
}

// aws-doc: burst-adaptive-capacity (an item collection is split by its sort key unless the table
// has a local index).
TEST_F(CapacityLedgerTest, SplitsACollectionUnlessThereIsALocalIndex) {
  const auto free = Provision("free", 1000, 1000);
  const auto bound = Provision("bound", 1000, 1000, {Local("l", S("p"), S("x"))});
  for (const auto& table : {free, bound}) Take(*table, Write(0));
  Pass(minutes(5));
  const std::string_view other = R"({"p":{"S":"a"},"s":{"S":"2"}})";
  for (int i = 0; i < 70; ++i) {
    for (const auto& table : {free, bound}) {
      Take(*table, Write(1000));
      Take(*table, Write(1, other));
      Take(*table, Write(1));
    }
    Pass(seconds(1));
  }
  EXPECT_EQ(ledger_.Partitions(*free, {}), 2U);
  EXPECT_EQ(ledger_.Partitions(*bound, {}), 1U);
}

TEST_F(CapacityLedgerTest, ForgetsHeatThatPasses) {
  const auto table = Provision("t", 1000, 1000);
  Take(*table, Write(0));
  Pass(minutes(5));
  for (int i = 0; i < 100; ++i) {
    Take(*table, Write(1000));
    Take(*table, Write(1, R"({"p":{"S":"b"},"s":{"S":"1"}})"));
    Take(*table, Write(1));
    Pass(seconds(11));
  }
  EXPECT_EQ(ledger_.Partitions(*table, {}), 1U);
}

// aws-doc: on-demand-capacity-mode ("instantly accommodates up to double the previous peak traffic
// … throttling can occur if you exceed double your previous peak within 30 minutes").
TEST_F(CapacityLedgerTest, DoublesThePeakOfAnOnDemandTable) {
  const auto table = OnDemand("t", {}, WarmThroughput{12000, 4000});
  // Spread evenly: eighths of the key space.
  const auto spread = [&](std::int64_t total) {
    std::optional<LimitType> refused;
    for (int i = 0; i < 16 && !refused; ++i) {
      Draw draw = Write(total / 16);
      draw.key.assign(8, '\0');
      draw.key[0] = static_cast<char>(i * 16);
      refused = Take(*table, draw);
    }
    return refused;
  };
  EXPECT_EQ(spread(4000), kPasses);
  EXPECT_EQ(spread(16), LimitType::kKeyRangeThroughput);
  Pass(minutes(10));
  EXPECT_EQ(spread(4000), kPasses);
  EXPECT_EQ(spread(16), LimitType::kKeyRangeThroughput);
  Pass(minutes(21));
  EXPECT_EQ(ledger_.Partitions(*table, {}), 8U);
  Pass(seconds(1));
  EXPECT_EQ(spread(8000), kPasses);
  EXPECT_EQ(spread(16), LimitType::kKeyRangeThroughput);
}

// aws-doc: on-demand-capacity-mode-max-throughput (best effort, with burst).
TEST_F(CapacityLedgerTest, HoldsOnDemandMaxima) {
  const auto table = OnDemand("t", OnDemandMaximum{std::nullopt, 10});
  EXPECT_EQ(Take(*table, Write(10)), kPasses);
  EXPECT_EQ(Take(*table, Write(1)), LimitType::kMaxOnDemandThroughput);
  EXPECT_EQ(Take(*table, Read(2000)), kPasses);
  Pass(seconds(40));
  EXPECT_EQ(Take(*table, Write(400)), kPasses);
  EXPECT_EQ(Take(*table, Write(1)), LimitType::kMaxOnDemandThroughput);
}

// aws-doc: ServiceQuotas (40,000 for a table).
TEST_F(CapacityLedgerTest, HoldsTheAccountsQuotaOnDemand) {
  const auto table = OnDemand("t", {}, WarmThroughput{12000, 60000});
  Draw draw = Write(500);
  for (int i = 0; i < 80; ++i) {
    draw.key.assign(8, '\0');
    draw.key[0] = static_cast<char>(i * 3);
    ASSERT_EQ(Take(*table, draw), kPasses);
  }
  EXPECT_EQ(Take(*table, draw), LimitType::kAccountLimit);
}

TEST_F(CapacityLedgerTest, CountsEachIndexApart) {
  const auto table = Provision("t", 10, 10, {Global("g", {{S("x")}, {}})});
  Draw index = Write(30);
  index.index = 0;
  const std::array both{Write(1), index};
  EXPECT_FALSE(ledger_.Take(*table, both));
  const auto refusal = ledger_.Take(*table, both);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->draw, 1U);
  EXPECT_EQ(refusal->limit, LimitType::kProvisionedThroughput);
  // Nothing was taken of the table.
  EXPECT_EQ(Take(*table, Write(9)), kPasses);
  EXPECT_EQ(Take(*table, Write(1)), LimitType::kProvisionedThroughput);
}

TEST_F(CapacityLedgerTest, GivesBack) {
  const auto table = Provision("t", 1, 10);
  const auto draw = Write(10);
  ASSERT_EQ(Take(*table, draw), kPasses);
  ASSERT_EQ(Take(*table, draw), LimitType::kProvisionedThroughput);
  ledger_.GiveBack(*table, {&draw, 1});
  EXPECT_EQ(Take(*table, draw), kPasses);
}

TEST_F(CapacityLedgerTest, FollowsAChangeOfCapacity) {
  const auto table = Provision("t", 1, 1);
  ASSERT_EQ(Take(*table, Write(3)), kPasses);
  test_.Change(table->key, [](Table& next) { next.provisioned.write_units = 1000; });
  const auto next = *test_.engine().catalog.Find(table->key);
  EXPECT_EQ(Take(*next, Write(1)), LimitType::kProvisionedThroughput);
  Pass(std::chrono::milliseconds(3));
  EXPECT_EQ(Take(*next, Write(1)), kPasses);
}

TEST_F(CapacityLedgerTest, ForgetsDeletedTables) {
  const auto gone = Provision("gone", 1, 1);
  const auto kept = Provision("kept", 1, 1);
  for (const auto& table : {gone, kept}) Take(*table, Write(9));
  const std::array tables{kept};
  ledger_.KeepOnly(tables);
  EXPECT_EQ(Take(*gone, Write(1)), kPasses);
  EXPECT_EQ(Take(*kept, Write(1)), LimitType::kProvisionedThroughput);
}

}  // namespace
}  // namespace kw::engine
