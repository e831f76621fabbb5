// SPDX-License-Identifier: Apache-2.0
// What the contract suite cannot ask of every store: the data folder, memory-only reads, bad disks.
#include "storage/rocksdb/rocksdb_store.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/rng.h"
#include "storage/rocksdb/forgetful_env.h"
#include "storage/store_test_support.h"

namespace kw::storage {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string OpenMessage(const std::string& url) {
  const auto store = Open(url, {});
  return store ? "it opened" : store.error().message;
}

TEST(OpenTest, NamesTheSchemes) {
  for (const auto* url : {"", "data", "sqlite:data", "rocksdb"}) {
    EXPECT_EQ(OpenMessage(url), fmt::format("\"{}\" names no storage engine. Write one of: "
                                            "memory:, rocksdb:FOLDER.",
                                            url));
  }
  EXPECT_EQ(OpenMessage("rocksdb:"), "\"rocksdb:\" needs a folder, for example rocksdb:./data.");
  EXPECT_TRUE(Open("memory:", {}));
}

TEST(OpenTest, MakesTheFolderAndFindsItAgain) {
  const TemporaryFolder folder;
  const auto url = "rocksdb:" + (folder.path() / "a" / "b").native() + "/";
  {
    auto store = Open(url, {});
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE((*store)->capabilities().durable);
    ASSERT_TRUE(Put(**store, 1, "a", "1"));
  }
  auto store = Open(url, {});
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(GetOne(**store, 1, "a"), "1");
}

TEST(OpenTest, AcceptsTheRootOfAVolume) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "lost+found");
  EXPECT_TRUE(Open("rocksdb:" + folder.path().native(), {}));
}

TEST(OpenTest, RefusesAFolderInUse) {
  const TemporaryFolder folder;
  const auto url = "rocksdb:" + folder.path().native();
  const auto first = Open(url, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(OpenMessage(url),
            fmt::format("The data folder {} is in use by another process (process {}); stop it or "
                        "choose another with --data.",
                        folder.path().native(), ::getpid()));
  EXPECT_TRUE(Put(**first, 1, "a", "1"));
}

TEST(OpenTest, RefusesForeignFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "thesis.txt") << "precious";
  EXPECT_EQ(OpenMessage("rocksdb:" + folder.path().native()),
            fmt::format("The folder {} is not a Keywright data folder: it holds other files "
                        "(thesis.txt). Choose an empty or a new folder with --data.",
                        folder.path().native()));
}

TEST(OpenTest, RefusesAnotherFormat) {
  // 1: from before streams and time to live. 3: of a later version.
  for (const std::string format : {"keywright data 1", "keywright data 3", ""}) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "KEYWRIGHT") << format << "\n";
    EXPECT_EQ(OpenMessage("rocksdb:" + folder.path().native()),
              fmt::format("The data folder {} was written by another version of Keywright (its "
                          "format is \"{}\", this version reads \"keywright data 2\"). Use that "
                          "version, or choose another folder with --data.",
                          folder.path().native(), format));
    std::ifstream unchanged(folder.path() / "KEYWRIGHT");
    std::string line;
    std::getline(unchanged, line);
    EXPECT_EQ(line, format);
  }
}

TEST(RocksDbStore, ShowsItsNumbers) {
  const TemporaryFolder folder;
  auto store = Open("rocksdb:" + folder.path().native(), {});
  ASSERT_TRUE(store) << store.error().message;
  const auto gauge = [&](std::string_view name) -> std::int64_t {
    for (const Gauge& one : (*store)->Gauges()) {
      if (one.name == name) return one.value;
    }
    return -1;
  };
  for (const auto name :
       {"queued_updates", "table_bytes", "compaction_pending_bytes", "compactions_running",
        "flushes_running", "background_errors", "writes_stopped"}) {
    EXPECT_EQ(gauge(name), 0) << name;
  }
  EXPECT_GE(gauge("cache_bytes"), 0);
  const auto before = gauge("keys");
  const auto written = SubmitAndWait(**store, {}, [](auto) {
    Mutation mutation;
    mutation.PutRow(7, "key", "value");
    return mutation;
  });
  ASSERT_TRUE(written);
  EXPECT_EQ(gauge("keys"), before + 1);
  EXPECT_GT(gauge("memtable_bytes"), 0);
}

TEST(OpenTest, TellsWhatStandsInTheWay) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_THAT(OpenMessage("rocksdb:" + (folder.path() / "file").native()),
              HasSubstr("Cannot create the data folder"));
}

