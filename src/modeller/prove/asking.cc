// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/asking.h"

#include <algorithm>

#include "base/check.h"

namespace kw::modeller {
namespace {

// An item of no entity stands for a row that no oracle expects.
constexpr EntityId kNoEntity = static_cast<EntityId>(-1);

struct FoundRow {
  EntityId entity = kNoEntity;
  Row row;
};

bool Precedes(const Value& a, const Value& b) {
  if (a.index() != b.index()) return a.index() < b.index();
  return std::visit(
      [&](const auto& left) {
        using T = std::decay_t<decltype(left)>;
        if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, AttributeValue>) {
          return false;
        } else {
          return left < std::get<T>(b);
        }
      },
      a);
}

// Shards and buckets come one after another: the program puts their rows in order.
void Merge(const Select& select, std::vector<FoundRow>& rows) {
  std::ranges::stable_sort(rows, [&](const FoundRow& a, const FoundRow& b) {
    if (a.entity != select.entity || b.entity != select.entity) return false;
    for (const Order& by : select.order) {
      const Value& left = by.descending ? b.row[by.attribute] : a.row[by.attribute];
      const Value& right = by.descending ? a.row[by.attribute] : b.row[by.attribute];
      if (Precedes(left, right)) return true;
      if (Precedes(right, left)) return false;
    }
    return false;
  });
}

Tuple TupleOf(const Select& select, FoundRow found) {
  Tuple tuple{.entity = found.entity, .values = {}};
  const auto* columns = std::get_if<std::vector<AttributeId>>(&select.columns);
  if (found.entity != select.entity || columns == nullptr) {
    tuple.values = std::move(found.row);
    return tuple;
  }
  for (const AttributeId column : *columns) tuple.values.push_back(found.row[column]);
  return tuple;
}

// What a program computes of the rows that it read.
Value Aggregated(const Aggregate& aggregate, const std::vector<FoundRow>& rows) {
  if (aggregate.kind == AggregateKind::kCount && !aggregate.attribute) {
    return Number::FromInteger(static_cast<std::int64_t>(rows.size()));
  }
  std::int64_t count = 0;
  Value result;
  for (const FoundRow& found : rows) {
    if (found.entity == kNoEntity) continue;
    const Value& value = found.row[*aggregate.attribute];
    if (std::holds_alternative<std::monostate>(value)) continue;
    ++count;
    if (std::holds_alternative<std::monostate>(result)) {
      result = value;
      continue;
    }
    switch (aggregate.kind) {
      case AggregateKind::kCount: break;
      case AggregateKind::kSum: {
        const auto* sum = std::get_if<Number>(&result);
        const auto* more = std::get_if<Number>(&value);
        if (sum == nullptr || more == nullptr) break;
        if (const auto added = Number::Add(*sum, *more)) result = *added;
        break;
      }
      case AggregateKind::kMin:
        if (Precedes(value, result)) result = value;
        break;
      case AggregateKind::kMax:
        if (Precedes(result, value)) result = value;
        break;
    }
  }
  return aggregate.kind == AggregateKind::kCount ? Value(Number::FromInteger(count)) : result;
}

FoundRow RowOf(const Plan& plan, TableId table, const Item& item) {
  auto found = plan.RowOf(table, item);
  return found ? FoundRow{found->first, std::move(found->second)} : FoundRow{};
}

Value CounterOf(const CounterPath& path, const std::vector<AskedPage>& pages) {
  for (const AskedPage& page : pages) {
    for (const Item& item : page.items) {
      const AttributeValue* value = item.Find(path.attribute);
      if (value != nullptr && value->As<Number>() != nullptr) return *value->As<Number>();
    }
  }
  return Number();
}

TableId TableOf(const Call& call) {
  return std::visit([](const auto& each) { return each.table; }, call);
}

}  // namespace

Reader ReaderOf(const Replica& replica) {
  const auto copied = [](const std::vector<ReplayedPage>& replayed) {
    std::vector<AskedPage> pages;
    for (const ReplayedPage& page : replayed) {
      AskedPage& copy = pages.emplace_back(AskedPage{.items = {}, .units = page.units});
      for (const auto& item : page.items) copy.items.push_back(*item);
    }
    return pages;
  };
  return {.read = [&replica, copied](const Call& call) -> Asked<std::vector<AskedPage>> {
            return copied(replica.Replay(call));
          },
          .scan = [&replica, copied](TableId table) -> Asked<std::vector<AskedPage>> {
            return copied(replica.ReplayScan(table));
          }};
}

