// SPDX-License-Identifier: Apache-2.0
// The storage contract, one promise a test, for every store and for stores with faults in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "base/rng.h"
#include "storage/fault/fault_store.h"
#include "storage/memory/memory_store.h"
#include "storage/rocksdb/rocksdb_store.h"
#include "storage/store_test_support.h"

namespace kw::storage {
namespace {

struct Backend {
  std::string name;
  std::function<std::unique_ptr<Store>(const std::filesystem::path&, const OpenOptions&)> open;
};

std::unique_ptr<Store> OpenRocks(const std::filesystem::path& folder, const OpenOptions& options) {
  auto store = OpenRocksDb(folder.native(), options);
  EXPECT_TRUE(store) << store.error().message;
  return std::move(*store);
}

// Faults that a caller must not notice.
constexpr FaultRates kHiddenFaults = {.conflict = 300, .slow = 100};

std::vector<Backend> Backends() {
  return {
      {"memory", [](const auto&, const auto& options) { return OpenMemory(options); }},
      {"rocksdb", OpenRocks},
      {"faulty_memory",
       [](const auto&, const auto& options) {
         return std::make_unique<FaultStore>(OpenMemory(options), kHiddenFaults, 1);
       }},
      {"faulty_rocksdb",
       [](const auto& folder, const auto& options) {
         return std::make_unique<FaultStore>(OpenRocks(folder, options), kHiddenFaults, 2);
       }},
  };
}

class StoreContract : public ::testing::TestWithParam<Backend> {
 protected:
  void SetUp() override { Open({}); }
  // The tests ask for order and atomicity; the crash test is about what reaches the disk.
  void Open(OpenOptions options) {
    store_.reset();
    options.durability = Durability::kRelaxed;
    store_ = GetParam().open(folder_.path() / "data", options);
  }
  Store& store() { return *store_; }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(Backends()),
                         [](const auto& backend) { return backend.param.name; });

TEST_P(StoreContract, FindsNothingInAnEmptyStore) {
  EXPECT_EQ(GetOne(store(), 1, "a"), std::nullopt);
  EXPECT_EQ(ReadRange(store(), {.cell = 1}), KeyValues{});
  EXPECT_EQ(*store().ReadCounter({1, "a"}), 0);
  EXPECT_EQ(ReadLog(store(), 1, 1), LogEntries{});
  EXPECT_EQ(*store().LogEnd(1, 1), 0u);
  EXPECT_TRUE(store().TrimLog(1, 1, 10));
  EXPECT_TRUE(store().DropCell(1));
  EXPECT_TRUE(store().Get({}, Wait::kMayBlock)->empty());
}

TEST_P(StoreContract, AppliesEveryStepOfAnUpdate) {
  Mutation mutation;
  mutation.PutRow(1, "a", "1");
  mutation.PutRow(2, "b", "2");
  mutation.AppendToLog(1, 7, "x");
  mutation.AppendToLog(1, 7, "y");
  mutation.AddToCounter(2, "a", -5);
  ASSERT_TRUE(Apply(store(), mutation));
  EXPECT_EQ(GetOne(store(), 1, "a"), "1");
  EXPECT_EQ(GetOne(store(), 2, "b"), "2");
  EXPECT_EQ(ReadLog(store(), 1, 7), (LogEntries{{1, "x"}, {2, "y"}}));
  EXPECT_EQ(*store().ReadCounter({2, "a"}), -5);
  EXPECT_EQ(GetOne(store(), 2, "a"), std::nullopt);  // a counter is no row
  EXPECT_TRUE(SubmitAndWait(store(), {{1, "a"}}, [](SeenViews) { return Mutation(); }));
}

TEST_P(StoreContract, LaterStepsForAKeyWin) {
  Mutation mutation;
  mutation.PutRow(1, "a", "1");
  mutation.PutRow(1, "a", "2");
  mutation.PutRow(1, "b", "1");
  mutation.DeleteRow(1, "b");
  mutation.DeleteRow(1, "c");
  mutation.PutRow(1, "c", "3");
  mutation.AddToCounter(1, "n", 2);
  mutation.AddToCounter(1, "n", 3);
  ASSERT_TRUE(Apply(store(), mutation));
  EXPECT_EQ(ReadRange(store(), {.cell = 1}), (KeyValues{{"a", "2"}, {"c", "3"}}));
  EXPECT_EQ(*store().ReadCounter({1, "n"}), 5);
}

TEST_P(StoreContract, VisitsRangesInBothDirections) {
  const auto zero = std::string("\0", 1);
  const std::vector<std::string> keys = {"",  zero,   zero + zero, "a",    "a" + zero, "ab",
                                         "b", "\x7f", "\x80",      "\xff", "\xff\xff"};
  constexpr auto kLast = std::numeric_limits<CellId>::max();
  for (const CellId cell : {CellId{0}, CellId{1}, CellId{255}, CellId{256}, kLast}) {
    Mutation mutation;
    for (const auto& key : keys) mutation.PutRow(cell, key, std::to_string(cell));
    mutation.AddToCounter(cell, "a", 1);
    mutation.AppendToLog(cell, 1, "x");
    ASSERT_TRUE(Apply(store(), mutation));
  }
  for (const CellId cell : {CellId{0}, CellId{255}, kLast}) {
    for (const auto& begin : keys) {
      for (const auto& end : keys) {
        KeyValues expected;
        for (const auto& key : keys) {
          if (key >= begin && (end.empty() || key < end)) {
            expected.emplace_back(key, std::to_string(cell));
          }
        }
        EXPECT_EQ(ReadRange(store(), {.cell = cell, .begin = begin, .end = end}), expected);
        std::ranges::reverse(expected);
        EXPECT_EQ(ReadRange(store(), {.cell = cell, .begin = begin, .end = end, .reverse = true}),
                  expected);
      }
    }
  }
  std::string last;
  EXPECT_TRUE(store().Visit({.cell = 1, .reverse = true}, Wait::kMayBlock, [&](auto key, auto) {
    last = key;
    return key != "b";
  }));
  EXPECT_EQ(last, "b");
}

TEST_P(StoreContract, ADecisionSeesEveryUpdateBefore) {
  constexpr int kThreads = 4;
  constexpr int kUpdates = 500;
  Answers answers;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kUpdates; ++i) {
        store().Submit(std::make_unique<LambdaUpdate>(
                           std::vector<RowKey>{{1, "n"}, {2, "n"}},
                           [](SeenViews rows) {
                             Mutation mutation;
                             mutation.PutRow(1, "n", std::to_string(Number(rows[0]) + 1));
                             mutation.PutRow(2, "n", std::to_string(Number(rows[1]) + 1));
                             return mutation;
                           },
                           [&](auto result) { answers.Add(result); }),
                       /*inline_if_idle=*/t == 0);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  answers.WaitFor(kThreads * kUpdates);
  EXPECT_EQ(answers.failed(), 0u);
  EXPECT_EQ(GetOne(store(), 1, "n"), std::to_string(kThreads * kUpdates));
  EXPECT_EQ(GetOne(store(), 2, "n"), std::to_string(kThreads * kUpdates));
}

// Money moves between accounts in three cells: no reader ever sees the sum change.
TEST_P(StoreContract, AReadIsOneMoment) {
  constexpr std::int64_t kEach = 100;
  std::vector<RowKey> accounts;
  Mutation start;
  for (CellId cell = 1; cell <= 3; ++cell) {
    for (const auto* key : {"a", "b", "c", "d"}) {
      accounts.push_back({cell, key});
      start.PutRow(cell, key, std::to_string(kEach));
    }
  }
  ASSERT_TRUE(Apply(store(), start));
  const auto total = kEach * static_cast<std::int64_t>(accounts.size());
  std::atomic<bool> stop = false;
  std::atomic<int> reads = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    threads.emplace_back([&, seed] {
      Rng rng(seed);
      while (!stop) {
        const auto& from = accounts[rng.Below(accounts.size())];
        const auto& to = accounts[rng.Below(accounts.size())];
        if (from == to) continue;
        const auto amount = static_cast<std::int64_t>(rng.Below(10));
        EXPECT_TRUE(SubmitAndWait(store(), {from, to}, [&](SeenViews rows) {
          Mutation mutation;
          mutation.PutRow(from.cell, from.key, std::to_string(Number(rows[0]) - amount));
          mutation.PutRow(to.cell, to.key, std::to_string(Number(rows[1]) + amount));
          return mutation;
        }));
      }
    });
  }
  for (int reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&] {
      while (reads++ < 3000) {
        const auto rows = store().Get(accounts, Wait::kMayBlock);
        ASSERT_TRUE(rows);
        std::int64_t sum = 0;
        for (const auto& row : *rows) sum += Number(row);
        EXPECT_EQ(sum, total);
      }
      stop = true;
    });
  }
  for (auto& thread : threads) thread.join();
}

