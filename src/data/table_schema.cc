// SPDX-License-Identifier: Apache-2.0
#include "data/table_schema.h"

#include <algorithm>

#include "base/check.h"
#include "data/limits.h"

namespace kw {
namespace {

bool NamedBefore(const KeyAttribute& attribute, std::string_view name) {
  return attribute.name < name;
}

// The attributes of both parts, in order.
template <class Visit>
void ForEachAttribute(const KeySchema& key, const Visit& visit) {
  for (const KeyAttribute& attribute : key.partition) visit(attribute);
  for (const KeyAttribute& attribute : key.sort) visit(attribute);
}

// Whether an index can hold the value as a key. Writes make sure that it can (CheckIndexKeys), but
// items may be older than the index.
bool CanBeKey(const AttributeValue& value, KeyType type, std::int64_t bytes_max) {
  if (value.type() != AttributeTypeOf(type)) return false;
  if (type == KeyType::kNumber) return true;
  const auto size = SizeOf(value).value();
  return size > 0 && size <= bytes_max;
}

}  // namespace

AttributeType AttributeTypeOf(KeyType type) {
  switch (type) {
    case KeyType::kString: return AttributeType::kString;
    case KeyType::kNumber: return AttributeType::kNumber;
    case KeyType::kBinary: return AttributeType::kBinary;
  }
  CheckFailed("a key type is one of three", std::source_location::current());
}

std::string_view WireName(KeyType type) { return WireName(AttributeTypeOf(type)); }

bool KeySchema::Has(std::string_view attribute) const {
  const auto named = [&](const KeyAttribute& key) { return key.name == attribute; };
  return std::any_of(partition.begin(), partition.end(), named) ||
         std::any_of(sort.begin(), sort.end(), named);
}

TableSchema TableSchema::Make(KeySchema key, std::vector<IndexSchema> indexes) {
  Check(key.partition.size() == 1 && key.sort.size() <= 1,
        "a table has one partition attribute and at most one sort attribute");
  TableSchema schema;
  const auto add = [&](const KeyAttribute& attribute) {
    auto& all = schema.key_attributes_;
    const auto it = std::lower_bound(all.begin(), all.end(), attribute.name, NamedBefore);
    const bool known = it != all.end() && it->name == attribute.name;
    Check(!known || it->type == attribute.type, "a key attribute has one type in all keys");
    if (!known) all.insert(it, attribute);
  };
  ForEachAttribute(key, add);
  for (const IndexSchema& index : indexes) {
    Check(!index.key.partition.empty() &&
              index.key.partition.size() <= limits::kIndexPartitionAttributesMax &&
              index.key.sort.size() <= limits::kIndexSortAttributesMax,
          "an index has a partition attribute, and few attributes");
    Check(index.scope == IndexScope::kGlobal || index.key.partition == key.partition,
          "a local index has the table's partition key");
    ForEachAttribute(index.key, add);
  }
  schema.key_ = std::move(key);
  schema.indexes_ = std::move(indexes);
  return schema;
}

const IndexSchema* TableSchema::FindIndex(std::string_view name) const {
  const auto it = std::find_if(indexes_.begin(), indexes_.end(),
                               [&](const IndexSchema& index) { return index.name == name; });
  return it != indexes_.end() ? &*it : nullptr;
}

const KeyAttribute* TableSchema::FindKeyAttribute(std::string_view name) const {
  const auto it =
      std::lower_bound(key_attributes_.begin(), key_attributes_.end(), name, NamedBefore);
  return it != key_attributes_.end() && it->name == name ? &*it : nullptr;
}

std::optional<Item> TableSchema::EntryOf(const IndexSchema& index, const Item& item) const {
  bool complete = true;
  std::vector<AttributeMap::Entry> entries;
  const auto take = [&](const std::string& name) {
    const AttributeValue* value = item.Find(name);
    if (value != nullptr) entries.emplace_back(name, *value);
    return value != nullptr;
  };
  const auto holds = [&](const KeyAttribute& attribute, std::int64_t bytes_max) {
    const AttributeValue* value = item.Find(attribute.name);
    return value != nullptr && CanBeKey(*value, attribute.type, bytes_max);
  };
  for (const KeyAttribute& attribute : index.key.partition) {
    complete = complete && holds(attribute, limits::kPartitionKeyBytesMax);
  }
  for (const KeyAttribute& attribute : index.key.sort) {
    complete = complete && holds(attribute, limits::kSortKeyBytesMax);
  }
  if (!complete) return std::nullopt;
  if (std::holds_alternative<ProjectAll>(index.projected)) return item;

  // An attribute may be in both keys: FromEntries keeps one of the two, which are equal.
  ForEachAttribute(key_, [&](const KeyAttribute& attribute) { take(attribute.name); });
  ForEachAttribute(index.key, [&](const KeyAttribute& attribute) { take(attribute.name); });
  if (const auto* include = std::get_if<ProjectInclude>(&index.projected)) {
    for (const std::string& name : include->attributes) take(name);
  }
  return AttributeMap::FromEntries(std::move(entries));
}

}  // namespace kw
