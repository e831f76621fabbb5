// SPDX-License-Identifier: Apache-2.0
#include "modeller/design/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "modeller/cost/plan_cost.h"
#include "modeller/design/entity_solver.h"

namespace kw::modeller {
namespace {

constexpr std::size_t kChoicesMax = 14;  // of one group, all combinations of which are tried

// A choice between two that couples entities: a collection on the base key or on an index, an
// aggregate kept on the parent's item or counted.
struct Coupling {
  std::size_t question = 0;
  std::vector<EntityId> entities = {};
  // Of an aggregate.
  std::optional<Counter> counter = {};
  EntityId parent = 0;
  // Of a collection.
  bool may_be_base = false;
  bool may_be_index = false;
};

bool TouchesUnique(const Entity& entity, const Statement& statement) {
  if (statement.kind != StatementKind::kUpdate) return !entity.unique.empty();
  return std::ranges::any_of(statement.sets, [&](const Assignment& assignment) {
    return std::ranges::find(entity.unique, assignment.attribute) != entity.unique.end();
  });
}

std::vector<Coupling> CouplingsOf(const Model& model) {
  std::vector<Coupling> couplings;
  for (std::size_t i = 0; i < model.questions().size(); ++i) {
    const auto& question = model.questions()[i];
    if (const auto* collection = std::get_if<Collection>(&question.asks)) {
      Coupling coupling{.question = i, .may_be_base = true, .may_be_index = true};
      for (const auto& member : collection->members) {
        coupling.entities.push_back(member.entity);
        const auto& identity = model.entity(member.entity).identity;
        for (const auto id : member.by) {
          coupling.may_be_base &= std::ranges::find(identity, id) != identity.end();
          coupling.may_be_index &=
              model.entity(member.entity).attributes[id].present.value() == 1'000'000;
        }
      }
      coupling.may_be_index &= question.consistency == Consistency::kEventual;
      couplings.push_back(std::move(coupling));
      continue;
    }
    const auto& select = std::get<Select>(question.asks);
    const auto* aggregate = std::get_if<Aggregate>(&select.columns);
    if (aggregate == nullptr || select.range || select.equalities.empty()) continue;
    const bool counts = aggregate->kind == AggregateKind::kCount && !aggregate->attribute;
    if (!counts && aggregate->kind != AggregateKind::kSum) continue;
    const auto& child = model.entity(select.entity);
    for (std::size_t r = 0; r < child.references.size(); ++r) {
      const auto& by = child.references[r].by;
      const bool same = by.size() == select.equalities.size() &&
                        std::ranges::all_of(select.equalities, [&](const Equality& equality) {
                          return equality.bucket == Bucket::kNone &&
                                 std::ranges::find(by, equality.attribute) != by.end();
                        });
      if (!same || child.references[r].to == select.entity) continue;
      Coupling coupling{.question = i, .entities = {select.entity, child.references[r].to}};
      coupling.parent = child.references[r].to;
      coupling.counter = Counter{.name = {},
                                 .child = select.entity,
                                 .reference = r,
                                 .sum = counts ? std::nullopt : aggregate->attribute};
      auto name = child.name + (counts ? "Count" : "Sum");
      name.front() = static_cast<char>(name.front() | 0x20);
      if (!counts) name += "Of" + child.attributes[*aggregate->attribute].name;
      name += child.references.size() > 1 ? "By" + child.attributes[by.back()].name : "";
      while (model.entity(coupling.parent).Find(name)) name += "Kept";
      coupling.counter->name = name;
      couplings.push_back(std::move(coupling));
      break;
    }
  }
  return couplings;
}

class Solver {
 public:
  Solver(const Model& model, const SolveOptions& options)
      : model_(model), options_(options), estimator_(model), couplings_(CouplingsOf(model)) {}

  Selection Run() {
    selection_.entities.resize(model_.entities().size());
    on_.assign(couplings_.size(), false);
    if (options_.one_table) {
      for (EntityId id = 0; id < model_.entities().size(); ++id) {
        const Int128 bytes = Int128{RowSize(model_, id).value()} * estimator_.RowsOf(id);
        all_bytes_ += static_cast<std::int64_t>(bytes);
      }
    }
    for (const auto& group : Groups()) SolveGroup(group);
    return std::move(selection_);
  }

 private:
  struct Group {
    std::vector<EntityId> entities;
    std::vector<std::size_t> couplings;
  };
  struct Solved {
    EntityChoice choice;
    Score score;
  };