class BadDisk : public ::testing::Test {
 protected:
  void Open() {
    store_.reset();
    auto store = OpenRocksDb(folder_.path().native(), {.cache_bytes = 64 << 10},
                             {.env = disk_.env(), .memtable_bytes = std::size_t{64} << 10});
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
  }
  void CrashAndOpen() {
    store_.reset();
    disk_.Crash();
    Open();
  }
  Store& store() { return *store_; }

  TemporaryFolder folder_;
  ForgetfulEnv disk_{7};
  std::unique_ptr<Store> store_;
};

TEST_F(BadDisk, AFullDiskRefusesUntilSpaceIsFreed) {
  Open();
  ASSERT_TRUE(Put(store(), 1, "a", "1"));
  disk_.ReportFreeBytes(1 << 20);
  Mutation way;
  way.PutRow(2, "dropped", "");
  way.MakeWay();
  EXPECT_EQ(Apply(store(), way).error(), StoreError::kNotDone);
  EXPECT_EQ(Put(store(), 1, "a", "2").error(), StoreError::kNotDone);
  EXPECT_EQ(store().TrimLog(1, 1, 1).error(), StoreError::kNotDone);
  EXPECT_EQ(store().DropCell(1).error(), StoreError::kNotDone);
  EXPECT_EQ(GetOne(store(), 1, "a"), "1");
  disk_.ReportFreeBytes(std::nullopt);
  EXPECT_TRUE(Put(store(), 1, "a", "3"));
  EXPECT_EQ(GetOne(store(), 1, "a"), "3");
}

TEST_F(BadDisk, ANearlyFullDiskStillLetsSpaceBeFreed) {
  Open();
  Mutation mutation;
  mutation.PutRow(1, "a", "1");
  mutation.AppendToLog(2, 1, "x");
  ASSERT_TRUE(Apply(store(), mutation));
  disk_.ReportFreeBytes(100 << 20);
  EXPECT_EQ(Put(store(), 1, "a", "2").error(), StoreError::kNotDone);
  EXPECT_TRUE(SubmitAndWait(store(), {{1, "a"}}, [](SeenViews) { return Mutation(); }));
  Mutation way;
  way.PutRow(3, "dropped", "");
  way.MakeWay();
  EXPECT_TRUE(Apply(store(), way));
  EXPECT_TRUE(store().DropCell(1));
  EXPECT_TRUE(store().TrimLog(2, 1, 1));
  EXPECT_EQ(GetOne(store(), 1, "a"), std::nullopt);
  EXPECT_EQ(ReadLog(store(), 2, 1), LogEntries{});
  EXPECT_EQ(GetOne(store(), 3, "dropped"), "");
}

TEST_F(BadDisk, AFailedSyncLeavesTheOutcomeOpenAndEndsWriting) {
  Open();
  ASSERT_TRUE(Put(store(), 1, "a", "1"));
  disk_.FailSyncs();
  EXPECT_EQ(Put(store(), 1, "a", "2").error(), StoreError::kUnknownOutcome);
  EXPECT_EQ(Put(store(), 1, "a", "3").error(), StoreError::kNotDone);
  EXPECT_EQ(SubmitAndWait(store(), {{1, "a"}}, [](SeenViews) { return Mutation(); }).error(),
            StoreError::kNotDone);
  EXPECT_EQ(GetOne(store(), 1, "a"), "1");  // readers never see what may not stand
  CrashAndOpen();
  EXPECT_THAT(GetOne(store(), 1, "a"), ::testing::AnyOf("1", "2"));
  EXPECT_TRUE(Put(store(), 1, "a", "4"));
}

