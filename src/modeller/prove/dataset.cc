// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/dataset.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "modeller/prove/values.h"

namespace kw::modeller {
namespace {

constexpr std::size_t kCrowdWithoutLimit = 25;
constexpr std::size_t kAttempts = 30;

std::string IdentityText(const Entity& entity, const Row& row) {
  std::string text;
  for (const AttributeId id : entity.identity) {
    const std::string part = ValueText(entity.attributes[id], row[id]);
    text += fmt::format("{}:{}", part.size(), part);
  }
  return text;
}

bool In(const std::vector<AttributeId>& ids, AttributeId id) {
  return std::ranges::find(ids, id) != ids.end();
}

// Parents before children; a cycle is cut where it is met.
void Visit(const Model& model, EntityId entity, std::vector<bool>& seen,
           std::vector<EntityId>& order) {
  if (seen[entity]) return;
  seen[entity] = true;
  for (const Reference& reference : model.entity(entity).references) {
    Visit(model, reference.to, seen, order);
  }
  order.push_back(entity);
}

std::vector<EntityId> ParentsFirst(const Model& model) {
  std::vector<EntityId> order;
  std::vector<bool> seen(model.entities().size(), false);
  for (EntityId e = 0; e < model.entities().size(); ++e) Visit(model, e, seen, order);
  return order;
}

// The attributes that decide whether a row is among a question's rows, and where.
void MarkAsked(const Question& question, EntityId entity, std::vector<bool>& asked) {
  const auto* select = std::get_if<Select>(&question.asks);
  if (select == nullptr || select->entity != entity) return;
  for (const Equality& equality : select->equalities) asked[equality.attribute] = true;
  if (select->range) asked[select->range->attribute] = true;
  for (const Order& order : select->order) asked[order.attribute] = true;
}

// An attribute that may be as long as it likes, since nothing asks for it.
std::optional<AttributeId> Filler(const Model& model, EntityId id) {
  const Entity& entity = model.entity(id);
  std::vector<bool> bound(entity.attributes.size(), false);
  for (const Question& question : model.questions()) MarkAsked(question, id, bound);
  for (const AttributeId each : entity.identity) bound[each] = true;
  for (const AttributeId each : entity.unique) bound[each] = true;
  for (const Reference& reference : entity.references) {
    for (const AttributeId each : reference.by) bound[each] = true;
  }
  for (AttributeId a = 0; a < entity.attributes.size(); ++a) {
    const Attribute& attribute = entity.attributes[a];
    const bool free_text =
        attribute.type == FieldType::kString && attribute.values.empty() && !attribute.is_mutable;
    if (!bound[a] && (free_text || attribute.type == FieldType::kBinary)) return a;
  }
  return std::nullopt;
}

Value Fill(const Attribute& attribute, std::size_t bytes) {
  std::string text(bytes, 'x');
  if (attribute.type == FieldType::kBinary) return Bytes{std::move(text)};
  return text;
}

// How many rows of each entity crowds and strays ask for: as many parents as a crowd has members
// where an identity is of references alone.
std::vector<std::size_t> RowsWanted(const Model& model, const DatasetOptions& options) {
  std::vector<std::size_t> wanted(model.entities().size(), options.stray_rows);
  for (const Question& question : model.questions()) {
    const auto* select = std::get_if<Select>(&question.asks);
    if (select == nullptr || !select->limit) continue;
    const Entity& entity = model.entity(select->entity);
    const auto refers = [&](AttributeId id) {
      return std::ranges::any_of(entity.references,
                                 [&](const Reference& each) { return In(each.by, id); });
    };
    if (!std::ranges::all_of(entity.identity, refers)) continue;
    const auto limit = static_cast<std::size_t>(*select->limit);
    const std::size_t parents = std::min(limit + limit / 3 + 10, options.crowd_rows_max);
    for (const Reference& reference : entity.references) {
      wanted[reference.to] = std::max(wanted[reference.to], parents);
    }
  }
  return wanted;
}

// ---- crowds: many rows that one asking of a question means ----

class Crowds {
 public:
  Crowds(const Model& model, const DatasetOptions& options, Dataset& dataset, RowMaker& maker,
         Rng& rng)
      : model_(model), options_(options), dataset_(dataset), maker_(maker), rng_(rng) {}

  void Add(EntityId entity, const Question& question) {
    if (const auto* select = std::get_if<Select>(&question.asks)) {
      if (select->entity == entity) AddSelect(*select);
      return;
    }
    const Collection& collection = std::get<Collection>(question.asks);
    for (const Collection::Member& member : collection.members) {
      if (member.entity == entity) AddMember(member);
    }
  }

