// SPDX-License-Identifier: Apache-2.0
#include "partiql/select.h"

#include <utility>

namespace kw::partiql {
namespace {

Result<OrderKey> ParseOrderKey(Parser& parser) {
  TRY_ASSIGN(Path path, parser.ParsePath());
  if (!path.steps.empty()) return parser.Unexpected();
  OrderKey key{std::move(path.attribute), Direction::kAscending};
  if (parser.TakeWord("DESC")) {
    key.direction = Direction::kDescending;
  } else {
    parser.TakeWord("ASC");
  }
  return key;
}

}  // namespace

Result<SelectStatement> ParseSelect(Parser& parser) {
  SelectStatement select;
  TRY_ASSIGN(select.columns, Columns::Parse(parser));
  TRY(parser.ExpectWord("FROM"));
  TRY_ASSIGN(select.target, parser.ParseTarget());
  TRY_ASSIGN(select.where, parser.ParseWhere());
  if (!parser.TakeWord("ORDER")) return select;
  TRY(parser.ExpectWord("BY"));
  do {
    TRY_ASSIGN(OrderKey key, ParseOrderKey(parser));
    select.order.push_back(std::move(key));
  } while (parser.Take(TokenKind::kComma));
  return select;
}

}  // namespace kw::partiql
