// SPDX-License-Identifier: Apache-2.0
// Operations against the capacity ledger: who pays what, and how a refusal is told.
#include "engine/traffic.h"

#include <gtest/gtest.h>

#include "engine/engine_test_support.h"
#include "engine/sweeper.h"
#include "engine/write.h"

namespace kw::engine {
namespace {

class TrafficTest : public ::testing::Test {
 protected:
  TrafficTest() { test_.engine().capacity = &ledger_; }

  TableKey Make(std::int64_t read, std::int64_t write, std::vector<IndexSchema> indexes = {}) {
    const auto key = test_.MakeTable("t", {{S("p")}, {S("s")}}, std::move(indexes));
    test_.Change(key, [&](Table& table) {
      table.provisioned = {read, write, {}, {}, 0};
      for (auto& state : table.index_states) state.provisioned = {100, 100, {}, {}, 0};
    });
    return key;
  }
  void SetOnDemand(const TableKey& key, std::optional<WarmThroughput> warm = {}) {
    test_.Change(key, [&](Table& table) {
      table.billing = BillingMode::kPayPerRequest;
      table.warm = warm;
    });
  }
  TablePtr Find(const TableKey& key) { return *test_.engine().catalog.Find(key); }
  // Takes so much at the item's key.
  void Use(const TableKey& key, Flow flow, std::int64_t units,
           std::optional<std::size_t> index = {}, std::string place = std::string(8, '\0')) {
    const Draw draw{
        .index = index, .flow = flow, .key = std::move(place), .units = HalfUnits(2 * units)};
    ledger_.Charge(*Find(key), {&draw, 1});
  }
  std::string KeyOf(const TableKey& key, std::string_view item) {
    return std::string(KeyPartOf(ItemRow(*Find(key), ParseItem(item))));
  }
  // "code reason resource: message"
  template <class T>
  static std::string Told(const Result<T>& result) {
    if (result) return "done";
    const auto& error = result.error();
    const auto* reasons = std::get_if<std::vector<ThrottlingReason>>(&error.detail);
    if (reasons == nullptr || reasons->size() != 1) return "another error: " + error.message;
    const std::string code = error.code == ErrorCode::kThrottling             ? "Throttling"
                             : error.code == ErrorCode::kRequestLimitExceeded ? "RequestLimit"
                                                                              : "Provisioned";
    return code + " " + reasons->front().reason + " " + reasons->front().resource + ": " +
           error.message;
  }
  Result<GetOutcome> Get(const TableKey& table) {
    return kw::engine::Get(test_.engine(), test_.call(),
                           {.table = table, .key = ParseItem(kItem), .projection = {}});
  }

