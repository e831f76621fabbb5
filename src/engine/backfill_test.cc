// SPDX-License-Identifier: Apache-2.0
// After a backfill the index is what the table says it is, row by row and counter by counter, no
// matter what was written meanwhile or where it was interrupted.
#include "engine/backfill.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <thread>

#include "base/rng.h"
#include "engine/engine_test_support.h"
#include "engine/tables.h"
#include "engine/upkeep.h"

namespace kw::engine {
namespace {

const TableKey kTable{"000000000000", "us-east-1", "t"};

// A server's worth of engine over a store that outlives it.
class Server {
 public:
  Server(storage::Store& store, const Clock& clock, std::chrono::milliseconds lag)
      : catalog_(*Catalog::Load(store)),
        engine_{.store = store, .catalog = *catalog_, .clock = clock, .options = {lag}} {}

  void CreateTable(std::vector<std::uint64_t> cuts) {
    CreateTableRequest request;
    request.key = kTable;
    request.schema = TableSchema::Make({{S("id")}, {}}, {});
    request.attribute_definitions = {S("id")};
    request.billing = BillingMode::kPayPerRequest;
    ASSERT_TRUE(kw::engine::CreateTable(engine_, std::move(request)));
    if (cuts.empty()) return;
    ASSERT_TRUE(catalog_->Apply(kTable, [&](const TablePtr& now) -> Result<Catalog::Next> {
      auto next = std::make_unique<Table>(*now);
      for (const auto cut : cuts) {
        const auto slice = static_cast<std::uint32_t>(next->cells.size());
        next->cells.push_back({cut, SliceCell(next->number, slice)});
      }
      return Catalog::Next{std::move(next), {}};
    }));
  }
  void AddIndex() {
    UpdateTableRequest request;
    request.key = kTable;
    misfits = false;
    request.index_changes = {IndexCreate{{Global("g", {{S("a")}, {N("n")}}), {}, {}, {}}}};
    ASSERT_TRUE(UpdateTable(engine_, std::move(request)));
  }
  void DeleteIndex() {
    UpdateTableRequest request;
    request.key = kTable;
    request.index_changes = {IndexDelete{"g"}};
    ASSERT_TRUE(UpdateTable(engine_, std::move(request)));
    misfits = true;
  }
  Result<void> Fill(std::size_t items, const std::atomic<bool>& stop) {
    return RunUpkeep(engine_, stop, {.items = items, .bytes = 1 << 20});
  }
  std::atomic<bool> misfits{true};  // whether to write items that the index will refuse
  TablePtr table() const { return catalog_->FindOrNull(kTable); }
  Engine& engine() { return engine_; }

  void PutInIndex(const std::string& id, const std::string& a) {
    const auto item =
        fmt::format(R"({{"id":{{"S":"{}"}},"n":{{"N":"1"}},"a":{{"S":"{}"}}}})", id, a);
    Wait(&kw::engine::Put, PutRequest{.table = kTable, .item = ParseItem(item), .condition = {}});
  }

  // One write of any kind to one of `keys` items, which are in the index, or not, or cannot be.
  void WriteSomething(Rng& rng, std::uint64_t keys) {
    const auto id = fmt::format("{}", rng.Below(keys));
    const auto kind = rng.Below(8);
    if (kind == 0) return Wait(&kw::engine::Delete, DeleteOf(id));
    if (kind == 1) return TransactSomething(rng, id, fmt::format("{}", rng.Below(keys)));
    Wait(&kw::engine::Put, PutOf(rng, id));
  }

 private:
  // "a" may be absent, and, where no index refuses it, a number.
  PutRequest PutOf(Rng& rng, const std::string& id) const {
    const auto kind = rng.Below(5);
    std::string a = fmt::format(R"(,"a":{{"S":"{}"}})", std::string(1 + rng.Below(9), 'x'));
    if (kind == 0) a.clear();
    if (kind == 1 && misfits) a = R"(,"a":{"N":"1"})";
    return {.table = kTable,
            .item = ParseItem(
                fmt::format(R"({{"id":{{"S":"{}"}},"n":{{"N":"{}"}}{}}})", id, rng.Below(5), a)),
            .condition = {}};
  }
  static DeleteRequest DeleteOf(const std::string& id) {
    return {.table = kTable,
            .key = ParseItem(fmt::format(R"({{"id":{{"S":"{}"}}}})", id)),
            .condition = {}};
  }
  void TransactSomething(Rng& rng, const std::string& a, const std::string& b) {
    if (a == b) return;
    TransactWriteRequest request;
    request.actions.emplace_back(PutOf(rng, a));
    request.actions.emplace_back(DeleteOf(b));
    Wait(&kw::engine::TransactWrite, std::move(request));
  }
  template <class Outcome, class Request>
  void Wait(void (*start)(Engine&, const CallContext&, Request, Done<Outcome>), Request request) {
    std::promise<bool> answer;
    auto done = answer.get_future();
    start(engine_, {.account = kTable.account, .region = kTable.region}, std::move(request),
          [&](Result<Outcome> outcome) { answer.set_value(outcome.has_value()); });
    EXPECT_TRUE(done.get());
  }

