// SPDX-License-Identifier: Apache-2.0
// Query and Scan over the memory store.
#include <gtest/gtest.h>

#include <set>

#include "engine/engine_test_support.h"

namespace kw::engine {
namespace {

class PageTest : public ::testing::Test {
 protected:
  PageTest() {
    for (int n = 1; n <= 5; ++n) {
      const auto text = std::to_string(n);
      EXPECT_TRUE(engine_.Put(table_, R"({"pk":{"S":"p"},"sk":{"N":")" + text +
                                          R"("},"g":{"S":"G"},"v":{"N":")" + text + R"("}})"));
    }
    EXPECT_TRUE(engine_.Put(table_, R"({"pk":{"S":"q"},"sk":{"N":"9"}})"));
  }

  QueryRequest Request(std::string_view condition, std::string_view values) {
    return {.page = {.table = table_},
            .key_condition = TestEngine::ParseKeyCondition(condition, values)};
  }
  // The numbers under "sk" of what a query answers.
  std::string Numbers(const QueryRequest& request) {
    const auto page = engine_.Query(request);
    if (!page) return page.error().message;
    std::string numbers;
    for (const auto& stored : page->items) {
      numbers += LoadAttribute(stored, "sk")->As<Number>()->ToString() + " ";
    }
    return numbers;
  }

  TestEngine engine_;
  TableKey table_ = engine_.MakeTable(
      "t", {{S("pk")}, {N("sk")}},
      {Global("g", {{S("g")}, {}}, ProjectKeys{}), Local("l", S("pk"), N("v"), ProjectKeys{})});
};

TEST_F(PageTest, ReadsRangesOfSortKeys) {
  const std::string values = R"({":p":{"S":"p"},":a":{"N":"2"},":b":{"N":"4"}})";
  const auto one = [&](std::string_view rest) {
    return Numbers(Request("pk = :p" + std::string(rest), values));
  };
  EXPECT_EQ(one(""), "1 2 3 4 5 ");
  EXPECT_EQ(one(" AND sk = :a"), "2 ");
  EXPECT_EQ(one(" AND sk < :a"), "1 ");
  EXPECT_EQ(one(" AND sk <= :a"), "1 2 ");
  EXPECT_EQ(one(" AND sk > :b"), "5 ");
  EXPECT_EQ(one(" AND sk >= :b"), "4 5 ");
  EXPECT_EQ(one(" AND sk BETWEEN :a AND :b"), "2 3 4 ");
  auto backwards = Request("pk = :p AND sk >= :a", values);
  backwards.forward = false;
  EXPECT_EQ(Numbers(backwards), "5 4 3 2 ");
}

TEST_F(PageTest, PagesThroughAPartitionBothWays) {
  for (const bool forward : {true, false}) {
    auto request = Request("pk = :p", R"({":p":{"S":"p"}})");
    request.forward = forward;
    request.page.limit = 2;
    std::string seen;
    int pages = 0;
    do {
      const auto page = engine_.Query(request);
      ASSERT_TRUE(page.has_value());
      for (const auto& stored : page->items) {
        seen += LoadAttribute(stored, "sk")->As<Number>()->ToString();
      }
      request.page.start = page->last_key;
      ++pages;
    } while (request.page.start);
    EXPECT_EQ(seen, forward ? "12345" : "54321");
    EXPECT_EQ(pages, 3);
  }
}

TEST_F(PageTest, AnswersACursorWheneverTheLimitWasReached) {
  auto request = Request("pk = :p", R"({":p":{"S":"p"}})");
  request.page.limit = 5;
  const auto page = engine_.Query(request);
  // observed: facts, "Limit counts items read"; that the last page has a cursor is assumed.
  EXPECT_EQ(page->scanned, 5);
  ASSERT_TRUE(page->last_key.has_value());
  EXPECT_EQ(ToJson(*page->last_key), R"({"pk":{"S":"p"},"sk":{"N":"5"}})");
  request.page.start = page->last_key;
  EXPECT_EQ(engine_.Query(request)->scanned, 0);
}

