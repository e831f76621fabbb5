// SPDX-License-Identifier: Apache-2.0
#include "partiql/insert.h"

#include <algorithm>
#include <utility>

#include "data/limits.h"
#include "partiql/where.h"

namespace kw::partiql {

Result<InsertStatement> ParseInsert(Parser& parser) {
  InsertStatement insert;
  TRY(parser.ExpectWord("INTO"));
  TRY_ASSIGN(insert.target, parser.ParseTarget());
  if (insert.target.index) return parser.Unexpected();
  TRY(parser.ExpectWord("VALUE"));
  TRY_ASSIGN(AttributeValue value, parser.ParseValue());
  AttributeMap* item = value.As<AttributeMap>();
  // assumed: the wording.
  if (item == nullptr) return Invalid("The value of an INSERT statement must be an item");
  const bool too_deep = std::ranges::any_of(item->entries(), [](const auto& entry) {
    return NestingOf(entry.second) > limits::kNestingMax;
  });
  if (too_deep) {
    return Invalid(
        "Nesting Levels have exceeded supported limits: Attributes nested deeper than 32 levels");
  }
  insert.item = std::move(*item);
  return insert;
}

Result<engine::PutRequest> RequestOf(InsertStatement insert, const KeySchema& key) {
  Conjuncts absent;
  absent.push_back(NotExists(key.partition.front().name));
  return engine::PutRequest{
      .table = {}, .item = std::move(insert.item), .condition = ConditionOf(std::move(absent))};
}

}  // namespace kw::partiql
