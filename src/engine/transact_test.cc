// SPDX-License-Identifier: Apache-2.0
// Batches and transactions over the memory store.
#include <gtest/gtest.h>

#include "data/limits.h"
#include "engine/engine_test_support.h"
#include "engine/tokens.h"

namespace kw::engine {
namespace {

class TransactTest : public ::testing::Test {
 protected:
  PutRequest PutOf(std::string_view item) const {
    return {.table = table_, .item = ParseItem(item), .condition = {}};
  }
  ConditionCheckRequest CheckOf(std::string_view key, std::string_view condition,
                                FailureReturn on_failure = FailureReturn::kNone) const {
    return {.table = table_,
            .key = ParseItem(key),
            .condition = TestEngine::ParseCondition(condition),
            .on_failure = on_failure};
  }
  Result<TransactWriteOutcome> Write(std::vector<TransactWriteAction> actions,
                                     std::optional<std::string> token = {},
                                     std::uint64_t fingerprint = 0) {
    return engine_.Wait(&TransactWrite, TransactWriteRequest{.actions = std::move(actions),
                                                             .token = std::move(token),
                                                             .fingerprint = fingerprint});
  }

  TestEngine engine_;
  TableKey table_ = engine_.MakeTable("t", {{S("id")}, {}}, {Global("g", {{S("g")}, {}})});
};

TEST_F(TransactTest, WritesAllOrNothingWithAReasonForEach) {
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"b"},"n":{"N":"1"}})"));
  const auto failed =
      Write({PutOf(R"({"id":{"S":"a"}})"),
             CheckOf(R"({"id":{"S":"b"}})", "attribute_not_exists(id)", FailureReturn::kAllOld)});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kTransactionCanceled);
  // observed: AWS re:Post, "Why does my TransactWriteItems API call fail".
  EXPECT_EQ(failed.error().message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ConditionalCheckFailed]");
  const auto& reasons = std::get<std::vector<CancellationReason>>(failed.error().detail);
  EXPECT_EQ(reasons[0].code, "None");
  EXPECT_FALSE(reasons[0].message.has_value());
  EXPECT_EQ(reasons[1].message, "The conditional request failed");
  EXPECT_EQ(ToJson(reasons[1].item), R"({"id":{"S":"b"},"n":{"N":"1"}})");
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), "nothing");
}

TEST_F(TransactTest, MetersTheTableTwiceAndIndexesOnce) {
  const auto written = Write({PutOf(R"({"id":{"S":"a"},"g":{"S":"x"}})"),
                              CheckOf(R"({"id":{"S":"b"}})", "attribute_not_exists(id)")});
  ASSERT_TRUE(written.has_value()) << Failure(written);
  ASSERT_EQ(written->capacities.size(), 1U);
  // observed: facts/metering.md. Halves of a unit: the Put 2 units, the check 2, the index 1.
  EXPECT_EQ(written->capacities[0].capacity.table_write, HalfUnits(8));
  EXPECT_EQ(written->capacities[0].capacity.global.at("g").write, HalfUnits(2));
}

TEST_F(TransactTest, RefusesTwoActionsOnOneItem) {
  const auto failed =
      Write({PutOf(R"({"id":{"S":"a"}})"), CheckOf(R"({"id":{"S":"a"}})", "attribute_exists(id)")});
  EXPECT_EQ(failed.error().code, ErrorCode::kValidation);
  // observed: AWS re:Post, "Why does my TransactWriteItems API call fail".
  EXPECT_EQ(failed.error().message,
            "Transaction request cannot include multiple operations on one item");
}

TEST_F(TransactTest, AnOversizedUpdateIsAReasonAnOversizedPutIsNot) {
  Item item = ParseItem(R"({"id":{"S":"a"}})");
  item.Set("v", std::string(limits::kItemBytesMax - 10, 'x'));
  ASSERT_TRUE(engine_.Put({.table = table_, .item = item, .condition = {}}));
  const auto update = Write({UpdateRequest{
      .table = table_,
      .key = ParseItem(R"({"id":{"S":"a"}})"),
      .update = TestEngine::ParseUpdate("SET w = :w", R"({":w":{"S":"0123456789"}})"),
      .condition = {}}});
  ASSERT_EQ(update.error().code, ErrorCode::kTransactionCanceled);
  const auto& reason = std::get<std::vector<CancellationReason>>(update.error().detail)[0];
  // observed: facts/api.md "Measured rules".
  EXPECT_EQ(reason.code, "ValidationError");
  EXPECT_EQ(reason.message, "Item size to update has exceeded the maximum allowed size");
  item.Set("v", std::string(limits::kItemBytesMax, 'x'));
  const auto put = Write({PutRequest{.table = table_, .item = item, .condition = {}}});
  EXPECT_EQ(put.error().code, ErrorCode::kValidation);
}

