// SPDX-License-Identifier: Apache-2.0
#include "engine/index_applier.h"

#include <gtest/gtest.h>

#include "engine/engine_test_support.h"

namespace kw::engine {
namespace {

using std::chrono::milliseconds;

class IndexApplierTest : public ::testing::Test {
 protected:
  std::int64_t Count(std::string_view g) {
    QueryRequest request{.page = {.table = table_, .index = "g"},
                         .key_condition = TestEngine::ParseKeyCondition(
                             "g = :g", R"({":g":{"S":")" + std::string(g) + R"("}})")};
    const auto page = engine_.Query(request);
    EXPECT_TRUE(page.has_value()) << Failure(page);
    return page ? page->count : -1;
  }
  std::int64_t Counter(std::string_view name) {
    const auto table = *engine_.engine().catalog.Find(table_);
    return *engine_.store().ReadCounter(
        {table->IndexCell(table->index_states[0]), std::string(name)});
  }
  std::size_t LogLength() {
    std::size_t length = 0;
    const auto cell = (*engine_.engine().catalog.Find(table_))->cells[0].cell;
    EXPECT_TRUE(engine_.store().VisitLog(
        cell, kChangeLog, 0, [&](std::uint64_t, std::string_view) { return ++length; }));
    return length;
  }

  TestEngine engine_{"memory:", milliseconds(100)};
  TableKey table_ = engine_.MakeTable("t", {{S("id")}, {}}, {Global("g", {{S("g")}, {}})});
  IndexApplier applier_{engine_.engine()};
};

TEST_F(IndexApplierTest, AppliesChangesNoSoonerThanTheLag) {
  const auto put = engine_.Put(table_, R"({"id":{"S":"a"},"g":{"S":"x"}})");
  ASSERT_TRUE(put.has_value());
  // The write pays for its index entry all the same.
  EXPECT_EQ(put->capacity.global.at("g").write, HalfUnits(2));
  EXPECT_EQ(*applier_.RunOnce(), 0U);
  EXPECT_EQ(Count("x"), 0);
  engine_.clock().Advance(milliseconds(99));
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"b"},"g":{"S":"x"}})"));
  engine_.clock().Advance(milliseconds(1));
  EXPECT_EQ(*applier_.RunOnce(), 1U);
  EXPECT_EQ(Count("x"), 1);
  engine_.clock().Advance(milliseconds(99));
  EXPECT_EQ(*applier_.RunOnce(), 1U);
  EXPECT_EQ(Count("x"), 2);
  EXPECT_EQ(LogLength(), 0U);
}

TEST_F(IndexApplierTest, FollowsMovesAndDeletes) {
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"g":{"S":"x"}})"));
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"g":{"S":"y"}})"));
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"b"},"g":{"S":"y"}})"));
  ASSERT_TRUE(engine_.Delete(table_, R"({"id":{"S":"b"}})"));
  engine_.clock().Advance(milliseconds(100));
  EXPECT_EQ(*applier_.RunOnce(), 4U);
  EXPECT_EQ(Count("x"), 0);
  EXPECT_EQ(Count("y"), 1);
  EXPECT_EQ(Counter(kItemsCounter), 1);
  EXPECT_EQ(Counter(kSizeCounter), 5);  // id 2 + 1, g 1 + 1
}

TEST_F(IndexApplierTest, ApplyingAgainChangesNothing) {
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"g":{"S":"x"}})"));
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"g":{"S":"y"}})"));
  const auto cell = (*engine_.engine().catalog.Find(table_))->cells[0].cell;
  std::vector<std::string> changes;
  ASSERT_TRUE(
      engine_.store().VisitLog(cell, kChangeLog, 0, [&](std::uint64_t, std::string_view record) {
        changes.emplace_back(record);
        return true;
      }));
  engine_.clock().Advance(milliseconds(100));
  EXPECT_EQ(*applier_.RunOnce(), 2U);
  ASSERT_TRUE(storage::SubmitAndWait(engine_.store(), {}, [&](auto) {
    storage::Mutation mutation;
    for (const auto& change : changes) mutation.AppendToLog(cell, kChangeLog, change);
    return mutation;
  }));
  EXPECT_EQ(*applier_.RunOnce(), 2U);
  EXPECT_EQ(Count("x"), 0);
  EXPECT_EQ(Count("y"), 1);
  EXPECT_EQ(Counter(kItemsCounter), 1);
}

TEST_F(IndexApplierTest, CatchesUpWhatARunWithALagLeftBehind) {
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"g":{"S":"x"}})"));
  engine_.engine().options.index_lag = milliseconds(0);
  EXPECT_EQ(*applier_.RunOnce(), 1U);
  EXPECT_EQ(Count("x"), 1);
}

TEST_F(IndexApplierTest, CatchesUpAlsoWhereTheClockWasSetBack) {
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"g":{"S":"x"}})"));
  engine_.clock().Advance(-std::chrono::hours(1));
  engine_.engine().options.index_lag = milliseconds(0);
  EXPECT_EQ(*applier_.RunOnce(), 1U);
  EXPECT_EQ(Count("x"), 1);
}

TEST_F(IndexApplierTest, StopEndsARunBetweenTwoBatches) {
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"g":{"S":"x"}})"));
  engine_.clock().Advance(milliseconds(100));
  applier_.Stop();
  EXPECT_EQ(*applier_.RunOnce(), 0U);
  EXPECT_EQ(LogLength(), 1U);
}

TEST_F(IndexApplierTest, ThreadStartsAndStops) {
  applier_.Start();
  applier_.Stop();
  applier_.Stop();
}

}  // namespace
}  // namespace kw::engine
