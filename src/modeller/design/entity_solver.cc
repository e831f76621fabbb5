// SPDX-License-Identifier: Apache-2.0
#include "modeller/design/entity_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "data/limits.h"
#include "modeller/cost/plan_cost.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;
constexpr std::int64_t kHeadroomPercent = 70;  // of a partition's limit
constexpr std::int64_t kShardsMost = 1000;

bool Contains(const auto& values, const auto& value) {
  return std::ranges::find(values, value) != values.end();
}

// Key attributes of the entry in its own slot.
FilledKey Renamed(FilledKey key, std::size_t slot) {
  for (auto& part : key.partition) {
    if (!part.native) part.name = fmt::format("pk{}", slot);
  }
  for (auto& part : key.sort) {
    if (!part.native) part.name = fmt::format("sk{}", slot);
  }
  return key;
}

std::string Signature(const Entity& entity, const KeyOption& option) {
  std::string text;
  for (const auto* parts : {&option.key.partition, &option.key.sort}) {
    for (const auto& part : *parts) {
      text += part.native ? "=" + part.name : part.text.ToText(entity);
      if (part.when) {
        text += fmt::format(" if {} is {}", part.when->attribute,
                            ValueText(entity.attributes[part.when->attribute], part.when->equals));
      }
      text += "\n";
    }
    text += "|";
  }
  return text;
}

}  // namespace

Ratio RateOr(const std::optional<Ratio>& rate) { return rate.value_or(Ratio{1, 1}); }

std::vector<ItemShape> EntitySolver::ShapesOf(const Model& model, EntityId id,
                                              const EntityChoice& choice) {
  const auto& entity = model.entity(id);
  ItemShape row{.role = Placement::Role::kRow,
                .entity = id,
                .base = choice.base.key,
                .attributes = {},
                .entries = {},
                .counters = {}};
  for (AttributeId a = 0; a < entity.attributes.size(); ++a) row.attributes.push_back(a);
  for (std::size_t i = 0; i < choice.indexes.size(); ++i) {
    const auto& index = choice.indexes[i];
    row.entries.push_back({.index = i,
                           .key = Renamed(index.option.key, i + 1),
                           .all = index.all,
                           .shown = index.shown});
  }
  for (const auto& counter : choice.counters) row.counters.push_back(counter.name);
  std::vector<ItemShape> shapes{std::move(row)};
  for (const auto unique : entity.unique) {
    ItemShape guard{.role = Placement::Role::kGuard,
                    .entity = id,
                    .base = KeyOptions(model, id, KeyStyle::kText).GuardKey(unique),
                    .attributes = entity.identity,
                    .entries = {},
                    .counters = {}};
    if (!Contains(guard.attributes, unique)) guard.attributes.push_back(unique);
    shapes.push_back(std::move(guard));
  }
  return shapes;
}

EntityChoice EntitySolver::Run() {
  GatherQuestions();
  GatherCandidates();
  auto bases = KeyOptions(model_, task_.entity, task_.style).BaseKeys(task_.together);
  for (auto& base : bases) {
    Shard(base, true);
    SolveFor(base);
  }
  auto choice = ChoiceOf(best_.base, best_.ways);
  choice.cost = best_.score.cost;
  Reject(choice);
  return choice;
}

void EntitySolver::GatherQuestions() {
  for (std::size_t i = 0; i < model_.questions().size(); ++i) {
    const auto* select = std::get_if<Select>(&model_.questions()[i].asks);
    if (select != nullptr && select->entity == task_.entity) questions_.push_back(i);
  }
  for (const auto& [question, by] : task_.on_index) questions_.push_back(question);
  for (const auto index : questions_) {
    const auto* select = std::get_if<Select>(&model_.questions()[index].asks);
    rows_.push_back(select != nullptr ? estimator_.RowsFor(*select) : MicroRows());
  }
}

void EntitySolver::AddCandidate(KeyOption option, std::optional<std::size_t> collection) {
  const auto signature = Signature(entity_, option);
  const bool known = std::ranges::any_of(candidates_, [&](const Candidate& candidate) {
    return candidate.collection == collection && Signature(entity_, candidate.option) == signature;
  });
  if (known) return;
  Shard(option, false);
  Candidate candidate{.option = std::move(option), .serves = {}, .collection = collection};
  for (const auto index : questions_) {
    const auto& question = model_.questions()[index];
    const auto* select = std::get_if<Select>(&question.asks);
    if (select == nullptr) {
      candidate.serves.push_back(collection == index ? std::optional(Served{}) : std::nullopt);
      continue;
    }
    candidate.serves.push_back(
        Serves(entity_, candidate.option.key, *select, question.consistency, false));
  }
  candidates_.push_back(std::move(candidate));
}

