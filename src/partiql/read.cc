// SPDX-License-Identifier: Apache-2.0
#include "partiql/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "data/item_bytes.h"
#include "data/limits.h"
#include "engine/traffic.h"
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

// assumed: the wording.
tl::unexpected<Error> WrongOrder() {
  return Invalid("The ORDER BY clause must follow the order of the key");
}

// The order must be that in which parts and sort keys are read.
Result<void> ApplyOrder(const std::vector<OrderKey>& order, const KeySchema& key, Plan& plan) {
  auto next = order.begin();
  bool spread = false;  // over several values of an attribute that the order does not name
  for (KeyChoices& choices : plan.parts.choices()) {
    if (next == order.end()) return {};
    if (next->attribute != choices.attribute.name) {
      spread = spread || choices.values.size() > 1;
      continue;
    }
    if (spread) return WrongOrder();
    Sort(choices.values, next->direction);
    ++next;
  }
  auto* query = std::get_if<QueryPlan>(&plan.how);
  std::optional<Direction> direction;  // one for all attributes of a sort key
  for (std::size_t i = 0; i < key.sort.size() && next != order.end() && query != nullptr; ++i) {
    const bool fixed = i < query->sort.size() && query->sort[i].op == KeyOperator::kEqual;
    const bool named = next->attribute == key.sort[i].name;
    if (!fixed) {
      if (!named || spread || direction.value_or(next->direction) != next->direction) {
        return WrongOrder();
      }
      direction = next->direction;
    }
    if (named) ++next;
  }
  if (next != order.end()) return WrongOrder();
  if (direction) query->forward = *direction == Direction::kAscending;
  return {};
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

std::optional<std::string> ShowItem(std::optional<std::string> stored,
                                    const std::optional<Condition>& filter,
                                    const Columns& columns) {
  if (!stored) return std::nullopt;
  if (filter && !filter->Holds(LoadItem(*stored))) return std::nullopt;
  return columns.Show(std::move(*stored));
}

// Reads the parts of a plan, one page.
class Reader {
 public:
  Reader(engine::Engine& engine, const engine::CallContext& call, engine::TableKey table,
         SelectStatement select, const ReadOptions& options)
      : engine_(engine),
        call_(call),
        consistent_(options.consistent),
        items_max_(options.limit),
        table_(std::move(table)),
        index_(std::move(select.target.index)),
        columns_(std::move(select.columns)),
        filter_(ConditionOf(std::move(select.where))) {}

  // `position` becomes where the next page begins, if there is one.
  Result<Outcome> Run(const Plan& plan, std::optional<ReadPosition>& position) && {
    if (plan.parts.count() > 1) {
      if (const auto table = engine_.catalog.FindOrNull(table_)) {
        TRY(engine::CheckMayRepeat(engine_, call_, *table));
      }
      constexpr auto kPageMax = static_cast<std::int64_t>(limits::kInPageItemsMax);
      items_max_ = std::min(items_max_.value_or(kPageMax), kPageMax);
    }
    const auto read = [&](const auto& how) { return ReadParts(how, plan.parts, position); };
    TRY(std::visit(read, plan.how));
    return std::move(outcome_);
  }

 private:
  template <class How>
  Result<void> ReadParts(const How& how, const Parts& parts,
                         std::optional<ReadPosition>& position) {
    ReadPosition at = position ? std::move(*position) : ReadPosition();
    position.reset();
    auto request = RequestFor(how);
    for (const std::size_t count = parts.count(); at.part < count; ++at.part) {
      if (items_max_ && evaluated_ >= *items_max_) {
        position = std::move(at);
        return {};
      }
      TRY(ReadPart(how, parts, at, request));
      if (outcome_.last_key) {
        at.start = outcome_.last_key;
        position = std::move(at);
        return {};
      }
      at.start.reset();
    }
    return {};
  }

  engine::GetRequest RequestFor(const ItemsPlan& /*how*/) {
    engine::GetRequest get{.table = std::move(table_), .key = {}, .consistent = consistent_};
    if (!filter_ && columns_.AreAttributes()) get.projection = columns_.Needed();
    return get;
  }
  engine::QueryRequest RequestFor(const QueryPlan& how) {
    return {.page = MakePage(),
            .key_condition = KeyCondition::OfComparisons({}),
            .forward = how.forward};
  }
  engine::ScanRequest RequestFor(const ScanPlan& /*how*/) { return {.page = MakePage()}; }

  engine::PageRequest MakePage() {
    engine::PageRequest page{.table = std::move(table_), .index = std::move(index_)};
    page.filter = filter_;
    page.filter_scope = engine::FilterScope::kAnyAttribute;
    page.projection = columns_.Needed();
    page.consistent = consistent_;
    return page;
  }

  Result<void> ReadPart(const ItemsPlan& /*how*/, const Parts& parts, const ReadPosition& at,
                        engine::GetRequest& get) {
    get.key = parts.KeyOf(at.part);
    TRY_ASSIGN(engine::GetOutcome found, engine::Get(engine_, call_, get));
    ++evaluated_;
    outcome_.capacity += found.capacity;
    auto item =
        get.projection ? std::move(found.item) : ShowItem(std::move(found.item), filter_, columns_);
    if (item) outcome_.items.Add(*item);
    return {};
  }

  Result<void> ReadPart(const QueryPlan& how, const Parts& parts, const ReadPosition& at,
                        engine::QueryRequest& query) {
    std::vector<KeyComparison> comparisons;
    const Item key = parts.KeyOf(at.part);
    for (const auto& [name, value] : key.entries()) {
      comparisons.push_back({name, KeyOperator::kEqual, value, {}});
    }
    comparisons.insert(comparisons.end(), how.sort.begin(), how.sort.end());
    query.key_condition = KeyCondition::OfComparisons(std::move(comparisons));
    Begin(at, query.page);
    TRY_ASSIGN(engine::PageOutcome read, engine::Query(engine_, call_, query));
    Take(std::move(read));
    return {};
  }

  Result<void> ReadPart(const ScanPlan& /*how*/, const Parts& /*parts*/, const ReadPosition& at,
                        engine::ScanRequest& scan) {
    Begin(at, scan.page);
    TRY_ASSIGN(engine::PageOutcome read, engine::Scan(engine_, call_, scan));
    Take(std::move(read));
    return {};
  }

  void Begin(const ReadPosition& at, engine::PageRequest& page) const {
    page.start = at.start;
    if (items_max_) page.limit = *items_max_ - evaluated_;
  }

  void Take(engine::PageOutcome read) {
    evaluated_ += read.scanned;
    outcome_.capacity += read.capacity;
    outcome_.last_key = std::move(read.last_key);
    for (const auto item : read.items) {
      if (columns_.AreAttributes()) {
        outcome_.items.Add(item);
      } else {
        outcome_.items.Add(columns_.Show(std::string(item)));
      }
    }
  }

  engine::Engine& engine_;
  const engine::CallContext& call_;
  const bool consistent_;
  std::optional<std::int64_t> items_max_;
  engine::TableKey table_;            // until the request has it
  std::optional<std::string> index_;  // likewise
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
                     engine::TableKey table, Statement statement, const ReadOptions& options) {
  TRY_ASSIGN(const engine::TablePtr found, engine.catalog.Find(table));
  auto& select = std::get<SelectStatement>(statement.what);
  std::optional<ReadPosition> position;
  if (options.next_token) {
    TRY_ASSIGN(position, DecodeToken(*options.next_token, statement.fingerprint));
  }
  TRY_ASSIGN(const Plan plan, PlanOf(select, KeyOf(*found, select.target)));
  Reader reader(engine, call, std::move(table), std::move(select), options);
  TRY_ASSIGN(Outcome outcome, std::move(reader).Run(plan, position));
  if (position) outcome.next_token = EncodeToken(*position, statement.fingerprint);
  return outcome;
}

std::optional<std::string> ItemRead::Show(std::optional<std::string> stored) const {
  return ShowItem(std::move(stored), filter, columns);
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
