// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "modeller/interop/bridge.h"

namespace kw::modeller {
namespace {

std::vector<std::string> NamesOf(const Entity& entity, const std::vector<AttributeId>& ids) {
  std::vector<std::string> names;
  for (const auto id : ids) names.push_back(entity.attributes[id].name);
  return names;
}

EntityDraft DraftOf(const Model& model, const Entity& entity) {
  EntityDraft draft{.name = entity.name,
                    .table = SIZE_MAX,
                    .attributes = {},
                    .identity = NamesOf(entity, entity.identity),
                    .unique = NamesOf(entity, entity.unique),
                    .references = {},
                    .keys = {},
                    .items = {}};
  for (const auto& reference : entity.references) {
    draft.references.push_back(
        {.by = NamesOf(entity, reference.by), .to = model.entity(reference.to).name});
  }
  for (const auto& attribute : entity.attributes) {
    EntityAttribute field{.name = attribute.name,
                          .type = attribute.type,
                          .required = attribute.present.value() == 1'000'000,
                          .values = {}};
    for (const auto& value : attribute.values) field.values.push_back(ValueText(attribute, value));
    draft.attributes.push_back(std::move(field));
  }
  return draft;
}

KeySchema SchemaOf(const DesignKey& key) {
  const auto parts = [](const std::vector<KeyPart>& from) {
    std::vector<KeyAttribute> to;
    for (const auto& part : from) to.push_back({part.name, part.type});
    return to;
  };
  return {.partition = parts(key.partition), .sort = parts(key.sort)};
}

class Drafter {
 public:
  Drafter(const Model& model, Notes& notes) : model_(model), notes_(notes) {}

  Blueprint Draft(const Design* design) {
    blueprint_.name = design == nullptr ? model_.name() : design->name;
    for (const auto& entity : model_.entities()) {
      blueprint_.entities.push_back(DraftOf(model_, entity));
      if (entity.rows > 0 || entity.size) {
        notes_.Lost(entity.name, "How many rows there are, and how large, is not exported.");
      }
    }
    for (const auto& question : model_.questions()) {
      if (question.sql.empty()) {
        notes_.Lost(question.name, "A collection has no SQL to export.");
      } else {
        blueprint_.questions.push_back({.name = question.name, .sql = question.sql});
      }
    }
    for (const auto& change : model_.changes()) {
      notes_.Lost(change.name, "Changes are not exported.");
    }
    if (design != nullptr) {
      for (const auto& table : design->tables) AddTable(table);
      if (!design->answers.empty()) {
        notes_.Lost(design->name, "How questions are answered is not exported.");
      }
    }
    return std::move(blueprint_);
  }

 private:
  void AddTable(const DesignTable& from) {
    const auto number = blueprint_.tables.size();
    PhysicalTable table{.name = from.name, .key = SchemaOf(from.key)};
    for (const auto& index : from.indexes) {
      table.indexes.push_back({.name = index.name,
                               .scope = index.scope,
                               .key = SchemaOf(index.key),
                               .projected = index.projected,
                               .throughput = std::nullopt});
    }
    for (const auto& layout : from.entities) AddLayout(layout, number, table);
    for (const auto& part : KeyAttributesOf(table)) table.attributes.erase(part.name);
    blueprint_.tables.push_back(std::move(table));
  }

  void AddLayout(const EntityLayout& layout, std::size_t number, PhysicalTable& table) {
    const auto& entity = model_.entity(layout.entity);
    auto& draft = blueprint_.entities[layout.entity];
    for (const auto& attribute : entity.attributes) {
      table.attributes.emplace(attribute.name, StoredType(attribute.type));
    }
    if (draft.table != SIZE_MAX) {
      notes_.Lost(entity.name, fmt::format("Its copy in {} is not exported.", table.name));
      return;
    }
    draft.table = number;
    if (entity.expires) SetTtl(entity, table);
    for (const auto& [name, key] : layout.keys) {
      // A template's own text is one that ParsePattern reads.
      draft.keys.emplace(name, ParsePattern(key.text.ToText(entity)).value_or(KeyPattern{}));
      if (key.when)
        notes_.Lost(entity.name, fmt::format("That only some rows fill {} is not exported.", name));
      if (key.shards)
        notes_.Lost(entity.name, fmt::format("The shards of {} are not exported.", name));
    }
    if (!layout.guards.empty()) notes_.Lost(entity.name, "Its guard items are not exported.");
    if (!layout.copies.empty()) notes_.Lost(entity.name, "Its copies are not exported.");
    if (!layout.counters.empty()) notes_.Lost(entity.name, "Its counters are not exported.");
  }

  void SetTtl(const Entity& entity, PhysicalTable& table) {
    const auto& name = entity.attributes[*entity.expires].name;
    if (table.ttl && *table.ttl != name) {
      notes_.Lost(entity.name,
                  fmt::format("{} expires by {}: a table has one TTL.", table.name, *table.ttl));
      return;
    }
    table.ttl = name;
    if (entity.attributes[*entity.expires].type == FieldType::kTimestamp) {
      notes_.Guessed(entity.name,
                     fmt::format("{} is a time: what is stored must be whole seconds.", name));
    }
  }

  const Model& model_;
  Notes& notes_;
  Blueprint blueprint_;
};

}  // namespace

Blueprint FromModel(const Model& model, const Design* design, Notes& notes) {
  return Drafter(model, notes).Draft(design);
}

}  // namespace kw::modeller
