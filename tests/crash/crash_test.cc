// SPDX-License-Identifier: Apache-2.0
// The store under a crash at every kind of moment: what was answered or read stands, nothing stands
// by half. KW_CRASH_ROUNDS sets the number of crashes, KW_CRASH_SEED where they begin.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <thread>

#include "base/log.h"
#include "base/rng.h"
#include "storage/rocksdb/forgetful_env.h"
#include "storage/rocksdb/rocksdb_store.h"
#include "storage/store_test_support.h"

namespace kw::storage {
namespace {

constexpr std::size_t kKeys = 24;
constexpr int kWriters = 3;
constexpr int kInFlight = 8;           // of each writer
constexpr int kCrashesPerFolder = 12;  // over the same data
constexpr CellId kLeft = 1;
constexpr CellId kRight = 2;
constexpr std::uint32_t kLog = 1;

std::uint64_t FromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

// The newest version of each key that somebody was told of: it must be found after the crash.
class Promises {
 public:
  void Raise(std::size_t key, std::int64_t version) {
    auto& promise = versions_[key];
    auto known = promise.load();
    while (known < version && !promise.compare_exchange_weak(known, version)) {
    }
  }
  std::int64_t operator[](std::size_t key) const { return versions_[key]; }

 private:
  std::array<std::atomic<std::int64_t>, kKeys> versions_{};
};

std::string KeyName(std::size_t key) { return fmt::format("key{:02}", key); }

// Raises one key's version in two cells, with a log entry and a counter: four things that must
// agree. Versions lead the value, which is long enough to spread over pages.
class Raise final : public Update {
 public:
  Raise(std::size_t key, std::size_t padding, Promises& promises, Answers& answers)
      : key_(key),
        padding_(padding),
        promises_(promises),
        answers_(answers),
        sees_{{kLeft, KeyName(key)}, {kRight, KeyName(key)}} {}

  std::span<const RowKey> Sees() const override { return sees_; }
  Mutation Decide(SeenViews rows) override {
    EXPECT_EQ(rows[0], rows[1]);
    version_ = Number(rows[0]) + 1;
    const auto value = fmt::format("{} {}", version_, std::string(padding_, 'x'));
    Mutation mutation;
    mutation.PutRow(kLeft, KeyName(key_), value);
    mutation.PutRow(kRight, KeyName(key_), value);
    mutation.AppendToLog(kLeft, kLog, fmt::format("{} {}", key_, version_));
    mutation.AddToCounter(kRight, "versions", 1);
    if (version_ % 2 == 0) {
      mutation.PutRow(kLeft, "even" + KeyName(key_), "");
    } else {
      mutation.DeleteRow(kLeft, "even" + KeyName(key_));
    }
    return mutation;
  }
  void Done(StoreResult<void> result) override {
    if (result) promises_.Raise(key_, version_);
    answers_.Add(result);
  }

