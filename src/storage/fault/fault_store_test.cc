// SPDX-License-Identifier: Apache-2.0
#include "storage/fault/fault_store.h"

#include <gtest/gtest.h>

#include "storage/memory/memory_store.h"
#include "storage/store_test_support.h"

namespace kw::storage {
namespace {

constexpr std::uint32_t kAlways = 1000;

FaultStore Faulty(FaultRates rates) { return {OpenMemory({}), rates, 1}; }

TEST(FaultStoreTest, ARefusedUpdateChangesNothing) {
  auto store = Faulty({.not_done = kAlways});
  EXPECT_EQ(Put(store, 1, "a", "1").error(), StoreError::kNotDone);
  store.SetRates({});
  EXPECT_EQ(GetOne(store, 1, "a"), std::nullopt);
  EXPECT_TRUE(Put(store, 1, "a", "2"));
}

TEST(FaultStoreTest, AnUnknownOutcomeMayStandOrNotAndEndsWriting) {
  struct Case {
    FaultRates rates;
    std::optional<std::string> found;
  };
  for (const auto& [rates, found] :
       {Case{{.unknown_applied = kAlways}, "1"}, Case{{.unknown_lost = kAlways}, std::nullopt}}) {
    auto store = Faulty(rates);
    EXPECT_EQ(Put(store, 1, "a", "1").error(), StoreError::kUnknownOutcome);
    EXPECT_EQ(GetOne(store, 1, "a"), found);
    store.SetRates({});
    EXPECT_EQ(Put(store, 1, "b", "1").error(), StoreError::kNotDone);
    EXPECT_EQ(store.DropCell(1).error(), StoreError::kNotDone);
    store.Heal();
    EXPECT_TRUE(Put(store, 1, "b", "1"));
  }
}

TEST(FaultStoreTest, AConflictDecidesTwiceAndAppliesTheLast) {
  auto store = Faulty({.conflict = kAlways});
  int decisions = 0;
  EXPECT_TRUE(SubmitAndWait(store, {{1, "a"}}, [&](SeenViews) {
    Mutation mutation;
    mutation.PutRow(1, "a", std::to_string(++decisions));
    mutation.AddToCounter(1, "n", 1);
    return mutation;
  }));
  EXPECT_EQ(decisions, 2);
  EXPECT_EQ(GetOne(store, 1, "a"), "2");
  EXPECT_EQ(*store.ReadCounter({1, "n"}), 1);
}

TEST(FaultStoreTest, ReadsFail) {
  auto store = Faulty({.would_block = kAlways});
  const std::vector<RowKey> keys = {{1, "a"}};
  EXPECT_EQ(store.Get(keys, Wait::kMemoryOnly).error(), StoreError::kWouldBlock);
  EXPECT_TRUE(store.Get(keys, Wait::kMayBlock));
  store.SetRates({.read_failed = kAlways});
  EXPECT_EQ(store.Get(keys, Wait::kMayBlock).error(), StoreError::kNotDone);
  EXPECT_EQ(store.ReadCounter(keys[0]).error(), StoreError::kNotDone);
}

}  // namespace
}  // namespace kw::storage