 private:
  void AddSelect(const Select& select) {
    const Entity& entity = model_.entity(select.entity);
    RowMaker::Fixed fixed;
    std::vector<Equality> buckets;
    bool one_row = false;
    for (const Equality& equality : select.equalities) {
      if (In(entity.unique, equality.attribute)) one_row = true;
      if (equality.bucket != Bucket::kNone) {
        buckets.push_back(equality);
      } else if (const auto* literal = std::get_if<Value>(&equality.value)) {
        fixed[equality.attribute] = *literal;
      } else {
        fixed[equality.attribute] = Hot(select.entity, equality.attribute);
      }
    }
    if (one_row || Covers(entity.identity, fixed)) return;
    const std::size_t wanted =
        select.limit ? static_cast<std::size_t>(*select.limit) + 3 : kCrowdWithoutLimit;
    Grow(select.entity, fixed, buckets, std::min(wanted, options_.crowd_rows_max), !select.limit);
  }

  void AddMember(const Collection::Member& member) {
    RowMaker::Fixed fixed;
    for (const AttributeId by : member.by) fixed[by] = Hot(member.entity, by);
    if (Covers(model_.entity(member.entity).identity, fixed)) return;
    Grow(member.entity, fixed, {}, kCrowdWithoutLimit, true);
  }

  Value Hot(EntityId id, AttributeId attribute) {
    Value hot = HotValue(model_, dataset_, id, attribute);
    return IsAbsent(hot) ? AnyValue(model_.entity(id).attributes[attribute], rng_) : hot;
  }

  static bool Covers(const std::vector<AttributeId>& identity, const RowMaker::Fixed& fixed) {
    return std::ranges::all_of(identity, [&](AttributeId id) { return fixed.contains(id); });
  }

  static bool OfOneParent(const Entity& entity, const RowMaker::Fixed& fixed) {
    return std::ranges::any_of(entity.references, [&](const Reference& reference) {
      return reference.to == entity.family->parent && Covers(reference.by, fixed);
    });
  }

  void Grow(EntityId id, const RowMaker::Fixed& fixed, const std::vector<Equality>& buckets,
            std::size_t count, bool several_pages) {
    const Entity& entity = model_.entity(id);
    if (entity.family && entity.family->max && OfOneParent(entity, fixed)) {
      count = std::min(count, static_cast<std::size_t>(*entity.family->max));
    }
    const auto filler = several_pages ? Filler(model_, id) : std::nullopt;
    constexpr std::size_t kFillMax = 300'000;
    for (std::size_t i = 0; i < count; ++i) {
      RowMaker::Fixed each = fixed;
      // The hot hour is the first row's, or any; its first moment is as good as its last.
      for (const Equality& bucket : buckets) each[bucket.attribute] = Moment(id, bucket, i);
      if (filler && !each.contains(*filler)) {
        each[*filler] =
            Fill(entity.attributes[*filler], std::min(kFillMax, options_.page_bytes / count));
      }
      if (auto row = maker_.Make(id, each)) maker_.Add(id, std::move(*row));
    }
  }

  Value Moment(EntityId id, const Equality& equality, std::size_t serial) {
    const Attribute& attribute = model_.entity(id).attributes[equality.attribute];
    const Value hot = Hot(id, equality.attribute);
    const auto* time = std::get_if<Timestamp>(&hot);
    if (time == nullptr) return hot;
    const auto start = ParseBucket(FormatBucket(*time, equality.bucket), equality.bucket);
    if (!start) return hot;
    constexpr std::int64_t kHour = 3600LL * 1'000'000;
    const std::int64_t offset = static_cast<std::int64_t>(serial) * 7 *
                                std::max<std::int64_t>(MicrosOf(attribute.precision), 1'000'000);
    return Timestamp{start->micros + offset % kHour};
  }

