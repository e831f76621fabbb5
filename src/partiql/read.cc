// SPDX-License-Identifier: Apache-2.0
#include "partiql/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "data/item_bytes.h"
#include "data/limits.h"
#include "partiql/next_token.h"

namespace kw::partiql {
namespace {

// An attribute of the key and the values that it may have.
struct KeyChoices {
  KeyAttribute attribute;
  std::vector<AttributeValue> values;
};

// What a SELECT reads: one part after another.
class Parts {
 public:
  void Add(KeyChoices choices) { choices_.push_back(std::move(choices)); }
  [[nodiscard]] std::size_t count() const {
    std::size_t count = 1;
    for (const KeyChoices& choices : choices_) count *= choices.values.size();
    return count;
  }
  // One value for each attribute; the last varies fastest.
  [[nodiscard]] Item KeyOf(std::size_t part) const {
    std::vector<AttributeMap::Entry> entries;
    entries.reserve(choices_.size());
    for (auto choices = choices_.rbegin(); choices != choices_.rend(); ++choices) {
      entries.emplace_back(choices->attribute.name, choices->values[part % choices->values.size()]);
      part /= choices->values.size();
    }
    return Item::FromEntries(std::move(entries));
  }
  [[nodiscard]] std::span<KeyChoices> choices() { return choices_; }

