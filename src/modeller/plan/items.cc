// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"
#include "modeller/plan/keys.h"
#include "modeller/plan/units.h"

namespace kw::modeller {
namespace {

bool Meets(const std::optional<When>& when, const Row& row) {
  return !when || row[when->attribute] == when->equals;
}

// A value alone, in its own type; else a text.
enum class Form : std::uint8_t { kTyped, kText };

std::optional<AttributeValue> KeyValue(const Entity& entity, const Template& text,
                                       const std::optional<Shards>& shards, Form form,
                                       const Row& row) {
  if (form == Form::kTyped) {
    const auto& field = std::get<TemplateField>(text.parts.front());
    return ToAttributeValue(entity.attributes[field.attribute], row[field.attribute]);
  }
  auto rendered = text.Render(entity, row);
  if (!rendered) return std::nullopt;
  if (shards) *rendered += ShardSuffix(ShardOf(entity, *shards, row));
  return AttributeValue(std::move(*rendered));
}

}  // namespace

std::optional<AttributeValue> ToAttributeValue(const Attribute& attribute, const Value& value) {
  switch (attribute.type) {
    case FieldType::kString:
      if (const auto* text = std::get_if<std::string>(&value)) return AttributeValue(*text);
      return std::nullopt;
    case FieldType::kInteger:
    case FieldType::kDecimal:
      if (const auto* number = std::get_if<Number>(&value)) return AttributeValue(*number);
      return std::nullopt;
    case FieldType::kBoolean:
      if (const auto* boolean = std::get_if<bool>(&value)) return AttributeValue(*boolean);
      return std::nullopt;
    case FieldType::kTimestamp:
    case FieldType::kDate:
      if (const auto steps = StepsOf(attribute, value)) {
        return AttributeValue(TimeText(attribute, Bucket::kNone, steps->count));
      }
      return std::nullopt;
    case FieldType::kBinary:
      if (const auto* bytes = std::get_if<Bytes>(&value))
        return AttributeValue(Binary{bytes->bytes});
      return std::nullopt;
    case FieldType::kList:
    case FieldType::kMap:
      if (const auto* tree = std::get_if<AttributeValue>(&value)) return *tree;
      return std::nullopt;
  }
  return std::nullopt;
}

Value FromAttributeValue(const Attribute& attribute, const AttributeValue& value) {
  switch (attribute.type) {
    case FieldType::kString:
      if (const auto* text = value.As<std::string>()) return *text;
      break;
    case FieldType::kInteger:
    case FieldType::kDecimal:
      if (const auto* number = value.As<Number>()) return *number;
      break;
    case FieldType::kBoolean:
      if (const auto* boolean = value.As<bool>()) return *boolean;
      break;
    case FieldType::kTimestamp:
    case FieldType::kDate:
      if (const auto* text = value.As<std::string>()) {
        if (const auto steps = ParseTime(attribute, *text)) return ValueOf(attribute, *steps);
      }
      break;
    case FieldType::kBinary:
      if (const auto* bytes = value.As<Binary>()) return Bytes{bytes->bytes};
      break;
    case FieldType::kList:
      if (value.As<List>() != nullptr) return value;
      break;
    case FieldType::kMap:
      if (value.As<AttributeMap>() != nullptr) return value;
      break;
  }
  return std::monostate();
}

std::optional<FilledPart> Fill(const Entity& entity, const Placement& placement,
                               const KeyPart& part) {
  FilledPart filled{.name = part.name,
                    .type = part.type,
                    .native = part.native,
                    .text = {},
                    .when = {},
                    .shards = {}};
  if (!part.native) {
    const auto found = placement.keys.find(part.name);
    if (found == placement.keys.end()) return std::nullopt;
    filled.text = found->second.text;
    filled.when = found->second.when;
    filled.shards = found->second.shards;
    return filled;
  }
  const auto attribute = entity.Find(part.name);
  if (!attribute ||
      std::ranges::find(placement.attributes, *attribute) == placement.attributes.end()) {
    return std::nullopt;
  }
  filled.text.parts.emplace_back(TemplateField{.attribute = *attribute, .format = PlainFormat{}});
  return filled;
}

std::int64_t ShardOf(const Entity& entity, const Shards& shards, const Row& row) {
  std::string chooser;
  const auto add = [&](AttributeId id) {
    const TemplateField plain{.attribute = id, .format = PlainFormat{}};
    AppendLengthPrefixed(chooser, FormatValue(entity.attributes[id], plain, row[id]).value_or(""));
  };
  if (shards.by) {
    add(*shards.by);
  } else {
    for (const auto id : entity.identity) add(id);
  }
  return static_cast<std::int64_t>(StableHash(chooser) % static_cast<std::uint64_t>(shards.count));
}

std::string ShardSuffix(std::int64_t shard) { return fmt::format("#{}", shard); }

std::optional<AttributeValue> KeyValueOf(const Entity& entity, const FilledPart& part,
                                         const Row& row) {
  if (!Meets(part.when, row)) return std::nullopt;
  return KeyValue(entity, part.text, part.shards, part.typed() ? Form::kTyped : Form::kText, row);
}

const DesignKey& KeyOf(const DesignTable& table, std::optional<std::size_t> index) {
  return index ? table.indexes[*index].key : table.key;
}

std::optional<Item> Plan::ItemOf(const Placement& placement, const Row& row) const {
  const auto& entity = model_->entity(placement.entity);
  const auto& schema = tables_[placement.table].schema;
  std::vector<AttributeMap::Entry> entries;
  for (const auto id : placement.attributes) {
    if (auto value = ToAttributeValue(entity.attributes[id], row[id])) {
      entries.emplace_back(entity.attributes[id].name, std::move(*value));
    }
  }
  for (const auto& [name, key] : placement.keys) {
    if (!Meets(key.when, row)) continue;
    const auto type = schema.FindKeyAttribute(name)->type;
    const auto form = type == KeyType::kString ? Form::kText : Form::kTyped;
    if (auto value = KeyValue(entity, key.text, key.shards, form, row)) {
      entries.emplace_back(name, std::move(*value));
    }
  }
  auto item = Item::FromEntries(std::move(entries));
  for (const auto* parts : {&schema.key().partition, &schema.key().sort}) {
    for (const auto& part : *parts) {
      if (item.Find(part.name) == nullptr) return std::nullopt;
    }
  }
  return item;
}

std::vector<PlacedItem> Plan::ItemsOf(EntityId entity, const Row& row) const {
  std::vector<PlacedItem> items;
  for (const auto& placement : placements_) {
    if (placement.entity != entity) continue;
    if (auto item = ItemOf(placement, row)) items.push_back({placement.table, std::move(*item)});
  }
  return items;
}

std::optional<std::pair<EntityId, Row>> Plan::RowOf(TableId table, const Item& item) const {
  const auto& key = design_->tables[table].key;
  for (const auto& placement : placements_) {
    if (placement.table != table || placement.role == Placement::Role::kGuard) continue;
    const auto& entity = model_->entity(placement.entity);
    Row row(entity.attributes.size());
    for (const auto id : placement.attributes) {
      const auto& attribute = entity.attributes[id];
      if (const auto* value = item.Find(attribute.name))
        row[id] = FromAttributeValue(attribute, *value);
    }
    const bool fits =
        std::ranges::all_of(std::array{&key.partition, &key.sort}, [&](const auto* parts) {
          return std::ranges::all_of(*parts, [&](const KeyPart& part) {
            const auto filled = Fill(entity, placement, part);
            const auto* value = item.Find(part.name);
            return filled && value != nullptr && KeyValueOf(entity, *filled, row) == *value;
          });
        });
    if (fits) return std::pair(placement.entity, std::move(row));
  }
  return std::nullopt;
}

}  // namespace kw::modeller
