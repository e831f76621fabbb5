// SPDX-License-Identifier: Apache-2.0
// The SQL of questions and changes as a tree whose names are not yet looked up. The grammar is what
// keys can answer; what lies outside is refused with the reason and the nearest thing to ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.h"
#include "modeller/model/model.h"

namespace kw::modeller {

inline constexpr std::size_t kSqlBytesMax = 4096;

struct SqlFault {
  std::size_t at = 0;  // a byte of the SQL text
  std::string message;
  std::string suggestion;
};
template <class T>
using SqlParsed = Expected<T, SqlFault>;

struct SqlName {
  std::string text;
  std::size_t at = 0;
};
struct SqlColumn {
  std::optional<SqlName> entity;  // Player.rating
  SqlName name;
};

struct SqlLiteral {
  enum class Kind : std::uint8_t { kText, kNumber, kBoolean, kNull };
  Kind kind = Kind::kText;
  std::string text;
};
struct SqlOperand {
  std::variant<Parameter, SqlLiteral> value;
  std::size_t at = 0;
};

enum class SqlComparison : std::uint8_t {
  kEqual,
  kLess,
  kAtMost,
  kMore,
  kAtLeast,
  kBetween,
  kPrefix  // LIKE 'x%': the value is what stands before the %
};
struct SqlTerm {
  SqlColumn column;
  Bucket bucket = Bucket::kNone;
  SqlComparison comparison = SqlComparison::kEqual;
  SqlOperand value;
  std::optional<SqlOperand> upper;  // of kBetween
  std::size_t at = 0;
};

struct SqlAggregate {
  AggregateKind kind = AggregateKind::kCount;
  std::optional<SqlColumn> column;
  std::size_t at = 0;
};
struct SqlJoin {  // LEFT JOIN entity USING (columns)
  SqlName entity;
  std::vector<SqlName> columns;
};
struct SqlOrder {
  SqlColumn column;
  bool descending = false;
};
struct SqlSelect {
  std::variant<AllColumns, std::vector<SqlColumn>, SqlAggregate> columns;
  std::size_t columns_at = 0;
  SqlName entity;
  std::vector<SqlJoin> joins;
  std::vector<SqlTerm> terms;
  std::vector<SqlOrder> order;
  std::optional<std::int64_t> limit;
  std::size_t limit_at = 0;
};

struct SqlAssignment {
  SqlName attribute;
  SqlOperand value;
};
struct SqlStatement {
  StatementKind kind = StatementKind::kInsert;
  SqlName entity;
  std::int64_t times = 1;
  std::vector<SqlAssignment> sets;
  std::vector<SqlTerm> terms;  // equalities
};

// Errors: the first fault.
SqlParsed<SqlSelect> ParseSelect(std::string_view sql);
SqlParsed<SqlStatement> ParseStatement(std::string_view sql);

}  // namespace kw::modeller