TEST_F(TransactTest, RefusesMoreThanFourMegabytes) {
  std::vector<TransactWriteAction> actions;
  for (int n = 0; n < 11; ++n) {
    Item item = ParseItem(R"({"id":{"S":"a"}})");
    item.Set("id", std::to_string(n));
    item.Set("v", std::string(400'000, 'x'));
    actions.emplace_back(PutRequest{.table = table_, .item = std::move(item), .condition = {}});
  }
  auto ten = actions;
  ten.pop_back();
  EXPECT_EQ(Failure(Write(std::move(ten))), "done");
  EXPECT_EQ(Write(std::move(actions)).error().code, ErrorCode::kValidation);
}

TEST_F(TransactTest, TokensMakeReplaysHarmlessForTenMinutes) {
  const auto add = [&](std::uint64_t fingerprint) {
    return Write(
        {UpdateRequest{.table = table_,
                       .key = ParseItem(R"({"id":{"S":"a"}})"),
                       .update = TestEngine::ParseUpdate("ADD n :v", R"({":v":{"N":"1"}})"),
                       .condition = {}}},
        "token", fingerprint);
  };
  ASSERT_TRUE(add(1).has_value());
  const auto replay = add(1);
  ASSERT_TRUE(replay.has_value()) << Failure(replay);
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), R"({"id":{"S":"a"},"n":{"N":"1"}})");
  // aws-doc: API_TransactWriteItems, ClientRequestToken: a replay reports read units. That they are
  // transactional ones is assumed.
  EXPECT_EQ(replay->capacities[0].capacity.table_read, HalfUnits(4));
  EXPECT_EQ(replay->capacities[0].capacity.table_write, HalfUnits(0));
  EXPECT_EQ(add(2).error().code, ErrorCode::kIdempotentParameterMismatch);

  engine_.clock().Advance(std::chrono::minutes(10));
  ASSERT_TRUE(add(1).has_value());
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), R"({"id":{"S":"a"},"n":{"N":"1"}})");
  engine_.clock().Advance(std::chrono::milliseconds(1));
  ASSERT_TRUE(add(1).has_value());
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), R"({"id":{"S":"a"},"n":{"N":"2"}})");
}

TEST_F(TransactTest, ACancelledTransactionLeavesNoToken) {
  const auto write = [&] {
    return Write({CheckOf(R"({"id":{"S":"a"}})", "attribute_exists(id)")}, "token", 1);
  };
  EXPECT_FALSE(write());
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"}})"));
  EXPECT_TRUE(write());
}

TEST_F(TransactTest, SweepsExpiredTokensOnly) {
  ASSERT_TRUE(Write({PutOf(R"({"id":{"S":"a"}})")}, "old", 1));
  engine_.clock().Advance(std::chrono::minutes(6));
  ASSERT_TRUE(Write({PutOf(R"({"id":{"S":"a"}})")}, "young", 1));
  EXPECT_EQ(*SweepTokens(engine_.engine()), 0U);
  engine_.clock().Advance(std::chrono::minutes(5));
  EXPECT_EQ(*SweepTokens(engine_.engine()), 1U);
  EXPECT_EQ(Write({PutOf(R"({"id":{"S":"b"}})")}, "young", 2).error().code,
            ErrorCode::kIdempotentParameterMismatch);
  engine_.clock().Advance(std::chrono::minutes(11));
  EXPECT_EQ(*SweepTokens(engine_.engine()), 1U);
  int rows = 0;
  ASSERT_TRUE(
      engine_.store().Visit({.cell = kTokenCell}, storage::Wait::kMayBlock,
                            [&](std::string_view, std::string_view) { return ++rows > 0; }));
  EXPECT_EQ(rows, 0);
}