  std::unique_ptr<Catalog> catalog_;
  Engine engine_;
};

void ExpectIndexEqualsTable(Server& server) {
  const auto table = server.table();
  auto& store = server.engine().store;
  ASSERT_EQ(table->index_states.size(), 1U);
  EXPECT_EQ(table->index_states[0].status, IndexStatus::kActive);
  std::map<std::string, std::string> expected;
  std::int64_t bytes = 0;
  for (const auto& slice : table->cells) {
    ASSERT_TRUE(store.Visit({.cell = slice.cell, .begin = "i", .end = "j"},
                            storage::Wait::kMayBlock,
                            [&](std::string_view, std::string_view stored) {
                              if (auto row = IndexRowOf(*table, 0, LoadItem(stored))) {
                                bytes += StoredItemSize(row->stored).value();
                                expected.emplace(row->key.key, row->stored);
                              }
                              return true;
                            }));
    // Nothing is left of the filling.
    ASSERT_TRUE(store.Visit({.cell = slice.cell, .begin = "f", .end = "g"},
                            storage::Wait::kMayBlock, [&](std::string_view, std::string_view) {
                              ADD_FAILURE() << "a fill row is left";
                              return true;
                            }));
  }
  std::map<std::string, std::string> found;
  ASSERT_TRUE(
      store.Visit({.cell = table->IndexCell(table->index_states[0]), .begin = "i", .end = "j"},
                  storage::Wait::kMayBlock, [&](std::string_view key, std::string_view stored) {
                    found.emplace(key, stored);
                    return true;
                  }));
  EXPECT_EQ(found, expected);
  const auto size = SizeOf(server.engine(), *table);
  ASSERT_TRUE(size);
  EXPECT_EQ(size->indexes[0].items, static_cast<std::int64_t>(expected.size()));
  EXPECT_EQ(size->indexes[0].bytes, bytes);
}

struct Case {
  std::string name;
  std::string url;
  std::chrono::milliseconds lag;
  std::vector<std::uint64_t> cuts;
};

class BackfillTest : public ::testing::TestWithParam<Case> {
 protected:
  BackfillTest() {
    if (GetParam().url == "memory:") {
      url_ = "memory:";
    } else {
      folder_ = std::filesystem::temp_directory_path() /
                fmt::format("kw-backfill-{}-{}", GetParam().name, ::getpid());
      std::filesystem::remove_all(folder_);
      url_ = "rocksdb:" + folder_.string();
    }
    Open();
  }
  ~BackfillTest() override {
    server_.reset();
    hooked_.reset();
    store_.reset();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  void Open() {
    if (!store_) store_ = std::move(*storage::Open(url_, {}));
    hooked_ = std::make_unique<HookedStore>(*store_);
    server_ = std::make_unique<Server>(*hooked_, clock_, lag_);
    server_->misfits = server_->table() == nullptr;
  }
  // As if the process had ended and started again, perhaps with another lag; memory outlives it.
  void Restart(std::chrono::milliseconds lag) {
    lag_ = lag;
    server_.reset();
    hooked_.reset();
    if (!folder_.empty()) store_.reset();
    Open();
    ASSERT_TRUE(IndexApplier(server_->engine()).RunOnce());  // as a server does before it serves
  }
  void CatchUp() {
    clock_.Advance(lag_);
    ASSERT_TRUE(IndexApplier(server_->engine()).RunOnce());
  }

  ManualClock clock_{TimePoint(std::chrono::milliseconds(1'700'000'000'000))};
  std::chrono::milliseconds lag_ = GetParam().lag;
  std::string url_;
  std::filesystem::path folder_;
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<HookedStore> hooked_;
  std::unique_ptr<Server> server_;
  std::atomic<bool> stop_{false};
};

// Each step of the filler is crossed by writes of every kind, and the process ends now and then.
TEST_P(BackfillTest, SurvivesWritesAndRestartsAtEachStep) {
  const int rounds = folder_.empty() ? 60 : 6;
  server_->CreateTable(GetParam().cuts);
  for (int seed = 1; seed <= rounds; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(static_cast<std::uint64_t>(seed));
    const auto keys = 1 + rng.Below(60);
    for (int i = 0; i < 80; ++i) server_->WriteSomething(rng, keys);
    server_->AddIndex();
    while (server_->table()->index_states[0].backfilling) {
      stop_ = false;
      int steps = 0;
      hooked_->after_visit = [&, hook = false]() mutable {
        if (std::exchange(hook, true)) return;
        for (auto writes = rng.Below(6); writes > 0; --writes) server_->WriteSomething(rng, keys);
        if (lag_.count() > 0 && rng.Below(3) == 0) CatchUp();
        if (++steps > 3 && rng.Below(3) == 0) stop_ = true;
        hook = false;
      };
      ASSERT_TRUE(server_->Fill(1 + rng.Below(4), stop_));
      hooked_->after_visit = nullptr;
      if (stop_ && rng.Below(3) == 0) {
        // Now and then with the other way of feeding indexes: the filling starts over.
        const std::chrono::milliseconds other(lag_.count() > 0 ? 0 : 500);
        Restart(rng.Below(4) == 0 ? other : lag_);
      }
    }
    for (int i = 0; i < 20; ++i) server_->WriteSomething(rng, keys);
    CatchUp();
    ExpectIndexEqualsTable(*server_);
    if (HasFailure()) return;
    server_->DeleteIndex();
    stop_ = false;
    ASSERT_TRUE(server_->Fill(1, stop_));
    CatchUp();
  }
}

// With a lag the log may still hold changes that were meant for an index that is gone.
TEST_P(BackfillTest, ANewIndexBeginsWithWhatTheRowsShow) {
  server_->CreateTable(GetParam().cuts);
  server_->AddIndex();
  ASSERT_TRUE(server_->Fill(10, stop_));
  server_->PutInIndex("x", "1");
  server_->PutInIndex("x", "2");
  server_->DeleteIndex();
  ASSERT_TRUE(server_->Fill(10, stop_));
  server_->PutInIndex("x", "3");
  server_->AddIndex();
  server_->PutInIndex("y", "4");
  CatchUp();  // before the new index is filled at all
  ASSERT_TRUE(server_->Fill(10, stop_));
  server_->PutInIndex("y", "5");
  CatchUp();
  ExpectIndexEqualsTable(*server_);
}

TEST_P(BackfillTest, SurvivesWritersOnOtherThreads) {
  server_->CreateTable(GetParam().cuts);
  Rng rng(7);
  for (int i = 0; i < 500; ++i) server_->WriteSomething(rng, 400);
  server_->misfits = false;  // known to the writers before there is an index
  std::atomic<bool> writing{true};
  std::vector<std::thread> writers;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    writers.emplace_back([&, seed] {
      Rng own(seed);
      while (writing) server_->WriteSomething(own, 400);
    });
  }
  server_->AddIndex();
  const auto filled = server_->Fill(10, stop_);
  writing = false;
  for (auto& writer : writers) writer.join();
  ASSERT_TRUE(filled);
  CatchUp();
  ExpectIndexEqualsTable(*server_);
}

TEST_P(BackfillTest, EndsWhereTheIndexIsDeletedMeanwhile) {
  server_->CreateTable(GetParam().cuts);
  Rng rng(3);
  for (int i = 0; i < 100; ++i) server_->WriteSomething(rng, 100);
  server_->AddIndex();
  const auto filling = server_->table();
  int steps = 0;
  hooked_->after_visit = [&] {
    if (++steps == 5) server_->DeleteIndex();
  };
  ASSERT_TRUE(server_->Fill(3, stop_));
  hooked_->after_visit = nullptr;
  ASSERT_TRUE(server_->Fill(3, stop_));
  EXPECT_TRUE(server_->table()->index_states.empty());
  EXPECT_TRUE(server_->engine().catalog.Dropped().empty());
  for (const auto cell : {filling->IndexCell(filling->index_states[0])}) {
    ASSERT_TRUE(store_->Visit({.cell = cell}, storage::Wait::kMayBlock,
                              [](std::string_view, std::string_view) {
                                ADD_FAILURE() << "a row is left";
                                return false;
                              }));
  }
  EXPECT_EQ(SizeOf(server_->engine(), *filling)->indexes[0].items, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, BackfillTest,
    ::testing::Values(
        Case{"memory", "memory:", {}, {}},
        Case{"memory_cells", "memory:", {}, {0x4000000000000000U, 0xc000000000000000U}},
        Case{"memory_lag", "memory:", std::chrono::milliseconds(10), {}},
        Case{"rocksdb", "rocksdb:", {}, {}},
        Case{"rocksdb_lag", "rocksdb:", std::chrono::milliseconds(10), {}}),
    [](const auto& test) { return test.param.name; });

TEST(Fill, FollowsWhatIsCounted) {
  auto fill = Fill::Decode(std::nullopt);
  EXPECT_FALSE(fill.Follows("ia", true));
  EXPECT_FALSE(fill.Follows("ia", false));
  fill.Advance("im");
  fill.Advance("ir");
  // (passed, claimed] is (im, ir].
  EXPECT_TRUE(fill.Follows("ia", true));
  EXPECT_TRUE(fill.Follows("im", false));
  EXPECT_FALSE(fill.Follows("in", true));
  EXPECT_FALSE(fill.changed());
  EXPECT_FALSE(fill.Follows("is", false));
  EXPECT_TRUE(fill.Follows("in", false));  // born in the claimed part
  EXPECT_TRUE(fill.changed());
  auto again = Fill::Decode(fill.Encode());
  EXPECT_TRUE(again.Follows("in", true));
  EXPECT_FALSE(again.changed());
  EXPECT_TRUE(again.WasBorn("in"));
  again.Advance("j");
  EXPECT_FALSE(again.WasBorn("in"));
  EXPECT_FALSE(again.complete());
  again.Advance("j");
  EXPECT_TRUE(again.complete());
}

}  // namespace
}  // namespace kw::engine