  const Model& model_;
  const DatasetOptions& options_;
  Dataset& dataset_;
  RowMaker& maker_;
  Rng& rng_;
};

}  // namespace

RowMaker::RowMaker(const Model& model, Dataset& dataset, Rng& rng, std::uint64_t serial)
    : model_(model),
      dataset_(dataset),
      rng_(rng),
      taken_(model.entities().size()),
      serial_(serial) {
  Check(dataset.rows.size() == model.entities().size(), "a dataset has rows for each entity");
  for (EntityId e = 0; e < dataset.rows.size(); ++e) {
    for (const Row& row : dataset.rows[e]) taken_[e].insert(IdentityText(model.entity(e), row));
  }
}

std::optional<Row> RowMaker::Make(EntityId id, const Fixed& fixed) {
  const Entity& entity = model_.entity(id);
  for (std::size_t attempt = 0; attempt < kAttempts; ++attempt) {
    Row row(entity.attributes.size());
    for (const auto& [attribute, value] : fixed) row[attribute] = value;
    if (!Refer(entity, fixed, row)) return std::nullopt;
    Fill(entity, row);
    if (!Identify(entity, fixed, attempt, row)) continue;
    if (!taken_[id].contains(IdentityText(entity, row))) return row;
  }
  return std::nullopt;
}

void RowMaker::Add(EntityId entity, Row row) {
  taken_[entity].insert(IdentityText(model_.entity(entity), row));
  dataset_.rows[entity].push_back(std::move(row));
}

// Gives each reference the identity of a row that is there and agrees with what is fixed.
bool RowMaker::Refer(const Entity& entity, const Fixed& fixed, Row& row) {
  for (const Reference& reference : entity.references) {
    const Entity& target = model_.entity(reference.to);
    const std::vector<Row>& candidates = dataset_.rows[reference.to];
    const auto unset = [&](AttributeId by) { return IsAbsent(row[by]); };
    if (std::ranges::none_of(reference.by, unset) || candidates.empty()) continue;
    const bool optional = std::ranges::any_of(reference.by, [&](AttributeId by) {
      return entity.attributes[by].present.value() < 1'000'000 && !In(entity.identity, by);
    });
    if (optional && rng_.Below(2) == 0) continue;
    const auto agrees = [&](const Row& candidate) {
      for (std::size_t i = 0; i < reference.by.size(); ++i) {
        const Value& set = row[reference.by[i]];
        if (!IsAbsent(set) && !(set == candidate[target.identity[i]])) return false;
      }
      return true;
    };
    // From a place by chance onwards: any that agrees may be met.
    const std::size_t start = rng_.Below(candidates.size());
    std::size_t step = 0;
    while (step < candidates.size() && !agrees(candidates[(start + step) % candidates.size()])) {
      ++step;
    }
    if (step == candidates.size()) return fixed.empty();
    const Row& chosen = candidates[(start + step) % candidates.size()];
    for (std::size_t i = 0; i < reference.by.size(); ++i) {
      row[reference.by[i]] = chosen[target.identity[i]];
    }
  }
  return true;
}

void RowMaker::Fill(const Entity& entity, Row& row) {
  for (AttributeId id = 0; id < row.size(); ++id) {
    const Attribute& attribute = entity.attributes[id];
    if (!IsAbsent(row[id])) continue;
    const bool optional = attribute.present.value() < 1'000'000 && !In(entity.identity, id);
    const bool refers = std::ranges::any_of(
        entity.references, [&](const Reference& reference) { return In(reference.by, id); });
    if (optional && (refers || rng_.Below(2) == 0)) continue;
    if (In(entity.unique, id)) {
      row[id] = SerialText(attribute, ++serial_);
    } else {
      row[id] = AnyValue(attribute, rng_);
    }
  }
}

// Draws the free parts of an identity again, one after another, until it may be new.
bool RowMaker::Identify(const Entity& entity, const Fixed& fixed, std::size_t attempt, Row& row) {
  if (attempt == 0) return true;
  for (const AttributeId id : entity.identity) {
    const bool refers = std::ranges::any_of(entity.references, [&](const Reference& reference) {
      return In(reference.by, id) && !dataset_.rows[reference.to].empty();
    });
    if (fixed.contains(id) || refers) continue;
    const auto value = SerialValue(entity.attributes[id], ++serial_);
    if (value) row[id] = *value;
  }
  return true;
}

Value HotValue(const Model& model, const Dataset& dataset, EntityId id, AttributeId attribute) {
  for (const Reference& reference : model.entity(id).references) {
    const auto at = std::ranges::find(reference.by, attribute);
    const std::vector<Row>& parents = dataset.rows[reference.to];
    if (at == reference.by.end() || parents.empty()) continue;
    const auto part = static_cast<std::size_t>(at - reference.by.begin());
    return parents.front()[model.entity(reference.to).identity[part]];
  }
  for (const Row& row : dataset.rows[id]) {
    if (!IsAbsent(row[attribute])) return row[attribute];
  }
  return {};
}

Dataset Generate(const Model& model, const DatasetOptions& options) {
  Dataset dataset;
  dataset.rows.resize(model.entities().size());
  Rng rng(options.seed);
  RowMaker maker(model, dataset, rng);
  Crowds crowds(model, options, dataset, maker, rng);
  const std::vector<std::size_t> wanted = RowsWanted(model, options);
  for (const EntityId entity : ParentsFirst(model)) {
    for (std::size_t i = 0; i < wanted[entity]; ++i) {
      if (auto row = maker.Make(entity, {})) maker.Add(entity, std::move(*row));
    }
    for (const Question& question : model.questions()) crowds.Add(entity, question);
  }
  return dataset;
}

}  // namespace kw::modeller