void EntitySolver::GatherCandidates() {
  const KeyOptions keys(model_, task_.entity, task_.style);
  for (const auto index : questions_) {
    const auto& question = model_.questions()[index];
    const auto* select = std::get_if<Select>(&question.asks);
    if (select == nullptr || question.consistency == Consistency::kStrong ||
        task_.by_counter.contains(index)) {
      continue;
    }
    for (auto& option : keys.IndexKeys(*select)) {
      // An index that holds a collection together also answers what asks for the same partition.
      for (const auto& [collection, by] : task_.on_index) {
        const auto together = keys.CollectionKey(by);
        if (option.partition_text == together.partition_text &&
            !option.key.partition.front().when) {
          AddCandidate(option, collection);
        }
      }
      AddCandidate(std::move(option), std::nullopt);
    }
  }
  for (const auto& [collection, by] : task_.on_index) {
    AddCandidate(keys.CollectionKey(by), collection);
  }
  CompareEquals();
}

// Of keys that answer the same questions, the one that costs least alone.
void EntitySolver::CompareEquals() {
  const auto bases = KeyOptions(model_, task_.entity, task_.style).BaseKeys(task_.together);
  const auto same = [](const Candidate& a, const Candidate& b) {
    return a.collection == b.collection &&
           std::ranges::equal(a.serves, b.serves, [](const auto& one, const auto& other) {
             return one.has_value() == other.has_value();
           });
  };
  std::vector<NanoDollars> alone;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    std::vector<Assigned> ways(questions_.size());
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      if (const auto& served = candidates_[i].serves[q]) {
        ways[q] = {.way = {.kind = Way::Kind::kIndex, .option = i}, .served = *served};
      }
    }
    alone.push_back(PriceOf(bases.front(), ways));
  }
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    auto& beaten = candidates_[i].beaten;
    for (std::size_t j = 0; j < candidates_.size() && !beaten; ++j) {
      if (i == j || !same(candidates_[i], candidates_[j])) continue;
      beaten = alone[j] < alone[i] || (alone[j] == alone[i] && j < i);
    }
  }
}

// Spreads a partition whose hottest value takes more writes than one partition serves.
void EntitySolver::Shard(KeyOption& option, bool base) const {
  auto& part = option.key.partition.front();
  if (part.native || option.key.partition.size() > 1) return;
  EntityChoice choice;
  if (base) {
    choice.base = option;
  } else {
    choice.base = KeyOptions(model_, task_.entity, task_.style).BaseKeys(task_.together).front();
    choice.indexes.push_back(
        {.option = option, .all = true, .shown = {}, .collection = {}, .questions = {}});
  }
  const auto shapes = ShapesOf(model_, task_.entity, choice);
  Int128 writes = 0;  // millionths of a unit a second
  for (std::size_t c = 0; c < model_.changes().size(); ++c) {
    const auto& change = model_.changes()[c];
    const auto rate = change.peak ? change.peak : change.rate;
    if (!rate) continue;
    for (const auto& statement : change.statements) {
      if (statement.entity != task_.entity) continue;
      const auto estimate = estimator_.Write(statement, shapes.front());
      const auto each = base ? estimate.table * task_.factors[c] : estimate.entries.front();
      writes += Int128{each.value()} * statement.times * rate->count / rate->per;
    }
  }
  const auto share = estimator_.HottestShare(task_.entity, option.key);
  const Int128 hot = writes * share.value() / kMillion;
  if (hot <= Int128{kPartitionWritesMax} * kMillion) return;
  const Int128 each = Int128{kPartitionWritesMax} * kMillion * kHeadroomPercent / 100;
  const auto count = static_cast<std::int64_t>((hot + each - 1) / each);
  part.shards = Shards{.count = std::min(count, kShardsMost), .by = {}};
}