  static constexpr std::string_view kItem = R"({"p":{"S":"a"},"s":{"S":"1"}})";
  TestEngine test_;
  CapacityLedger ledger_{test_.clock()};
};

// aws-model: ThrottlingReason ("ResourceType+OperationType+LimitType").
TEST_F(TrafficTest, NamesSixteenReasons) {
  EXPECT_EQ(ThrottlingReasonName(false, Flow::kRead, LimitType::kProvisionedThroughput),
            "TableReadProvisionedThroughputExceeded");
  EXPECT_EQ(ThrottlingReasonName(true, Flow::kWrite, LimitType::kAccountLimit),
            "IndexWriteAccountLimitExceeded");
  EXPECT_EQ(ThrottlingReasonName(false, Flow::kWrite, LimitType::kKeyRangeThroughput),
            "TableWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(ThrottlingReasonName(true, Flow::kRead, LimitType::kMaxOnDemandThroughput),
            "IndexReadMaxOnDemandThroughputExceeded");
}

// aws-doc: throttling-diagnosing-workflow (a provisioned table's hot partition is a
// ProvisionedThroughputExceededException).
TEST_F(TrafficTest, TellsAHotPartition) {
  const auto table = Make(5000, 5000);
  Use(table, Flow::kWrite, 1000, {}, KeyOf(table, kItem));
  EXPECT_EQ(Told(test_.Put(table, kItem)),
            "Provisioned TableWriteKeyRangeThroughputExceeded "
            "arn:aws:dynamodb:us-east-1:000000000000:table/t: The level of configured provisioned "
            "throughput for the table was exceeded. Consider increasing your provisioning level "
            "with the UpdateTable API.");
  EXPECT_EQ(Told(test_.Put(table, R"({"p":{"S":"b"},"s":{"S":"1"}})")), "done");

  SetOnDemand(table);
  Use(table, Flow::kRead, 3000, {}, KeyOf(table, kItem));
  // observed: the sentence, and that it has no full stop.
  EXPECT_EQ(Told(Get(table)),
            "Throttling TableReadKeyRangeThroughputExceeded "
            "arn:aws:dynamodb:us-east-1:000000000000:table/t: Throughput exceeds the current "
            "capacity of your table or index. DynamoDB is automatically scaling your table or "
            "index so please try again shortly. If exceptions persist, check if you have a hot "
            "key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
            "bp-partition-key-design.html");
}

// aws-doc: Programming.Errors, RequestLimitExceeded.
TEST_F(TrafficTest, TellsTheAccountsLimit) {
  const auto table = Make(1, 1);
  SetOnDemand(table, WarmThroughput{40000, 4000});
  for (int i = 0; i < 40; ++i) {
    std::string place(8, '\0');
    place[0] = static_cast<char>(i * 6);
    Use(table, Flow::kRead, 1000, {}, place);
  }
  EXPECT_EQ(Told(Get(table)),
            "RequestLimit TableReadAccountLimitExceeded "
            "arn:aws:dynamodb:us-east-1:000000000000:table/t: Throughput exceeds the current "
            "throughput limit for your account. To request a limit increase, contact AWS Support "
            "at https://aws.amazon.com/support.");
}

// aws-model: TransactionCanceledException.
TEST_F(TrafficTest, TellsAnOnDemandIndex) {
  const auto table = Make(10, 10, {Global("g", {{S("x")}, {}})});
  SetOnDemand(table);
  const auto item = ParseItem(R"({"p":{"S":"a"},"s":{"S":"1"},"x":{"S":"hot"}})");
  const auto row = IndexRowKey(*Find(table), 0, item);
  Use(table, Flow::kWrite, 1000, 0, std::string(KeyPartOf(row)));
  EXPECT_EQ(Told(test_.Put({.table = table, .item = item})),
            "Throttling IndexWriteKeyRangeThroughputExceeded "
            "arn:aws:dynamodb:us-east-1:000000000000:table/t/index/g: Throughput exceeds the "
            "current capacity for one or more global secondary indexes. DynamoDB is automatically "
            "scaling your index so please try again shortly.");
  EXPECT_EQ(ledger_.throttles().Of(true, Flow::kWrite, LimitType::kKeyRangeThroughput), 1);
  // What was not written was not paid for either: the same item at another index key passes.
  EXPECT_EQ(Told(test_.Put(table, R"({"p":{"S":"a"},"s":{"S":"1"},"x":{"S":"cold"}})")), "done");
  // It leaves the cold key for the hot one: both pay.
  test_.clock().Advance(std::chrono::seconds(1));
  EXPECT_EQ(Told(test_.Put({.table = table, .item = item})), "done");
}

TEST_F(TrafficTest, ChargesWhatWasConsumed) {
  const auto table = Make(100, 100, {Local("l", S("p"), S("x"))});
  const auto left = [&](Flow flow) {
    // How many whole units remain before a refusal.
    std::int64_t units = 0;
    const Draw one{.index = {}, .flow = flow, .key = std::string(8, '\0'), .units = HalfUnits(2)};
    while (!ledger_.Take(*Find(table), {&one, 1})) ++units;
    for (std::int64_t i = 0; i < units; ++i) ledger_.GiveBack(*Find(table), {&one, 1});
    return units;
  };
  ASSERT_EQ(left(Flow::kWrite), 100);
  // The table's write and the local index's.
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"S":"1"},"x":{"S":"y"}})"));
  EXPECT_EQ(left(Flow::kWrite), 98);
  // aws-doc: "Read and write operations": a failed condition is paid for.
  ASSERT_FALSE(test_.Put({.table = table,
                          .item = ParseItem(kItem),
                          .condition = TestEngine::ParseCondition("attribute_not_exists(p)")}));
  EXPECT_EQ(left(Flow::kWrite), 97);
  ASSERT_TRUE(test_.Delete(table, R"({"p":{"S":"none"},"s":{"S":"1"}})"));
  EXPECT_EQ(left(Flow::kWrite), 96);
  // A write that is no write at all.
  ASSERT_FALSE(test_.Put(table, R"({"p":{"S":"a"}})"));
  EXPECT_EQ(left(Flow::kWrite), 96);

  // A transaction pays twice, but not for its indexes.
  ASSERT_TRUE(test_.Wait<TransactWriteOutcome>(
      &TransactWrite,
      TransactWriteRequest{.actions = {PutRequest{.table = table, .item = ParseItem(kItem)}}}));
  EXPECT_EQ(left(Flow::kWrite), 93);

  ASSERT_TRUE(Get(table));  // half a unit
  ASSERT_TRUE(Get(table));
  EXPECT_EQ(left(Flow::kRead), 99);
  ASSERT_TRUE(kw::engine::TransactGet(test_.engine(), test_.call(),
                                      {{.table = table, .key = ParseItem(kItem)}}));
  EXPECT_EQ(left(Flow::kRead), 97);
  ASSERT_TRUE(test_.Scan({.page = {.table = table, .consistent = true}}));
  EXPECT_EQ(left(Flow::kRead), 96);
}

