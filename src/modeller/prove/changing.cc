// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/changing.h"

#include <algorithm>

#include "modeller/prove/dataset.h"

namespace kw::modeller {
namespace {

bool SameIdentity(const Entity& entity, const Row& a, const Row& b) {
  return std::ranges::all_of(entity.identity, [&](AttributeId id) { return a[id] == b[id]; });
}

class ChangeMaker {
 public:
  ChangeMaker(const Plan& plan, Dataset& dataset, const Replica& now, Rng& rng)
      : plan_(plan), model_(plan.model()), dataset_(dataset), now_(now), rng_(rng) {}

  std::optional<MadeChange> Make(const Change& change) {
    for (const Statement& statement : change.statements) {
      for (std::int64_t time = 0; time < statement.times; ++time) {
        if (!Run(statement)) return std::nullopt;
      }
    }
    return std::move(made_);
  }

 private:
  bool Run(const Statement& statement) {
    switch (statement.kind) {
      case StatementKind::kInsert: return Insert(statement);
      case StatementKind::kUpsert: return Upsert(statement);
      case StatementKind::kUpdate: return Update(statement);
      case StatementKind::kDelete: return Delete(statement);
    }
    return false;
  }

  // Rows of one change belong together: a line to the order inserted with it.
  RowMaker::Fixed FixedFor(const Entity& entity) const {
    RowMaker::Fixed fixed;
    for (const Reference& reference : entity.references) {
      for (const RowChange& row : made_.rows) {
        if (row.entity != reference.to || !row.after) continue;
        for (std::size_t i = 0; i < reference.by.size(); ++i) {
          fixed[reference.by[i]] = (*row.after)[model_.entity(reference.to).identity[i]];
        }
      }
    }
    return fixed;
  }

  std::optional<Row> NewRow(EntityId id) {
    const Entity& entity = model_.entity(id);
    // A row that this change has made is taken, though it is not among the rows yet.
    for (int attempt = 0; attempt < 20; ++attempt) {
      // Far from the serial numbers of the rows that are there.
      RowMaker maker(model_, dataset_, rng_, 1'000'000 + rng_.Below(1'000'000'000));
      auto row = maker.Make(id, FixedFor(entity));
      if (!row) return std::nullopt;
      const bool taken = std::ranges::any_of(made_.rows, [&](const RowChange& change) {
        return change.entity == id && change.after && SameIdentity(entity, *change.after, *row);
      });
      if (!taken) return row;
    }
    return std::nullopt;
  }

  bool Insert(const Statement& statement) {
    auto row = NewRow(statement.entity);
    if (!row) return false;
    const Entity& entity = model_.entity(statement.entity);
    for (AttributeId id = 0; id < entity.attributes.size(); ++id) {
      const Attribute& attribute = entity.attributes[id];
      if (attribute.is_mutable && !attribute.values.empty()) (*row)[id] = attribute.values.front();
    }
    return Write(statement, std::nullopt, std::move(row));
  }

  bool Upsert(const Statement& statement) {
    const auto old = rng_.Below(2) == 0 ? Existing(statement) : std::nullopt;
    if (!old) {
      auto row = NewRow(statement.entity);
      return row && Write(statement, std::nullopt, std::move(row));
    }
    return Write(statement, old, Changed(statement, *old));
  }

  bool Update(const Statement& statement) {
    const auto old = Existing(statement);
    return old && Write(statement, old, Changed(statement, *old));
  }

  bool Delete(const Statement& statement) {
    const auto old = Existing(statement);
    return old && Write(statement, old, std::nullopt);
  }

  // The row that the change's other rows lead to, or any.
  std::optional<Row> Existing(const Statement& statement) {
    const std::vector<Row>& rows = dataset_.rows[statement.entity];
    if (rows.empty()) return std::nullopt;
    const Entity& entity = model_.entity(statement.entity);
    for (const RowChange& change : made_.rows) {
      if (!change.after) continue;
      for (const Reference& reference : model_.entity(change.entity).references) {
        if (reference.to != statement.entity) continue;
        const auto found = std::ranges::find_if(rows, [&](const Row& row) {
          for (std::size_t i = 0; i < reference.by.size(); ++i) {
            if (!(row[entity.identity[i]] == (*change.after)[reference.by[i]])) return false;
          }
          return true;
        });
        if (found != rows.end()) return *found;
      }
    }
    return rows[rng_.Below(rows.size())];
  }

  Row Changed(const Statement& statement, const Row& old) {
    const Entity& entity = model_.entity(statement.entity);
    Row row = old;
    if (statement.sets.empty()) {  // an upsert of the whole row
      for (AttributeId id = 0; id < row.size(); ++id) {
        const bool identity = std::ranges::find(entity.identity, id) != entity.identity.end();
        const bool refers = std::ranges::any_of(entity.references, [&](const Reference& each) {
          return std::ranges::find(each.by, id) != each.by.end();
        });
        const bool unique = std::ranges::find(entity.unique, id) != entity.unique.end();
        if (!identity && !refers && !unique) row[id] = AnyValue(entity.attributes[id], rng_);
      }
      return row;
    }
    for (const Assignment& set : statement.sets) {
      const auto* literal = std::get_if<Value>(&set.value);
      row[set.attribute] =
          literal != nullptr ? *literal : AnyValue(entity.attributes[set.attribute], rng_);
    }
    return row;
  }

  bool Write(const Statement& statement, const std::optional<Row>& before,
             std::optional<Row> after) {
    // A row twice in one change would be two writes of one item.
    const Entity& entity = model_.entity(statement.entity);
    const Row& shown = after ? *after : *before;
    for (const RowChange& change : made_.rows) {
      const Row& other = change.after ? *change.after : *change.before;
      if (change.entity == statement.entity && SameIdentity(entity, other, shown)) return false;
    }
    Append(plan_,
           plan_.WritesOf(statement.kind, statement.entity, before ? &*before : nullptr,
                          after ? &*after : nullptr, now_),
           made_.writes);
    made_.rows.push_back({statement.entity, before, std::move(after)});
    return true;
  }

  const Plan& plan_;
  const Model& model_;
  Dataset& dataset_;
  const Replica& now_;
  Rng& rng_;
  MadeChange made_;
};

}  // namespace

std::optional<MadeChange> MakeChange(const Plan& plan, std::size_t change, Dataset& dataset,
                                     const Replica& now, Rng& rng) {
  return ChangeMaker(plan, dataset, now, rng).Make(plan.model().changes()[change]);
}

void ApplyTo(Dataset& dataset, const std::vector<RowChange>& rows) {
  for (const RowChange& change : rows) {
    std::vector<Row>& all = dataset.rows[change.entity];
    if (!change.before) {
      all.push_back(*change.after);
      continue;
    }
    const auto found = std::ranges::find(all, *change.before);
    if (found == all.end()) continue;
    if (change.after) {
      *found = *change.after;
    } else {
      *found = std::move(all.back());
      all.pop_back();
    }
  }
}

}  // namespace kw::modeller
