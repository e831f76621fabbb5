// SPDX-License-Identifier: Apache-2.0
// PutItem, UpdateItem, DeleteItem and GetItem over the memory store.
#include <gtest/gtest.h>

#include "data/limits.h"
#include "engine/engine_test_support.h"
#include "engine/streams.h"

namespace kw::engine {
namespace {

// {"id":"a","v":"xxx..."} of this many billed bytes: names 2 + 1, the key 1, the rest is v.
// aws-doc: Developer Guide, "DynamoDB item sizes and formats".
Item ItemOf(std::int64_t bytes) {
  Item item = ParseItem(R"({"id":{"S":"a"}})");
  item.Set("v", std::string(static_cast<std::size_t>(bytes - 4), 'x'));
  return item;
}

class WriteTest : public ::testing::Test {
 protected:
  TestEngine engine_;
  TableKey table_ = engine_.MakeTable("t", {{S("id")}, {}});

  HalfUnits PutUnits(Item item) {
    const auto put = engine_.Put({.table = table_, .item = std::move(item), .condition = {}});
    EXPECT_TRUE(put.has_value()) << Failure(put);
    return put ? put->capacity.table_write : HalfUnits(-1);
  }
};

TEST_F(WriteTest, ReadsWhatWasPutLast) {
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), "nothing");
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":"1"}})"));
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"m":{"N":"2"}})"));
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), R"({"id":{"S":"a"},"m":{"N":"2"}})");
  ASSERT_TRUE(engine_.Delete(table_, R"({"id":{"S":"a"}})"));
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), "nothing");
}

TEST_F(WriteTest, MetersWritesInKilobytesOfTheLargerItem) {
  // aws-doc: Developer Guide, "Read and write capacity modes", write units. In halves of a unit.
  EXPECT_EQ(PutUnits(ItemOf(1024)), HalfUnits(2));
  EXPECT_EQ(PutUnits(ItemOf(1025)), HalfUnits(4));
  EXPECT_EQ(PutUnits(ItemOf(10)), HalfUnits(4));  // the item before was larger
  EXPECT_EQ(PutUnits(ItemOf(10)), HalfUnits(2));
  ASSERT_EQ(PutUnits(ItemOf(3000)), HalfUnits(6));
  const auto gone = engine_.Delete(table_, R"({"id":{"S":"a"}})");
  EXPECT_EQ(gone->capacity.table_write, HalfUnits(6));
  const auto nothing = engine_.Delete(table_, R"({"id":{"S":"a"}})");
  EXPECT_EQ(nothing->capacity.table_write, HalfUnits(2));  // a delete of nothing costs 1
  EXPECT_TRUE(nothing->capacity.global.empty());
}

TEST_F(WriteTest, MetersReadsInStepsOfFourKilobytes) {
  const auto units = [&](bool consistent) {
    const auto got = Get(engine_.engine(), engine_.call(),
                         {.table = table_,
                          .key = ParseItem(R"({"id":{"S":"a"}})"),
                          .consistent = consistent,
                          .projection = {}});
    return got->capacity.table_read;
  };
  // aws-doc: Developer Guide, "Read and write capacity modes". In halves of a unit.
  EXPECT_EQ(units(false), HalfUnits(1));  // a missing item costs the minimum
  EXPECT_EQ(units(true), HalfUnits(2));
  PutUnits(ItemOf(4097));
  EXPECT_EQ(units(false), HalfUnits(2));
  EXPECT_EQ(units(true), HalfUnits(4));
}

TEST_F(WriteTest, ProjectsWhatWasRead) {
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":"1"},"m":{"N":"2"}})"));
  const auto got = [&](std::string_view paths) {
    return ToJson(Get(engine_.engine(), engine_.call(),
                      {.table = table_,
                       .key = ParseItem(R"({"id":{"S":"a"}})"),
                       .projection = TestEngine::ParseProjection(paths)})
                      ->item);
  };
  EXPECT_EQ(got("m"), R"({"m":{"N":"2"}})");
  EXPECT_EQ(got("nowhere"), "{}");
}

TEST_F(WriteTest, FailedConditionsChangeNothingAndShowTheOldItemIfAsked) {
  const auto put = [&](FailureReturn on_failure) {
    return engine_.Put({.table = table_,
                        .item = ParseItem(R"({"id":{"S":"a"},"n":{"N":"2"}})"),
                        .condition = TestEngine::ParseCondition("attribute_not_exists(id)"),
                        .on_failure = on_failure});
  };
  ASSERT_TRUE(put(FailureReturn::kNone));
  auto failed = put(FailureReturn::kNone);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kConditionalCheckFailed);
  // aws-doc: API_PutItem, ConditionalCheckFailedException.
  EXPECT_EQ(failed.error().message, "The conditional request failed");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(failed.error().detail));
  failed = put(FailureReturn::kAllOld);
  EXPECT_EQ(ToJson(std::get<OldItem>(failed.error().detail).stored),
            R"({"id":{"S":"a"},"n":{"N":"2"}})");
}

