// SPDX-License-Identifier: Apache-2.0
#include "modeller/design/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "data/limits.h"

namespace kw::modeller {
namespace {

std::string TableName(std::string_view name) {
  std::string text;
  bool starts = true;
  for (const char c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!good) {
      starts = true;
      continue;
    }
    text.push_back(starts && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    starts = false;
  }
  while (text.size() < limits::kTableNameMin) text += "Table";
  return text;
}

KeyPart PartOf(const FilledPart& part) {
  return {.name = part.name, .type = part.type, .native = part.native};
}

// One index of a table, while entities are put into it.
struct Slot {
  std::vector<KeyPart> partition;
  std::vector<KeyPart> sort;
  bool all = false;
  std::set<std::string> shown;
  std::optional<std::size_t> collection;
  struct Tenant {
    EntityId entity = 0;
    const ChosenIndex* index = nullptr;
  };
  std::vector<Tenant> tenants;
};

class TableBuilder {
 public:
  TableBuilder(const Model& model, const Selection& selection, std::vector<EntityId> entities)
      : model_(model), selection_(selection), entities_(std::move(entities)) {}

  DesignTable Build(std::string name) {
    DesignTable table;
    table.name = std::move(name);
    SetBaseKey(table);
    for (const auto id : entities_) {
      for (const auto& index : selection_.entities[id].indexes) Put(id, index);
    }
    for (std::size_t i = 0; i < slots_.size(); ++i) AddIndex(i, table);
    return table;
  }

 private:
  // A name that no entity of the table uses for something else.
  std::string Free(std::string name) const {
    const auto taken = [&] {
      return std::ranges::any_of(entities_, [&](EntityId id) {
        const auto& entity = model_.entity(id);
        return entity.Find(name).has_value() ||
               std::ranges::any_of(selection_.entities[id].counters,
                                   [&](const Counter& c) { return c.name == name; });
      });
    };
    while (taken()) name += "Key";
    return name;
  }
  [[nodiscard]] bool KeepsSort() const {
    return entities_.size() > 1 || std::ranges::any_of(entities_, [&](EntityId id) {
             const auto& sort = selection_.entities[id].base.key.sort;
             return !sort.empty() && (sort.front().native || sort.front().text.parts.size() > 1);
           });
  }

  void SetBaseKey(DesignTable& table) {
    const auto& first = selection_.entities[entities_.front()].base.key;
    const auto part_of = [&](const FilledPart& part) {
      auto key = PartOf(part);
      if (!key.native) key.name = Free(key.name);
      return key;
    };
    table.key.partition.push_back(part_of(first.partition.front()));
    const bool sorted = KeepsSort() && !first.sort.empty();
    if (sorted) table.key.sort.push_back(part_of(first.sort.front()));
    for (const auto id : entities_) {
      const auto& choice = selection_.entities[id];
      EntityLayout layout;
      layout.entity = id;
      const auto fill = [&](const KeyPart& part, const FilledPart& from) {
        if (part.native) return;
        layout.keys.emplace(part.name,
                            KeyText{.text = from.text, .when = {}, .shards = from.shards});
      };
      fill(table.key.partition.front(), choice.base.key.partition.front());
      if (sorted) fill(table.key.sort.front(), choice.base.key.sort.front());
      for (const auto unique : model_.entity(id).unique) {
        const auto key = KeyOptions(model_, id, KeyStyle::kText).GuardKey(unique);
        GuardItem guard{.unique = unique, .key = {}};
        guard.key.emplace(table.key.partition.front().name, key.partition.front().text);
        if (sorted) guard.key.emplace(table.key.sort.front().name, key.sort.front().text);
        layout.guards.push_back(std::move(guard));
      }
      layout.counters = choice.counters;
      table.entities.push_back(std::move(layout));
    }
  }

  [[nodiscard]] static bool SameKind(const std::vector<KeyPart>& parts,
                                     const std::vector<FilledPart>& filled) {
    return std::ranges::equal(parts, filled, [](const KeyPart& part, const FilledPart& from) {
      return part.native == from.native && (!part.native || part.name == from.name);
    });
  }
  // An attribute that another entity projects must not come along with rows that do not need it.
  [[nodiscard]] bool ProjectsAlike(const Slot& slot, EntityId id, const ChosenIndex& index) const {
    if (slot.all || index.all) return slot.all && index.all;
    const auto names = NamesOf(id, index);
    const auto unneeded = [&](EntityId of, const ChosenIndex& own,
                              const std::set<std::string>& projected) {
      const auto needed = NamesOf(of, own);
      return std::ranges::any_of(projected, [&](const std::string& name) {
        return model_.entity(of).Find(name) && !needed.contains(name);
      });
    };
    if (unneeded(id, index, slot.shown)) return false;
    return std::ranges::none_of(slot.tenants, [&](const Slot::Tenant& tenant) {
      return unneeded(tenant.entity, *tenant.index, names);
    });
  }
  [[nodiscard]] std::set<std::string> NamesOf(EntityId id, const ChosenIndex& index) const {
    std::set<std::string> names;
    for (const auto a : index.shown) names.insert(model_.entity(id).attributes[a].name);
    return names;
  }
  [[nodiscard]] bool Fits(const Slot& slot, EntityId id, const ChosenIndex& index) const {
    const auto& key = index.option.key;
    if (slot.collection != index.collection && (slot.collection || index.collection)) {
      // Whoever is no member must keep out of the members' partitions.
      for (const auto& tenant : slot.tenants) {
        if (Meets(tenant.index->option, index.option)) return false;
      }
      if (slot.collection && index.collection) return false;
    }
    if (!SameKind(slot.partition, key.partition) || !SameKind(slot.sort, key.sort)) return false;
    for (const auto& tenant : slot.tenants) {
      if (tenant.entity == id) return false;
      const bool native =
          key.partition.front().native || (!key.sort.empty() && key.sort.front().native);
      if (native && Meets(tenant.index->option, index.option)) return false;
    }
    return ProjectsAlike(slot, id, index);
  }
  static bool Meets(const KeyOption& a, const KeyOption& b) {
    if (a.key.partition.front().native || b.key.partition.front().native) return true;
    const auto& one = a.key.partition.front().text;
    const auto& other = b.key.partition.front().text;
    return MayStartWith(one, other.literal_prefix()) || MayStartWith(other, one.literal_prefix());
  }