TEST_F(TransactTest, GetsFromOneSnapshotEachMeteredByItself) {
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":"1"}})"));
  const auto get = [&](std::string_view key) {
    return GetRequest{.table = table_, .key = ParseItem(key), .projection = {}};
  };
  const auto got = TransactGet(engine_.engine(), engine_.call(),
                               {get(R"({"id":{"S":"none"}})"), get(R"({"id":{"S":"a"}})")});
  ASSERT_TRUE(got.has_value());
  EXPECT_FALSE(got->items[0].has_value());
  EXPECT_EQ(ToJson(got->items[1]), R"({"id":{"S":"a"},"n":{"N":"1"}})");
  EXPECT_EQ(got->capacities[0].capacity.table_read, HalfUnits(8));  // 2 units each
  EXPECT_EQ(Failure(TransactGet(engine_.engine(), engine_.call(),
                                {get(R"({"id":{"S":"a"}})"), get(R"({"id":{"S":"a"}})")})),
            "Transaction request cannot include multiple operations on one item");
}

TEST_F(TransactTest, BatchesWriteEachItemByItself) {
  BatchWriteTable writes{.table = table_, .name_as_sent = "t", .writes = {}};
  for (int n = 0; n < 25; ++n) {
    writes.writes.emplace_back(
        PutOf(R"({"id":{"S":")" + std::to_string(n) + R"("},"g":{"S":"x"}})"));
  }
  const auto written = engine_.Wait(&BatchWrite, std::vector{writes});
  ASSERT_TRUE(written.has_value()) << Failure(written);
  EXPECT_EQ(written->tables[0].capacity.table_write, HalfUnits(50));
  EXPECT_EQ(written->tables[0].capacity.global.at("g").write, HalfUnits(50));
  EXPECT_TRUE(written->tables[0].unprocessed.empty());

  writes.writes.resize(1);
  writes.writes.emplace_back(
      DeleteRequest{.table = table_, .key = ParseItem(R"({"id":{"S":"0"}})"), .condition = {}});
  // aws-doc: API_BatchWriteItem; the sentence is observed in many SDK issues.
  EXPECT_EQ(Failure(engine_.Wait(&BatchWrite, std::vector{writes})),
            "Provided list of item keys contains duplicates");
}

TEST_F(TransactTest, BatchesGetWithinSixteenMegabytes) {
  BatchGetTable gets{.table = table_, .name_as_sent = "t", .keys = {}, .projection = {}};
  for (int n = 0; n < 45; ++n) {
    Item item;
    item.Set("id", std::to_string(n));
    gets.keys.push_back(item);
    item.Set("v", std::string(400'000, 'x'));
    ASSERT_TRUE(engine_.Put({.table = table_, .item = std::move(item), .condition = {}}));
  }
  const auto got = BatchGet(engine_.engine(), engine_.call(), {gets});
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->tables[0].items.size(), 41U);  // 41 * 400,0xx < 16 MB < 42 * 400,0xx
  EXPECT_EQ(got->tables[0].unprocessed, (std::vector<std::size_t>{41, 42, 43, 44}));
  EXPECT_EQ(got->tables[0].capacity.table_read, HalfUnits(41 * 98));  // 97.7 steps of 4 KB, half

  gets.keys.resize(1);
  gets.keys.push_back(gets.keys[0]);
  EXPECT_EQ(Failure(BatchGet(engine_.engine(), engine_.call(), {gets})),
            "Provided list of item keys contains duplicates");
}

TEST(TransactCollectionTest, CountsEachItemOfACollectionOnce) {
  TestEngine engine;
  const auto table =
      engine.MakeTable("t", {{S("pk")}, {S("sk")}}, {Local("l", S("pk"), N("n"), ProjectKeys{})});
  const auto put = [&](std::string_view sort) {
    return PutRequest{
        .table = table,
        .item = ParseItem(R"({"pk":{"S":"p"},"sk":{"S":")" + std::string(sort) + R"("}})"),
        .condition = {}};
  };
  const auto written = engine.Wait(
      &TransactWrite, TransactWriteRequest{.actions = {put("a"), put("b"), put("c")}, .token = {}});
  ASSERT_TRUE(written.has_value()) << Failure(written);
  // A check of another collection does not touch it.
  const auto checked =
      engine.Wait(&TransactWrite,
                  TransactWriteRequest{
                      .actions = {ConditionCheckRequest{
                          .table = table,
                          .key = ParseItem(R"({"pk":{"S":"q"},"sk":{"S":"a"}})"),
                          .condition = TestEngine::ParseCondition("attribute_not_exists(pk)")}}});
  ASSERT_TRUE(checked.has_value()) << Failure(checked);
  EXPECT_TRUE(checked->collections.empty());
  ASSERT_EQ(written->collections.size(), 1U);
  EXPECT_EQ(written->collections[0].collection.size, ByteCount(18));
  EXPECT_EQ(engine.Put(put("a"))->collection->size, ByteCount(18));
}

}  // namespace
}  // namespace kw::engine