TEST_F(WriteTest, FailedConditionOnNothingShowsNothing) {
  const auto failed =
      engine_.Delete({.table = table_,
                      .key = ParseItem(R"({"id":{"S":"a"}})"),
                      .condition = TestEngine::ParseCondition("attribute_exists(id)"),
                      .on_failure = FailureReturn::kAllOld});
  ASSERT_FALSE(failed);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(failed.error().detail));
}

TEST_F(WriteTest, ReturnsTheOldItem) {
  const auto put = [&] {
    return engine_.Put({.table = table_,
                        .item = ParseItem(R"({"id":{"S":"a"},"n":{"N":"1"}})"),
                        .condition = {},
                        .returns = PutReturn::kAllOld});
  };
  EXPECT_EQ(ToJson(put()->attributes), "nothing");
  EXPECT_EQ(ToJson(put()->attributes), R"({"id":{"S":"a"},"n":{"N":"1"}})");
  const auto gone = engine_.Delete({.table = table_,
                                    .key = ParseItem(R"({"id":{"S":"a"}})"),
                                    .condition = {},
                                    .returns = DeleteReturn::kAllOld});
  EXPECT_EQ(ToJson(gone->attributes), R"({"id":{"S":"a"},"n":{"N":"1"}})");
}

TEST_F(WriteTest, UpdatesMakeItemsAndReturnWhatWasAskedFor) {
  const std::string_view key = R"({"id":{"S":"a"}})";
  const auto update = [&](UpdateReturn returns) {
    return ToJson(
        engine_.Update(table_, key, "ADD n :one", R"({":one":{"N":"1"}})", returns)->attributes);
  };
  // aws-doc: API_UpdateItem, ReturnValues.
  EXPECT_EQ(update(UpdateReturn::kUpdatedOld), "nothing");
  EXPECT_EQ(update(UpdateReturn::kUpdatedOld), R"({"n":{"N":"1"}})");
  EXPECT_EQ(update(UpdateReturn::kUpdatedNew), R"({"n":{"N":"3"}})");
  EXPECT_EQ(update(UpdateReturn::kAllOld), R"({"id":{"S":"a"},"n":{"N":"3"}})");
  EXPECT_EQ(update(UpdateReturn::kAllNew), R"({"id":{"S":"a"},"n":{"N":"5"}})");
  EXPECT_EQ(update(UpdateReturn::kNone), "nothing");
}

TEST_F(WriteTest, AnUpdateThatOnlyRemovesMakesNoItem) {
  // assumed of expressions; aws-doc: API_AttributeValueUpdate says it of AttributeUpdates
  ASSERT_TRUE(engine_.Update(table_, R"({"id":{"S":"a"}})", "REMOVE n"));
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), "nothing");
}

TEST_F(WriteTest, AnUpdateWithoutActionsMakesTheItem) {
  ASSERT_TRUE(engine_.Update(
      {.table = table_, .key = ParseItem(R"({"id":{"S":"a"}})"), .update = {}, .condition = {}}));
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), R"({"id":{"S":"a"}})");
}

TEST_F(WriteTest, RefusesToUpdateKeys) {
  const auto failed =
      engine_.Update(table_, R"({"id":{"S":"a"}})", "SET id = :v", R"({":v":{"S":"b"}})");
  // observed: facts/api.md names the rule; the sentence is the service's of many years.
  EXPECT_EQ(Failure(failed),
            "One or more parameter values were invalid: Cannot update attribute id. This attribute "
            "is part of the key");
}

TEST_F(WriteTest, HoldsItemsAgainstTheSizeLimit) {
  PutUnits(ItemOf(limits::kItemBytesMax));
  const auto failed =
      engine_.Put({.table = table_, .item = ItemOf(limits::kItemBytesMax + 1), .condition = {}});
  // observed: facts/api.md.
  EXPECT_EQ(Failure(failed), "Item size has exceeded the maximum allowed size");
}

TEST_F(WriteTest, HoldsUpdatesAgainstTheirOwnSizeRule) {
  // observed: facts/api.md "Measured rules": max(item, item - keys + 3 + 19 for each writing
  // action). The key is 3 bytes, n costs 1 + 2: an item of v + 6 bytes is charged v + 3 + 3 + 19.
  const auto update = [&](std::int64_t item_bytes) {
    auto item = ItemOf(item_bytes - 3);
    PutUnits(std::move(item));
    return Failure(
        engine_.Update(table_, R"({"id":{"S":"a"}})", "SET n = :v", R"({":v":{"N":"1"}})"));
  };
  EXPECT_EQ(update(limits::kItemBytesMax - 19), "done");
  EXPECT_EQ(update(limits::kItemBytesMax - 18),
            "Item size to update has exceeded the maximum allowed size");
}

