// SPDX-License-Identifier: Apache-2.0
#include "partiql/exists.h"

#include <utility>

namespace kw::partiql {

Result<ExistsStatement> ParseExists(Parser& parser) {
  TRY(parser.Expect(TokenKind::kOpenParenthesis));
  TRY(parser.ExpectWord("SELECT"));
  TRY_ASSIGN(SelectStatement select, ParseSelect(parser));
  if (select.target.index || !select.order.empty()) return parser.Unexpected();
  TRY(parser.Expect(TokenKind::kCloseParenthesis));
  return ExistsStatement{std::move(select.target), std::move(select.where)};
}

Result<engine::ConditionCheckRequest> RequestOf(ExistsStatement exists, const KeySchema& key) {
  auto item_key = TakeKey(exists.where, key);
  if (!item_key) return KeyIsMissing();
  exists.where.insert(exists.where.begin(), Exists(key.partition.front().name));
  return engine::ConditionCheckRequest{
      .table = {}, .key = std::move(*item_key), .condition = *ConditionOf(std::move(exists.where))};
}

}  // namespace kw::partiql
