// SPDX-License-Identifier: Apache-2.0
// The list of statements.
#include "partiql/statements.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"
#include "partiql/lexer.h"

namespace kw::partiql {
namespace {

using What = decltype(Statement::what);

template <auto ParseOne>
Result<What> ParseAs(Parser& parser) {
  TRY_ASSIGN(What what, ParseOne(parser));
  return what;
}

struct Row {
  std::string_view word;
  Result<What> (*parse)(Parser& parser);
};

constexpr std::array kRows = {
    Row{"DELETE", ParseAs<ParseDelete>},  //
    Row{"EXISTS", ParseAs<ParseExists>},  //
    Row{"INSERT", ParseAs<ParseInsert>},  //
    Row{"SELECT", ParseAs<ParseSelect>},  //
    Row{"UPDATE", ParseAs<ParseUpdate>},
};

}  // namespace

const std::string& Statement::table() const {
  return std::visit([](const auto& one) -> const std::string& { return one.target.table; }, what);
}

bool BeginsAsRead(std::string_view text) {
  const Token first = TokenAt(text, 0);
  return first.kind == TokenKind::kWord &&
         SameWord(text.substr(first.begin, first.end - first.begin), "SELECT");
}

Result<Statement> Parse(std::string_view text, std::vector<AttributeValue> parameters) {
  Parser parser(text, std::move(parameters));
  const auto* row = std::ranges::find_if(
      kRows, [&](const Row& candidate) { return parser.TakeWord(candidate.word); });
  if (row == kRows.end()) return parser.Unexpected();
  TRY_ASSIGN(What what, row->parse(parser));
  TRY(parser.Finish());
  return Statement{std::move(what), StableHash(text)};
}

}  // namespace kw::partiql
