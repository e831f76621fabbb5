// SPDX-License-Identifier: Apache-2.0
#include "partiql/footprint.h"

#include <utility>

#include "partiql/where.h"

namespace kw::partiql {
namespace {

struct Reader {
  const KeySchema& key;
  Footprint& footprint;

  void operator()(const SelectStatement& select) const {
    if (const auto needed = select.columns.Needed()) {
      for (const Path& path : needed->paths()) footprint.attributes.insert(path.attribute);
    }
    for (const OrderKey& order : select.order) footprint.attributes.insert(order.attribute);
    ReadWhere(select.where);
  }
  void operator()(const InsertStatement& insert) const {
    for (const auto& [name, value] : insert.item.entries()) footprint.attributes.insert(name);
    for (const KeyAttribute& attribute : key.partition) {
      const AttributeValue* value = insert.item.Find(attribute.name);
      if (value == nullptr) return footprint.partitions.clear();
      footprint.partitions.push_back({*value});
    }
  }
  void operator()(const UpdateStatement& update) const {
    footprint.attributes.merge(update.changes.Attributes());
    ReadWhere(update.where);
  }
  void operator()(const DeleteStatement& erase) const { ReadWhere(erase.where); }
  void operator()(const ExistsStatement& exists) const { ReadWhere(exists.where); }

 private:
  void ReadWhere(Conjuncts where) const {
    if (const auto condition = ConditionOf(where)) {
      footprint.attributes.merge(condition->Attributes());
    }
    for (const KeyAttribute& attribute : key.partition) {
      auto values = TakeChoices(where, attribute.name);
      if (!values) return footprint.partitions.clear();
      footprint.partitions.push_back(std::move(*values));
    }
  }
};

}  // namespace

Footprint FootprintOf(const Statement& statement, const KeySchema& key) {
  Footprint footprint;
  std::visit(Reader{.key = key, .footprint = footprint}, statement.what);
  return footprint;
}

const std::optional<std::string>& IndexOf(const Statement& statement) {
  return std::visit(
      [](const auto& one) -> const std::optional<std::string>& { return one.target.index; },
      statement.what);
}

}  // namespace kw::partiql