std::vector<EntitySolver::Assigned> EntitySolver::WaysOf(std::size_t place, const KeyOption& base,
                                                         Among among) const {
  const auto index = questions_[place];
  const auto& question = model_.questions()[index];
  const auto* select = std::get_if<Select>(&question.asks);
  std::vector<Assigned> ways;
  if (task_.by_counter.contains(index)) {
    return {{.way = {.kind = Way::Kind::kCounter}, .served = {.get = true}}};
  }
  if (select != nullptr) {
    if (auto served = Serves(entity_, base.key, *select, question.consistency, true)) {
      ways.push_back({.way = {.kind = Way::Kind::kBase}, .served = *served});
    }
    const auto& equalities = select->equalities;
    const bool guarded = equalities.size() == 1 && !select->range &&
                         equalities.front().bucket == Bucket::kNone &&
                         Contains(entity_.unique, equalities.front().attribute) &&
                         !std::holds_alternative<Aggregate>(select->columns);
    if (guarded) ways.push_back({.way = {.kind = Way::Kind::kGuard}, .served = {.get = true}});
  }
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (candidates_[i].beaten && among == Among::kUnbeaten) continue;
    if (const auto& served = candidates_[i].serves[place]) {
      ways.push_back({.way = {.kind = Way::Kind::kIndex, .option = i}, .served = *served});
    }
  }
  // One request where there is a way by one; shards are there because one partition is too slow.
  const auto requests = [&](const Assigned& assigned) {
    const auto& key =
        assigned.way.kind == Way::Kind::kIndex ? candidates_[assigned.way.option].option : base;
    const auto& shards = key.key.partition.front().shards;
    return assigned.served.partitions / (shards ? shards->count : 1) > 1 ? 2 : 1;
  };
  if (std::ranges::any_of(ways, [&](const Assigned& way) { return requests(way) == 1; })) {
    std::erase_if(ways, [&](const Assigned& way) { return requests(way) > 1; });
  }
  if (question.answer == AnswerBy::kScan) {
    ways.push_back({.way = {.kind = Way::Kind::kScan}, .served = {}});
  }
  return ways;
}

void EntitySolver::SolveFor(const KeyOption& base) {
  base_ = base;
  ways_.clear();
  order_.clear();
  best_of_base_ = {.unanswered = std::numeric_limits<std::size_t>::max()};
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    ways_.push_back(WaysOf(q, base, Among::kUnbeaten));
    order_.push_back(q);
  }
  // Collections first: the index that holds one together is settled by it.
  std::ranges::stable_sort(
      order_, {}, [&](std::size_t q) { return std::pair(IsSelect(q) ? 1 : 0, ways_[q].size()); });
  current_.assign(questions_.size(), {});
  Descend(0);
  bases_.emplace_back(base, best_of_base_);
}

void EntitySolver::Descend(std::size_t depth) {
  const bool whole = depth == order_.size();
  Score score;
  for (std::size_t i = 0; i < depth; ++i) {
    if (current_[order_[i]].way.kind == Way::Kind::kNone) ++score.unanswered;
  }
  ++weighed_;
  score.cost = PriceOf(base_, current_);
  std::set<std::size_t> used;
  for (const auto& assigned : current_) {
    if (assigned.way.kind == Way::Kind::kIndex) used.insert(assigned.way.option);
  }
  score.indexes = used.size();
  // What is still to be answered only adds to it.
  if (best_of_base_ <= score || weighed_ >= kWeighedMax) return;
  if (whole) {
    best_of_base_ = score;
    if (!found_ || score < best_.score) {
      best_ = {.score = score, .base = base_, .ways = current_};
      found_ = true;
    }
    return;
  }
  const auto question = order_[depth];
  if (ways_[question].empty()) {
    current_[question] = {};
    return Descend(depth + 1);
  }
  // What an index in use answers comes first: good bounds come early.
  std::vector<Assigned> ways = ways_[question];
  std::ranges::stable_partition(ways, [&](const Assigned& way) {
    return way.way.kind != Way::Kind::kIndex || used.contains(way.way.option);
  });
  for (const auto& way : ways) {
    if (!Stands(question, way, current_)) continue;
    current_[question] = way;
    Descend(depth + 1);
  }
  current_[question] = {};
}

bool EntitySolver::IsSelect(std::size_t place) const {
  return std::holds_alternative<Select>(model_.questions()[questions_[place]].asks);
}

// An index that holds a collection together is one: what else it answers, it answers with that key.
bool EntitySolver::Stands(std::size_t place, const Assigned& way,
                          const std::vector<Assigned>& ways) const {
  if (!IsSelect(place) || way.way.kind != Way::Kind::kIndex) return true;
  const auto& collection = candidates_[way.way.option].collection;
  if (!collection) return true;
  const auto at = std::ranges::find(questions_, *collection) - questions_.begin();
  const auto& holder = ways[static_cast<std::size_t>(at)].way;
  return holder.kind == Way::Kind::kIndex && holder.option == way.way.option;
}

