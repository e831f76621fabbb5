// SPDX-License-Identifier: Apache-2.0
// What the tests of stores share: updates from lambdas, temporary folders, whole reads.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace kw::storage {

using SeenViews = std::span<const std::optional<std::string_view>>;

class LambdaUpdate final : public Update {
 public:
  LambdaUpdate(std::vector<RowKey> sees, std::function<Mutation(SeenViews)> decide,
               std::function<void(StoreResult<void>)> done)
      : sees_(std::move(sees)), decide_(std::move(decide)), done_(std::move(done)) {}
  std::span<const RowKey> Sees() const override { return sees_; }
  Mutation Decide(SeenViews rows) override { return decide_(rows); }
  void Done(StoreResult<void> result) override { done_(std::move(result)); }

 private:
  std::vector<RowKey> sees_;
  std::function<Mutation(SeenViews)> decide_;
  std::function<void(StoreResult<void>)> done_;
};

// Counts answers and waits for them.
class Answers {
 public:
  void Add(const StoreResult<void>& result) {
    std::lock_guard lock(mutex_);
    ++count_;
    if (!result) ++failed_;
    changed_.notify_all();
  }
  void WaitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }
  std::size_t count() {
    std::lock_guard lock(mutex_);
    return count_;
  }
  std::size_t failed() {
    std::lock_guard lock(mutex_);
    return failed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_ = 0;
  std::size_t failed_ = 0;
};

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "kw-store-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline StoreResult<void> Apply(Store& store, const Mutation& mutation) {
  return SubmitAndWait(store, {}, [&](SeenViews) { return mutation; });
}

inline StoreResult<void> Put(Store& store, CellId cell, std::string key, std::string value) {
  Mutation mutation;
  mutation.PutRow(cell, std::move(key), std::move(value));
  return Apply(store, mutation);
}

inline std::optional<std::string> GetOne(Store& store, CellId cell, std::string key) {
  const std::vector<RowKey> keys = {{cell, std::move(key)}};
  auto rows = store.Get(keys, Wait::kMayBlock);
  EXPECT_TRUE(rows);
  return rows ? (*rows)[0] : std::nullopt;
}

using KeyValues = std::vector<std::pair<std::string, std::string>>;
inline KeyValues ReadRange(Store& store, const Range& range) {
  KeyValues rows;
  EXPECT_TRUE(store.Visit(range, Wait::kMayBlock, [&](auto key, auto value) {
    rows.emplace_back(key, value);
    return true;
  }));
  return rows;
}

using LogEntries = std::vector<std::pair<std::uint64_t, std::string>>;
inline LogEntries ReadLog(Store& store, CellId cell, std::uint32_t log, std::uint64_t after = 0) {
  LogEntries entries;
  EXPECT_TRUE(store.VisitLog(cell, log, after, [&](auto position, auto record) {
    entries.emplace_back(position, record);
    return true;
  }));
  return entries;
}

inline std::int64_t Number(const std::optional<std::string_view>& row) {
  return row ? std::stoll(std::string(*row)) : 0;
}

}  // namespace kw::storage