  void Put(EntityId id, const ChosenIndex& index) {
    const auto found = std::ranges::find_if(slots_, [&](const Slot& slot) {
      if (index.collection) return slot.collection == index.collection;
      return Fits(slot, id, index);
    });
    auto& slot = found != slots_.end() ? *found : slots_.emplace_back();
    if (slot.tenants.empty()) {
      slot.all = index.all;
      slot.collection = index.collection;
      for (const auto& part : index.option.key.partition) slot.partition.push_back(PartOf(part));
      for (const auto& part : index.option.key.sort) slot.sort.push_back(PartOf(part));
    }
    slot.shown.merge(NamesOf(id, index));
    slot.tenants.push_back({.entity = id, .index = &index});
  }

  void AddIndex(std::size_t place, DesignTable& table) {
    auto& slot = slots_[place];
    DesignIndex index;
    index.name = fmt::format("index{}", place + 1);
    const auto name_parts = [&](std::vector<KeyPart>& parts, std::string_view stem) {
      for (auto& part : parts) {
        if (!part.native) part.name = Free(fmt::format("{}{}", stem, place + 1));
      }
    };
    name_parts(slot.partition, "pk");
    name_parts(slot.sort, "sk");
    index.key = {.partition = slot.partition, .sort = slot.sort};
    if (slot.all) {
      index.projected = ProjectAll{};
    } else {
      std::vector<std::string> names;
      for (const auto& name : slot.shown) {
        const auto is = [&](const KeyPart& part) { return part.name == name; };
        const bool key = std::ranges::any_of(index.key.partition, is) ||
                         std::ranges::any_of(index.key.sort, is) ||
                         std::ranges::any_of(table.key.partition, is) ||
                         std::ranges::any_of(table.key.sort, is);
        if (!key) names.push_back(name);
      }
      if (names.empty()) {
        index.projected = ProjectKeys{};
      } else {
        index.projected = ProjectInclude{std::move(names)};
      }
    }
    for (const auto& tenant : slot.tenants) {
      auto& layout = *std::ranges::find(table.entities, tenant.entity, &EntityLayout::entity);
      const auto fill = [&](const std::vector<KeyPart>& parts,
                            const std::vector<FilledPart>& filled) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
          if (parts[i].native) continue;
          layout.keys.emplace(
              parts[i].name,
              KeyText{.text = filled[i].text, .when = filled[i].when, .shards = filled[i].shards});
        }
      };
      fill(slot.partition, tenant.index->option.key.partition);
      fill(slot.sort, tenant.index->option.key.sort);
    }
    table.indexes.push_back(std::move(index));
  }

  const Model& model_;
  const Selection& selection_;
  std::vector<EntityId> entities_;
  std::vector<Slot> slots_;
};

}  // namespace

std::vector<std::vector<EntityId>> GroupsOf(const Model& model) {
  std::vector<std::size_t> root(model.entities().size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  for (const auto& question : model.questions()) {
    const auto* collection = std::get_if<Collection>(&question.asks);
    if (collection == nullptr) continue;
    std::set<std::size_t> roots;
    for (const auto& member : collection->members) roots.insert(root[member.entity]);
    for (auto& one : root) {
      if (roots.contains(one)) one = *roots.begin();
    }
  }
  std::vector<std::vector<EntityId>> groups;
  for (EntityId id = 0; id < root.size(); ++id) {
    const auto same = std::ranges::find_if(
        groups, [&](const auto& group) { return root[group.front()] == root[id]; });
    if (same != groups.end()) {
      same->push_back(id);
    } else {
      groups.push_back({id});
    }
  }
  return groups;
}

Design Assemble(const Model& model, const Selection& selection, Shape shape) {
  Design design;
  design.name = model.name();
  if (shape == Shape::kSingle) {
    std::vector<EntityId> all(model.entities().size());
    std::iota(all.begin(), all.end(), EntityId{0});
    design.tables.push_back(
        TableBuilder(model, selection, std::move(all)).Build(TableName(model.name())));
    return design;
  }
  std::set<std::string> names;
  for (auto& group : GroupsOf(model)) {
    auto name = TableName(model.entity(group.front()).name);
    while (!names.insert(name).second) name += "Table";
    design.tables.push_back(TableBuilder(model, selection, std::move(group)).Build(name));
  }
  return design;
}

}  // namespace kw::modeller