TEST_F(PageTest, FiltersAfterReading) {
  auto request = Request("pk = :p", R"({":p":{"S":"p"}})");
  request.page.limit = 3;
  request.page.filter =
      TestEngine::ParseCondition("v = :v", R"({":v":{"N":"2"}})", ConditionKind::kFilter);
  const auto page = engine_.Query(request);
  EXPECT_EQ(page->count, 1);
  EXPECT_EQ(page->scanned, 3);
  EXPECT_TRUE(page->last_key.has_value());
}

TEST_F(PageTest, CountsWithoutItems) {
  auto request = Request("pk = :p", R"({":p":{"S":"p"}})");
  request.page.select = Select::kCount;
  const auto page = engine_.Query(request);
  EXPECT_EQ(page->count, 5);
  EXPECT_TRUE(page->items.empty());
}

TEST_F(PageTest, MetersThePageAsAWhole) {
  // 200 items of 2 KB = 400 KB = 100 units strong, 50 eventual: observed, facts/metering.md.
  const auto table = engine_.MakeTable("two_kb", {{S("pk")}, {N("sk")}});
  for (int n = 0; n < 200; ++n) {
    Item item = ParseItem(R"({"pk":{"S":"p"},"sk":{"N":"1000"}})");
    item.Set("sk", Number::FromInteger(1001 + n));
    // pk 3, sk 2 + up to 3, v 1.
    const auto rest = 2048 - SizeOf(item).value() - 1;
    item.Set("v", std::string(static_cast<std::size_t>(rest), 'x'));
    ASSERT_TRUE(engine_.Put({.table = table, .item = item, .condition = {}}));
  }
  auto request = Request("pk = :p", R"({":p":{"S":"p"}})");
  request.page.table = table;
  EXPECT_EQ(engine_.Query(request)->capacity.table_read, HalfUnits(100));
  request.page.consistent = true;
  EXPECT_EQ(engine_.Query(request)->capacity.table_read, HalfUnits(200));
  // An empty page costs the minimum.
  auto empty = Request("pk = :p", R"({":p":{"S":"none"}})");
  EXPECT_EQ(engine_.Query(empty)->capacity.table_read, HalfUnits(1));
}

TEST_F(PageTest, StopsBehindOneMegabyte) {
  const auto table = engine_.MakeTable("big", {{S("pk")}, {N("sk")}});
  for (int n = 1; n <= 4; ++n) {
    Item item = ParseItem(R"({"pk":{"S":"p"}})");
    item.Set("sk", Number::FromInteger(n));
    item.Set("v", std::string(400'000, 'x'));
    ASSERT_TRUE(engine_.Put({.table = table, .item = item, .condition = {}}));
  }
  auto request = Request("pk = :p", R"({":p":{"S":"p"}})");
  request.page.table = table;
  // assumed: the item that crosses the limit belongs to the page.
  const auto page = engine_.Query(request);
  EXPECT_EQ(page->count, 3);
  request.page.start = page->last_key;
  EXPECT_EQ(engine_.Query(request)->count, 1);
  engine_.call().wait = storage::Wait::kMemoryOnly;
  EXPECT_EQ(engine_.Query(request).error().code, ErrorCode::kWouldBlock);
}

TEST_F(PageTest, EndsEarlyWhereTheFilterIsDear) {
  const auto table = engine_.MakeTable("dear", {{S("pk")}, {N("sk")}});
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(
        engine_.Put(table, R"({"pk":{"S":"p"},"sk":{"N":")" + std::to_string(i) + R"("}})"));
  }
  // 60 uses of 1.9 MB for each item: two items are still within the bound, the third is not.
  std::string filter = "contains(:v, x)";
  for (int i = 1; i < 60; ++i) filter += " OR contains(:v, x)";
  auto values = engine_.Values(R"({":v":{"S":")" + std::string(1'900'000, 'x') + R"("}})");
  auto request = Request("pk = :p", R"({":p":{"S":"p"}})");
  request.page.table = table;
  request.page.filter = *Condition::Parse(filter, ConditionKind::kFilter, values);
  const auto page = engine_.Query(request);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->scanned, 3);
  request.page.start = page->last_key;
  EXPECT_EQ(engine_.Query(request)->scanned, 1);
  engine_.call().wait = storage::Wait::kMemoryOnly;
  EXPECT_EQ(engine_.Query(request).error().code, ErrorCode::kWouldBlock);
}

