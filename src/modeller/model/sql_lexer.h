// SPDX-License-Identifier: Apache-2.0
// The words of a SQL text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "modeller/model/sql.h"

namespace kw::modeller {

enum class SqlTokenKind : std::uint8_t {
  kWord,       // a name or a keyword, as written
  kQuoted,     // "name", decoded
  kText,       // 'text', decoded
  kNumber,     // digits with at most one point
  kParameter,  // :name, without the colon
  kSymbol,     // one of ( ) , . * = < > <= >= <> != || × + - / % ;
  kEnd
};

struct SqlToken {
  SqlTokenKind kind = SqlTokenKind::kEnd;
  std::string text;
  std::size_t at = 0;
};

// Ends with one of kEnd. Errors: a character or a quote that fits nowhere; a text too long.
SqlParsed<std::vector<SqlToken>> LexSql(std::string_view sql);

// Whether a bare word is this keyword, in any case.
bool IsWord(const SqlToken& token, std::string_view upper_case);

// Words that SQL does not let stand for a name without quotes.
bool IsSqlKeyword(std::string_view word);

}  // namespace kw::modeller
