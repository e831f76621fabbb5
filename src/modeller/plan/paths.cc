// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "modeller/plan/asked.h"
#include "modeller/plan/counters.h"
#include "modeller/plan/key_walk.h"
#include "modeller/plan/keys.h"

namespace kw::modeller {
namespace {

// How far a key came before it failed: the farthest is shown.
struct Miss {
  int score = 0;
  NoPath reason;
};

NoPath::Reason ReasonOf(int score) {
  using Reason = NoPath::Reason;
  switch (score) {
    case 6: return Reason::kOrder;
    case 7: return Reason::kOtherItems;
    case 8: return Reason::kProjection;
    case 9: return Reason::kStrongRead;
    default: return score < 3 ? Reason::kNoKey : Reason::kPartialKey;
  }
}

enum RankKind : std::uint8_t { kCounterRank, kGetRank, kQueryRank, kGuardRank, kManyRank };

class WayFinder {
 public:
  WayFinder(const Plan& plan, const Question& question) : plan_(plan), question_(question) {}

  Ways Find() && {
    if (const auto* select = std::get_if<Select>(&question_.asks)) {
      FindSelect(*select);
    } else {
      FindCollection(std::get<Collection>(question_.asks));
    }
    std::ranges::stable_sort(ways_.candidates, {}, &Candidate::rank);
    ways_.closest = std::move(closest_.reason);
    return std::move(ways_);
  }

 private:
  void FindSelect(const Select& select);
  void FindCollection(const Collection& collection);
  void TrySelect(const Select& select, std::size_t placement, std::optional<std::size_t> index);
  void TryGuard(const Select& select, std::size_t placement);
  void TryCounters(const Select& select);
  // What the members of a collection have in common in one table or index.
  struct Members {
    std::set<std::size_t> own;     // into placements()
    std::optional<KeyWalk> first;  // of the first member
    std::size_t first_placement = 0;
    std::string prefix;  // that all their sort keys begin with
  };
  bool AddMember(const Collection& collection, const Collection::Member& member, TableId table,
                 std::optional<std::size_t> index, Members& members) const;
  void TryMembers(const Collection& collection, TableId table, std::optional<std::size_t> index);

  void Missed(int score, std::string why, std::string nearest) {
    if (score <= closest_.score) return;
    closest_ = {score, {std::move(why), std::move(nearest), ReasonOf(score)}};
  }
  [[nodiscard]] const DesignTable& Table(TableId table) const {
    return plan_.design().tables[table];
  }
  [[nodiscard]] std::string NameOf(TableId table, std::optional<std::size_t> index) const {
    return index ? fmt::format("index `{}`", Table(table).indexes[*index].name)
                 : fmt::format("table `{}`", Table(table).name);
  }
  [[nodiscard]] bool Shows(TableId table, std::optional<std::size_t> index,
                           std::string_view attribute) const;
  bool CheckReadable(TableId table, std::optional<std::size_t> index);
  // Another kind of item that this key condition would return as well.
  [[nodiscard]] const Placement* Intruder(const std::set<std::size_t>& own, const KeyWalk& walk,
                                          TableId table, std::optional<std::size_t> index,
                                          std::optional<std::string_view> shared_prefix) const;
  [[nodiscard]] int Width(TableId table, std::optional<std::size_t> index) const;

