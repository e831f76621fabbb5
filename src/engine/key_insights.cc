// SPDX-License-Identifier: Apache-2.0
#include "engine/key_insights.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "data/key.h"

namespace kw::engine {
namespace {

// Row keys and their counts.
class Sketch {
 public:
  void Add(std::string_view key, std::int64_t weight) {
    if (const auto found = places_.find(std::string(key)); found != places_.end()) {
      counters_[found->second].count += weight;
      return;
    }
    if (counters_.size() < kSketchCounters) {
      places_.emplace(key, counters_.size());
      counters_.push_back({.key = std::string(key), .count = weight, .error_max = 0});
      return;
    }
    // The least one makes way, and its count may have been the new one's.
    const auto least = std::ranges::min_element(counters_, {}, &Counter::count);
    places_.erase(least->key);
    places_.emplace(key, static_cast<std::size_t>(least - counters_.begin()));
    least->error_max = least->count;
    least->count += weight;
    least->key = key;
  }

  struct Counter {
    std::string key;
    std::int64_t count;
    std::int64_t error_max;
  };
  [[nodiscard]] std::vector<Counter> Top(std::size_t max) const {
    auto top = counters_;
    std::ranges::sort(top, [](const Counter& a, const Counter& b) {
      return a.count != b.count ? a.count > b.count : a.key < b.key;
    });
    if (top.size() > max) top.resize(max);
    return top;
  }

 private:
  std::vector<Counter> counters_;
  std::unordered_map<std::string, std::size_t> places_;
};

// The attributes of a key schema out of a row key that begins with them; those that are there.
Item KeyOf(const KeySchema& schema, std::string_view row_key, std::size_t* bytes = nullptr) {
  std::vector<Item::Entry> entries;
  auto rest = row_key.substr(std::min(kRowHashBytes, row_key.size()));
  for (const auto* part : {&schema.partition, &schema.sort}) {
    for (const auto& attribute : *part) {
      auto value = TakeKeyPart(rest, attribute.type);
      if (!value) return Item::FromEntries(std::move(entries));
      entries.emplace_back(attribute.name, *std::move(value));
      if (bytes != nullptr) *bytes = row_key.size() - rest.size();
    }
  }
  return Item::FromEntries(std::move(entries));
}

KeySchema PartitionOf(const KeySchema& schema) { return {schema.partition, {}}; }

const KeySchema& SchemaOf(const Table& table, std::optional<std::size_t> index) {
  return index ? table.schema.indexes()[*index].key : table.schema.key();
}

// Partition keys, and whole keys where there are sort keys.
struct Sketches {
  Sketch partitions;
  Sketch keys;

  void Add(const KeySchema& schema, const Draw& draw, std::int64_t weight) {
    if (draw.extent == KeyExtent::kNone) return;
    std::size_t bytes = 0;
    KeyOf(PartitionOf(schema), draw.key, &bytes);
    partitions.Add(std::string_view(draw.key).substr(0, bytes), weight);
    if (schema.sort.empty() || draw.extent != KeyExtent::kItem) return;
    KeyOf(schema, draw.key, &bytes);
    keys.Add(std::string_view(draw.key).substr(0, bytes), weight);
  }
};

struct StructureInsights {
  TimePoint since;  // of the insights that were enabled then
  Sketches accessed;
  Sketches throttled;
};

// Table number, and 0 for the table or 1 + an index's ordinal.
using StructureName = std::pair<std::uint32_t, std::uint32_t>;

StructureName NameOf(const Table& table, std::optional<std::size_t> index) {
  return {table.number, index ? 1 + table.index_states[*index].ordinal : 0};
}

}  // namespace

struct KeyInsights::Impl {
  mutable std::mutex mutex;  // guards `structures`
  std::map<StructureName, StructureInsights> structures;

  StructureInsights& Of(const Table& table, std::optional<std::size_t> index,
                        const ContributorInsights& insights) {
    auto& structure = structures[NameOf(table, index)];
    if (structure.since != insights.enabled_at) {
      structure = {.since = insights.enabled_at, .accessed = {}, .throttled = {}};
    }
    return structure;
  }
};

KeyInsights::KeyInsights() : impl_(std::make_unique<Impl>()) {}
KeyInsights::~KeyInsights() = default;

void KeyInsights::CountAccess(const Table& table, const Draw& draw) {
  const auto* insights = InsightsOf(table, draw.index);
  if (!AreEnabled(insights) || insights->mode == InsightsMode::kThrottledKeys) return;
  if (draw.units == HalfUnits()) return;
  const std::lock_guard lock(impl_->mutex);
  impl_->Of(table, draw.index, *insights)
      .accessed.Add(SchemaOf(table, draw.index), draw,
                    draw.units.value() * (draw.flow == Flow::kWrite ? 3 : 1));
}

void KeyInsights::CountThrottle(const Table& table, const Draw& draw) {
  const auto* insights = InsightsOf(table, draw.index);
  if (!AreEnabled(insights)) return;
  const std::lock_guard lock(impl_->mutex);
  impl_->Of(table, draw.index, *insights).throttled.Add(SchemaOf(table, draw.index), draw, 1);
}

HotKeys KeyInsights::Top(const Table& table, std::optional<std::size_t> index,
                         std::size_t max) const {
  HotKeys hot;
  const auto* insights = InsightsOf(table, index);
  const auto& schema = SchemaOf(table, index);
  const std::lock_guard lock(impl_->mutex);
  const auto found = impl_->structures.find(NameOf(table, index));
  if (!AreEnabled(insights) || found == impl_->structures.end()) return hot;
  if (found->second.since != insights->enabled_at) return hot;
  const auto list = [max](const Sketch& sketch, const KeySchema& key) {
    std::vector<CountedKey> counted;
    for (const auto& counter : sketch.Top(max)) {
      counted.push_back(
          {.key = KeyOf(key, counter.key), .count = counter.count, .error_max = counter.error_max});
    }
    return counted;
  };
  const auto& [since, accessed, throttled] = found->second;
  const auto partition = PartitionOf(schema);
  hot.accessed_partitions = list(accessed.partitions, partition);
  hot.accessed = list(accessed.keys, schema);
  hot.throttled_partitions = list(throttled.partitions, partition);
  hot.throttled = list(throttled.keys, schema);
  return hot;
}

void KeyInsights::KeepOnly(std::span<const TablePtr> tables) {
  std::unordered_set<std::uint32_t> kept;
  for (const auto& table : tables) kept.insert(table->number);
  const std::lock_guard lock(impl_->mutex);
  std::erase_if(impl_->structures,
                [&](const auto& entry) { return !kept.contains(entry.first.first); });
}

const ContributorInsights* InsightsOf(const Table& table, std::optional<std::size_t> index) {
  const auto& insights = index ? table.index_states[*index].insights : table.insights;
  return insights ? &*insights : nullptr;
}

bool AreEnabled(const ContributorInsights* insights) {
  return insights != nullptr && insights->enabled;
}

}  // namespace kw::engine