TEST_F(PageTest, RefusesStartKeysThatDoNotFit) {
  const std::string values = R"({":p":{"S":"p"},":a":{"N":"2"}})";
  const auto failure = [&](std::string_view start) {
    auto request = Request("pk = :p AND sk > :a", values);
    request.page.start = ParseItem(start);
    return Failure(engine_.Query(request));
  };
  // observed: pynamodb/PynamoDB#50.
  EXPECT_EQ(failure(R"({"pk":{"S":"p"}})"), "The provided starting key is invalid");
  EXPECT_EQ(failure(R"({"pk":{"S":"p"},"sk":{"S":"2"}})"), "The provided starting key is invalid");
  // assumed
  EXPECT_EQ(failure(R"({"pk":{"S":"q"},"sk":{"N":"3"}})"),
            "The provided starting key is outside query boundaries based on provided conditions");
  // observed: aws/aws-sdk-ruby#2456.
  EXPECT_EQ(failure(R"({"pk":{"S":"p"},"sk":{"N":"1"}})"),
            "The provided starting key does not match the range key predicate");
  EXPECT_EQ(failure(R"({"pk":{"S":"p"},"sk":{"N":"3"}})"), "done");
}

TEST_F(PageTest, ReadsGlobalIndexes) {
  auto request = Request("g = :g", R"({":g":{"S":"G"}})");
  request.page.index = "g";
  request.page.limit = 2;
  std::multiset<std::string> seen;
  do {
    const auto page = engine_.Query(request);
    ASSERT_TRUE(page.has_value());
    if (!page->items.empty()) {
      EXPECT_EQ(page->capacity.global.at("g").read, HalfUnits(1));
    }
    EXPECT_EQ(page->capacity.table_read, HalfUnits(0));
    for (const auto& stored : page->items) seen.insert(ToJson(stored));
    request.page.start = page->last_key;
  } while (request.page.start);
  EXPECT_EQ(seen.size(), 5U);
  EXPECT_EQ(seen.count(R"({"g":{"S":"G"},"pk":{"S":"p"},"sk":{"N":"3"}})"), 1U);
}

TEST_F(PageTest, RefusesWhatGlobalIndexesDoNotDo) {
  const auto failure = [&](const std::function<void(PageRequest&)>& change) {
    auto request = Request("g = :g", R"({":g":{"S":"G"}})");
    request.page.index = "g";
    change(request.page);
    return Failure(engine_.Query(request));
  };
  // aws-doc: API_Query, ConsistentRead; observed: Layr-Labs/eigenda pull request 1900.
  EXPECT_EQ(failure([](PageRequest& page) { page.consistent = true; }),
            "Consistent reads are not supported on global secondary indexes");
  // observed: mapbox/dyno#23.
  EXPECT_EQ(
      failure([](PageRequest& page) { page.select = Select::kAllAttributes; }),
      "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported "
      "for global secondary index g because its projection type is not ALL");
  // assumed
  EXPECT_EQ(failure([](PageRequest& page) { page.projection = TestEngine::ParseProjection("v"); }),
            "One or more parameter values were invalid: Global secondary index g does not project "
            "[v]");
  // observed: aws/aws-record-ruby issue 64.
  EXPECT_EQ(failure([](PageRequest& page) { page.index = "none"; }),
            "The table does not have the specified index: none");
  // observed: CloudWanderer-io/CloudWanderer#86.
  EXPECT_EQ(
      failure([](PageRequest& page) {
        page.filter =
            TestEngine::ParseCondition("g = :v", R"({":v":{"S":"x"}})", ConditionKind::kFilter);
      }),
      "Filter Expression can only contain non-primary key attributes: Primary key attribute: g");
  engine_.Change(table_,
                 [](Table& table) { table.index_states[0].status = IndexStatus::kCreating; });
  // observed: aws/aws-cli issue 4845.
  EXPECT_EQ(failure([](PageRequest&) {}), "Cannot read from backfilling global secondary index: g");
}