// Within a cell a range, too, is one moment: its rows always carry one number.
TEST_P(StoreContract, AVisitIsOneMoment) {
  constexpr int kRounds = 300;
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; i < kRounds; ++i) {
      Mutation mutation;
      for (int key = 0; key < 20; ++key) {
        mutation.PutRow(1, std::string(1, static_cast<char>('a' + key)), std::to_string(i));
      }
      EXPECT_TRUE(Apply(store(), mutation));
    }
    stop = true;
  });
  bool reverse = false;
  while (!stop) {
    const auto rows = ReadRange(store(), {.cell = 1, .reverse = reverse = !reverse});
    for (const auto& [key, value] : rows) EXPECT_EQ(value, rows.front().second);
  }
  writer.join();
}

TEST_P(StoreContract, LogPositionsFollowTheCommitOrderWithoutAGap) {
  constexpr int kThreads = 4;
  constexpr int kUpdates = 300;
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    std::uint64_t seen = 0;
    while (!stop || seen < kThreads * kUpdates) {
      EXPECT_TRUE(store().VisitLog(1, 1, seen, [&](auto position, auto record) {
        EXPECT_EQ(position, seen + 1);
        EXPECT_EQ(record, std::to_string(position));
        seen = position;
        return true;
      }));
      if (::testing::Test::HasFailure()) break;
    }
  });
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; ++t) {
    writers.emplace_back([&] {
      for (int i = 0; i < kUpdates; ++i) {
        EXPECT_TRUE(SubmitAndWait(store(), {{1, "n"}}, [](SeenViews rows) {
          const auto next = std::to_string(Number(rows[0]) + 1);
          Mutation mutation;
          mutation.PutRow(1, "n", next);
          mutation.AppendToLog(1, 1, next);
          return mutation;
        }));
      }
    });
  }
  for (auto& writer : writers) writer.join();
  stop = true;
  reader.join();
}

