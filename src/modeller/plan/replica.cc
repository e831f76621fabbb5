// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/replica.h"

#include <algorithm>
#include <utility>

#include "data/key.h"
#include "data/limits.h"
#include "modeller/plan/counters.h"

namespace kw::modeller {
namespace {

// Where an index entry stands: under its key, and among equals by the table's.
std::string EntryKey(const KeySchema& table, const IndexSchema& index, const Item& entry) {
  auto bytes = RowKeyOf(index.key, entry);
  for (const auto* parts : {&table.partition, &table.sort}) {
    for (const auto& part : *parts) AppendKeyPart(bytes, *entry.Find(part.name));
  }
  return bytes;
}

struct KeyBounds {
  std::string begin;
  std::string end;  // not included
};

// The bytes that a key part begins with, if it begins with `prefix`.
void AppendPartPrefix(std::string& out, const AttributeValue& prefix) {
  AppendKeyPart(out, prefix);
  out.resize(out.size() - 2);  // without the two bytes that end a string or binary
}

KeyBounds BoundsOf(const QueryCall& call) {
  std::vector<const AttributeValue*> partition;
  for (const auto& [name, value] : call.partition) partition.push_back(&value);
  std::string fixed = PartitionPrefix(partition);
  for (const auto& [name, value] : call.sort_equal) AppendKeyPart(fixed, value);
  KeyBounds bounds{fixed, PrefixEnd(fixed)};
  if (!call.tail) return bounds;
  if (call.tail->prefix) {
    AppendPartPrefix(bounds.begin, *call.tail->prefix);
    bounds.end = PrefixEnd(bounds.begin);
  }
  if (call.tail->low) AppendKeyPart(bounds.begin, *call.tail->low);
  if (call.tail->high) {
    AppendKeyPart(fixed, *call.tail->high);
    bounds.end = PrefixEnd(fixed);
  }
  return bounds;
}

// Cuts what is read into pages as the service does: a page ends behind the row that takes it over
// 1 MB or to its limit, and whoever is told that it ended early asks again.
class Pager {
 public:
  Pager(ReadMode mode, std::optional<std::int64_t> limit) : mode_(mode), left_(limit) {}

  // Whether there is more to read.
  bool Take(const std::shared_ptr<const Item>& item, ByteCount size) {
    items_.push_back(item);
    bytes_ += size;
    if (left_ && static_cast<std::int64_t>(items_.size()) == *left_) {
      Close();
      return false;
    }
    if (bytes_.value() > limits::kPageBytesMax) Close();
    return true;
  }
  // The rows have come to their end, not the limit.
  void Close() {
    if (left_) *left_ -= static_cast<std::int64_t>(items_.size());
    units_.push_back(ReadUnits(bytes_, mode_));
    pages_.push_back({.items = std::exchange(items_, {}), .units = {}});
    bytes_ = ByteCount();
  }
  // `place` adds a page's units to the structure that was read.
  template <class Place>
  std::vector<ReplayedPage> Finish(const Place& place) && {
    for (std::size_t i = 0; i < pages_.size(); ++i) place(pages_[i].units, units_[i]);
    return std::move(pages_);
  }

