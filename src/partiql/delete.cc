// SPDX-License-Identifier: Apache-2.0
#include "partiql/delete.h"

#include <utility>

#include "partiql/returning.h"

namespace kw::partiql {

Result<DeleteStatement> ParseDelete(Parser& parser) {
  DeleteStatement erase;
  TRY(parser.ExpectWord("FROM"));
  TRY_ASSIGN(erase.target, parser.ParseTarget());
  if (erase.target.index) return parser.Unexpected();
  TRY_ASSIGN(erase.where, parser.ParseWhere());
  TRY_ASSIGN(erase.returns, ParseDeleteReturning(parser));
  return erase;
}

// Deleting nothing succeeds, whatever else the WHERE clause says.
// Source: aws-doc ql-reference.delete ("SUCCESS is returned with 0 items deleted").
Result<engine::DeleteRequest> RequestOf(DeleteStatement erase, const KeySchema& key) {
  auto item_key = TakeKey(erase.where, key);
  if (!item_key) return KeyIsMissing();
  engine::DeleteRequest request{.table = {}, .key = std::move(*item_key), .returns = erase.returns};
  if (erase.where.empty()) return request;
  ConditionNode holds{.op = ConditionOp::kAnd, .children = std::move(erase.where), .operands = {}};
  ConditionNode root{.op = ConditionOp::kOr, .children = {}, .operands = {}};
  root.children.push_back(NotExists(key.partition.front().name));
  root.children.push_back(std::move(holds));
  Conjuncts conjuncts;
  conjuncts.push_back(std::move(root));
  request.condition = ConditionOf(std::move(conjuncts));
  return request;
}

}  // namespace kw::partiql