  const Plan& plan_;
  const Question& question_;
  Ways ways_;
  Miss closest_;
};

std::string_view RoleWord(const Placement& placement) {
  switch (placement.role) {
    case Placement::Role::kRow: return "rows";
    case Placement::Role::kCopy: return "copies";
    case Placement::Role::kGuard: return "guards";
  }
  return "";
}

bool WayFinder::Shows(TableId table, std::optional<std::size_t> index,
                      std::string_view attribute) const {
  if (!index) return true;
  const auto& schema = plan_.tables()[table].schema;
  const auto& of = schema.indexes()[*index];
  if (std::holds_alternative<ProjectAll>(of.projected)) return true;
  if (schema.key().Has(attribute) || of.key.Has(attribute)) return true;
  const auto* include = std::get_if<ProjectInclude>(&of.projected);
  return include != nullptr &&
         std::ranges::find(include->attributes, attribute) != include->attributes.end();
}

bool WayFinder::CheckReadable(TableId table, std::optional<std::size_t> index) {
  if (!index || question_.consistency == Consistency::kEventual ||
      Table(table).indexes[*index].scope == IndexScope::kLocal) {
    return true;
  }
  Missed(9, fmt::format("A strong read cannot be asked of the global {}.", NameOf(table, index)),
         "Read the table itself, or allow an eventual read.");
  return false;
}

int WayFinder::Width(TableId table, std::optional<std::size_t> index) const {
  if (!index) return 2;
  const auto& projected = Table(table).indexes[*index].projected;
  if (std::holds_alternative<ProjectAll>(projected)) return 2;
  return std::holds_alternative<ProjectInclude>(projected) ? 1 : 0;
}

const Placement* WayFinder::Intruder(const std::set<std::size_t>& own, const KeyWalk& walk,
                                     TableId table, std::optional<std::size_t> index,
                                     std::optional<std::string_view> shared_prefix) const {
  const auto& placements = plan_.placements();
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const auto& other = placements[i];
    if (other.table != table || own.contains(i)) continue;
    const auto filled =
        FillKey(plan_.model().entity(other.entity), other, KeyOf(Table(table), index));
    if (!filled || !walk.MayReturn(*filled, shared_prefix)) continue;
    return &other;
  }
  return nullptr;
}

void WayFinder::FindSelect(const Select& select) {
  const auto& placements = plan_.placements();
  Missed(1, "No key begins with what the question gives.", "Give the design such a key.");
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const auto& placement = placements[i];
    if (placement.entity != select.entity) continue;
    if (placement.role == Placement::Role::kGuard) {
      TryGuard(select, i);
      continue;
    }
    TrySelect(select, i, std::nullopt);
    for (std::size_t index = 0; index < Table(placement.table).indexes.size(); ++index) {
      TrySelect(select, i, index);
    }
  }
  TryCounters(select);
}

// The attributes that the answer shows.
std::vector<AttributeId> ShownOf(const Entity& entity, const Select& select) {
  std::vector<AttributeId> shown;
  if (const auto* some = std::get_if<std::vector<AttributeId>>(&select.columns)) return *some;
  if (const auto* aggregate = std::get_if<Aggregate>(&select.columns)) {
    if (aggregate->attribute) shown.push_back(*aggregate->attribute);
    return shown;
  }
  for (AttributeId id = 0; id < entity.attributes.size(); ++id) shown.push_back(id);
  return shown;
}

// MIN and MAX are the first row of an order.
std::vector<Order> OrderOf(const Select& select) {
  const auto* aggregate = std::get_if<Aggregate>(&select.columns);
  if (aggregate == nullptr || !aggregate->attribute) return select.order;
  switch (aggregate->kind) {
    case AggregateKind::kMin: return {{.attribute = *aggregate->attribute, .descending = false}};
    case AggregateKind::kMax: return {{.attribute = *aggregate->attribute, .descending = true}};
    case AggregateKind::kCount:
    case AggregateKind::kSum: break;
  }
  return select.order;
}

void WayFinder::TrySelect(const Select& select, std::size_t placement_id,
                          std::optional<std::size_t> index) {
  const auto& placement = plan_.placements()[placement_id];
  const auto& entity = plan_.model().entity(placement.entity);
  const auto table = placement.table;
  const auto name = NameOf(table, index);
  const auto filled = FillKey(entity, placement, KeyOf(Table(table), index));
  if (!filled) return;
  KeyWalk walk(entity, *filled, TermsOf(entity, select));
  if (auto fault = walk.Match())
    return Missed(fault->score, name + ": " + fault->why, fault->nearest);

  const bool aggregates = std::holds_alternative<Aggregate>(select.columns);
  const auto order = OrderOf(select);
  auto forward = walk.DirectionFor(order);
  const bool first_row = aggregates && !order.empty() && forward.has_value();
  if (!forward && aggregates) forward = true;
  const bool get = !index && walk.whole_key() && walk.partitions() == 1;
  if (!forward && !get) {
    return Missed(6, fmt::format("{}: its order is not the question's.", name),
                  fmt::format("Let its sort key go on with {{{}}}.",
                              entity.attributes[order.front().attribute].name));
  }
  if (const auto* other = Intruder({placement_id}, walk, table, index, std::nullopt)) {
    return Missed(7,
                  fmt::format("{}: the same key condition also returns {} of {}.", name,
                              RoleWord(*other), plan_.model().entity(other->entity).name),
                  "Begin the sort keys of each entity with a text of its own.");
  }
  for (const auto id : ShownOf(entity, select)) {
    const bool carried = std::ranges::find(placement.attributes, id) != placement.attributes.end();
    if (carried && Shows(table, index, entity.attributes[id].name)) continue;
    return Missed(8, fmt::format("{} does not hold `{}`.", name, entity.attributes[id].name),
                  fmt::format("Project `{}` as well.", entity.attributes[id].name));
  }
  if (!CheckReadable(table, index)) return;

  Candidate found{.path = GetPath{table},
                  .access = walk.access(),
                  .where = walk.Where(),
                  .remarks = walk.remarks(),
                  .requests = 1,
                  .rank = {}};
  found.access.placement = placement_id;
  found.access.index = index;
  found.access.get = get;
  found.access.forward = forward.value_or(true);
  found.access.limit = select.limit.has_value() || first_row;
  found.rank = {kGetRank, Width(table, index), index ? 1 : 0};
  if (!get) {
    QueryPath query{.table = table,
                    .index = {},
                    .sort = walk.sort_match(),
                    .forward = *forward,
                    .partitions = walk.partitions(),
                    .ordered = walk.partitions() == 1 || order.empty()};
    if (index) query.index = Table(table).indexes[*index].name;
    found.path = std::move(query);
    found.requests = walk.partitions();
    std::get<0>(found.rank) = walk.partitions() == 1 ? kQueryRank : kManyRank;
  }
  ways_.candidates.push_back(std::move(found));
}

