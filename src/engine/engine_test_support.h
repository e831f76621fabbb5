// SPDX-License-Identifier: Apache-2.0
// What the engine's tests share: an engine over a store, tables from a few words, items from JSON,
// and operations that wait for their answer.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "data/item.h"
#include "data/item_bytes.h"
#include "engine/index_applier.h"
#include "engine/layout.h"
#include "engine/operations.h"
#include "storage/open.h"

namespace kw::engine {

inline AttributeMap ParseItem(std::string_view json) {
  JsonParser parser;
  const auto value = parser.Parse(json);
  EXPECT_TRUE(value.has_value()) << json;
  auto item = ParseAttributeMap(*value);
  EXPECT_TRUE(item.has_value()) << json;
  return item ? std::move(*item) : AttributeMap();
}

inline std::string ToJson(const AttributeMap& item) {
  std::string json;
  JsonWriter writer(json);
  WriteJson(item, writer);
  return json;
}
inline std::string ToJson(std::string_view stored) { return ToJson(LoadItem(stored)); }
inline std::string ToJson(const std::string& stored) { return ToJson(LoadItem(stored)); }
inline std::string ToJson(const std::optional<std::string>& stored) {
  return stored ? ToJson(*stored) : "nothing";
}
inline std::vector<std::string> ToJson(const StoredItems& items) {
  std::vector<std::string> texts;
  for (const auto stored : items) texts.push_back(ToJson(stored));
  return texts;
}

inline KeyAttribute S(std::string name) { return {std::move(name), KeyType::kString}; }
inline KeyAttribute N(std::string name) { return {std::move(name), KeyType::kNumber}; }

inline IndexSchema Local(std::string name, KeyAttribute partition, KeyAttribute sort,
                         Projected projected = ProjectAll{}) {
  return {std::move(name),
          IndexScope::kLocal,
          {{std::move(partition)}, {std::move(sort)}},
          std::move(projected)};
}
inline IndexSchema Global(std::string name, KeySchema key, Projected projected = ProjectAll{}) {
  return {std::move(name), IndexScope::kGlobal, std::move(key), std::move(projected)};
}

// Passes everything on, and after each range read, where a reader has seen rows but not yet acted
// on them, lets somebody else act.
class HookedStore final : public storage::Store {
 public:
  explicit HookedStore(storage::Store& store) : store_(store) {}
  std::function<void()> after_visit;

  storage::Capabilities capabilities() const override { return store_.capabilities(); }
  storage::StoreResult<std::vector<std::optional<std::string>>> Get(
      std::span<const storage::RowKey> keys, storage::Wait wait) override {
    return store_.Get(keys, wait);
  }
  storage::StoreResult<void> Visit(const storage::Range& range, storage::Wait wait,
                                   const storage::RowVisitor& visitor) override {
    auto result = store_.Visit(range, wait, visitor);
    if (after_visit) after_visit();
    return result;
  }
  void Submit(std::unique_ptr<storage::Update> update, bool inline_if_idle) override {
    store_.Submit(std::move(update), inline_if_idle);
  }
  storage::StoreResult<std::int64_t> ReadCounter(const storage::RowKey& key) override {
    return store_.ReadCounter(key);
  }
  storage::StoreResult<void> VisitLog(storage::CellId cell, std::uint32_t log, std::uint64_t after,
                                      const storage::LogVisitor& visitor) override {
    return store_.VisitLog(cell, log, after, visitor);
  }
  storage::StoreResult<std::uint64_t> LogEnd(storage::CellId cell, std::uint32_t log) override {
    return store_.LogEnd(cell, log);
  }
  storage::StoreResult<void> TrimLog(storage::CellId cell, std::uint32_t log,
                                     std::uint64_t up_to) override {
    return store_.TrimLog(cell, log, up_to);
  }
  storage::StoreResult<void> DropCell(storage::CellId cell) override {
    return store_.DropCell(cell);
  }

 private:
  storage::Store& store_;
};

class TestEngine {
 public:
  explicit TestEngine(std::string_view url = "memory:", std::chrono::milliseconds lag = {})
      : TestEngine(OpenStore(url), lag) {}
  explicit TestEngine(std::unique_ptr<storage::Store> store, std::chrono::milliseconds lag = {})
      : store_(std::move(store)),
        catalog_(std::move(*Catalog::Load(*store_))),
        engine_{.store = *store_, .catalog = *catalog_, .clock = clock_, .options = {lag}} {}