TEST_F(WriteTest, CountsItemsAndBytes) {
  const auto table = *engine_.engine().catalog.Find(table_);
  const auto counter = [&](std::string_view name) {
    return *engine_.store().ReadCounter({table->cells[0].cell, std::string(name)});
  };
  PutUnits(ItemOf(100));
  PutUnits(ItemOf(50));
  EXPECT_EQ(counter(kItemsCounter), 1);
  EXPECT_EQ(counter(kSizeCounter), 50);
  ASSERT_TRUE(engine_.Delete(table_, R"({"id":{"S":"a"}})"));
  EXPECT_EQ(counter(kItemsCounter), 0);
  EXPECT_EQ(counter(kSizeCounter), 0);
}

TEST_F(WriteTest, RefusesTablesThatAreNotThere) {
  const TableKey none{"000000000000", "us-east-1", "none"};
  const auto failed = engine_.Put(none, R"({"id":{"S":"a"}})");
  EXPECT_EQ(failed.error().code, ErrorCode::kResourceNotFound);
  engine_.Change(table_, [](Table& table) { table.status = TableStatus::kCreating; });
  EXPECT_EQ(Failure(engine_.Put(table_, R"({"id":{"S":"a"}})")), "Requested resource not found");
}

TEST_F(WriteTest, KeepsNoChangeLogForStreams) {
  engine_.Change(table_, [&](Table& table) {
    StartStream(table, StreamView::kNewAndOldImages, engine_.clock().Now());
  });
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"}})"));
  const auto cell = (*engine_.engine().catalog.Find(table_))->cells[0].cell;
  EXPECT_EQ(*engine_.store().LogEnd(cell, kChangeLog), 0U);
}

class CollectionTest : public ::testing::Test {
 protected:
  TestEngine engine_;
  TableKey table_ = engine_.MakeTable("t", {{S("pk")}, {S("sk")}},
                                      {Local("by_n", S("pk"), N("n"), ProjectKeys{})});
};

TEST_F(CollectionTest, ReportsTheCollectionWithItsIndexEntries) {
  const auto put =
      engine_.Put(table_, R"({"pk":{"S":"p"},"sk":{"S":"a"},"n":{"N":"1"},"v":{"S":"xyz"}})");
  ASSERT_TRUE(put.has_value());
  ASSERT_TRUE(put->collection.has_value());
  EXPECT_EQ(ToJson(put->collection->key), R"({"pk":{"S":"p"}})");
  // assumed: items and local index entries, without storage overhead.
  // The item: pk 3, sk 3, n 1 + 2, v 4 = 13; the entry: 9.
  EXPECT_EQ(put->collection->size, ByteCount(22));
  const auto gone = engine_.Delete(table_, R"({"pk":{"S":"p"},"sk":{"S":"a"}})");
  EXPECT_EQ(gone->collection->size, ByteCount(0));
}

TEST_F(CollectionTest, LeavesNoRowOfAnEmptyCollection) {
  const auto rows = [&] {
    std::size_t count = 0;
    const auto cell = (*engine_.engine().catalog.Find(table_))->cells[0].cell;
    EXPECT_TRUE(
        engine_.store().Visit({.cell = cell}, storage::Wait::kMayBlock,
                              [&](std::string_view, std::string_view) { return ++count > 0; }));
    return count;
  };
  const auto item = ParseItem(R"({"pk":{"S":"p"},"sk":{"S":"a"}})");
  const auto transact = [&](TransactWriteAction action) {
    TransactWriteRequest request;
    request.actions.push_back(std::move(action));
    return engine_.Wait(&TransactWrite, std::move(request));
  };
  const PutRequest put{.table = table_, .item = item, .condition = {}};
  const DeleteRequest erase{.table = table_, .key = item, .condition = {}};
  ASSERT_TRUE(engine_.Put(put));
  EXPECT_EQ(rows(), 2U);  // the item's and the collection's
  ASSERT_TRUE(engine_.Delete(erase));
  EXPECT_EQ(rows(), 0U);
  ASSERT_TRUE(transact(put));
  EXPECT_EQ(rows(), 2U);
  ASSERT_TRUE(transact(erase));
  EXPECT_EQ(rows(), 0U);
}

TEST_F(CollectionTest, RefusesACollectionOverTenGigabytes) {
  const auto row =
      CollectionRow(**engine_.engine().catalog.Find(table_), ParseItem(R"({"pk":{"S":"p"}})"));
  ASSERT_TRUE(storage::SubmitAndWait(engine_.store(), {}, [&](auto) {
    storage::Mutation mutation;
    PutCollectionSize(row, ByteCount(limits::kItemCollectionBytesMax - 6), mutation);
    return mutation;
  }));
  EXPECT_EQ(Failure(engine_.Put(table_, R"({"pk":{"S":"p"},"sk":{"S":"a"}})")), "done");
  const auto failed = engine_.Put(table_, R"({"pk":{"S":"p"},"sk":{"S":"b"}})");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kItemCollectionSizeLimitExceeded);
  // aws-doc: API_TransactWriteItems, cancellation reason "Collection size exceeded."
  EXPECT_EQ(failed.error().message, "Collection size exceeded.");
}

