// SPDX-License-Identifier: Apache-2.0
// Parameters to ask a question with.
#include <algorithm>

#include "modeller/prove/dataset.h"
#include "modeller/prove/values.h"

namespace kw::modeller {
namespace {

// Of values that a range may be over.
bool Less(const Value& a, const Value& b) {
  return std::visit(
      [&](const auto& left) {
        using T = std::decay_t<decltype(left)>;
        if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, AttributeValue>) {
          return false;
        } else {
          const T* right = std::get_if<T>(&b);
          return right != nullptr && left < *right;
        }
      },
      a);
}

// Chooses the values of one asking; the row is what it asks for, if there is one.
class Asking {
 public:
  Asking(const Entity& entity, const std::vector<Row>& rows, const Row* row, Rng& rng)
      : entity_(entity), rows_(rows), row_(row), rng_(rng) {}

  void Equal(const Equality& equality) {
    const auto* parameter = std::get_if<Parameter>(&equality.value);
    if (parameter == nullptr) return;
    Value value = ValueOf(equality.attribute);
    const auto* time = std::get_if<Timestamp>(&value);
    if (equality.bucket != Bucket::kNone && time != nullptr) {
      value = FormatBucket(*time, equality.bucket);
    }
    parameters_.try_emplace(parameter->name, std::move(value));
  }

  // `whole`: from the lowest value that there is to the highest.
  void Within(const Range& range, bool whole) {
    if (const auto* prefix = std::get_if<Prefix>(&range.bounds)) return StartWith(range, *prefix);
    const Between& between = std::get<Between>(range.bounds);
    Value low = ValueOf(range.attribute);
    Value high = AnyOf(range.attribute);
    for (const Row& row : rows_) {
      if (!whole) break;
      if (Less(row[range.attribute], low)) low = row[range.attribute];
      if (Less(high, row[range.attribute])) high = row[range.attribute];
    }
    if (Less(high, low)) std::swap(low, high);
    if (between.lower) Bind(between.lower->value, range.bucket, std::move(low));
    if (between.upper) Bind(between.upper->value, range.bucket, std::move(high));
  }

  Parameters Take() { return std::move(parameters_); }

 private:
  void Bind(const Operand& operand, Bucket bucket, Value value) {
    const auto* parameter = std::get_if<Parameter>(&operand);
    if (parameter == nullptr) return;
    const auto* time = std::get_if<Timestamp>(&value);
    if (bucket != Bucket::kNone && time != nullptr) value = FormatBucket(*time, bucket);
    parameters_.try_emplace(parameter->name, std::move(value));
  }

  void StartWith(const Range& range, const Prefix& prefix) {
    const auto* parameter = std::get_if<Parameter>(&prefix.text);
    if (parameter == nullptr) return;
    const Value value = ValueOf(range.attribute);
    const auto* text = std::get_if<std::string>(&value);
    std::string start = text == nullptr ? "" : text->substr(0, 1 + rng_.Below(text->size() + 1));
    // % and _ mean something to LIKE and nothing to a key.
    start.resize(std::min(start.size(), start.find_first_of("%_")));
    parameters_.try_emplace(parameter->name, std::move(start));
  }

  // Of the row asked for; of another one, or of none, where there is no such row.
  Value ValueOf(AttributeId attribute) {
    if (row_ != nullptr && !IsAbsent((*row_)[attribute])) return (*row_)[attribute];
    return AnyOf(attribute);
  }

  Value AnyOf(AttributeId attribute) {
    if (!rows_.empty() && rng_.Below(3) != 0) {
      const Value& value = rows_[rng_.Below(rows_.size())][attribute];
      if (!IsAbsent(value)) return value;
    }
    return AnyValue(entity_.attributes[attribute], rng_);
  }

  const Entity& entity_;
  const std::vector<Row>& rows_;
  const Row* row_;
  Rng& rng_;
  Parameters parameters_;
};

// A row by chance, sometimes none; the first time the crowd's.
const Row* Choose(const std::vector<Row>& rows, const Row& crowd, std::size_t time, Rng& rng) {
  if (time == 0) return &crowd;
  if (rows.empty() || rng.Below(4) == 0) return nullptr;
  return &rows[rng.Below(rows.size())];
}

Row CrowdRow(const Model& model, const Dataset& dataset, EntityId entity) {
  Row row;
  for (AttributeId a = 0; a < model.entity(entity).attributes.size(); ++a) {
    row.push_back(HotValue(model, dataset, entity, a));
  }
  return row;
}

}  // namespace

std::vector<Parameters> Ask(const Model& model, const Question& question, const Dataset& dataset,
                            std::size_t times, Rng& rng) {
  std::vector<Parameters> asked;
  for (std::size_t time = 0; time < times; ++time) {
    if (const auto* select = std::get_if<Select>(&question.asks)) {
      const std::vector<Row>& rows = dataset.rows[select->entity];
      const Row crowd = CrowdRow(model, dataset, select->entity);
      Asking asking(model.entity(select->entity), rows, Choose(rows, crowd, time, rng), rng);
      for (const Equality& equality : select->equalities) asking.Equal(equality);
      if (select->range) asking.Within(*select->range, time == 0);
      asked.push_back(asking.Take());
      continue;
    }
    const Collection& collection = std::get<Collection>(question.asks);
    // Of the member with most to find.
    const auto widest = std::ranges::max_element(
        collection.members, {},
        [&](const Collection::Member& member) { return dataset.rows[member.entity].size(); });
    const std::vector<Row>& rows = dataset.rows[widest->entity];
    const Row crowd = CrowdRow(model, dataset, widest->entity);
    Asking asking(model.entity(widest->entity), rows, Choose(rows, crowd, time, rng), rng);
    for (std::size_t i = 0; i < collection.by.size(); ++i) {
      asking.Equal({.attribute = widest->by[i],
                    .bucket = Bucket::kNone,
                    .value = Parameter{collection.by[i]}});
    }
    asked.push_back(asking.Take());
  }
  return asked;
}

}  // namespace kw::modeller
