// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/infer.h"

#include <fmt/format.h>

#include <algorithm>

namespace kw::modeller {
namespace {

constexpr std::size_t kKindsMax = 50;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// "ORDER_LINE" as "OrderLine".
std::string Words(std::string_view capitals) {
  std::string words;
  bool first = true;
  for (const char c : capitals) {
    const bool letter = c >= 'A' && c <= 'Z';
    if (letter) words += first ? c : Lower(c);
    first = !letter;
  }
  return words;
}

std::string FieldName(std::string_view before, std::string_view key, std::size_t place) {
  auto name = Words(before);
  if (name.empty()) return fmt::format("{}Value{}", key, place == 0 ? "" : std::to_string(place));
  name.front() = Lower(name.front());
  return name + "Id";
}

// The words that a pattern starts its last part with.
std::string_view LastWords(const KeyPattern& pattern) {
  std::string_view found;
  for (const auto& piece : pattern) {
    const auto* text = std::get_if<std::string>(&piece);
    if (text == nullptr) continue;
    std::string_view words = *text;
    while (!words.empty() && words.back() == '#') words.remove_suffix(1);
    words.remove_prefix(words.rfind('#') == words.npos ? 0 : words.rfind('#') + 1);
    if (!words.empty()) found = words;
  }
  return found;
}

std::vector<const KeyAttribute*> PartsOf(const KeySchema& key) {
  std::vector<const KeyAttribute*> parts;
  for (const auto* side : {&key.partition, &key.sort}) {
    for (const auto& part : *side) parts.push_back(&part);
  }
  return parts;
}

// The pattern that a sample key shows; nothing if it is a value as it is.
std::optional<KeyPattern> PatternOf(const Item& item, const KeyAttribute& part) {
  const auto* value = item.Find(part.name);
  const auto* text = value == nullptr ? nullptr : value->As<std::string>();
  if (text == nullptr) return std::nullopt;
  std::size_t place = 0;
  auto pattern = PatternBetweenMarks(*text, [&](std::string_view, std::string_view before) {
    return FieldName(before, part.name, place++);
  });
  const bool bare = pattern.size() == 1 && std::holds_alternative<KeyField>(pattern.front());
  if (bare || pattern.empty()) return std::nullopt;
  return pattern;
}

struct Kind {
  std::map<std::string, KeyPattern> keys;
  std::map<std::string, std::pair<AttributeType, std::size_t>> attributes;  // in how many items
  std::vector<Item> items;
};

// Words of the key make the name: the sort key's before the partition's.
EntityDraft EntityOf(Kind kind, const PhysicalTable& table, std::size_t number) {
  EntityDraft entity;
  entity.table = number;
  for (const auto* part : PartsOf(table.key)) {
    if (const auto found = kind.keys.find(part->name); found != kind.keys.end()) {
      if (const auto words = LastWords(found->second); !words.empty()) entity.name = Words(words);
    }
  }
  if (entity.name.empty()) entity.name = table.name;
  for (const auto& [name, seen] : kind.attributes) {
    if (kind.keys.contains(name)) continue;
    entity.attributes.push_back({.name = name,
                                 .type = SuggestedType(seen.first),
                                 .required = seen.second == kind.items.size(),
                                 .values = {}});
  }
  entity.keys = std::move(kind.keys);
  entity.items = std::move(kind.items);
  return entity;
}

}  // namespace

std::vector<EntityDraft> InferEntities(const PhysicalTable& table, std::size_t number,
                                       Notes& notes) {
  std::map<std::string, Kind> kinds;  // by the texts of the base key
  const auto parts = KeyAttributesOf(table);
  for (const Item& item : table.items) {
    std::string shape;
    std::map<std::string, KeyPattern> keys;
    for (const auto& part : parts) {
      auto pattern = PatternOf(item, part);
      if (table.key.Has(part.name)) shape += (pattern ? PatternText(*pattern) : "{}") + "\n";
      if (pattern) keys.emplace(part.name, std::move(*pattern));
    }
    Kind& kind = kinds[shape];
    if (kinds.size() > kKindsMax) break;
    kind.keys.merge(keys);
    for (const auto& [name, value] : item.entries()) {
      ++kind.attributes.emplace(name, std::pair(value.type(), 0)).first->second.second;
    }
    kind.items.push_back(item);
  }
  if (kinds.empty() || kinds.size() > kKindsMax) {
    notes.Guessed(table.name, "Nothing says which entities it holds: one is made of its key.");
    EntityDraft entity{.name = table.name, .table = number};
    for (const auto& part : parts) {
      entity.attributes.push_back({.name = part.name,
                                   .type = SuggestedType(AttributeTypeOf(part.type)),
                                   .required = table.key.Has(part.name),
                                   .values = {}});
    }
    for (const auto& [name, type] : table.attributes) {
      if (entity.Find(name) != nullptr) continue;
      entity.attributes.push_back(
          {.name = name, .type = SuggestedType(type), .required = true, .values = {}});
    }
    return {std::move(entity)};
  }
  std::vector<EntityDraft> entities;
  for (auto& [shape, kind] : kinds) {
    entities.push_back(EntityOf(std::move(kind), table, number));
    notes.Guessed(entities.back().name,
                  fmt::format("The sample items of {} show this entity.", table.name));
  }
  return entities;
}

}  // namespace kw::modeller