// What an index's entry costs, by hand, in halves of a unit.
// observed: facts/metering.md "Index writes".
TEST(IndexUnitsTest, FollowTheChangeOfTheStoredView) {
  TestEngine engine;
  const auto table =
      engine.MakeTable("t", {{S("id")}, {}}, {Global("g", {{S("g")}, {}}, ProjectInclude{{"p"}})});
  const auto units = [](const Result<WriteOutcome>& write) {
    EXPECT_TRUE(write.has_value()) << Failure(write);
    const auto found = write->capacity.global.find("g");
    return found == write->capacity.global.end() ? HalfUnits(0) : found->second.write;
  };
  const auto put = [&](std::string_view rest) {
    return units(engine.Put(table, R"({"id":{"S":"a"})" + std::string(rest) + "}"));
  };
  EXPECT_EQ(put(R"(,"v":{"N":"1"})"), HalfUnits(0));                // not in the index
  EXPECT_EQ(put(R"(,"g":{"S":"x"})"), HalfUnits(2));                // a new entry
  EXPECT_EQ(put(R"(,"g":{"S":"x"},"v":{"N":"1"})"), HalfUnits(0));  // nothing projected
  EXPECT_EQ(put(R"(,"g":{"S":"x"},"p":{"N":"1"})"), HalfUnits(2));  // a projected attribute
  EXPECT_EQ(put(R"(,"g":{"S":"y"},"p":{"N":"1"})"), HalfUnits(4));  // delete and put
  EXPECT_EQ(put(""), HalfUnits(2));                                 // delete
  EXPECT_EQ(put(R"(,"g":{"S":"y"})"), HalfUnits(2));
  EXPECT_EQ(units(engine.Delete(table, R"({"id":{"S":"a"}})")), HalfUnits(2));
}

TEST(IndexKeyTest, RefusesIndexKeysOfTheWrongTypeOrSize) {
  TestEngine engine;
  const auto table = engine.MakeTable("t", {{S("id")}, {}}, {Global("g", {{S("g")}, {}})});
  EXPECT_FALSE(engine.Put(table, R"({"id":{"S":"a"},"g":{"N":"1"}})"));
  const auto update = [&](std::string_view value) {
    return Failure(engine.Update(table, R"({"id":{"S":"a"}})", "SET g = :v",
                                 R"({":v":)" + std::string(value) + "}"));
  };
  // aws-doc: re:Post, "Why does my TransactWriteItems API call fail", both sentences, of
  // transactions; that UpdateItem says the same is assumed.
  EXPECT_EQ(
      update(R"({"N":"1"})"),
      "The update expression attempted to update the secondary index key to unsupported type");
  EXPECT_EQ(update(R"({"S":")" + std::string(2049, 'x') + R"("})"),
            "The update expression attempted to update the secondary index key beyond allowed size "
            "limits");
  EXPECT_EQ(engine.Read(table, R"({"id":{"S":"a"}})"), "nothing");
}

TEST(StaleTableTest, AWriteStartsAgainUnderTheNewestTable) {
  TestEngine engine;
  const auto table = engine.MakeTable("t", {{S("id")}, {}});
  // Submitted from a decision, so that the table changes before the write is decided.
  struct Meddler final : storage::Update {
    std::function<void()> decide;
    std::promise<void> done;
    std::span<const storage::RowKey> Sees() const override { return {}; }
    storage::Mutation Decide(std::span<const std::optional<std::string_view>>) override {
      decide();
      return {};
    }
    void Done(storage::StoreResult<void>) override { done.set_value(); }
  };
  const auto old = *engine.engine().catalog.Find(table);
  std::promise<Result<WriteOutcome>> answer;
  auto meddler = std::make_unique<Meddler>();
  auto met = meddler->done.get_future();
  meddler->decide = [&] {
    Put(engine.engine(), engine.call(),
        {.table = table, .item = ParseItem(R"({"id":{"S":"a"}})"), .condition = {}},
        [&](Result<WriteOutcome> outcome) { answer.set_value(std::move(outcome)); });
    old->stale.store(true);
  };
  // The snapshot in the catalog is the stale one: the write gives up in the end, and says so.
  engine.store().Submit(std::move(meddler));
  met.wait();
  EXPECT_EQ(Failure(answer.get_future().get()), "The table keeps changing.");
}

}  // namespace
}  // namespace kw::engine
