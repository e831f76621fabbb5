// SPDX-License-Identifier: Apache-2.0
#include "data/attribute_value.h"

#include <algorithm>
#include <array>

namespace kw {
namespace {

// Source: AWS Developer Guide, "DynamoDB item sizes and formats".
constexpr std::size_t kContainerBytes = 3;
constexpr std::size_t kElementBytes = 1;

auto LowerBound(auto& entries, std::string_view name) {
  return std::lower_bound(
      entries.begin(), entries.end(), name,
      [](const AttributeMap::Entry& entry, std::string_view key) { return entry.first < key; });
}

struct BytesOf {
  std::size_t operator()(const std::string& value) const { return value.size(); }
  std::size_t operator()(const Number& value) const {
    return static_cast<std::size_t>(value.Size().value());
  }
  std::size_t operator()(const Binary& value) const { return value.bytes.size(); }
  std::size_t operator()(bool) const { return 1; }
  std::size_t operator()(Null) const { return 1; }
  std::size_t operator()(const StringSet& set) const { return Sum(set.values); }
  std::size_t operator()(const NumberSet& set) const { return Sum(set.values); }
  std::size_t operator()(const BinarySet& set) const { return Sum(set.values); }
  std::size_t operator()(const List& list) const {
    return kContainerBytes + kElementBytes * list.values.size() + Sum(list.values);
  }
  std::size_t operator()(const AttributeMap& map) const {
    return kContainerBytes + kElementBytes * map.size() + Attributes(map);
  }
  std::size_t operator()(const AttributeValue& value) const {
    return std::visit(*this, value.value());
  }

  // Names and values alone, as an item has them.
  std::size_t Attributes(const AttributeMap& map) const {
    std::size_t sum = 0;
    for (const auto& [name, value] : map.entries()) sum += name.size() + (*this)(value);
    return sum;
  }

 private:
  template <class T>
  std::size_t Sum(const std::vector<T>& values) const {
    std::size_t sum = 0;
    for (const T& value : values) sum += (*this)(value);
    return sum;
  }
};

}  // namespace

std::string_view WireName(AttributeType type) {
  constexpr std::array<std::string_view, 10> kNames = {"S",  "N",  "B",  "BOOL", "NULL",
                                                       "SS", "NS", "BS", "L",    "M"};
  return kNames[static_cast<std::size_t>(type)];
}

bool operator==(const List& a, const List& b) { return a.values == b.values; }

AttributeMap::AttributeMap() = default;
AttributeMap::~AttributeMap() = default;
AttributeMap::AttributeMap(const AttributeMap&) = default;
AttributeMap::AttributeMap(AttributeMap&&) noexcept = default;
AttributeMap& AttributeMap::operator=(const AttributeMap&) = default;
AttributeMap& AttributeMap::operator=(AttributeMap&&) noexcept = default;

AttributeMap AttributeMap::FromEntries(std::vector<Entry> entries, bool* duplicate) {
  const auto not_before = [](const Entry& a, const Entry& b) { return a.first >= b.first; };
  AttributeMap map;
  // Clients often send names in order: then there is nothing to do.
  if (std::adjacent_find(entries.begin(), entries.end(), not_before) == entries.end()) {
    map.entries_ = std::move(entries);
    return map;
  }
  // Entries are large: sort their places, the later of equal names first, and move each entry once.
  std::vector<Entry*> places;
  places.reserve(entries.size());
  for (Entry& entry : entries) places.push_back(&entry);
  std::sort(places.begin(), places.end(), [](const Entry* a, const Entry* b) {
    const int order = a->first.compare(b->first);
    return order != 0 ? order < 0 : a > b;
  });
  map.entries_.reserve(entries.size());
  for (Entry* entry : places) {
    if (!map.entries_.empty() && map.entries_.back().first == entry->first) {
      if (duplicate != nullptr) *duplicate = true;
    } else {
      map.entries_.push_back(std::move(*entry));
    }
  }
  return map;
}

void AttributeMap::RemoveAll(std::span<const std::string_view> sorted) {
  auto next = sorted.begin();
  std::erase_if(entries_, [&](const Entry& entry) {
    while (next != sorted.end() && *next < entry.first) ++next;
    return next != sorted.end() && *next == entry.first;
  });
}

const AttributeValue* AttributeMap::Find(std::string_view name) const {
  const auto it = LowerBound(entries_, name);
  return it != entries_.end() && it->first == name ? &it->second : nullptr;
}

AttributeValue* AttributeMap::Find(std::string_view name) {
  const auto it = LowerBound(entries_, name);
  return it != entries_.end() && it->first == name ? &it->second : nullptr;
}

void AttributeMap::Set(std::string name, AttributeValue value) {
  const auto it = LowerBound(entries_, name);
  if (it != entries_.end() && it->first == name) {
    it->second = std::move(value);
  } else {
    entries_.emplace(it, std::move(name), std::move(value));
  }
}

void AttributeMap::Insert(std::vector<Entry> sorted) {
  const auto before = [](const Entry& a, const Entry& b) { return a.first < b.first; };
  if (sorted.size() == 1) {
    const auto it = std::ranges::upper_bound(entries_, sorted.front(), before);
    entries_.insert(it, std::move(sorted.front()));
    return;
  }
  std::vector<Entry> all;
  all.reserve(entries_.size() + sorted.size());
  std::merge(std::move_iterator(entries_.begin()), std::move_iterator(entries_.end()),
             std::move_iterator(sorted.begin()), std::move_iterator(sorted.end()),
             std::back_inserter(all), before);
  entries_ = std::move(all);
}

bool AttributeMap::Remove(std::string_view name) {
  const auto it = LowerBound(entries_, name);
  if (it == entries_.end() || it->first != name) return false;
  entries_.erase(it);
  return true;
}

std::size_t AttributeMap::size() const { return entries_.size(); }
bool AttributeMap::empty() const { return entries_.empty(); }

bool operator==(const AttributeMap& a, const AttributeMap& b) { return a.entries_ == b.entries_; }

ByteCount SizeOf(const AttributeValue& value) {
  return ByteCount(static_cast<std::int64_t>(BytesOf{}(value)));
}

ByteCount SizeOf(const Item& item) {
  return ByteCount(static_cast<std::int64_t>(BytesOf{}.Attributes(item)));
}

int NestingOf(const AttributeValue& value) {
  if (const auto* list = value.As<List>()) {
    int deepest = 0;
    for (const auto& element : list->values) deepest = std::max(deepest, NestingOf(element));
    return deepest + 1;
  }
  if (const auto* map = value.As<AttributeMap>()) {
    int deepest = 0;
    for (const auto& [name, member] : map->entries())
      deepest = std::max(deepest, NestingOf(member));
    return deepest + 1;
  }
  return 0;
}

}  // namespace kw