Reader ReaderOf(const Database& database, const std::vector<std::string>& names) {
  const auto read = [&database, &names](const Call& call) -> Asked<std::vector<AskedPage>> {
    std::vector<AskedPage> pages;
    if (const auto* get = std::get_if<GetCall>(&call)) {
      TRY_ASSIGN(Database::Got got, database.Get(names[get->table], *get));
      AskedPage& page = pages.emplace_back(AskedPage{.items = {}, .units = std::move(got.units)});
      if (got.item) page.items.push_back(std::move(*got.item));
      return pages;
    }
    const QueryCall& query = std::get<QueryCall>(call);
    std::optional<std::int64_t> left = query.limit;
    std::optional<Item> start;
    do {
      TRY_ASSIGN(Database::Page page, database.Query(names[query.table], query, left, start));
      if (left) *left -= static_cast<std::int64_t>(page.items.size());
      start = std::move(page.next);
      pages.push_back({.items = std::move(page.items), .units = std::move(page.units)});
    } while (start && (!left || *left > 0));
    return pages;
  };
  const auto scan = [&database, &names](TableId table) -> Asked<std::vector<AskedPage>> {
    std::vector<AskedPage> pages;
    std::optional<Item> start;
    do {
      TRY_ASSIGN(Database::Page page, database.Scan(names[table], start));
      start = std::move(page.next);
      pages.push_back({.items = std::move(page.items), .units = std::move(page.units)});
    } while (start);
    return pages;
  };
  return {.read = read, .scan = scan};
}

Asked<Reply> AskQuestion(const Plan& plan, std::size_t question, const std::vector<Call>& calls,
                         const Reader& reader) {
  const Path* path = plan.answers()[question].found();
  Check(path != nullptr, "a question that is asked has a path");
  Reply reply;
  std::vector<FoundRow> rows;
  for (const Call& call : calls) {
    TRY_ASSIGN(std::vector<AskedPage> pages, reader.read(call));
    const auto* guard = std::get_if<GuardPath>(path);
    if (guard != nullptr && guard->follows) {
      const Item* found = pages.empty() || pages[0].items.empty() ? nullptr : &pages[0].items[0];
      const auto next = found == nullptr ? std::nullopt : plan.FollowGuard(question, *found);
      reply.reads.push_back(std::move(pages));
      if (!next) continue;
      TRY_ASSIGN(pages, reader.read(*next));
      for (const AskedPage& page : pages) {
        for (const Item& item : page.items) rows.push_back(RowOf(plan, next->table, item));
      }
    } else {
      for (const AskedPage& page : pages) {
        for (const Item& item : page.items) rows.push_back(RowOf(plan, TableOf(call), item));
      }
    }
    reply.reads.push_back(std::move(pages));
  }

  const Question& asked = plan.model().questions()[question];
  const auto* select = std::get_if<Select>(&asked.asks);
  if (select == nullptr) {
    for (FoundRow& found : rows) reply.tuples.push_back({found.entity, std::move(found.row)});
    return reply;
  }
  if (const auto* aggregate = std::get_if<Aggregate>(&select->columns)) {
    const auto* counter = std::get_if<CounterPath>(path);
    Value value = counter == nullptr    ? Aggregated(*aggregate, rows)
                  : reply.reads.empty() ? Value(Number())
                                        : CounterOf(*counter, reply.reads.front());
    reply.tuples.push_back({select->entity, {std::move(value)}});
    return reply;
  }
  const auto* query = std::get_if<QueryPath>(path);
  if (query != nullptr && !query->ordered) Merge(*select, rows);
  if (select->limit && rows.size() > static_cast<std::size_t>(*select->limit)) {
    rows.resize(static_cast<std::size_t>(*select->limit));
  }
  for (FoundRow& found : rows) reply.tuples.push_back(TupleOf(*select, std::move(found)));
  return reply;
}

bool SameUnits(const Capacity& a, const Capacity& b) {
  const auto consumed = [](const std::map<std::string, Capacity::Index, std::less<>>& all) {
    std::map<std::string, Capacity::Index, std::less<>> some;
    for (const auto& [name, index] : all) {
      if (!(index == Capacity::Index{})) some[name] = index;
    }
    return some;
  };
  return a.table_read == b.table_read && a.table_write == b.table_write &&
         consumed(a.local) == consumed(b.local) && consumed(a.global) == consumed(b.global);
}

}  // namespace kw::modeller
