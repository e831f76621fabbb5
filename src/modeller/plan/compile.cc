// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "data/limits.h"
#include "modeller/plan/key_walk.h"
#include "modeller/plan/keys.h"
#include "modeller/plan/paths.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kAlways = 1'000'000;  // parts per million

std::string Normal(std::string_view where) {
  std::string normal;
  for (const char c : where) {
    if (c != ' ' && c != '\'' && c != '"') normal.push_back(c);
  }
  return normal;
}

std::vector<AttributeId> AllAttributes(const Entity& entity) {
  std::vector<AttributeId> all(entity.attributes.size());
  for (AttributeId id = 0; id < all.size(); ++id) all[id] = id;
  return all;
}

}  // namespace

class PlanCompiler {
 public:
  PlanCompiler(const Model& model, const Design& design) : model_(model), design_(design) {
    plan_.model_ = &model;
    plan_.design_ = &design;
  }

  Parsed<Plan> Compile() {
    for (const auto& table : design_.tables) CheckTable(table);
    PlaceAll();
    for (const auto& placement : plan_.placements_) CheckPlacement(placement);
    // Schemas need sound keys, and paths need schemas.
    if (faults_.empty()) CheckApart();
    if (faults_.empty()) {
      for (const auto& table : design_.tables)
        plan_.tables_.push_back({table.name, SchemaOf(table)});
      for (std::size_t i = 0; i < model_.questions().size(); ++i) AnswerQuestion(i);
    }
    if (!faults_.empty()) {
      std::ranges::stable_sort(faults_, {}, &Fault::at);
      return Unexpected(std::move(faults_));
    }
    return std::move(plan_);
  }

 private:
  void Fail(Position at, std::string message, std::string suggestion = {}) {
    faults_.push_back(
        {.at = at, .message = std::move(message), .suggestion = std::move(suggestion)});
  }

  void CheckTable(const DesignTable& table);
  void CheckName(Position at, std::string_view name, std::string_view of);
  void CheckKey(const DesignTable& table, const DesignKey& key, Position at, bool many);
  void CheckKeyNames(const DesignTable& table);
  void PlaceAll();
  void Place(TableId table, const EntityLayout& layout);
  void CheckPlacement(const Placement& placement);
  void CheckCounters(TableId table, const EntityLayout& layout);
  void CheckApart();
  static TableSchema SchemaOf(const DesignTable& table);
  void AnswerQuestion(std::size_t question);
  const WrittenAnswer* Written(const std::string& question) const;
  bool Matches(const WrittenAnswer& written, const Candidate& candidate,
               const Question& question) const;
  void Take(std::size_t question, const Candidate& candidate);

  const Model& model_;
  const Design& design_;
  Plan plan_;
  std::vector<Fault> faults_;
};

void PlanCompiler::CheckName(Position at, std::string_view name, std::string_view of) {
  const bool good = name.size() >= limits::kTableNameMin && name.size() <= limits::kTableNameMax &&
                    std::ranges::all_of(name, [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
                    });
  if (good) return;
  Fail(at, fmt::format("`{}` cannot name {}.", name, of),
       "Write 3 to 255 of the characters a-z, A-Z, 0-9, _, - and .");
}

void PlanCompiler::CheckKey(const DesignTable& table, const DesignKey& key, Position at,
                            bool many) {
  const std::size_t partition_max = many ? limits::kIndexPartitionAttributesMax : 1;
  const std::size_t sort_max = many ? limits::kIndexSortAttributesMax : 1;
  if (key.partition.empty() || key.partition.size() > partition_max || key.sort.size() > sort_max) {
    Fail(at, fmt::format("This key of `{}` has too many attributes.", table.name),
         many ? "A global index takes four for its partition and four to sort by."
              : "Several are for global indexes: join them in a text, as in \"{a}#{b}\".");
  }
  std::set<std::string_view> names;
  for (const auto* parts : {&key.partition, &key.sort}) {
    for (const auto& part : *parts) {
      if (!names.insert(part.name).second) {
        Fail(at, fmt::format("`{}` stands twice in one key.", part.name));
      }
    }
  }
}