// Whether the identity is all that a key is made of.
bool IdentityGivesKey(const Entity& entity, const FilledKey& key) {
  const auto told = [&](const FilledPart& part) {
    return std::ranges::all_of(part.text.parts,
                               [&](const TemplatePart& piece) {
                                 const auto* field = std::get_if<TemplateField>(&piece);
                                 return field == nullptr ||
                                        std::ranges::find(entity.identity, field->attribute) !=
                                            entity.identity.end();
                               }) &&
           (!part.shards || !part.shards->by ||
            std::ranges::find(entity.identity, *part.shards->by) != entity.identity.end());
  };
  return std::ranges::all_of(key.partition, told) && std::ranges::all_of(key.sort, told);
}

void WayFinder::TryGuard(const Select& select, std::size_t placement_id) {
  const auto& guard = plan_.placements()[placement_id];
  const auto& entity = plan_.model().entity(guard.entity);
  const auto filled = FillKey(entity, guard, Table(guard.table).key);
  KeyWalk walk(entity, *filled, TermsOf(entity, select));
  if (walk.Match() || !walk.whole_key() || walk.partitions() != 1) return;
  const auto shown = ShownOf(entity, select);
  const auto holds = [&](AttributeId id) {
    return std::ranges::find(guard.attributes, id) != guard.attributes.end();
  };
  GuardPath path{.table = guard.table, .follows = !std::ranges::all_of(shown, holds)};
  if (path.follows) {
    const auto& row = *std::ranges::find(plan_.placements(), guard.entity, &Placement::entity);
    if (!IdentityGivesKey(entity, *FillKey(entity, row, Table(row.table).key))) return;
  }
  Candidate found{.path = path,
                  .access = walk.access(),
                  .where = walk.Where(),
                  .remarks = {},
                  .requests = 1,
                  .rank = {path.follows ? kGuardRank : kGetRank, 0, 0}};
  found.access.placement = placement_id;
  found.access.get = true;
  ways_.candidates.push_back(std::move(found));
}

void WayFinder::TryCounters(const Select& select) {
  const auto* aggregate = std::get_if<Aggregate>(&select.columns);
  if (aggregate == nullptr) return;
  const bool counts = aggregate->kind == AggregateKind::kCount && !aggregate->attribute;
  if (!counts && aggregate->kind != AggregateKind::kSum) return;
  const auto& child = plan_.model().entity(select.entity);
  const auto terms = TermsOf(child, select);
  for (const auto& [parent_id, counter] : CountersOf(plan_, select.entity)) {
    const auto& by = child.references[counter->reference].by;
    const auto refers = [&](const Term& term) {
      return term.kind == Term::Kind::kExact && std::ranges::find(by, term.attribute) != by.end();
    };
    if (counter->sum != aggregate->attribute || terms.size() != by.size() ||
        !std::ranges::all_of(terms, refers)) {
      continue;
    }
    const auto& placement = plan_.placements()[parent_id];
    const auto& parent = plan_.model().entity(placement.entity);
    auto parent_terms = terms;
    for (auto& term : parent_terms) {
      const auto at = std::ranges::find(by, term.attribute) - by.begin();
      term.attribute = parent.identity[static_cast<std::size_t>(at)];
    }
    KeyWalk walk(parent, *FillKey(parent, placement, Table(placement.table).key), parent_terms);
    if (walk.Match()) continue;
    Candidate found{.path = CounterPath{placement.table, counter->name},
                    .access = walk.access(),
                    .where = walk.Where(),
                    .remarks = {},
                    .requests = 1,
                    .rank = {kCounterRank, 0, 0}};
    found.access.placement = parent_id;
    found.access.get = true;
    ways_.candidates.push_back(std::move(found));
  }
}