EntityChoice EntitySolver::ChoiceOf(const KeyOption& base,
                                    const std::vector<Assigned>& ways) const {
  EntityChoice choice;
  choice.base = base;
  choice.together = task_.together;
  choice.counters = task_.counters;
  std::map<std::size_t, std::size_t> places;  // candidate → index
  for (std::size_t q = 0; q < ways.size(); ++q) {
    auto way = ways[q].way;
    if (way.kind == Way::Kind::kIndex) {
      const auto& candidate = candidates_[way.option];
      const auto [place, fresh] = places.try_emplace(way.option, choice.indexes.size());
      if (fresh) {
        choice.indexes.push_back({.option = candidate.option,
                                  .all = candidate.collection.has_value(),
                                  // An entry that lacked it would not say whose it is.
                                  .shown = entity_.identity,
                                  .collection = candidate.collection,
                                  .questions = {}});
      }
      way.option = place->second;
      auto& index = choice.indexes[place->second];
      index.questions.push_back(questions_[q]);
      if (const auto* select = std::get_if<Select>(&model_.questions()[questions_[q]].asks)) {
        for (const auto id : ShownBy(entity_, *select)) {
          if (!Contains(index.shown, id)) index.shown.push_back(id);
        }
      }
      index.all |= index.shown.size() == entity_.attributes.size();
    }
    choice.ways[questions_[q]] = way;
  }
  for (auto& index : choice.indexes) std::ranges::sort(index.shown);
  return choice;
}

NanoDollars EntitySolver::Writes(const std::vector<ItemShape>& shapes) const {
  NanoDollars sum;
  for (std::size_t c = 0; c < model_.changes().size(); ++c) {
    const auto& change = model_.changes()[c];
    MicroUnits each;
    const auto add = [&](const WriteEstimate& estimate, std::int64_t times) {
      each += estimate.table * (task_.factors[c] * times);
      for (const auto& entry : estimate.entries) each += entry * times;
    };
    bool written = false;
    for (const auto& statement : change.statements) {
      if (statement.entity != task_.entity) continue;
      written = true;
      for (const auto& shape : shapes) {
        add(estimator_.Write(statement, shape), statement.times);
      }
    }
    const bool counts = std::ranges::any_of(task_.counters, [&](const Counter& counter) {
      return std::ranges::any_of(change.statements, [&](const Statement& statement) {
        return Estimator::Counts(statement, counter);
      });
    });
    if (counts && !written) add(estimator_.Count(shapes.front()), 1);
    sum += MonthlyPrice(each, RateOr(change.rate), weights_.write_million);
  }
  return sum;
}

NanoDollars EntitySolver::Storage(const std::vector<ItemShape>& shapes) const {
  const auto rows = estimator_.RowsOf(task_.entity);
  const ByteCount overhead(limits::kStorageOverheadBytes);
  NanoDollars sum;
  const auto add = [&](ByteCount size, PartsPerMillion share) {
    const auto count = static_cast<std::int64_t>(Int128{rows} * share.value() / kMillion);
    sum += Price(((size + overhead) * count).value(), weights_.storage_gb, kGigabyte);
  };
  for (const auto& shape : shapes) {
    add(estimator_.ItemBytes(shape),
        estimator_.Presence(shape.entity, shape.base, Estimator::Of::kAll));
    for (const auto& entry : shape.entries) {
      add(estimator_.EntryBytes(shape, entry),
          estimator_.Presence(shape.entity, entry.key, Estimator::Of::kAll));
    }
  }
  return sum;
}