TEST_P(StoreContract, LogsAreReadFromACursorAndTrimmed) {
  const auto append = [&](std::uint32_t log, std::string record) {
    Mutation mutation;
    mutation.AppendToLog(1, log, std::move(record));
    ASSERT_TRUE(Apply(store(), mutation));
  };
  for (const auto* record : {"a", "b", "c"}) append(1, record);
  EXPECT_EQ(*store().LogEnd(1, 1), 3u);
  EXPECT_EQ(*store().LogEnd(1, 2), 0u);
  append(2, "other");
  EXPECT_EQ(ReadLog(store(), 1, 1, 1), (LogEntries{{2, "b"}, {3, "c"}}));
  EXPECT_EQ(ReadLog(store(), 1, 1, 3), LogEntries{});
  EXPECT_EQ(ReadLog(store(), 1, 1, ~std::uint64_t{0}), LogEntries{});
  EXPECT_TRUE(store().TrimLog(1, 1, 1));
  EXPECT_TRUE(store().TrimLog(1, 1, 0));
  EXPECT_EQ(ReadLog(store(), 1, 1), (LogEntries{{2, "b"}, {3, "c"}}));
  EXPECT_TRUE(store().TrimLog(1, 1, 99));
  EXPECT_EQ(ReadLog(store(), 1, 1), LogEntries{});
  EXPECT_EQ(*store().LogEnd(1, 1), 3u);
  if (store().capabilities().name == "rocksdb") Open({});
  append(1, "d");  // positions are never given twice, also after everything was trimmed
  EXPECT_EQ(ReadLog(store(), 1, 1), (LogEntries{{4, "d"}}));
  EXPECT_EQ(*store().LogEnd(1, 1), 4u);
  EXPECT_EQ(ReadLog(store(), 1, 2), (LogEntries{{1, "other"}}));
}

TEST_P(StoreContract, CountersAddUp) {
  constexpr int kThreads = 4;
  constexpr int kUpdates = 500;
  Answers answers;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kUpdates; ++i) {
        store().Submit(std::make_unique<LambdaUpdate>(
            std::vector<RowKey>{},
            [t](SeenViews) {
              Mutation mutation;
              mutation.AddToCounter(1, "sum", t == 0 ? -1 : 2);
              mutation.AddToCounter(2, "sum", 1);
              return mutation;
            },
            [&](auto result) { answers.Add(result); }));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  answers.WaitFor(kThreads * kUpdates);
  EXPECT_EQ(*store().ReadCounter({1, "sum"}), 3 * 2 * kUpdates - kUpdates);
  EXPECT_EQ(*store().ReadCounter({2, "sum"}), kThreads * kUpdates);
}