TEST_F(PageTest, LocalIndexesFetchWhatTheyLack) {
  auto request = Request("pk = :p AND v >= :v", R"({":p":{"S":"p"},":v":{"N":"4"}})");
  request.page.index = "l";
  const auto narrow = engine_.Query(request);
  EXPECT_EQ(ToJson(narrow->items),
            (std::vector<std::string>{R"({"pk":{"S":"p"},"sk":{"N":"4"},"v":{"N":"4"}})",
                                      R"({"pk":{"S":"p"},"sk":{"N":"5"},"v":{"N":"5"}})"}));
  EXPECT_EQ(narrow->capacity.local.at("l").read, HalfUnits(1));
  EXPECT_EQ(narrow->capacity.table_read, HalfUnits(0));
  request.page.select = Select::kAllAttributes;
  const auto wide = engine_.Query(request);
  EXPECT_EQ(ToJson(wide->items[0]),
            R"({"g":{"S":"G"},"pk":{"S":"p"},"sk":{"N":"4"},"v":{"N":"4"}})");
  // aws-doc: Developer Guide, "Local secondary indexes", fetches: each item rounded up by itself.
  EXPECT_EQ(wide->capacity.local.at("l").read, HalfUnits(1));
  EXPECT_EQ(wide->capacity.table_read, HalfUnits(2));
  request.page.limit = 1;
  const auto first = engine_.Query(request);
  EXPECT_EQ(ToJson(*first->last_key), R"({"pk":{"S":"p"},"sk":{"N":"4"},"v":{"N":"4"}})");
}

// Between the read of its entry and its own an item may move within the index; it is not shown
// where it no longer is.
TEST(FetchTest, AnItemThatMovedMeanwhileIsNotShownInItsOldPlace) {
  auto inner = *storage::Open("memory:", {});
  auto hooked = std::make_unique<HookedStore>(*inner);
  auto& hook = hooked->after_visit;
  TestEngine engine(std::move(hooked));
  const auto table =
      engine.MakeTable("t", {{S("pk")}, {N("sk")}}, {Local("l", S("pk"), N("v"), ProjectKeys{})});
  ASSERT_TRUE(engine.Put(table, R"({"pk":{"S":"p"},"sk":{"N":"1"},"v":{"N":"1"},"w":{"N":"1"}})"));
  ASSERT_TRUE(engine.Put(table, R"({"pk":{"S":"p"},"sk":{"N":"2"},"v":{"N":"2"},"w":{"N":"1"}})"));
  hook = [&, acted = false]() mutable {
    if (std::exchange(acted, true)) return;
    ASSERT_TRUE(engine.Put(table, R"({"pk":{"S":"p"},"sk":{"N":"1"},"v":{"N":"9"}})"));
    ASSERT_TRUE(engine.Put(table, R"({"pk":{"S":"p"},"sk":{"N":"2"},"v":{"N":"2"}})"));
  };
  const auto page =
      engine.Query({.page = {.table = table, .index = "l", .select = Select::kAllAttributes},
                    .key_condition = TestEngine::ParseKeyCondition(
                        "pk = :p AND v < :v", R"({":p":{"S":"p"},":v":{"N":"5"}})")});
  ASSERT_TRUE(page.has_value()) << Failure(page);
  // What is read late is as new as can be.
  EXPECT_EQ(ToJson(page->items),
            std::vector<std::string>{R"({"pk":{"S":"p"},"sk":{"N":"2"},"v":{"N":"2"}})"});
}