  // A table whose cells are cut at these hashes.
  TableKey MakeTable(const std::string& name, KeySchema key, std::vector<IndexSchema> indexes = {},
                     std::vector<std::uint64_t> cuts = {}) {
    const TableKey table_key{"000000000000", "us-east-1", name};
    const auto applied = catalog_->Apply(table_key, [&](const TablePtr&) -> Result<Catalog::Next> {
      auto table = std::make_unique<Table>();
      table->key = table_key;
      table->id = "id";
      table->number = catalog_->NextTableNumber();
      for (const auto& index : indexes) {
        auto& state = table->index_states.emplace_back();
        state.name = index.name;
        state.ordinal = table->next_ordinal++;
      }
      table->schema = TableSchema::Make(std::move(key), std::move(indexes));
      table->cells = {{0, SliceCell(table->number, 0)}};
      for (const auto cut : cuts) {
        const auto slice = static_cast<std::uint32_t>(table->cells.size());
        table->cells.push_back({cut, SliceCell(table->number, slice)});
      }
      return Catalog::Next{std::move(table), {}};
    });
    EXPECT_TRUE(applied.has_value());
    return table_key;
  }
  // Changes a table's snapshot.
  void Change(const TableKey& key, const std::function<void(Table&)>& change) {
    const auto applied = catalog_->Apply(key, [&](const TablePtr& now) -> Result<Catalog::Next> {
      auto table = std::make_unique<Table>(*now);
      change(*table);
      return Catalog::Next{std::move(table), {}};
    });
    EXPECT_TRUE(applied.has_value());
  }

  template <class Outcome, class Request>
  Result<Outcome> Wait(void (*start)(Engine&, const CallContext&, Request, Done<Outcome>),
                       Request request) {
    std::promise<Result<Outcome>> answer;
    auto result = answer.get_future();
    start(engine_, call_, std::move(request),
          [&](Result<Outcome> outcome) { answer.set_value(std::move(outcome)); });
    return result.get();
  }
  Result<WriteOutcome> Put(PutRequest request) {
    return Wait(&kw::engine::Put, std::move(request));
  }
  Result<WriteOutcome> Put(const TableKey& table, std::string_view item) {
    return Put({.table = table, .item = ParseItem(item), .condition = {}});
  }
  Result<WriteOutcome> Delete(DeleteRequest request) {
    return Wait(&kw::engine::Delete, std::move(request));
  }
  Result<WriteOutcome> Delete(const TableKey& table, std::string_view key) {
    return Delete({.table = table, .key = ParseItem(key), .condition = {}});
  }
  Result<WriteOutcome> Update(UpdateRequest request) {
    return Wait(&kw::engine::Update, std::move(request));
  }
  Result<WriteOutcome> Update(const TableKey& table, std::string_view key, std::string_view text,
                              std::string_view values = "",
                              UpdateReturn returns = UpdateReturn::kNone) {
    return Update({.table = table,
                   .key = ParseItem(key),
                   .update = ParseUpdate(text, values),
                   .condition = {},
                   .returns = returns});
  }
  // The item as JSON, or "nothing".
  std::string Read(const TableKey& table, std::string_view key) {
    auto outcome =
        kw::engine::Get(engine_, call_, {.table = table, .key = ParseItem(key), .projection = {}});
    return outcome ? ToJson(outcome->item) : outcome.error().message;
  }
  Result<PageOutcome> Query(const QueryRequest& request) {
    return kw::engine::Query(engine_, call_, request);
  }
  Result<PageOutcome> Scan(const ScanRequest& request) {
    return kw::engine::Scan(engine_, call_, request);
  }

  static Placeholders Values(std::string_view values) {
    Placeholders::Input input;
    input.has_values = !values.empty();
    if (!values.empty()) input.values = ParseItem(values);
    auto placeholders = Placeholders::Make(std::move(input));
    EXPECT_TRUE(placeholders.has_value());
    return std::move(*placeholders);
  }
  static kw::Update ParseUpdate(std::string_view text, std::string_view values = "") {
    auto placeholders = Values(values);
    auto update = kw::Update::Parse(text, placeholders);
    EXPECT_TRUE(update.has_value()) << text;
    return std::move(*update);
  }
  static Condition ParseCondition(std::string_view text, std::string_view values = "",
                                  ConditionKind kind = ConditionKind::kCondition) {
    auto placeholders = Values(values);
    auto condition = Condition::Parse(text, kind, placeholders);
    EXPECT_TRUE(condition.has_value()) << text;
    return std::move(*condition);
  }
  static KeyCondition ParseKeyCondition(std::string_view text, std::string_view values) {
    auto placeholders = Values(values);
    auto condition = KeyCondition::Parse(text, placeholders);
    EXPECT_TRUE(condition.has_value()) << text;
    return std::move(*condition);
  }
  static Projection ParseProjection(std::string_view text) {
    auto placeholders = Values("");
    auto projection = Projection::Parse(text, placeholders);
    EXPECT_TRUE(projection.has_value()) << text;
    return std::move(*projection);
  }

  Engine& engine() { return engine_; }
  CallContext& call() { return call_; }
  ManualClock& clock() { return clock_; }
  storage::Store& store() { return *store_; }

 private:
  static std::unique_ptr<storage::Store> OpenStore(std::string_view url) {
    auto store = storage::Open(url, {});
    EXPECT_TRUE(store.has_value()) << url;
    return std::move(*store);
  }

  ManualClock clock_{TimePoint(std::chrono::milliseconds(1'700'000'000'000))};
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<Catalog> catalog_;
  Engine engine_;
  CallContext call_{.account = "000000000000", .region = "us-east-1"};
};

// "[code] message" of what failed, or "done".
template <class T>
std::string Failure(const Result<T>& result) {
  return result ? "done" : result.error().message;
}

}  // namespace kw::engine