NanoDollars EntitySolver::Read(std::size_t place, const Assigned& assigned,
                               const EntityChoice& choice,
                               const std::vector<ItemShape>& shapes) const {
  const auto index = questions_[place];
  const auto& question = model_.questions()[index];
  const auto* select = std::get_if<Select>(&question.asks);
  MicroUnits each;
  const auto row = [&] { return estimator_.ItemBytes(shapes.front()); };
  switch (assigned.way.kind) {
    case Way::Kind::kNone:
    case Way::Kind::kCounter: return {};  // priced where the number is kept
    case Way::Kind::kGuard: {
      const auto& unique = select->equalities.front().attribute;
      const auto at = std::ranges::find(entity_.unique, unique) - entity_.unique.begin();
      const auto& guard = shapes[static_cast<std::size_t>(at) + 1];
      each = Estimator::Get(estimator_.ItemBytes(guard), question.consistency).units;
      const auto shown = ShownBy(entity_, *select);
      const bool follows = !std::ranges::all_of(
          shown, [&](AttributeId id) { return Contains(guard.attributes, id); });
      if (follows) each += Estimator::Get(row(), question.consistency).units;
      break;
    }
    case Way::Kind::kScan: {
      const ByteCount bytes(row().value() * estimator_.RowsOf(task_.entity) + task_.scanned);
      each = MicroUnits(ReadUnits(bytes, question.consistency == Consistency::kStrong
                                             ? ReadMode::kStrong
                                             : ReadMode::kEventual)
                            .value() *
                        (kMillion / 2));
      break;
    }
    case Way::Kind::kBase:
    case Way::Kind::kIndex: {
      if (select == nullptr) return {};  // a collection: priced with all its members
      if (assigned.served.get) {
        each = Estimator::Get(row(), question.consistency).units;
        break;
      }
      const auto size =
          assigned.way.kind == Way::Kind::kBase
              ? row()
              : estimator_.EntryBytes(shapes.front(),
                                      shapes.front().entries[choice.ways.at(index).option]);
      each = Estimator::Query(rows_[place], size, assigned.served.partitions, assigned.served.limit,
                              question.consistency)
                 .units;
      break;
    }
  }
  return MonthlyPrice(each, RateOr(question.rate), weights_.read_million);
}

NanoDollars EntitySolver::PriceOf(const KeyOption& base, const std::vector<Assigned>& ways) const {
  const auto choice = ChoiceOf(base, ways);
  const auto shapes = ShapesOf(model_, task_.entity, choice);
  auto sum = Writes(shapes) + Storage(shapes);
  for (std::size_t q = 0; q < ways.size(); ++q) sum += Read(q, ways[q], choice, shapes);
  for (const auto index : task_.counter_reads) {
    const auto& question = model_.questions()[index];
    const auto read = Estimator::Get(estimator_.ItemBytes(shapes.front()), question.consistency);
    sum += MonthlyPrice(read.units, RateOr(question.rate), weights_.read_million);
  }
  return sum;
}

std::string EntitySolver::KeyText(const FilledKey& key) const {
  std::string text;
  for (const auto* parts : {&key.partition, &key.sort}) {
    for (const auto& part : *parts) {
      text += fmt::format("{}`{}`", text.empty() ? "" : ", ",
                          part.native ? part.name : part.text.ToText(entity_));
      if (part.when) {
        const auto& attribute = entity_.attributes[part.when->attribute];
        text +=
            fmt::format(" where {} = {}", attribute.name, ValueText(attribute, part.when->equals));
      }
      if (part.shards) text += fmt::format(" in {} shards", part.shards->count);
    }
  }
  return text;
}

std::string EntitySolver::Describe(const Assigned& assigned) const {
  switch (assigned.way.kind) {
    case Way::Kind::kBase: return "the table's key " + KeyText(best_.base.key);
    case Way::Kind::kIndex:
      return "an index by " + KeyText(candidates_[assigned.way.option].option.key);
    case Way::Kind::kGuard: return "the guard's item";
    case Way::Kind::kCounter: return "a number kept on the parent's item";
    case Way::Kind::kScan: return "a Scan";
    case Way::Kind::kNone: break;
  }
  return "nothing";
}

// What else each question could be answered by, all else being kept.
void EntitySolver::Reject(EntityChoice& choice) const {
  for (const auto& [base, score] : bases_) {
    if (Signature(entity_, base) == Signature(entity_, best_.base)) continue;
    const auto left = score.unanswered - std::min(score.unanswered, best_.score.unanswered);
    choice.rejected_bases.push_back(
        {.what = KeyText(base.key),
         .why = left > 0 ? fmt::format("leaves {} more {} without a key", left,
                                       left == 1 ? "question" : "questions")
                         : "costs more, with the indexes that suit it best",
         .more = score.cost - best_.score.cost});
  }
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    if (!IsSelect(q)) continue;
    for (const auto& way : WaysOf(q, best_.base, Among::kAll)) {
      if (!Stands(q, way, best_.ways)) continue;
      if (way.way.kind == best_.ways[q].way.kind && way.way.option == best_.ways[q].way.option) {
        continue;
      }
      auto ways = best_.ways;
      ways[q] = way;
      const auto more = PriceOf(best_.base, ways) - best_.score.cost;
      const bool fewer = more < NanoDollars();
      choice.rejected[questions_[q]].push_back(
          {.what = Describe(way),
           .why = fewer ? "cut short" : "costs more, all else kept",
           .more = more});
    }
    std::ranges::stable_sort(choice.rejected[questions_[q]], {}, &Alternative::more);
  }
}

}  // namespace kw::modeller