 private:
  std::vector<KeyChoices> choices_;
};

// How a statement is read.
struct ItemsPlan {};
struct QueryPlan {
  std::vector<KeyComparison> sort;  // beside the partition's values
  bool forward = true;
};
struct ScanPlan {};
struct Plan {
  std::variant<ItemsPlan, QueryPlan, ScanPlan> how;
  Parts parts;  // partitions, or items
};

void Sort(std::vector<AttributeValue>& values, Direction direction) {
  const auto less = [](const AttributeValue& a, const AttributeValue& b) {
    const auto order = Compare(a, b);
    return order ? *order < 0 : a.type() < b.type();
  };
  std::ranges::sort(values, less);
  if (direction == Direction::kDescending) std::ranges::reverse(values);
}

// The order must be that in which parts and sort keys are read.
Result<void> ApplyOrder(const std::vector<OrderKey>& order, const KeySchema& key, Plan& plan) {
  // assumed: the wording of the last; the others are from memory.
  const auto refuse = [] {
    return Invalid("ORDER BY of several partitions must begin with the partition key");
  };
  auto next = order.begin();
  bool spread = false;  // over several values of an attribute that the order does not name
  for (KeyChoices& choices : plan.parts.choices()) {
    if (next != order.end() && next->attribute == choices.attribute.name) {
      if (spread) return refuse();
      Sort(choices.values, next->direction);
      ++next;
    } else {
      spread = spread || choices.values.size() > 1;
    }
  }
  auto* query = std::get_if<QueryPlan>(&plan.how);
  for (const KeyAttribute& attribute : key.sort) {
    if (next == order.end() || query == nullptr) break;
    if (next->attribute != attribute.name) continue;
    if (spread) return refuse();
    query->forward = next->direction == Direction::kAscending;
    ++next;
  }
  return next == order.end() ? Result<void>() : refuse();
}

Result<void> CheckOrder(const SelectStatement& select, const KeySchema& key) {
  for (const OrderKey& order : select.order) {
    if (key.Has(order.attribute)) continue;
    return Invalid(
        fmt::format("Variable reference {} in ORDER BY clause must be part of the primary key",
                    order.attribute));
  }
  if (!select.order.empty() && select.where.empty()) {
    return Invalid("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  return {};
}

Result<Plan> PlanOf(SelectStatement& select, const KeySchema& key) {
  TRY(CheckOrder(select, key));
  const auto pinned = [&](const KeyAttribute& attribute) {
    return HasChoices(select.where, attribute.name);
  };
  if (!std::ranges::all_of(key.partition, pinned)) {
    if (select.order.empty()) return Plan{ScanPlan{}, {}};
    return Invalid(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER "
        "BY clause.");
  }
  Plan plan{ItemsPlan{}, {}};
  const auto take = [&](const KeyAttribute& attribute) {
    plan.parts.Add({attribute, *TakeChoices(select.where, attribute.name)});
  };
  std::ranges::for_each(key.partition, take);
  if (plan.parts.count() > limits::kInPartitionKeysMax) {
    // assumed: the wording.
    return Invalid(fmt::format(
        "The IN operator is provided with too many partition keys; number of partition keys: {}",
        plan.parts.count()));
  }
  const bool items = !select.target.index && std::ranges::all_of(key.sort, pinned);
  if (items) {
    std::ranges::for_each(key.sort, take);
  } else {
    QueryPlan query;
    for (const KeyAttribute& attribute : key.sort) {
      if (auto value = TakeEqual(select.where, attribute.name)) {
        query.sort.push_back({attribute.name, KeyOperator::kEqual, std::move(*value), {}});
        continue;
      }
      if (auto range = TakeRange(select.where, attribute.name)) {
        query.sort.push_back(std::move(*range));
      }
      break;
    }
    plan.how = std::move(query);
  }
  TRY(ApplyOrder(select.order, key, plan));
  return plan;
}

// Carries a plan out, one page.
class Reader {
 public:
  Reader(engine::Engine& engine, const engine::CallContext& call, engine::TableKey table,
         SelectStatement select, const ReadOptions& options)
      : engine_(engine),
        call_(call),
        consistent_(options.consistent),
        items_max_(options.limit),
        index_(std::move(select.target.index)),
        table_(std::move(table)),
        columns_(std::move(select.columns)),
        filter_(ConditionOf(std::move(select.where))) {}

  // `position` becomes where the next page begins, if there is one.
  Result<Outcome> Run(const Plan& plan, std::optional<ReadPosition>& position) {
    const std::size_t count = plan.parts.count();
    if (count > 1) {
      constexpr auto kPageMax = static_cast<std::int64_t>(limits::kInPageItemsMax);
      items_max_ = std::min(items_max_.value_or(kPageMax), kPageMax);
    }
    const auto read = [&](const auto& how) { return ReadParts(how, plan.parts, position); };
    TRY(std::visit(read, plan.how));
    if (position && position->part >= count) position.reset();
    return std::move(outcome_);
  }

 private:
  template <class How>
  Result<void> ReadParts(const How& how, const Parts& parts,
                         std::optional<ReadPosition>& position) {
    ReadPosition at = position ? std::move(*position) : ReadPosition();
    position.reset();
    const std::size_t count = parts.count();
    engine::PageRequest page = MakePage();
    for (; at.part < count; ++at.part) {
      if (items_max_ && evaluated_ >= *items_max_) {
        position = std::move(at);
        return {};
      }
      page.start = std::exchange(at.start, std::nullopt);
      TRY(ReadPart(how, parts, at.part, page));
      if (outcome_.last_key) {
        at.start = outcome_.last_key;
        position = std::move(at);
        return {};
      }
    }
    return {};
  }

  engine::PageRequest MakePage() const {
    engine::PageRequest page{.table = table_, .consistent = consistent_};
    page.index = index_;
    page.filter = filter_;
    page.projection = columns_.Needed();
    page.filter_scope = engine::FilterScope::kAnyAttribute;
    return page;
  }

  Result<void> ReadPart(const ItemsPlan& /*how*/, const Parts& parts, std::size_t part,
                        const engine::PageRequest& /*page*/) {
    ItemRead read{.get = {.table = table_, .key = parts.KeyOf(part), .consistent = consistent_},
                  .filter = filter_,
                  .columns = columns_};
    if (!filter_ && columns_.AreAttributes()) read.get.projection = columns_.Needed();
    TRY_ASSIGN(engine::GetOutcome found, engine::Get(engine_, call_, read.get));
    ++evaluated_;
    outcome_.capacity += found.capacity;
    const bool shown = read.get.projection.has_value();
    auto item = shown ? std::move(found.item) : read.Show(std::move(found.item));
    if (item) outcome_.items.push_back(std::move(*item));
    return {};
  }

  Result<void> ReadPart(const QueryPlan& how, const Parts& parts, std::size_t part,
                        engine::PageRequest& page) {
    std::vector<KeyComparison> comparisons;
    const Item key = parts.KeyOf(part);
    for (const auto& [name, value] : key.entries()) {
      comparisons.push_back({name, KeyOperator::kEqual, value, {}});
    }
    comparisons.insert(comparisons.end(), how.sort.begin(), how.sort.end());
    SetLimit(page);
    const engine::QueryRequest request{
        .page = page,
        .key_condition = KeyCondition::OfComparisons(std::move(comparisons)),
        .forward = how.forward};
    TRY_ASSIGN(engine::PageOutcome read, engine::Query(engine_, call_, request));
    Take(std::move(read));
    return {};
  }

  Result<void> ReadPart(const ScanPlan& /*how*/, const Parts& /*parts*/, std::size_t /*part*/,
                        engine::PageRequest& page) {
    SetLimit(page);
    TRY_ASSIGN(engine::PageOutcome read, engine::Scan(engine_, call_, {.page = page}));
    Take(std::move(read));
    return {};
  }

  void SetLimit(engine::PageRequest& page) const {
    if (items_max_) page.limit = *items_max_ - evaluated_;
  }

  void Take(engine::PageOutcome read) {
    evaluated_ += read.scanned;
    outcome_.capacity += read.capacity;
    outcome_.last_key = std::move(read.last_key);
    for (std::string& item : read.items) {
      outcome_.items.push_back(columns_.AreAttributes() ? std::move(item)
                                                        : columns_.Show(std::move(item)));
    }
  }

  engine::Engine& engine_;
  const engine::CallContext& call_;
  const bool consistent_;
  std::optional<std::int64_t> items_max_;
  const std::optional<std::string> index_;
  const engine::TableKey table_;
  const Columns columns_;
  const std::optional<Condition> filter_;
  std::int64_t evaluated_ = 0;
  Outcome outcome_;
};

// The key that the statement's conditions are about. An unknown index is the engine's to refuse.
const KeySchema& KeyOf(const engine::Table& table, const Target& target) {
  if (!target.index) return table.schema.key();
  const IndexSchema* index = table.schema.FindIndex(*target.index);
  return index == nullptr ? table.schema.key() : index->key;
}

}  // namespace

Result<Outcome> Read(engine::Engine& engine, const engine::CallContext& call,
                     const engine::TableKey& table, Statement statement,
                     const ReadOptions& options) {
  TRY_ASSIGN(const engine::TablePtr found, engine.catalog.Find(table));
  auto& select = std::get<SelectStatement>(statement.what);
  std::optional<ReadPosition> position;
  if (options.next_token) {
    TRY_ASSIGN(position, DecodeToken(*options.next_token, statement.fingerprint));
  }
  TRY_ASSIGN(const Plan plan, PlanOf(select, KeyOf(*found, select.target)));
  Reader reader(engine, call, table, std::move(select), options);
  TRY_ASSIGN(Outcome outcome, reader.Run(plan, position));
  if (position) outcome.next_token = EncodeToken(*position, statement.fingerprint);
  return outcome;
}

std::optional<std::string> ItemRead::Show(std::optional<std::string> stored) const {
  if (!stored) return std::nullopt;
  if (filter && !filter->Holds(LoadItem(*stored))) return std::nullopt;
  return columns.Show(std::move(*stored));
}

std::optional<ItemRead> ItemReadOf(SelectStatement select, const KeySchema& key) {
  if (select.target.index || !select.order.empty()) return std::nullopt;
  auto item_key = TakeKey(select.where, key);
  if (!item_key) return std::nullopt;
  return ItemRead{.get = {.table = {}, .key = std::move(*item_key)},
                  .filter = ConditionOf(std::move(select.where)),
                  .columns = std::move(select.columns)};
}

}  // namespace kw::partiql