TEST_P(StoreContract, ACounterWraps) {
  Mutation mutation;
  mutation.AddToCounter(1, "n", std::numeric_limits<std::int64_t>::max());
  mutation.AddToCounter(1, "n", 1);
  ASSERT_TRUE(Apply(store(), mutation));
  EXPECT_EQ(*store().ReadCounter({1, "n"}), std::numeric_limits<std::int64_t>::min());
}

TEST_P(StoreContract, ADroppedCellLeavesNothing) {
  const auto fill = [&](CellId cell) {
    Mutation mutation;
    mutation.PutRow(cell, "a", "1");
    mutation.AddToCounter(cell, "n", 3);
    mutation.AppendToLog(cell, 1, "x");
    mutation.AppendToLog(cell, 1, "y");
    ASSERT_TRUE(Apply(store(), mutation));
  };
  for (CellId cell = 1; cell <= 3; ++cell) fill(cell);
  ASSERT_TRUE(store().TrimLog(2, 1, 1));
  ASSERT_TRUE(store().DropCell(2));
  EXPECT_EQ(ReadRange(store(), {.cell = 2}), KeyValues{});
  EXPECT_EQ(*store().ReadCounter({2, "n"}), 0);
  EXPECT_EQ(ReadLog(store(), 2, 1), LogEntries{});
  for (const CellId cell : {CellId{1}, CellId{3}}) {
    EXPECT_EQ(GetOne(store(), cell, "a"), "1");
    EXPECT_EQ(*store().ReadCounter({cell, "n"}), 3);
    EXPECT_EQ(ReadLog(store(), cell, 1).size(), 2u);
  }
  fill(2);
  EXPECT_EQ(ReadLog(store(), 2, 1), (LogEntries{{1, "x"}, {2, "y"}}));
  EXPECT_EQ(*store().ReadCounter({2, "n"}), 3);
}

TEST_P(StoreContract, EveryUpdateIsAnsweredOnceAlsoAtTheEnd) {
  constexpr int kUpdates = 1000;
  std::vector<std::atomic<int>> answered(kUpdates);
  for (int i = 0; i < kUpdates; ++i) {
    store().Submit(std::make_unique<LambdaUpdate>(
        std::vector<RowKey>{{1, "n"}},
        [i](SeenViews) {
          Mutation mutation;
          if (i % 3 != 0) mutation.PutRow(1, std::to_string(i), "x");
          return mutation;
        },
        [&answered, i](const auto& result) {
          EXPECT_TRUE(result);
          ++answered[static_cast<std::size_t>(i)];
        }));
  }
  store_.reset();
  for (const auto& count : answered) EXPECT_EQ(count, 1);
}

TEST_P(StoreContract, SubmitBlocksWhileTheQueueIsFull) {
  constexpr std::size_t kQueueMax = 4;
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kUpdates = 300;
  Open({.queue_max = kQueueMax});
  Answers answers;
  std::mutex mutex;
  std::size_t accepted = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < kUpdates; ++i) {
        store().Submit(std::make_unique<LambdaUpdate>(
            std::vector<RowKey>{}, [](SeenViews) { return Mutation(); },
            [&](const auto& result) { answers.Add(result); }));
        std::lock_guard lock(mutex);
        ++accepted;
        const auto done = answers.count();
        // A full queue, and as many in the batch under way.
        EXPECT_LE(accepted, done + 2 * kQueueMax);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  answers.WaitFor(kThreads * kUpdates);
}

