// SPDX-License-Identifier: Apache-2.0
// How one kind of item fills the attributes of a key: by a template, or by an attribute itself.
// A native part is seen as a template of one field, so that one walk matches both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/attribute_value.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {

// A field's value as an item's attribute has it; nothing if it is absent or no such type.
std::optional<AttributeValue> ToAttributeValue(const Attribute& attribute, const Value& value);
// And back; absent if it is none of the attribute's type.
Value FromAttributeValue(const Attribute& attribute, const AttributeValue& value);

struct FilledPart {
  std::string name;
  KeyType type = KeyType::kString;
  bool native = false;
  Template text;
  std::optional<When> when;
  std::optional<Shards> shards;

  // A number or binary, or the attribute as it is: its value stands alone and keeps its order.
  [[nodiscard]] bool typed() const { return native || type != KeyType::kString; }
};
// Nothing if the item has no such key attribute.
std::optional<FilledPart> Fill(const Entity& entity, const Placement& placement,
                               const KeyPart& part);

// Which shard a row belongs to: StableHash of the chooser's text, modulo their count.
std::int64_t ShardOf(const Entity& entity, const Shards& shards, const Row& row);
std::string ShardSuffix(std::int64_t shard);  // "#7"

// The key attribute's value for a row; nothing if an attribute is absent or the condition is unmet.
std::optional<AttributeValue> KeyValueOf(const Entity& entity, const FilledPart& part,
                                         const Row& row);

// The key of a table or of one of its indexes.
const DesignKey& KeyOf(const DesignTable& table, std::optional<std::size_t> index);

}  // namespace kw::modeller