  std::vector<Group> Groups() const;
  void SolveGroup(const Group& group);
  // Whether collections that lie on base keys leave each of them to itself.
  [[nodiscard]] bool Allowed(const Group& group) const;
  [[nodiscard]] EntityTask TaskOf(EntityId entity) const;
  const Solved& SolveEntity(EntityId entity);
  NanoDollars ReadsOf(const Group& group, const std::vector<const Solved*>& solved);

  const Model& model_;
  const SolveOptions& options_;
  Estimator estimator_;
  std::vector<Coupling> couplings_;
  std::vector<bool> on_;  // a collection on the base key; an aggregate kept
  std::map<std::string, Solved> solved_;
  Selection selection_;
  std::int64_t all_bytes_ = 0;
};

std::vector<Solver::Group> Solver::Groups() const {
  std::vector<std::size_t> root(model_.entities().size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t id) {
    while (root[id] != id) id = root[id];
    return id;
  };
  for (const auto& coupling : couplings_) {
    for (const auto id : coupling.entities) root[find(id)] = find(coupling.entities.front());
  }
  std::map<std::size_t, Group> groups;
  for (EntityId id = 0; id < root.size(); ++id) groups[find(id)].entities.push_back(id);
  for (std::size_t i = 0; i < couplings_.size(); ++i) {
    groups[find(couplings_[i].entities.front())].couplings.push_back(i);
  }
  std::vector<Group> list;
  for (auto& [id, group] : groups) list.push_back(std::move(group));
  return list;
}

bool Solver::Allowed(const Group& group) const {
  for (const auto i : group.couplings) {
    const auto& a = couplings_[i];
    if (a.counter) continue;
    if (on_[i] ? !a.may_be_base : !a.may_be_index && a.may_be_base) return false;
    if (!on_[i]) continue;
    for (const auto j : group.couplings) {
      const auto& b = couplings_[j];
      if (j >= i || b.counter || !on_[j]) continue;
      const bool share = std::ranges::any_of(a.entities, [&](EntityId id) {
        return std::ranges::find(b.entities, id) != b.entities.end();
      });
      if (!share) continue;
      const auto& one = std::get<Collection>(model_.questions()[a.question].asks);
      const auto& other = std::get<Collection>(model_.questions()[b.question].asks);
      if (one.by != other.by || !std::ranges::is_permutation(a.entities, b.entities)) return false;
    }
  }
  return true;
}

EntityTask Solver::TaskOf(EntityId entity) const {
  EntityTask task{.entity = entity, .style = options_.styles[entity]};
  std::vector<std::int64_t> steps;
  for (const auto& change : model_.changes()) {
    std::int64_t count = 0;
    for (const auto& statement : change.statements) {
      const auto& written = model_.entity(statement.entity);
      const auto guards =
          TouchesUnique(written, statement) ? std::ssize(written.unique) : std::int64_t{0};
      count += statement.times * (1 + guards);
    }
    steps.push_back(count);
  }
  for (std::size_t i = 0; i < couplings_.size(); ++i) {
    const auto& coupling = couplings_[i];
    if (coupling.counter) {
      if (!on_[i]) continue;
      if (coupling.counter->child == entity) task.by_counter.insert(coupling.question);
      if (coupling.parent == entity) {
        const auto same = [&](const Counter& other) {
          return other.name == coupling.counter->name;
        };
        if (std::ranges::none_of(task.counters, same)) task.counters.push_back(*coupling.counter);
        task.counter_reads.push_back(coupling.question);
      }
      for (std::size_t c = 0; c < steps.size(); ++c) {
        const auto& statements = model_.changes()[c].statements;
        const bool counts = std::ranges::any_of(statements, [&](const Statement& statement) {
          return Estimator::Counts(statement, *coupling.counter);
        });
        const bool written = std::ranges::any_of(statements, [&](const Statement& statement) {
          return statement.entity == coupling.parent;
        });
        if (counts && !written) ++steps[c];
      }
      continue;
    }
    const auto& collection = std::get<Collection>(model_.questions()[coupling.question].asks);
    const auto member = std::ranges::find(collection.members, entity, &Collection::Member::entity);
    if (member == collection.members.end()) continue;
    if (on_[i]) {
      task.together = member->by;
    } else if (coupling.may_be_index) {
      task.on_index.emplace_back(coupling.question, member->by);
    }
  }
  for (const auto count : steps) task.factors.push_back(count > 1 ? 2 : 1);
  if (options_.one_table) {
    task.scanned = all_bytes_ - RowSize(model_, entity).value() *
                                    std::max<std::int64_t>(0, model_.entity(entity).rows);
  }
  return task;
}

const Solver::Solved& Solver::SolveEntity(EntityId entity) {
  auto task = TaskOf(entity);
  std::string key = fmt::format("{}", entity);
  for (const auto id : task.together) key += fmt::format(",b{}", id);
  for (const auto& [question, by] : task.on_index) key += fmt::format(",i{}", question);
  for (const auto& counter : task.counters) key += "," + counter.name;
  for (const auto question : task.counter_reads) key += fmt::format(",r{}", question);
  for (const auto question : task.by_counter) key += fmt::format(",c{}", question);
  for (const auto factor : task.factors) key += fmt::format("{}", factor);
  const auto found = solved_.find(key);
  if (found != solved_.end()) return found->second;
  EntitySolver solver(model_, estimator_, options_.weights, std::move(task));
  auto choice = solver.Run();
  selection_.weighed += solver.weighed();
  selection_.optimal &= solver.optimal();
  return solved_.emplace(key, Solved{std::move(choice), solver.score()}).first->second;
}

// Of collections: one Query over the entries of all members.
NanoDollars Solver::ReadsOf(const Group& group, const std::vector<const Solved*>& solved) {
  NanoDollars sum;
  for (const auto i : group.couplings) {
    const auto& coupling = couplings_[i];
    if (coupling.counter) continue;
    const auto& question = model_.questions()[coupling.question];
    Int128 bytes = 0;
    MicroRows rows;
    for (const auto& member : std::get<Collection>(question.asks).members) {
      const auto place = std::ranges::find(group.entities, member.entity) - group.entities.begin();
      const auto& choice = solved[static_cast<std::size_t>(place)]->choice;
      const auto shapes = EntitySolver::ShapesOf(model_, member.entity, choice);
      // An index that holds a collection projects all: an entry is as large as the item.
      const auto count = estimator_.RowsFor(member);
      bytes += Int128{estimator_.ItemBytes(shapes.front()).value()} * count.value();
      rows += count;
    }
    const auto size = static_cast<std::int64_t>(bytes / std::max<Int128>(1, rows.value()));
    const auto read = Estimator::Query(rows, ByteCount(std::max<std::int64_t>(1, size)), 1,
                                       std::nullopt, question.consistency);
    sum += MonthlyPrice(read.units, RateOr(question.rate), options_.weights.read_million);
  }
  return sum;
}

void Solver::SolveGroup(const Group& group) {
  const auto free = std::min(group.couplings.size(), kChoicesMax);
  if (free < group.couplings.size()) selection_.optimal = false;
  std::optional<Score> best;
  std::vector<const Solved*> chosen;
  std::vector<bool> chosen_on;
  for (std::size_t mask = 0; mask < std::size_t{1} << free; ++mask) {
    for (std::size_t i = 0; i < group.couplings.size(); ++i) {
      on_[group.couplings[i]] = i < free && (mask >> i & 1U) != 0;
    }
    if (!Allowed(group)) continue;
    std::vector<const Solved*> solved;
    Score score;
    for (const auto entity : group.entities) {
      solved.push_back(&SolveEntity(entity));
      score.unanswered += solved.back()->score.unanswered;
      score.cost += solved.back()->score.cost;
      score.indexes += solved.back()->score.indexes;
    }
    score.cost += ReadsOf(group, solved);
    if (best && *best <= score) continue;
    best = score;
    chosen = std::move(solved);
    chosen_on = on_;
  }
  if (!best) {  // collections that can be neither: each entity by itself
    for (const auto i : group.couplings) on_[i] = false;
    for (const auto entity : group.entities) chosen.push_back(&SolveEntity(entity));
    chosen_on = on_;
    best = Score{};
    for (const auto* solved : chosen) best->cost += solved->score.cost;
  }
  for (std::size_t i = 0; i < group.entities.size(); ++i) {
    selection_.entities[group.entities[i]] = chosen[i]->choice;
  }
  on_ = chosen_on;
  for (const auto i : group.couplings) {
    const auto& coupling = couplings_[i];
    if (coupling.counter) continue;
    if (on_[i]) {
      selection_.collections[coupling.question] = CollectionMode::kBase;
    } else if (coupling.may_be_index) {
      selection_.collections[coupling.question] = CollectionMode::kIndex;
    }
  }
  selection_.cost += best->cost;
}

}  // namespace

Selection Solve(const Model& model, const SolveOptions& options) {
  return Solver(model, options).Run();
}

}  // namespace kw::modeller