void WayFinder::FindCollection(const Collection& collection) {
  Missed(1, "The collection's entities do not share a partition.",
         "Give them one partition text, by the shared attributes.");
  for (TableId table = 0; table < plan_.design().tables.size(); ++table) {
    TryMembers(collection, table, std::nullopt);
    for (std::size_t index = 0; index < Table(table).indexes.size(); ++index) {
      TryMembers(collection, table, index);
    }
  }
}

std::string_view SharedPrefix(std::string_view a, std::string_view b) {
  const auto count = std::ranges::mismatch(a, b).in1 - a.begin();
  return a.substr(0, static_cast<std::size_t>(count));
}

bool WayFinder::AddMember(const Collection& collection, const Collection::Member& member,
                          TableId table, std::optional<std::size_t> index, Members& members) const {
  const auto& entity = plan_.model().entity(member.entity);
  for (std::size_t i = 0; i < plan_.placements().size(); ++i) {
    const auto& placement = plan_.placements()[i];
    if (placement.table != table || placement.entity != member.entity ||
        placement.role == Placement::Role::kGuard ||
        placement.attributes.size() != entity.attributes.size()) {
      continue;
    }
    const auto filled = FillKey(entity, placement, KeyOf(Table(table), index));
    if (!filled) continue;
    KeyWalk walk(entity, *filled, TermsOf(collection, member));
    if (walk.Match() || walk.partitions() != 1) continue;
    if (members.own.empty()) {
      members.first_placement = i;
      members.prefix = walk.sort_literal();
      members.first.emplace(std::move(walk));
    } else if (members.first->PartitionWhere() == walk.PartitionWhere()) {
      members.prefix = SharedPrefix(members.prefix, walk.sort_literal());
    } else {
      continue;
    }
    members.own.insert(i);
    return true;
  }
  return false;
}

void WayFinder::TryMembers(const Collection& collection, TableId table,
                           std::optional<std::size_t> index) {
  const auto name = NameOf(table, index);
  Members members;
  for (const auto& member : collection.members) {
    if (AddMember(collection, member, table, index, members)) continue;
    if (members.own.empty()) return;
    return Missed(3,
                  fmt::format("{}: {} does not stand in the same partition.", name,
                              plan_.model().entity(member.entity).name),
                  "Give its key the same partition text.");
  }
  for (const auto& member : collection.members) {
    for (const auto& attribute : plan_.model().entity(member.entity).attributes) {
      if (Shows(table, index, attribute.name)) continue;
      return Missed(8, fmt::format("{} does not hold `{}`.", name, attribute.name),
                    "Project all attributes.");
    }
  }
  const auto& [own, first, placement, prefix] = members;
  if (const auto* other = Intruder(own, *first, table, index, prefix)) {
    return Missed(7,
                  fmt::format("{}: the collection would also hold {} of {}.", name,
                              RoleWord(*other), plan_.model().entity(other->entity).name),
                  "Keep them in a partition of their own, or begin the members' sort keys alike.");
  }
  if (!CheckReadable(table, index)) return;
  QueryPath query{.table = table,
                  .index = {},
                  .sort = prefix.empty() ? SortMatch::kAll : SortMatch::kPrefix,
                  .forward = true,
                  .partitions = 1,
                  .ordered = true};
  if (index) query.index = Table(table).indexes[*index].name;
  Candidate found{.path = std::move(query),
                  .access = {},
                  .where = first->PartitionWhere(),
                  .remarks = first->remarks(),
                  .requests = 1,
                  .rank = {kQueryRank, Width(table, index), index ? 1 : 0}};
  found.access.placement = placement;
  found.access.index = index;
  found.access.literal_bytes = prefix.size();
  if (!prefix.empty())
    found.where += fmt::format(", {} begins_with {}", first->sort_name(), prefix);
  ways_.candidates.push_back(std::move(found));
}

}  // namespace

Ways FindWays(const Plan& plan, const Question& question) {
  return WayFinder(plan, question).Find();
}

}  // namespace kw::modeller