// Fills up in the middle of any write, flush or compaction: whatever was answered stands.
TEST_F(BadDisk, ADiskThatFillsUpTellsNoLies) {
  for (std::uint64_t round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    Open();
    std::int64_t answered = Number(GetOne(store(), 1, "n"));
    disk_.FillUpAfter(1000 + Rng(round).Below(400'000));
    StoreError error{};
    std::int64_t next = answered;
    while (true) {
      const auto value = fmt::format("{} {}", ++next, std::string(2000, 'x'));
      Mutation mutation;
      mutation.PutRow(1, "n", value);
      mutation.PutRow(2, "n", value);
      const auto result = Apply(store(), mutation);
      if (!result) {
        error = result.error();
        break;
      }
      answered = next;
    }
    EXPECT_EQ(Number(GetOne(store(), 1, "n")), answered);
    EXPECT_EQ(Put(store(), 3, "a", "1").error(), StoreError::kNotDone);
    CrashAndOpen();
    const auto found = Number(GetOne(store(), 1, "n"));
    EXPECT_EQ(found, Number(GetOne(store(), 2, "n")));
    if (error == StoreError::kNotDone) {
      EXPECT_EQ(found, answered);
    } else {
      EXPECT_EQ(error, StoreError::kUnknownOutcome);
      EXPECT_THAT(found, ::testing::AnyOf(answered, next));
    }
    EXPECT_EQ(GetOne(store(), 3, "a"), std::nullopt);
  }
}

TEST_F(BadDisk, AFailedReadIsAnErrorAndDecidesNothing) {
  Open();
  // Few enough that nothing is compacted: a compaction that cannot read ends writing.
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(Put(store(), 1, std::to_string(i), std::string(1000, 'x')));
  }
  Open();  // nothing is cached
  disk_.FailReads(true);
  const std::vector<RowKey> one = {{1, "7"}};
  const std::vector<RowKey> two = {{1, "7"}, {1, "31"}};
  EXPECT_EQ(store().Get(one, Wait::kMayBlock).error(), StoreError::kNotDone);
  EXPECT_EQ(store().Get(two, Wait::kMayBlock).error(), StoreError::kNotDone);
  EXPECT_EQ(store().Visit({.cell = 1}, Wait::kMayBlock, [](auto, auto) { return true; }).error(),
            StoreError::kNotDone);
  bool decided = false;
  EXPECT_EQ(SubmitAndWait(store(), one,
                          [&](SeenViews) {
                            decided = true;
                            return Mutation();
                          })
                .error(),
            StoreError::kNotDone);
  EXPECT_FALSE(decided);
  disk_.FailReads(false);
  EXPECT_EQ(ReadRange(store(), {.cell = 1}).size(), 40u);
  EXPECT_TRUE(Put(store(), 1, "7", "1"));
}

TEST_F(BadDisk, AMemoryOnlyReadNeverTouchesTheDisk) {
  Open();
  const std::vector<RowKey> one = {{1, "7"}};
  const std::vector<RowKey> two = {{1, "7"}, {1, "8"}};
  ASSERT_TRUE(Put(store(), 1, "7", "1"));
  ASSERT_TRUE(Put(store(), 1, "8", "2"));
  EXPECT_TRUE(store().Get(one, Wait::kMemoryOnly));
  Open();
  disk_.FailReads(true);
  const auto visit = [&] {
    return store().Visit({.cell = 1}, Wait::kMemoryOnly, [](auto, auto) { return true; });
  };
  EXPECT_EQ(store().Get(one, Wait::kMemoryOnly).error(), StoreError::kWouldBlock);
  EXPECT_EQ(store().Get(two, Wait::kMemoryOnly).error(), StoreError::kWouldBlock);
  EXPECT_EQ(visit().error(), StoreError::kWouldBlock);
  disk_.FailReads(false);
  EXPECT_EQ(ReadRange(store(), {.cell = 1}).size(), 2u);
  disk_.FailReads(true);
  EXPECT_EQ(*store().Get(one, Wait::kMemoryOnly)->front(), "1");
  EXPECT_TRUE(store().Get(two, Wait::kMemoryOnly));
  EXPECT_TRUE(visit());
}

// Deleted rows lie in the way until they are compacted; stepping over many takes long.
TEST_F(BadDisk, AMemoryOnlyReadDoesNotStepOverManyDeletedRows) {
  constexpr int kRows = 5000;
  auto opened = OpenRocksDb(folder_.path().native(), {});  // with memtables that hold them all
  ASSERT_TRUE(opened) << opened.error().message;
  auto& store = **opened;
  const auto visit = [&](Wait wait) {
    return store.Visit({.cell = 1}, wait, [](auto, auto) { return true; });
  };
  Mutation puts;
  Mutation deletes;
  for (int i = 0; i < kRows; ++i) {
    puts.PutRow(1, std::to_string(i), "x");
    deletes.DeleteRow(1, std::to_string(i));
  }
  ASSERT_TRUE(Apply(store, puts));
  EXPECT_TRUE(visit(Wait::kMemoryOnly));
  ASSERT_TRUE(Apply(store, deletes));
  const auto in_memory = visit(Wait::kMemoryOnly);
  ASSERT_FALSE(in_memory);
  EXPECT_EQ(in_memory.error(), StoreError::kWouldBlock);
  EXPECT_TRUE(visit(Wait::kMayBlock));
}

// A batch ends at a bound of bytes, which the rows it reads count towards.
TEST_F(BadDisk, UpdatesThatSeeLargeRowsDoNotPileUp) {
  constexpr std::size_t kUpdates = 100;
  constexpr std::size_t kRowBytes = 400 << 10;
  Open();
  for (std::size_t i = 0; i < kUpdates; ++i) {
    ASSERT_TRUE(Put(store(), 1, std::to_string(i), std::string(kRowBytes, 'x')));
  }
  Answers answers;
  std::mutex submitting;
  std::size_t decided = 0;  // and not yet answered
  std::size_t most = 0;
  {
    std::lock_guard lock(submitting);
    for (std::size_t i = 0; i < kUpdates; ++i) {
      store().Submit(std::make_unique<LambdaUpdate>(
                         std::vector<RowKey>{{1, std::to_string(i)}},
                         [&](SeenViews) {
                           std::lock_guard until_all_are_queued(submitting);
                           most = std::max(most, ++decided);
                           return Mutation();
                         },
                         [&](const auto& result) {
                           --decided;
                           answers.Add(result);
                         }),
                     /*inline_if_idle=*/false);
    }
  }
  answers.WaitFor(kUpdates);
  EXPECT_EQ(answers.failed(), 0u);
  EXPECT_LE(most * kRowBytes, (4u << 20) + 2 * kRowBytes);
}

// Ranges whose rows begin alike are read by way of filters, in memtables and in files: small
// memtables make many of them, over which the rows of a beginning and their deletions are spread.
TEST(RangeTest, SeesEveryRowWhereverItsBeginningLies) {
  constexpr std::size_t kBeginnings = 40;
  constexpr std::uint64_t kSuffixes = 30;
  const TemporaryFolder folder;
  auto opened = OpenRocksDb(folder.path().native(), {.durability = Durability::kRelaxed},
                            {.memtable_bytes = std::size_t{64} << 10});
  ASSERT_TRUE(opened) << opened.error().message;
  Store& store = **opened;
  Rng rng(7);
  // Some are shorter than a beginning, some differ in its last byte only.
  std::vector<std::string> beginnings;
  for (std::size_t i = 0; i < kBeginnings; ++i) {
    beginnings.push_back(std::string(1 + i % 12, 'i') + static_cast<char>(rng.Below(256)));
  }
  const auto any_key = [&] {
    return beginnings[rng.Below(kBeginnings)] + std::to_string(rng.Below(kSuffixes));
  };
  std::map<std::string, std::string> expected;
  for (int round = 0; round < 60; ++round) {
    Mutation mutation;
    for (int i = 0; i < 20; ++i) {
      const auto key = any_key();
      if (rng.Below(4) == 0) {
        mutation.DeleteRow(1, key);
        expected.erase(key);
      } else {
        mutation.PutRow(1, key, std::string(100 + rng.Below(900), static_cast<char>('a' + i)));
        expected[key] = std::get<Mutation::Put>(mutation.steps().back()).value;
      }
    }
    ASSERT_TRUE(SubmitAndWait(store, {}, [&](auto) { return mutation; }));
    for (int i = 0; i < 40; ++i) {
      Range range{.cell = 1, .begin = beginnings[rng.Below(kBeginnings)], .end = {}};
      range.end = rng.Below(2) == 0 ? range.begin + '\xff' : any_key();
      if (rng.Below(2) == 0) range.begin += std::to_string(rng.Below(kSuffixes));
      range.reverse = rng.Below(4) == 0;
      std::map<std::string, std::string> seen;
      ASSERT_TRUE(store.Visit(range, Wait::kMayBlock, [&](auto key, auto value) {
        seen.emplace(key, value);
        return true;
      }));
      const auto begin = expected.lower_bound(range.begin);
      const auto end = range.begin < range.end ? expected.lower_bound(range.end) : begin;
      ASSERT_EQ(seen, (std::map<std::string, std::string>(begin, end)));
    }
  }
}

TEST_F(BadDisk, ADamagedRecordIsNotServed) {
  Open();
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(Put(store(), 1, std::to_string(i), std::string(1000, 'x')));
  }
  store_.reset();
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "rocksdb")) {
    if (entry.path().extension() != ".sst") continue;
    std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(100);
    file << "garbage";
  }
  Open();
  EXPECT_EQ(store().Visit({.cell = 1}, Wait::kMayBlock, [](auto, auto) { return true; }).error(),
            StoreError::kNotDone);
}

}  // namespace
}  // namespace kw::storage
