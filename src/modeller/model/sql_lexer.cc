// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/sql_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kw::modeller {
namespace {

constexpr std::string_view kTimes = "×";

// SQLite's words that are never a name, and those that this grammar gives a meaning.
constexpr auto kKeywords = std::to_array<std::string_view>({
    "ADD",         "ALL",       "ALTER",   "AND",        "AS",      "ASC",     "AUTOINCREMENT",
    "BETWEEN",     "BY",        "CASE",    "CHECK",      "COLLATE", "COMMIT",  "CONSTRAINT",
    "CREATE",      "CROSS",     "DEFAULT", "DEFERRABLE", "DELETE",  "DESC",    "DISTINCT",
    "DROP",        "ELSE",      "ESCAPE",  "EXCEPT",     "EXISTS",  "FALSE",   "FOREIGN",
    "FROM",        "FULL",      "GROUP",   "HAVING",     "IN",      "INDEX",   "INNER",
    "INSERT",      "INTERSECT", "INTO",    "IS",         "ISNULL",  "JOIN",    "LEFT",
    "LIKE",        "LIMIT",     "NATURAL", "NOT",        "NOTHING", "NOTNULL", "NULL",
    "OFFSET",      "ON",        "OR",      "ORDER",      "OUTER",   "PRIMARY", "REFERENCES",
    "RETURNING",   "RIGHT",     "SELECT",  "SET",        "TABLE",   "THEN",    "TO",
    "TRANSACTION", "TRUE",      "UNION",   "UNIQUE",     "UPDATE",  "UPSERT",  "USING",
    "VALUES",      "WHEN",      "WHERE",
});

char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool BeginsWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool ContinuesWord(char c) { return BeginsWord(c) || IsDigit(c); }

bool EqualWords(std::string_view word, std::string_view upper_case) {
  return std::equal(word.begin(), word.end(), upper_case.begin(), upper_case.end(),
                    [](char a, char b) { return Upper(a) == b; });
}

auto Wrong(std::size_t at, std::string message, std::string suggestion) {
  return Unexpected(
      SqlFault{.at = at, .message = std::move(message), .suggestion = std::move(suggestion)});
}

class Lexer {
 public:
  explicit Lexer(std::string_view sql) : sql_(sql) {}

  SqlParsed<SqlToken> Next() {
    while (at_ < sql_.size() &&
           (sql_[at_] == ' ' || sql_[at_] == '\t' || sql_[at_] == '\n' || sql_[at_] == '\r')) {
      ++at_;
    }
    SqlToken token{.kind = SqlTokenKind::kEnd, .text = "", .at = at_};
    if (at_ == sql_.size()) return token;
    const char c = sql_[at_];
    if (c == '"') return Quoted(SqlTokenKind::kQuoted);
    if (c == '\'') return Quoted(SqlTokenKind::kText);
    if (BeginsWord(c)) {
      token.kind = SqlTokenKind::kWord;
      token.text = TakeWord();
    } else if (IsDigit(c)) {
      token.kind = SqlTokenKind::kNumber;
      token.text = TakeNumber();
    } else if (c == ':' && at_ + 1 < sql_.size() && BeginsWord(sql_[at_ + 1])) {
      ++at_;
      token.kind = SqlTokenKind::kParameter;
      token.text = TakeWord();
    } else {
      return Symbol();
    }
    return token;
  }

 private:
  std::string TakeWord() {
    const std::size_t begin = at_;
    while (at_ < sql_.size() && ContinuesWord(sql_[at_])) ++at_;
    return std::string(sql_.substr(begin, at_ - begin));
  }

  std::string TakeNumber() {
    const std::size_t begin = at_;
    while (at_ < sql_.size() && (IsDigit(sql_[at_]) || sql_[at_] == '.')) ++at_;
    return std::string(sql_.substr(begin, at_ - begin));
  }

  // A doubled quote stands for itself.
  SqlParsed<SqlToken> Quoted(SqlTokenKind kind) {
    SqlToken token{.kind = kind, .text = "", .at = at_};
    const char quote = sql_[at_++];
    for (;; ++at_) {
      if (at_ == sql_.size()) {
        return Wrong(token.at, "The quote that opens here is not closed.",
                     fmt::format("End it with {}.", quote));
      }
      if (sql_[at_] == quote) {
        if (at_ + 1 == sql_.size() || sql_[at_ + 1] != quote) break;
        ++at_;
      }
      token.text += sql_[at_];
    }
    ++at_;
    return token;
  }

  SqlParsed<SqlToken> Symbol() {
    constexpr auto kSymbols =
        std::to_array<std::string_view>({"<=", ">=", "<>", "!=", "||", "(", ")", ",", ".", "*", "=",
                                         "<", ">", "+", "-", "/", "%", ";", kTimes});
    for (const std::string_view symbol : kSymbols) {
      if (!sql_.substr(at_).starts_with(symbol)) continue;
      SqlToken token{.kind = SqlTokenKind::kSymbol, .text = std::string(symbol), .at = at_};
      at_ += symbol.size();
      return token;
    }
    if (sql_[at_] == '?' || sql_[at_] == '@' || sql_[at_] == '$' || sql_[at_] == ':') {
      return Wrong(at_, "A parameter is a colon and a name.", "Write :playerId.");
    }
    return Wrong(at_, "This character has no meaning here.",
                 "Put a text in single quotes: 'open'.");
  }

  std::string_view sql_;
  std::size_t at_ = 0;
};

}  // namespace

SqlParsed<std::vector<SqlToken>> LexSql(std::string_view sql) {
  if (sql.size() > kSqlBytesMax) {
    return Wrong(0, fmt::format("This SQL is longer than {} bytes.", kSqlBytesMax), "");
  }
  std::vector<SqlToken> tokens;
  Lexer lexer(sql);
  do {
    TRY_ASSIGN(SqlToken token, lexer.Next());
    tokens.push_back(std::move(token));
  } while (tokens.back().kind != SqlTokenKind::kEnd);
  return tokens;
}

bool IsWord(const SqlToken& token, std::string_view upper_case) {
  return token.kind == SqlTokenKind::kWord && EqualWords(token.text, upper_case);
}

bool IsSqlKeyword(std::string_view word) {
  return std::any_of(kKeywords.begin(), kKeywords.end(),
                     [&](std::string_view keyword) { return EqualWords(word, keyword); });
}

}  // namespace kw::modeller