 private:
  const std::size_t key_;
  const std::size_t padding_;
  Promises& promises_;
  Answers& answers_;
  const std::vector<RowKey> sees_;
  std::int64_t version_ = 0;
};

void WriteUntilItFails(Store& store, Rng rng, Promises& promises) {
  Answers answers;
  std::size_t submitted = 0;
  while (answers.failed() == 0) {
    store.Submit(std::make_unique<Raise>(rng.Below(kKeys), rng.Below(3000), promises, answers),
                 rng.Below(4) == 0);
    ++submitted;
    if (submitted > kInFlight) answers.WaitFor(submitted - kInFlight);
  }
  answers.WaitFor(submitted);
}

// A reader, too, must never have seen what a crash undoes.
void ReadUntil(Store& store, Rng rng, Promises& promises, const std::atomic<bool>& stop) {
  while (!stop) {
    const auto key = rng.Below(kKeys);
    const std::vector<RowKey> keys = {{kLeft, KeyName(key)}, {kRight, KeyName(key)}};
    const auto rows = store.Get(keys, Wait::kMayBlock);
    if (!rows) continue;
    EXPECT_EQ((*rows)[0], (*rows)[1]);
    promises.Raise(key, Number((*rows)[0]));
  }
}

struct Findings {
  std::int64_t lost = 0;  // versions that were promised and are gone
  std::int64_t promised = 0;
  int crashes = 0;
  int failed_opens = 0;
};

// Adds what was lost; everything else must agree in any case, so it is expected here.
void Examine(Store& store, Promises& promises, Findings& findings) {
  std::int64_t sum = 0;
  std::map<std::size_t, std::int64_t> versions;
  for (std::size_t key = 0; key < kKeys; ++key) {
    const auto left = GetOne(store, kLeft, KeyName(key));
    EXPECT_EQ(left, GetOne(store, kRight, KeyName(key)));
    const auto version = Number(left);
    EXPECT_EQ(GetOne(store, kLeft, "even" + KeyName(key)).has_value(),
              version > 0 && version % 2 == 0);
    findings.promised += promises[key];
    if (version < promises[key]) findings.lost += promises[key] - version;
    sum += version;
    versions[key] = version;
  }
  const auto entries = ReadLog(store, kLeft, kLog);
  EXPECT_EQ(static_cast<std::int64_t>(entries.size()), sum);
  EXPECT_EQ(*store.ReadCounter({kRight, "versions"}), sum);
  std::map<std::size_t, std::int64_t> logged;
  std::uint64_t expected_position = 1;
  for (const auto& [position, record] : entries) {
    EXPECT_EQ(position, expected_position++);
    const auto space = record.find(' ');
    const auto key = std::stoul(record.substr(0, space));
    EXPECT_EQ(Number(record.substr(space + 1)), ++logged[key]);
  }
  for (const auto& [key, version] : versions) EXPECT_EQ(logged[key], version);
}

// One life of a store, up to the crash.
void Live(Store& store, Rng& rng, Promises& promises) {
  std::atomic<bool> stop = false;
  std::thread reader([&, seed = rng.Next()] { ReadUntil(store, Rng(seed), promises, stop); });
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, seed = rng.Next()] { WriteUntilItFails(store, Rng(seed), promises); });
  }
  for (auto& writer : writers) writer.join();
  stop = true;
  reader.join();
}

Findings CrashAgainAndAgain(Durability durability, std::uint64_t rounds) {
  const auto seed = FromEnvironment("KW_CRASH_SEED", 1);
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  Findings findings;
  const OpenOptions options{.durability = durability, .cache_bytes = 1 << 20, .queue_max = 64};
  for (std::uint64_t round = 0; round < rounds && !::testing::Test::HasFailure();
       round += kCrashesPerFolder) {
    SCOPED_TRACE(fmt::format("KW_CRASH_SEED={} round {}", seed, round));
    Rng rng(seed * 1'000'003 + round);
    TemporaryFolder folder;
    ForgetfulEnv disk(rng.Next());
    // Small, so that flushes and compactions crash too.
    const RocksDbParts parts{.env = disk.env(), .memtable_bytes = std::size_t{64} << 10};
    auto promises = std::make_unique<Promises>();
    for (int crash = 0; crash < kCrashesPerFolder; ++crash) {
      disk.StopAfter(1 + rng.Below(rng.Below(4) == 0 ? 30 : 800));
      if (auto store = OpenRocksDb(folder.path().native(), options, parts)) {
        Live(**store, rng, *promises);
      } else {
        EXPECT_TRUE(disk.stopped()) << store.error().message;
        ++findings.failed_opens;
      }
      EXPECT_TRUE(disk.stopped());
      disk.Crash();
      ++findings.crashes;
      auto store = OpenRocksDb(folder.path().native(), options, parts);
      if (!store) {
        ADD_FAILURE() << store.error().message;
        return findings;
      }
      const auto lost_before = findings.lost;
      Examine(**store, *promises, findings);
      if (findings.lost > lost_before) break;  // what follows builds on the loss
    }
  }
  return findings;
}

TEST(Crash, LosesNothingThatWasPromised) {
  const auto findings =
      CrashAgainAndAgain(Durability::kFull, FromEnvironment("KW_CRASH_ROUNDS", 100));
  fmt::print("{} crashes, {} of them while opening; {} promises kept\n", findings.crashes,
             findings.failed_opens, findings.promised);
  EXPECT_EQ(findings.lost, 0);
  EXPECT_GT(findings.promised, 0);
}

// The test's own proof: without the sync it must find losses, though never a half.
TEST(Crash, FindsTheLossWithoutSync) {
  const auto findings = CrashAgainAndAgain(Durability::kRelaxed, 24);
  EXPECT_GT(findings.lost, 0);
}

}  // namespace
}  // namespace kw::storage
