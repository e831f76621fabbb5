// SPDX-License-Identifier: Apache-2.0
// The store's ceilings, to be read next to db_bench's on the same machine.
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <stdlib.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "base/check.h"
#include "base/rng.h"
#include "storage/open.h"

namespace kw::storage {
namespace {

constexpr std::size_t kRows = 100'000;
constexpr std::size_t kInFlight = 64;

std::string Key(std::size_t i) { return fmt::format("key{:021}", i); }

std::string Value() {
  Rng rng(1);
  std::string value;
  for (int i = 0; i < 512; ++i) value += static_cast<char>(rng.Below(256));
  return value + std::string(512, 'x');  // compresses to about half
}

// Counts answers down; `Submit` of a benchmark waits while too many are open.
class Window {
 public:
  void Open() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_ < kInFlight; });
    ++open_;
  }
  void Close() {
    std::lock_guard lock(mutex_);
    --open_;
    changed_.notify_one();
  }
  void Drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t open_ = 0;
};

// A conditional put: sees the row, then overwrites it.
class Overwrite final : public Update {
 public:
  Overwrite(std::size_t row, const std::string& value, Window& window)
      : sees_{{1, Key(row)}}, value_(value), window_(window) {}
  std::span<const RowKey> Sees() const override { return sees_; }
  Mutation Decide(std::span<const std::optional<std::string_view>> rows) override {
    Check(rows[0].has_value(), "the row is there");
    Mutation mutation;
    mutation.PutRow(1, sees_[0].key, value_);
    return mutation;
  }
  void Done(StoreResult<void> result) override {
    Check(result.has_value(), "the disk works");
    window_.Close();
  }

 private:
  const std::vector<RowKey> sees_;
  const std::string& value_;
  Window& window_;
};

// One filled store for all benchmarks of a kind of durability.
Store& Filled(Durability durability) {
  struct Instance {
    std::filesystem::path folder;
    std::unique_ptr<Store> store;
    explicit Instance(Durability d) {
      // Not /tmp: it may be memory.
      std::string name = std::filesystem::current_path() / "store-bench-XXXXXX";
      folder = ::mkdtemp(name.data());
      auto opened = Open("rocksdb:" + folder.native(), {.durability = d});
      Check(opened.has_value(), "the store opens");
      store = std::move(*opened);
      const auto value = Value();
      for (std::size_t i = 0; i < kRows;) {
        Mutation mutation;
        for (int n = 0; n < 1000; ++n, ++i) mutation.PutRow(1, Key(i), value);
        Check(SubmitAndWait(*store, {}, [&](auto) { return mutation; }).has_value(), "filled");
      }
    }
    ~Instance() {
      store.reset();
      std::filesystem::remove_all(folder);
    }
  };
  static Instance full(Durability::kFull);
  static Instance relaxed(Durability::kRelaxed);
  return durability == Durability::kFull ? *full.store : *relaxed.store;
}

void BM_GetOne(benchmark::State& state) {
  auto& store = Filled(Durability::kFull);
  Rng rng(2);
  for (auto _ : state) {
    const RowKey key{1, Key(rng.Below(kRows))};
    const auto rows = store.Get({&key, 1}, Wait::kMemoryOnly);
    if (!rows) benchmark::DoNotOptimize(store.Get({&key, 1}, Wait::kMayBlock));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_GetOne);

void BM_GetTen(benchmark::State& state) {
  auto& store = Filled(Durability::kFull);
  Rng rng(2);
  std::vector<RowKey> keys(10);
  for (auto _ : state) {
    for (auto& key : keys) key = {1, Key(rng.Below(kRows))};
    benchmark::DoNotOptimize(store.Get(keys, Wait::kMayBlock));
  }
  state.SetItemsProcessed(state.iterations() * 10);
}
BENCHMARK(BM_GetTen);

void BM_VisitTen(benchmark::State& state) {
  auto& store = Filled(Durability::kFull);
  Rng rng(2);
  for (auto _ : state) {
    std::size_t left = 10;
    std::size_t bytes = 0;
    const auto result = store.Visit({.cell = 1, .begin = Key(rng.Below(kRows - 10))},
                                    Wait::kMayBlock, [&](auto, auto value) {
                                      bytes += value.size();
                                      return --left > 0;
                                    });
    Check(result && bytes == 10240, "ten rows");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_VisitTen);

void BM_ScanAll(benchmark::State& state) {
  auto& store = Filled(Durability::kFull);
  std::size_t bytes = 0;
  for (auto _ : state) {
    Check(store
              .Visit({.cell = 1, .reverse = state.range(0) == 1}, Wait::kMayBlock,
                     [&](auto key, auto value) {
                       bytes += key.size() + value.size();
                       return true;
                     })
              .has_value(),
          "scanned");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(BM_ScanAll)->Arg(0)->Arg(1)->ArgName("reverse")->Unit(benchmark::kMillisecond);

// Argument: among how many rows the updates fall.
void BM_Overwrite(benchmark::State& state, Durability durability) {
  auto& store = Filled(durability);
  const auto value = Value();
  const auto rows = static_cast<std::size_t>(state.range(0));
  Rng rng(3);
  Window window;
  for (auto _ : state) {
    window.Open();
    store.Submit(std::make_unique<Overwrite>(rng.Below(rows), value, window));
  }
  window.Drain();
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(BM_Overwrite, durable_64_in_flight, Durability::kFull)
    ->Arg(1)
    ->Arg(16)
    ->Arg(kRows)
    ->ArgName("rows")
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Overwrite, relaxed_64_in_flight, Durability::kRelaxed)
    ->Arg(1)
    ->Arg(kRows)
    ->ArgName("rows")
    ->UseRealTime();

// One update at a time: by the applier's thread, or by the caller's.
void BM_OverwriteAlone(benchmark::State& state) {
  auto& store = Filled(Durability::kFull);
  const auto value = Value();
  Rng rng(3);
  Window window;
  for (auto _ : state) {
    window.Open();
    store.Submit(std::make_unique<Overwrite>(rng.Below(kRows), value, window),
                 /*inline_if_idle=*/state.range(0) == 1);
    window.Drain();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_OverwriteAlone)->Arg(0)->Arg(1)->ArgName("inline")->UseRealTime();

}  // namespace
}  // namespace kw::storage