// A name is one attribute of the items, with one type and one meaning.
void PlanCompiler::CheckKeyNames(const DesignTable& table) {
  std::map<std::string_view, const KeyPart*> known;
  const auto check = [&](const DesignKey& key, Position at) {
    for (const auto* parts : {&key.partition, &key.sort}) {
      for (const auto& part : *parts) {
        const auto [found, fresh] = known.try_emplace(part.name, &part);
        if (!fresh && !(*found->second == part)) {
          Fail(at, fmt::format("`{}` is another kind of key attribute elsewhere.", part.name));
        }
        if (!fresh || part.native) continue;
        for (const auto& layout : table.entities) {
          const auto& entity = model_.entity(layout.entity);
          if (!entity.Find(part.name)) continue;
          Fail(at, fmt::format("`{}` is also an attribute of {}.", part.name, entity.name),
               fmt::format("Write {{attribute: {}}}, or name the key attribute otherwise.",
                           part.name));
        }
      }
    }
  };
  check(table.key, table.at);
  for (const auto& index : table.indexes) check(index.key, index.at);
}

void PlanCompiler::CheckTable(const DesignTable& table) {
  CheckName(table.at, table.name, "a table");
  CheckKey(table, table.key, table.at, false);
  std::size_t global = 0;
  std::size_t local = 0;
  std::size_t projected = 0;
  for (const auto& index : table.indexes) {
    CheckName(index.at, index.name, "an index");
    CheckKey(table, index.key, index.at, index.scope == IndexScope::kGlobal);
    if (const auto* include = std::get_if<ProjectInclude>(&index.projected)) {
      projected += include->attributes.size();
    }
    if (index.scope == IndexScope::kGlobal) {
      ++global;
      continue;
    }
    ++local;
    if (index.key.partition != table.key.partition || index.key.sort.empty() ||
        table.key.sort.empty()) {
      Fail(index.at, "A local index has the table's partition and a sort key of its own.",
           "Write the table's partition, or leave `local` out.");
    }
  }
  if (global > limits::kGlobalIndexesMax) {
    Fail(table.at,
         fmt::format("{} global indexes are more than {}.", global, limits::kGlobalIndexesMax),
         "Let entities share an index.");
  }
  if (local > limits::kLocalIndexesMax) {
    Fail(table.at,
         fmt::format("{} local indexes are more than {}.", local, limits::kLocalIndexesMax));
  }
  if (projected > limits::kProjectedAttributesMax) {
    Fail(table.at,
         fmt::format("{} projected attributes are more than {}.", projected,
                     limits::kProjectedAttributesMax),
         "Project all.");
  }
  CheckKeyNames(table);
}

void PlanCompiler::PlaceAll() {
  for (TableId table = 0; table < design_.tables.size(); ++table) {
    for (const auto& layout : design_.tables[table].entities) {
      Place(table, layout);
      CheckCounters(table, layout);
    }
  }
  for (EntityId id = 0; id < model_.entities().size(); ++id) {
    if (std::ranges::find(plan_.placements_, id, &Placement::entity) == plan_.placements_.end()) {
      Fail({}, fmt::format("No table holds {}.", model_.entity(id).name),
           fmt::format("Write {}: under a table's entities.", model_.entity(id).name));
    }
  }
}

// An entity's first table holds its rows; those that follow hold copies.
void PlanCompiler::Place(TableId table, const EntityLayout& layout) {
  using Role = Placement::Role;
  const auto& entity = model_.entity(layout.entity);
  const bool first = std::ranges::find(plan_.placements_, layout.entity, &Placement::entity) ==
                     plan_.placements_.end();
  plan_.placements_.push_back({.role = first ? Role::kRow : Role::kCopy,
                               .entity = layout.entity,
                               .table = table,
                               .keys = layout.keys,
                               .attributes = AllAttributes(entity)});
  for (const auto& copy : layout.copies) {
    plan_.placements_.push_back({.role = Role::kCopy,
                                 .entity = layout.entity,
                                 .table = table,
                                 .keys = copy.keys,
                                 .attributes = copy.attributes});
    auto& attributes = plan_.placements_.back().attributes;
    if (attributes.empty()) attributes = AllAttributes(entity);
    // Without its identity a copy would not say whose it is.
    for (const auto id : entity.identity) {
      if (std::ranges::find(attributes, id) == attributes.end()) attributes.push_back(id);
    }
  }
  for (const auto& guard : layout.guards) {
    Placement placement{.role = Role::kGuard,
                        .entity = layout.entity,
                        .table = table,
                        .keys = {},
                        .attributes = entity.identity};
    for (const auto& [name, text] : guard.key) {
      placement.keys.emplace(name, KeyText{.text = text, .when = {}, .shards = {}});
    }
    if (std::ranges::find(placement.attributes, guard.unique) == placement.attributes.end()) {
      placement.attributes.push_back(guard.unique);
    }
    plan_.placements_.push_back(std::move(placement));
  }
}