TEST_F(PageTest, BeginsWithSeesBytesAboveAndBelow) {
  const auto table = engine_.MakeTable("s", {{S("pk")}, {S("sk")}});
  for (const auto* sort : {"a", "ab", "ab\\u0000", "abc", "ac", "b"}) {
    ASSERT_TRUE(
        engine_.Put(table, R"({"pk":{"S":"p"},"sk":{"S":")" + std::string(sort) + R"("}})"));
  }
  auto request = Request("pk = :p AND begins_with(sk, :s)", R"({":p":{"S":"p"},":s":{"S":"ab"}})");
  request.page.table = table;
  EXPECT_EQ(engine_.Query(request)->count, 3);
}

TEST_F(PageTest, MultiAttributeKeysReadFromLeftToRight) {
  const auto table =
      engine_.MakeTable("m", {{S("id")}, {}}, {Global("g", {{S("a"), S("b")}, {S("c"), N("d")}})});
  for (int n = 0; n < 8; ++n) {
    Item item = ParseItem(R"({"a":{"S":"A"},"b":{"S":"B"}})");
    item.Set("id", std::to_string(n));
    item.Set("c", std::string(n < 4 ? "x" : "y"));
    item.Set("d", Number::FromInteger(n));
    ASSERT_TRUE(engine_.Put({.table = table, .item = item, .condition = {}}));
  }
  // Sparse: d is missing.
  ASSERT_TRUE(engine_.Put(table, R"({"id":{"S":"z"},"a":{"S":"A"},"b":{"S":"B"},"c":{"S":"x"}})"));
  const auto count = [&](std::string_view condition) {
    auto request =
        Request(condition, R"({":a":{"S":"A"},":b":{"S":"B"},":c":{"S":"x"},":d":{"N":"2"}})");
    request.page.table = table;
    request.page.index = "g";
    const auto page = engine_.Query(request);
    EXPECT_TRUE(page.has_value()) << Failure(page);
    return page ? page->count : -1;
  };
  EXPECT_EQ(count("a = :a AND b = :b"), 8);
  EXPECT_EQ(count("a = :a AND b = :b AND c = :c"), 4);
  EXPECT_EQ(count("a = :a AND b = :b AND c > :c"), 4);
  EXPECT_EQ(count("a = :a AND b = :b AND c = :c AND d >= :d"), 2);
}

class ScanTest : public ::testing::Test {
 protected:
  ScanTest() {
    for (int n = 0; n < 100; ++n) {
      EXPECT_TRUE(engine_.Put(table_, R"({"id":{"S":")" + std::to_string(n) + R"("}})"));
    }
  }

  TestEngine engine_;
  // In three cells.
  TableKey table_ =
      engine_.MakeTable("t", {{S("id")}, {}}, {}, {0x4000000000000000, 0xC000000000000000});
};

TEST_F(ScanTest, SegmentsShareTheTableWithoutGapOrOverlap) {
  for (const std::int64_t segments : {1, 2, 3, 7, 64}) {
    std::multiset<std::string> seen;
    for (std::int64_t segment = 0; segment < segments; ++segment) {
      ScanRequest request{.page = {.table = table_}, .segment = segment, .segments = segments};
      request.page.limit = 3;
      do {
        const auto page = engine_.Scan(request);
        ASSERT_TRUE(page.has_value()) << Failure(page);
        for (const auto& stored : page->items) seen.insert(ToJson(stored));
        request.page.start = page->last_key;
      } while (request.page.start);
    }
    EXPECT_EQ(seen.size(), 100U) << segments;
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 100U);
  }
}

TEST_F(ScanTest, RefusesStartKeysOfOtherSegments) {
  ScanRequest request{.page = {.table = table_}, .segment = 0, .segments = 2};
  request.page.limit = 1;
  request.page.start = engine_.Scan(request)->last_key;
  EXPECT_TRUE(engine_.Scan(request).has_value());
  request.segment = 1;
  // assumed
  EXPECT_EQ(Failure(engine_.Scan(request)),
            "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
            "ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1");
  request.page.start = ParseItem(R"({"other":{"S":"x"}})");
  // observed: baopham/laravel-dynamodb#200.
  EXPECT_EQ(Failure(engine_.Scan(request)),
            "The provided starting key is invalid: The provided key element does not match the "
            "schema");
}

}  // namespace
}  // namespace kw::engine