// From Done a Submit neither blocks, though the queue is full, nor runs inside the other update.
TEST_P(StoreContract, DoneMaySubmit) {
  Open({.queue_max = 1});
  Answers answers;
  std::atomic<int> depth = 0;
  std::function<void(int)> submit = [&](int level) {
    store().Submit(std::make_unique<LambdaUpdate>(
                       std::vector<RowKey>{{1, "n"}},
                       [&](SeenViews rows) {
                         Mutation mutation;
                         mutation.PutRow(1, "n", std::to_string(Number(rows[0]) + 1));
                         return mutation;
                       },
                       [&, level](const auto& result) {
                         EXPECT_EQ(depth++, 0);
                         if (level > 0) {
                           for (int i = 0; i < 5; ++i) submit(level - 1);
                         }
                         --depth;
                         answers.Add(result);
                       }),
                   /*inline_if_idle=*/true);
  };
  submit(3);
  answers.WaitFor(1 + 5 + 25 + 125);
  EXPECT_EQ(answers.failed(), 0u);
  EXPECT_EQ(GetOne(store(), 1, "n"), "156");
}

TEST_P(StoreContract, LargeUpdatesPassWhole) {
  Answers answers;
  constexpr std::size_t kUpdates = 40;
  for (std::size_t i = 0; i < kUpdates; ++i) {
    store().Submit(std::make_unique<LambdaUpdate>(
        std::vector<RowKey>{},
        [i](SeenViews) {
          Mutation mutation;
          mutation.PutRow(1, std::to_string(i), std::string(400 << 10, 'x'));
          mutation.AppendToLog(1, 1, std::string(400 << 10, 'y'));
          return mutation;
        },
        [&](const auto& result) { answers.Add(result); }));
  }
  answers.WaitFor(kUpdates);
  EXPECT_EQ(answers.failed(), 0u);
  EXPECT_EQ(ReadRange(store(), {.cell = 1}).size(), kUpdates);
  EXPECT_EQ(ReadLog(store(), 1, 1).back().first, kUpdates);
}

TEST_P(StoreContract, ADurableStoreKeepsEverything) {
  if (store().capabilities().name != "rocksdb") GTEST_SKIP() << "not on disk";
  constexpr int kRows = 500;
  for (int i = 0; i < kRows; ++i) {
    Mutation mutation;
    mutation.PutRow(1, std::to_string(i), std::to_string(i));
    mutation.AddToCounter(1, "rows", 1);
    mutation.AppendToLog(1, 1, std::to_string(i));
    ASSERT_TRUE(Apply(store(), mutation));
    if (i % 100 == 99) Open({});
  }
  EXPECT_EQ(ReadRange(store(), {.cell = 1}).size(), std::size_t{kRows});
  EXPECT_EQ(*store().ReadCounter({1, "rows"}), kRows);
  const auto entries = ReadLog(store(), 1, 1);
  ASSERT_EQ(entries.size(), std::size_t{kRows});
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i], std::pair(i + 1, std::to_string(i)));
  }
}

// A random walk must leave the same rows, counters and logs as on the reference model.
TEST_P(StoreContract, AgreesWithTheModel) {
  const auto model = OpenMemory({});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (int i = 0; i < 50; ++i) {
      const CellId cell = rng.Below(3);
      Mutation mutation;
      for (auto steps = rng.Below(6); steps > 0; --steps) {
        const auto key = std::to_string(rng.Below(20));
        switch (rng.Below(4)) {
          case 0: mutation.PutRow(cell, key, std::to_string(rng.Next())); break;
          case 1: mutation.DeleteRow(rng.Below(3), key); break;
          case 2: mutation.AppendToLog(cell, 1, std::to_string(rng.Next())); break;
          default: mutation.AddToCounter(cell, "n", static_cast<std::int64_t>(rng.Below(9)) - 4);
        }
      }
      for (Store* one : {&store(), model.get()}) ASSERT_TRUE(Apply(*one, mutation));
      const auto up_to = rng.Below(40);
      const auto rare = rng.Below(40);
      for (Store* one : {&store(), model.get()}) {
        if (rare == 0) {
          ASSERT_TRUE(one->DropCell(cell));
        }
        if (rare == 1) {
          ASSERT_TRUE(one->TrimLog(cell, 1, up_to));
        }
      }
    }
    for (CellId cell = 0; cell < 3; ++cell) {
      ASSERT_EQ(ReadRange(store(), {.cell = cell}), ReadRange(*model, {.cell = cell}));
      ASSERT_EQ(ReadLog(store(), cell, 1), ReadLog(*model, cell, 1));
      ASSERT_EQ(*store().LogEnd(cell, 1), *model->LogEnd(cell, 1));
      ASSERT_EQ(*store().ReadCounter({cell, "n"}), *model->ReadCounter({cell, "n"}));
    }
  }
}

}  // namespace
}  // namespace kw::storage