// The base key stands on every item, and tells each row from every other.
void PlanCompiler::CheckPlacement(const Placement& placement) {
  const auto& table = design_.tables[placement.table];
  const auto& entity = model_.entity(placement.entity);
  const auto layout = std::ranges::find(table.entities, placement.entity, &EntityLayout::entity);
  std::set<AttributeId> told;
  for (const auto* parts : {&table.key.partition, &table.key.sort}) {
    for (const auto& part : *parts) {
      const auto filled = Fill(entity, placement, part);
      if (!filled) {
        Fail(layout->at,
             fmt::format("{} has nothing for the key attribute `{}`.", entity.name, part.name),
             fmt::format("Write {}: \"{}#{{{}}}\"", part.name, entity.name,
                         entity.attributes[entity.identity.front()].name));
        return;
      }
      if (filled->when) {
        Fail(layout->at, fmt::format("`{}` is in the table's key and cannot depend on a condition.",
                                     part.name));
      }
      for (const auto& piece : filled->text.parts) {
        const auto* field = std::get_if<TemplateField>(&piece);
        if (field == nullptr) continue;
        const auto& attribute = entity.attributes[field->attribute];
        if (field->bucket() == Bucket::kNone) told.insert(field->attribute);
        if (attribute.present.value() < kAlways && placement.role != Placement::Role::kGuard) {
          Fail(layout->at,
               fmt::format("`{}` may be absent and cannot be in the table's key.", attribute.name));
        }
      }
    }
  }
  if (placement.role == Placement::Role::kGuard) return;
  for (const auto id : entity.identity) {
    if (told.contains(id)) continue;
    Fail(layout->at,
         fmt::format("Two rows of {} that differ in `{}` alone would share a key.", entity.name,
                     entity.attributes[id].name),
         fmt::format("Add {{{}}} to its key.", entity.attributes[id].name));
  }
}

// A counter's item is found by the child's reference: by the parent's identity alone.
void PlanCompiler::CheckCounters(TableId table, const EntityLayout& layout) {
  const auto& entity = model_.entity(layout.entity);
  for (const auto& counter : layout.counters) {
    if (entity.Find(counter.name)) {
      Fail(layout.at,
           fmt::format("`{}` is an attribute of {} and cannot count.", counter.name, entity.name));
    }
    for (const auto& [name, key] : layout.keys) {
      if (name == counter.name)
        Fail(layout.at, fmt::format("`{}` is a key attribute and cannot count.", name));
      const auto& parts = design_.tables[table].key;
      const auto is = [&](const KeyPart& part) { return part.name == name; };
      if (std::ranges::none_of(parts.partition, is) && std::ranges::none_of(parts.sort, is))
        continue;
      for (const auto& piece : key.text.parts) {
        const auto* field = std::get_if<TemplateField>(&piece);
        if (field == nullptr ||
            std::ranges::find(entity.identity, field->attribute) != entity.identity.end())
          continue;
        Fail(layout.at,
             fmt::format("`{}` cannot be kept: the key of {} needs more than its identity.",
                         counter.name, entity.name));
      }
    }
  }
}

void PlanCompiler::CheckApart() {
  const auto& placements = plan_.placements_;
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const auto& key = design_.tables[placements[i].table].key;
    const auto& entity = model_.entity(placements[i].entity);
    const auto own = FillKey(entity, placements[i], key);
    for (std::size_t j = 0; j < i; ++j) {
      if (placements[j].table != placements[i].table) continue;
      const auto other = FillKey(model_.entity(placements[j].entity), placements[j], key);
      if (!MayShareKey(*own, *other)) continue;
      const auto& table = design_.tables[placements[i].table];
      Fail(std::ranges::find(table.entities, placements[i].entity, &EntityLayout::entity)->at,
           fmt::format("An item of {} may have the key of one of {}.", entity.name,
                       model_.entity(placements[j].entity).name),
           "Begin their keys with different texts.");
    }
  }
}