 private:
  const ReadMode mode_;
  std::optional<std::int64_t> left_;
  std::vector<std::shared_ptr<const Item>> items_;
  ByteCount bytes_;
  std::vector<HalfUnits> units_;
  std::vector<ReplayedPage> pages_;
};

template <class Iterator>
void ReadAll(Iterator from, Iterator to, Pager& pager) {
  for (; from != to; ++from) {
    if (!pager.Take(from->second.item, from->second.size)) return;
  }
  pager.Close();
}

ReadMode ModeOf(bool consistent) { return consistent ? ReadMode::kStrong : ReadMode::kEventual; }

}  // namespace

Replica::Replica(const Plan& plan) : plan_(plan) {
  for (const auto& table : plan.tables()) {
    tables_.emplace_back(1 + table.schema.indexes().size());
  }
}

void Replica::Put(PlacedItem placed) {
  const auto& schema = plan_.tables()[placed.table].schema;
  Delete(placed.table, placed.item);
  auto& structures = tables_[placed.table];
  const auto item = std::make_shared<const Item>(std::move(placed.item));
  structures.front().insert_or_assign(RowKeyOf(schema.key(), *item), Entry{item, SizeOf(*item)});
  for (std::size_t i = 0; i < schema.indexes().size(); ++i) {
    const auto& index = schema.indexes()[i];
    auto entry = schema.EntryOf(index, *item);
    if (!entry) continue;
    auto key = EntryKey(schema.key(), index, *entry);
    const auto shown = std::holds_alternative<ProjectAll>(index.projected)
                           ? item
                           : std::make_shared<const Item>(std::move(*entry));
    structures[i + 1].insert_or_assign(std::move(key), Entry{shown, SizeOf(*shown)});
  }
}

void Replica::Delete(TableId table, const Item& key_or_item) {
  const auto& schema = plan_.tables()[table].schema;
  auto& structures = tables_[table];
  const auto found = structures.front().find(RowKeyOf(schema.key(), key_or_item));
  if (found == structures.front().end()) return;
  for (std::size_t i = 0; i < schema.indexes().size(); ++i) {
    const auto& index = schema.indexes()[i];
    if (const auto entry = schema.EntryOf(index, *found->second.item)) {
      structures[i + 1].erase(EntryKey(schema.key(), index, *entry));
    }
  }
  structures.front().erase(found);
}

void Replica::Apply(const WriteSet& writes) {
  for (const auto& step : writes.steps) {
    if (step.after) {
      Put({step.table, *step.after});
    } else {
      Delete(step.table, *step.before);
    }
  }
}

const Item* Replica::Find(TableId table, const Item& key_or_item) const {
  const auto& rows = tables_[table].front();
  const auto found = rows.find(RowKeyOf(plan_.tables()[table].schema.key(), key_or_item));
  return found != rows.end() ? found->second.item.get() : nullptr;
}

std::vector<ReplayedPage> Replica::Replay(const Call& call) const {
  if (const auto* get = std::get_if<GetCall>(&call)) {
    const auto& rows = tables_[get->table].front();
    const auto found = rows.find(RowKeyOf(plan_.tables()[get->table].schema.key(), get->key));
    ReplayedPage page;
    if (found != rows.end()) page.items.push_back(found->second.item);
    page.units.table_read =
        ReadUnits(found != rows.end() ? found->second.size : ByteCount(), ModeOf(get->consistent));
    return {std::move(page)};
  }
  const auto& query = std::get<QueryCall>(call);
  const auto& schema = plan_.tables()[query.table].schema;
  const auto* index = query.index ? schema.FindIndex(*query.index) : nullptr;
  const auto position =
      index != nullptr ? static_cast<std::size_t>(index - schema.indexes().data()) + 1 : 0;
  const auto& rows = tables_[query.table][position];
  const auto bounds = BoundsOf(query);
  Pager pager(ModeOf(query.consistent), query.limit);
  const auto begin = rows.lower_bound(bounds.begin);
  const auto end = bounds.end <= bounds.begin ? begin : rows.lower_bound(bounds.end);
  if (query.forward) {
    ReadAll(begin, end, pager);
  } else {
    ReadAll(std::make_reverse_iterator(end), std::make_reverse_iterator(begin), pager);
  }
  return std::move(pager).Finish([&](Capacity& capacity, HalfUnits units) {
    if (index == nullptr) {
      capacity.table_read = units;
    } else {
      (index->scope == IndexScope::kGlobal ? capacity.global : capacity.local)[index->name].read =
          units;
    }
  });
}

std::vector<ReplayedPage> Replica::ReplayScan(TableId table) const {
  Pager pager(ReadMode::kEventual, std::nullopt);
  const auto& rows = tables_[table].front();
  ReadAll(rows.begin(), rows.end(), pager);
  return std::move(pager).Finish(
      [](Capacity& capacity, HalfUnits units) { capacity.table_read = units; });
}

Capacity Total(const std::vector<ReplayedPage>& pages) {
  Capacity total;
  for (const auto& page : pages) total += page.units;
  return total;
}

std::vector<PlacedItem> LoadItems(const Plan& plan, const std::vector<std::vector<Row>>& rows) {
  // What each parent's item counts, by table and key.
  std::map<std::pair<TableId, std::string>, Item> counted;
  const auto key_of = [&](TableId table, const Item& item) {
    return std::pair(table, RowKeyOf(plan.tables()[table].schema.key(), item));
  };
  for (EntityId child = 0; child < rows.size(); ++child) {
    for (const auto& place : CountersOf(plan, child)) {
      const auto table = plan.placements()[place.parent].table;
      for (const auto& row : rows[child]) {
        const auto key = ParentKey(plan, place, row);
        if (key) AddTo(counted[key_of(table, *key)], *place.counter, Addend(*place.counter, row));
      }
    }
  }
  std::vector<PlacedItem> items;
  for (EntityId entity = 0; entity < rows.size(); ++entity) {
    for (const auto& row : rows[entity]) {
      auto placed = plan.ItemsOf(entity, row);
      if (!placed.empty() && !counted.empty()) {
        const auto found = counted.find(key_of(placed.front().table, placed.front().item));
        if (found != counted.end()) {
          for (const auto& [name, value] : found->second.entries())
            placed.front().item.Set(name, value);
        }
      }
      std::ranges::move(placed, std::back_inserter(items));
    }
  }
  return items;
}

}  // namespace kw::modeller