TEST_F(TrafficTest, ChargesAReverseQueryWhereItBegins) {
  const auto table = Make(5000, 5000);
  Use(table, Flow::kRead, 3000, {}, KeyOf(table, kItem));
  const auto query = [&](std::string_view partition) {
    return test_.Query({.page = {.table = table},
                        .key_condition = TestEngine::ParseKeyCondition(
                            "p = :p", R"({":p":{"S":")" + std::string(partition) + R"("}})"),
                        .forward = false});
  };
  EXPECT_FALSE(query("a"));
  EXPECT_TRUE(query("b"));
}

// aws-doc: TTL ("expired items are deleted without consuming write throughput").
TEST_F(TrafficTest, DeletesExpiredItemsForNothing) {
  const auto table = Make(1, 1);
  ASSERT_TRUE(test_.Put(table, R"({"p":{"S":"a"},"s":{"S":"1"},"ttl":{"N":"1"}})"));
  ASSERT_FALSE(test_.Put(table, kItem));
  auto write =
      PrepareWrite(test_.engine().catalog, DeleteRequest{.table = table, .key = ParseItem(kItem)});
  ASSERT_TRUE(write);
  std::promise<bool> deleted;
  WriteOne(
      test_.engine(), test_.call(), std::move(*write),
      [&](Result<WriteOutcome> outcome) { deleted.set_value(outcome.has_value()); },
      WriteCause::kTimeToLive);
  EXPECT_TRUE(deleted.get_future().get());
}

TEST_F(TrafficTest, GrowsAndForgetsInTheSweep) {
  const auto table = Make(5, 5);
  Use(table, Flow::kWrite, 100);
  const auto snapshot = Find(table);
  ASSERT_TRUE(RunSweeps(test_.engine()));
  const Draw draw{.index = {}, .flow = Flow::kWrite, .key = {}, .units = {}};
  EXPECT_TRUE(ledger_.Check(*snapshot, {&draw, 1}));
  ASSERT_TRUE(test_.engine().catalog.Apply(
      table, [](const TablePtr&) -> Result<Catalog::Next> { return Catalog::Next{}; }));
  ASSERT_TRUE(RunSweeps(test_.engine()));
  EXPECT_FALSE(ledger_.Check(*snapshot, {&draw, 1}));
}

}  // namespace
}  // namespace kw::engine