TableSchema PlanCompiler::SchemaOf(const DesignTable& table) {
  const auto schema_of = [](const DesignKey& key) {
    KeySchema schema;
    for (const auto& part : key.partition) schema.partition.push_back({part.name, part.type});
    for (const auto& part : key.sort) schema.sort.push_back({part.name, part.type});
    return schema;
  };
  std::vector<IndexSchema> indexes;
  indexes.reserve(table.indexes.size());
  for (const auto& index : table.indexes) {
    indexes.push_back({.name = index.name,
                       .scope = index.scope,
                       .key = schema_of(index.key),
                       .projected = index.projected});
  }
  return TableSchema::Make(schema_of(table.key), std::move(indexes));
}

const WrittenAnswer* PlanCompiler::Written(const std::string& question) const {
  const auto found = std::ranges::find(design_.answers, question, &WrittenAnswer::question);
  return found != design_.answers.end() ? &*found : nullptr;
}

bool PlanCompiler::Matches(const WrittenAnswer& written, const Candidate& candidate,
                           const Question& question) const {
  const auto* query = std::get_if<QueryPath>(&candidate.path);
  const bool kind =
      written.kind == (query != nullptr ? WrittenAnswer::Kind::kQuery : WrittenAnswer::Kind::kGet);
  const auto& placement = plan_.placements_[candidate.access.placement];
  if (!kind || design_.tables[placement.table].name != written.table) return false;
  if (written.index != (query != nullptr ? query->index : std::nullopt)) return false;
  if (written.where && Normal(*written.where) != Normal(candidate.where)) return false;
  if (written.descending && *written.descending != !candidate.access.forward) return false;
  const auto* select = std::get_if<Select>(&question.asks);
  return !written.limit || (select != nullptr && select->limit == written.limit);
}

void PlanCompiler::Take(std::size_t question, const Candidate& candidate) {
  plan_.answers_.push_back({.question = question,
                            .path = candidate.path,
                            .where = candidate.where,
                            .remarks = candidate.remarks});
  plan_.accesses_.push_back(candidate.access);
}

void PlanCompiler::AnswerQuestion(std::size_t index) {
  const auto& question = model_.questions()[index];
  const auto ways = FindWays(plan_, question);
  const auto* written = Written(question.name);
  const bool may_scan = question.answer == AnswerBy::kScan;
  const auto scan = [&] {
    const auto* select = std::get_if<Select>(&question.asks);
    const auto entity = select != nullptr
                            ? select->entity
                            : std::get<Collection>(question.asks).members.front().entity;
    const auto found = std::ranges::find(plan_.placements_, entity, &Placement::entity);
    Candidate candidate{.path = ScanPath{found->table},
                        .access = {},
                        .where = {},
                        .remarks = {},
                        .requests = 1,
                        .rank = {}};
    candidate.access.placement = static_cast<std::size_t>(found - plan_.placements_.begin());
    Take(index, candidate);
  };
  if (written != nullptr) {
    if (written->kind == WrittenAnswer::Kind::kScan) {
      if (!may_scan) {
        Fail(written->at, fmt::format("`{}` may not be answered by a Scan.", question.name),
             "Write answer: scan at the question if it may.");
      }
      return scan();
    }
    const auto found = std::ranges::find_if(ways.candidates, [&](const Candidate& candidate) {
      return Matches(*written, candidate, question);
    });
    if (found != ways.candidates.end()) return Take(index, *found);
    Fail(written->at, fmt::format("This does not answer `{}`.", question.name),
         ways.candidates.empty()
             ? ways.closest.why
             : fmt::format("Write where: \"{}\"", ways.candidates.front().where));
    return;
  }
  // Many requests are no better than the Scan that will do.
  const bool one = !ways.candidates.empty() && ways.candidates.front().requests == 1;
  if (may_scan && !one) return scan();
  if (!ways.candidates.empty()) return Take(index, ways.candidates.front());
  plan_.answers_.push_back({.question = index, .path = ways.closest, .where = {}, .remarks = {}});
  plan_.accesses_.emplace_back();
}

Parsed<Plan> Plan::Compile(const Model& model, const Design& design) {
  return PlanCompiler(model, design).Compile();
}

}  // namespace kw::modeller
