// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "modeller/model/sql_lexer.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kLimitMax = 1'000'000'000;
constexpr std::int64_t kTimesMax = 1'000'000;

// Words that begin something SQL can say and a key cannot answer.
struct Refusal {
  std::string_view word;
  std::string_view message;
  std::string_view suggestion;
};
constexpr auto kRefusals = std::to_array<Refusal>({
    {"OR", "OR asks for more than one stretch of a key.", "Ask two questions, one for each side."},
    {"IN", "IN asks for more than one stretch of a key.",
     "Write = :value and ask once for each value."},
    {"NOT", "What is not so lies at no one place of a key.",
     "Ask for the values that are wanted, with =."},
    {"IS", "A row without an attribute stands in no index on it.",
     "Keep an attribute that says so, such as status, and ask for its value with =."},
    {"GROUP", "The group is what the equalities choose: one question answers for one group.",
     "Leave GROUP BY out and put = :parameter on its column in WHERE."},
    {"HAVING", "HAVING filters after the read, which costs the same as reading all.",
     "Leave it out, or keep the number on the parent and ask for that."},
    {"OFFSET", "A key cannot skip rows it does not read.",
     "Leave OFFSET out: the next page begins behind the last row of the one before."},
    {"UNION", "A question is one SELECT.",
     "Ask two questions, or a collection of several entities."},
    {"EXCEPT", "A question is one SELECT.", "Ask two questions."},
    {"INTERSECT", "A question is one SELECT.", "Ask two questions."},
    {"JOIN", "JOIN drops a parent that has no children.",
     "Write LEFT JOIN … USING (…): the parent with its children."},
    {"INNER", "INNER JOIN drops a parent that has no children.",
     "Write LEFT JOIN … USING (…): the parent with its children."},
    {"CROSS", "CROSS JOIN pairs every row with every other.", "Ask two questions."},
    {"NATURAL", "A join says its columns.", "Write LEFT JOIN … USING (…)."},
    {"RIGHT", "A collection begins with the parent.",
     "Name the parent behind FROM and write LEFT JOIN … USING (…)."},
    {"FULL", "A collection begins with the parent.",
     "Name the parent behind FROM and write LEFT JOIN … USING (…)."},
    {"AS", "Names stand for themselves here: there are no aliases.", "Leave AS and the alias out."},
    {"COLLATE", "A key is compared byte by byte.",
     "Keep the text in lower case in an attribute of its own, and ask for that."},
    {"GLOB", "A key can be asked for a prefix only.", "Write LIKE 'x%'."},
    {"REGEXP", "A key can be asked for a prefix only.", "Write LIKE 'x%'."},
    {"MATCH", "A key can be asked for a prefix only.", "Write LIKE 'x%'."},
    {"RETURNING", "A change returns nothing.", "Leave RETURNING out."},
    {"ESCAPE", "A prefix is taken as it is.", "Leave ESCAPE out."},
});

auto Wrong(std::size_t at, std::string message, std::string suggestion) {
  return Unexpected(
      SqlFault{.at = at, .message = std::move(message), .suggestion = std::move(suggestion)});
}

class Parser {
 public:
  explicit Parser(std::vector<SqlToken> tokens) : tokens_(std::move(tokens)) {}

  SqlParsed<SqlSelect> Select() {
    if (!IsWord(here(), "SELECT")) {
      return Wrong(here().at, "A question begins with SELECT.",
                   "Write SELECT * FROM Entity WHERE attribute = :parameter.");
    }
    ++at_;
    SqlSelect select;
    TRY(Columns(select));
    TRY(Expect("FROM", "SELECT * FROM Player"));
    TRY_ASSIGN(select.entity, Name("an entity"));
    TRY(RefuseSource());
    while (IsWord(here(), "LEFT")) {
      TRY_ASSIGN(SqlJoin join, Join());
      select.joins.push_back(std::move(join));
    }
    if (TakeWord("WHERE")) {
      TRY_ASSIGN(select.terms, Terms());
    }
    if (TakeWord("ORDER")) {
      TRY(Expect("BY", "ORDER BY attribute"));
      TRY(OrderBy(select));
    }
    if (TakeWord("LIMIT")) TRY(Limit(select));
    TRY(End());
    return select;
  }

  SqlParsed<SqlStatement> Statement() {
    SqlStatement statement;
    if (TakeWord("INSERT")) {
      TRY(Insert(statement));
    } else if (TakeWord("UPSERT")) {
      TRY(Upsert(statement));
    } else if (TakeWord("UPDATE")) {
      TRY(Update(statement));
    } else if (TakeWord("DELETE")) {
      TRY(Delete(statement));
    } else {
      return Wrong(here().at,
                   "A change begins with INSERT INTO, UPDATE, UPSERT INTO or DELETE FROM.",
                   "Write UPDATE Player SET rating = :rating WHERE playerId = :playerId.");
    }
    TRY(End());
    return statement;
  }

 private:
  [[nodiscard]] const SqlToken& here() const { return tokens_[at_]; }
  [[nodiscard]] const SqlToken& next() const {
    return tokens_[std::min(at_ + 1, tokens_.size() - 1)];
  }
  [[nodiscard]] bool IsSymbol(std::string_view symbol) const {
    return here().kind == SqlTokenKind::kSymbol && here().text == symbol;
  }
  bool TakeSymbol(std::string_view symbol) {
    if (!IsSymbol(symbol)) return false;
    ++at_;
    return true;
  }
  bool TakeWord(std::string_view word) {
    if (!IsWord(here(), word)) return false;
    ++at_;
    return true;
  }

  // What the token is, for a sentence.
  [[nodiscard]] std::string Shown() const {
    const SqlToken& token = here();
    switch (token.kind) {
      case SqlTokenKind::kEnd: return "the end";
      case SqlTokenKind::kParameter: return fmt::format("':{}'", token.text);
      case SqlTokenKind::kText: return "a text in single quotes";
      case SqlTokenKind::kWord:
      case SqlTokenKind::kQuoted:
      case SqlTokenKind::kNumber:
      case SqlTokenKind::kSymbol: break;
    }
    return fmt::format("'{}'", token.text);
  }

  SqlParsed<void> Refuse() {
    for (const Refusal& refusal : kRefusals) {
      if (IsWord(here(), refusal.word)) {
        return Wrong(here().at, std::string(refusal.message), std::string(refusal.suggestion));
      }
    }
    if (IsSymbol("<>") || IsSymbol("!=")) {
      return Wrong(here().at, "What is not equal lies at no one place of a key.",
                   "Ask for the values that are wanted, with =.");
    }
    return {};
  }

  SqlParsed<void> Expect(std::string_view word, std::string_view form) {
    if (TakeWord(word)) return {};
    TRY(Refuse());
    return Wrong(here().at, fmt::format("{} stands where {} is due.", Shown(), word),
                 fmt::format("Write {}.", form));
  }

  SqlParsed<void> ExpectSymbol(std::string_view symbol, std::string_view form) {
    if (TakeSymbol(symbol)) return {};
    TRY(Refuse());
    return Wrong(here().at, fmt::format("{} stands where '{}' is due.", Shown(), symbol),
                 fmt::format("Write {}.", form));
  }

  SqlParsed<void> End() {
    TakeSymbol(";");
    if (here().kind == SqlTokenKind::kEnd) return {};
    TRY(Refuse());
    if (IsWord(here(), "WHERE") || IsWord(here(), "ORDER") || IsWord(here(), "LIMIT") ||
        IsWord(here(), "AND") || IsWord(here(), "LEFT")) {
      return Wrong(here().at, fmt::format("{} cannot stand here.", Shown()),
                   "The order is: SELECT, FROM, WHERE, ORDER BY, LIMIT.");
    }
    return Wrong(here().at, fmt::format("{} is left over.", Shown()), "Leave it out.");
  }

  SqlParsed<SqlName> Name(std::string_view what) {
    const SqlToken& token = here();
    if (token.kind == SqlTokenKind::kQuoted) {
      ++at_;
      return SqlName{.text = token.text, .at = token.at};
    }
    if (token.kind == SqlTokenKind::kWord) {
      if (IsSqlKeyword(token.text)) {
        return Wrong(token.at,
                     fmt::format("{} is a word of SQL where {} is due.", token.text, what),
                     fmt::format("If it is a name, put it in double quotes: \"{}\" (inside single "
                                 "quotes of YAML).",
                                 token.text));
      }
      ++at_;
      return SqlName{.text = token.text, .at = token.at};
    }
    if (IsSymbol("(")) {
      return Wrong(token.at, "A question reads one entity: there are no parentheses or subqueries.",
                   "Ask two questions, the second with what the first found.");
    }
    return Wrong(token.at, fmt::format("{} stands where {} is due.", Shown(), what), "");
  }

  SqlParsed<SqlColumn> Column() {
    SqlColumn column;
    TRY_ASSIGN(column.name, Name("an attribute"));
    if (TakeSymbol(".")) {
      column.entity = std::move(column.name);
      TRY_ASSIGN(column.name, Name("an attribute"));
    }
    return column;
  }

  // ---- SELECT ----

  SqlParsed<void> Columns(SqlSelect& select) {
    select.columns_at = here().at;
    if (IsWord(here(), "DISTINCT")) {
      return Wrong(here().at, "DISTINCT compares rows after they are read.",
                   "Leave it out, or ask for an entity that has one row for each value.");
    }
    if (TakeSymbol("*")) {
      select.columns = AllColumns{};
    } else if (next().kind == SqlTokenKind::kSymbol && next().text == "(") {
      TRY_ASSIGN(select.columns, Aggregate());
    } else {
      std::vector<SqlColumn> columns;
      do {
        if (next().kind == SqlTokenKind::kSymbol && next().text == "(") return MixedColumns();
        TRY_ASSIGN(SqlColumn column, Column());
        columns.push_back(std::move(column));
      } while (TakeSymbol(","));
      select.columns = std::move(columns);
      return RefuseArithmetic();
    }
    if (IsSymbol(",")) return MixedColumns();
    return {};
  }

  SqlParsed<void> MixedColumns() {
    return Wrong(here().at, "A question returns columns, or *, or one of COUNT, SUM, MIN and MAX.",
                 "Ask two questions.");
  }

  SqlParsed<void> RefuseArithmetic() {
    for (const std::string_view symbol : {"+", "-", "*", "/", "%", "||"}) {
      if (IsSymbol(symbol)) {
        return Wrong(here().at, "Keys do not calculate.",
                     "Return the attributes, and calculate in the program.");
      }
    }
    return {};
  }

  SqlParsed<SqlAggregate> Aggregate() {
    struct Function {
      std::string_view word;
      AggregateKind kind;
    };
    constexpr auto kFunctions = std::to_array<Function>({{"COUNT", AggregateKind::kCount},
                                                         {"SUM", AggregateKind::kSum},
                                                         {"MIN", AggregateKind::kMin},
                                                         {"MAX", AggregateKind::kMax}});
    const SqlToken& name = here();
    const auto* const found =
        std::find_if(kFunctions.begin(), kFunctions.end(),
                     [&](const Function& function) { return IsWord(name, function.word); });
    if (IsWord(name, "AVG")) {
      return Wrong(name.at, "AVG is the quotient of two numbers that can be kept.",
                   "Ask for SUM and for COUNT, and divide.");
    }
    if (found == kFunctions.end()) {
      return Wrong(name.at, fmt::format("{} is no function that a question returns.", Shown()),
                   "There are COUNT, SUM, MIN and MAX.");
    }
    SqlAggregate aggregate{.kind = found->kind, .column = std::nullopt, .at = name.at};
    at_ += 2;
    if (IsWord(here(), "DISTINCT")) {
      return Wrong(here().at, "Distinct values can only be counted by reading them all.",
                   "Leave DISTINCT out, or count an entity that has one row for each value.");
    }
    if (IsSymbol("*") && aggregate.kind == AggregateKind::kCount) {
      ++at_;
    } else {
      TRY_ASSIGN(aggregate.column, Column());
    }
    TRY(ExpectSymbol(")", "COUNT(*) or SUM(attribute)"));
    return aggregate;
  }

  // What may not stand behind the entity of FROM.
  SqlParsed<void> RefuseSource() {
    TRY(Refuse());
    if (IsSymbol(",")) {
      return Wrong(here().at, "A question reads one entity.",
                   "Ask two questions, or a collection of several entities.");
    }
    if (here().kind == SqlTokenKind::kQuoted ||
        (here().kind == SqlTokenKind::kWord && !IsSqlKeyword(here().text))) {
      return Wrong(here().at, "Names stand for themselves here: there are no aliases.",
                   fmt::format("Leave {} out.", Shown()));
    }
    return {};
  }

  SqlParsed<SqlJoin> Join() {
    constexpr std::string_view kForm = "LEFT JOIN Match USING (playerId)";
    ++at_;
    TakeWord("OUTER");
    TRY(Expect("JOIN", kForm));
    SqlJoin join;
    TRY_ASSIGN(join.entity, Name("an entity"));
    if (IsWord(here(), "ON")) {
      return Wrong(here().at, "A join goes by attributes that both entities have.",
                   fmt::format("Write {}.", kForm));
    }
    TRY(RefuseSource());
    TRY(Expect("USING", kForm));
    TRY(ExpectSymbol("(", kForm));
    do {
      TRY_ASSIGN(SqlName name, Name("an attribute"));
      join.columns.push_back(std::move(name));
    } while (TakeSymbol(","));
    TRY(ExpectSymbol(")", kForm));
    return join;
  }

  SqlParsed<void> OrderBy(SqlSelect& select) {
    do {
      if (next().kind == SqlTokenKind::kSymbol && next().text == "(") {
        return Wrong(here().at, "Rows are ordered by attributes as they are.",
                     "Write ORDER BY attribute.");
      }
      SqlOrder order;
      TRY_ASSIGN(order.column, Column());
      TRY(RefuseArithmetic());
      if (TakeWord("DESC")) {
        order.descending = true;
      } else {
        TakeWord("ASC");
      }
      if (IsWord(here(), "NULLS")) {
        return Wrong(here().at, "Rows without the attribute stand in no index on it.",
                     "Leave NULLS out.");
      }
      select.order.push_back(std::move(order));
    } while (TakeSymbol(","));
    return {};
  }

  SqlParsed<std::int64_t> Whole(std::string_view what, std::int64_t most) {
    const SqlToken& token = here();
    std::int64_t number = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, number);
    if (token.kind != SqlTokenKind::kNumber || error != std::errc() || stop != end || number < 1 ||
        number > most) {
      return Wrong(token.at, fmt::format("{} is a whole number from 1 to {}.", what, most), "");
    }
    ++at_;
    return number;
  }

  SqlParsed<void> Limit(SqlSelect& select) {
    select.limit_at = here().at;
    if (here().kind == SqlTokenKind::kParameter) {
      return Wrong(here().at, "The bound of a page is part of the question.",
                   "Write the number: LIMIT 20.");
    }
    TRY_ASSIGN(select.limit, Whole("LIMIT", kLimitMax));
    if (IsSymbol(",")) {
      return Wrong(here().at, "A key cannot skip rows it does not read.",
                   "Write LIMIT with one number.");
    }
    return {};
  }

  // ---- WHERE ----

  SqlParsed<std::vector<SqlTerm>> Terms() {
    std::vector<SqlTerm> terms;
    do {
      TRY_ASSIGN(SqlTerm term, Term());
      terms.push_back(std::move(term));
    } while (TakeWord("AND"));
    TRY(Refuse());
    return terms;
  }

  SqlParsed<SqlTerm> Term() {
    if (IsWord(here(), "NOT")) TRY(Refuse());
    if (IsWord(here(), "EXISTS") || (IsSymbol("(") && IsWord(next(), "SELECT"))) {
      return Wrong(here().at, "A question reads one entity: there are no subqueries.",
                   "Ask two questions, the second with what the first found.");
    }
    if (IsSymbol("(")) {
      return Wrong(here().at, "Conditions stand side by side, joined by AND.",
                   "Leave the parentheses out.");
    }
    if (here().kind != SqlTokenKind::kWord && here().kind != SqlTokenKind::kQuoted) {
      return Wrong(here().at, fmt::format("{} stands where an attribute is due.", Shown()),
                   "Write the attribute first: rating >= :least.");
    }
    SqlTerm term;
    term.at = here().at;
    if (here().kind == SqlTokenKind::kWord && next().kind == SqlTokenKind::kSymbol &&
        next().text == "(") {
      TRY_ASSIGN(term.bucket, BucketFunction());
      TRY_ASSIGN(term.column, Column());
      TRY(ExpectSymbol(")", "date(createdAt) = :day"));
    } else {
      TRY_ASSIGN(term.column, Column());
    }
    TRY(RefuseArithmetic());
    TRY(Comparison(term));
    return term;
  }

  SqlParsed<Bucket> BucketFunction() {
    struct Function {
      std::string_view word;
      Bucket bucket;
    };
    constexpr auto kFunctions = std::to_array<Function>(
        {{"DATE", Bucket::kDate}, {"MONTH", Bucket::kMonth}, {"HOUR", Bucket::kHour}});
    for (const Function& function : kFunctions) {
      if (!IsWord(here(), function.word)) continue;
      at_ += 2;
      return function.bucket;
    }
    if (IsWord(here(), "LOWER") || IsWord(here(), "UPPER")) {
      return Wrong(here().at, "A key is compared byte by byte.",
                   "Keep the text in lower case in an attribute of its own, and ask for that.");
    }
    return Wrong(here().at, fmt::format("{} is no function of a key.", Shown()),
                 "There are date(), month() and hour() of a timestamp; keep anything else in an "
                 "attribute of its own.");
  }

  SqlParsed<void> Comparison(SqlTerm& term) {
    struct Symbol {
      std::string_view text;
      SqlComparison comparison;
    };
    constexpr auto kSymbols = std::to_array<Symbol>({{"=", SqlComparison::kEqual},
                                                     {"<", SqlComparison::kLess},
                                                     {"<=", SqlComparison::kAtMost},
                                                     {">", SqlComparison::kMore},
                                                     {">=", SqlComparison::kAtLeast}});
    for (const Symbol& symbol : kSymbols) {
      if (!TakeSymbol(symbol.text)) continue;
      term.comparison = symbol.comparison;
      TRY_ASSIGN(term.value, Operand());
      return RefuseArithmetic();
    }
    if (TakeWord("BETWEEN")) {
      term.comparison = SqlComparison::kBetween;
      TRY_ASSIGN(term.value, Operand());
      TRY(Expect("AND", "BETWEEN :from AND :to"));
      TRY_ASSIGN(term.upper, Operand());
      return RefuseArithmetic();
    }
    if (TakeWord("LIKE")) {
      term.comparison = SqlComparison::kPrefix;
      return Like(term);
    }
    TRY(Refuse());
    return Wrong(here().at, fmt::format("{} stands where a comparison is due.", Shown()),
                 "Write =, <, <=, >, >=, BETWEEN or LIKE.");
  }

  // 'x%' or :prefix || '%'.
  SqlParsed<void> Like(SqlTerm& term) {
    const std::size_t at = here().at;
    TRY_ASSIGN(term.value, Operand());
    if (std::holds_alternative<Parameter>(term.value.value)) {
      const std::string& name = std::get<Parameter>(term.value.value).name;
      const bool percent =
          TakeSymbol("||") && here().kind == SqlTokenKind::kText && here().text == "%";
      if (!percent) {
        return Wrong(at, "LIKE asks for a prefix, and the question must say so.",
                     fmt::format("Write LIKE :{} || '%'.", name));
      }
      ++at_;
      return {};
    }
    auto& literal = std::get<SqlLiteral>(term.value.value);
    std::string prefix = literal.text;
    const bool ends = prefix.ends_with('%');
    if (ends) prefix.pop_back();
    if (literal.kind != SqlLiteral::Kind::kText || !ends || prefix.empty() ||
        prefix.find_first_of("%_") != prefix.npos) {
      return Wrong(at,
                   "LIKE asks for a prefix: a text with one % at its end and no other wildcard.",
                   "Write LIKE 'x%'.");
    }
    literal.text = std::move(prefix);
    return {};
  }

  SqlParsed<SqlOperand> Operand() {
    const SqlToken& token = here();
    SqlOperand operand{.value = Parameter{}, .at = token.at};
    switch (token.kind) {
      case SqlTokenKind::kParameter: operand.value = Parameter{token.text}; break;
      case SqlTokenKind::kText:
        operand.value = SqlLiteral{SqlLiteral::Kind::kText, token.text};
        break;
      case SqlTokenKind::kNumber:
        operand.value = SqlLiteral{SqlLiteral::Kind::kNumber, token.text};
        break;
      case SqlTokenKind::kWord: {
        TRY_ASSIGN(operand.value, WordOperand());
        break;
      }
      case SqlTokenKind::kSymbol:
        if (token.text == "-" && next().kind == SqlTokenKind::kNumber) {
          ++at_;
          operand.value = SqlLiteral{SqlLiteral::Kind::kNumber, "-" + here().text};
          break;
        }
        if (token.text == "(") {
          return Wrong(token.at, "A question reads one entity: there are no subqueries.",
                       "Ask two questions, the second with what the first found.");
        }
        [[fallthrough]];
      case SqlTokenKind::kQuoted:
      case SqlTokenKind::kEnd: return NoOperand();
    }
    ++at_;
    return operand;
  }

  SqlParsed<SqlLiteral> WordOperand() {
    for (const std::string_view word : {"TRUE", "FALSE"}) {
      if (IsWord(here(), word)) {
        return SqlLiteral{SqlLiteral::Kind::kBoolean, word == "TRUE" ? "true" : "false"};
      }
    }
    if (IsWord(here(), "NULL")) return SqlLiteral{SqlLiteral::Kind::kNull, ""};
    return NoOperand();
  }

  [[nodiscard]] tl::unexpected<SqlFault> NoOperand() const {
    const bool name = here().kind == SqlTokenKind::kWord || here().kind == SqlTokenKind::kQuoted;
    return Wrong(here().at, fmt::format("{} stands where a value is due.", Shown()),
                 name ? fmt::format("Write :{0} for a parameter or '{0}' for a text.", here().text)
                      : "Write a parameter (:name), a text ('open') or a number.");
  }

  // ---- changes ----

  SqlParsed<void> Insert(SqlStatement& statement) {
    statement.kind = StatementKind::kInsert;
    TRY(Expect("INTO", "INSERT INTO Entity"));
    TRY_ASSIGN(statement.entity, Name("an entity"));
    if (IsSymbol("(") || IsWord(here(), "VALUES") || IsWord(here(), "SET")) {
      return Wrong(here().at, "An insert writes the whole row, each attribute from its parameter.",
                   fmt::format("Write INSERT INTO {}.", statement.entity.text));
    }
    const SqlToken& token = here();
    if (TakeSymbol("×") || TakeSymbol("*") || TakeWord("X")) {
      TRY_ASSIGN(statement.times, Whole("The number of rows", kTimesMax));
    } else if (token.kind == SqlTokenKind::kWord &&
               (token.text[0] == 'x' || token.text[0] == 'X')) {
      // x3, which reads as one word.
      const std::string_view digits = std::string_view(token.text).substr(1);
      const auto [stop, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), statement.times);
      if (error == std::errc() && stop == digits.data() + digits.size() && statement.times >= 1 &&
          statement.times <= kTimesMax) {
        ++at_;
      }
    }
    return {};
  }

  SqlParsed<void> Upsert(SqlStatement& statement) {
    statement.kind = StatementKind::kUpsert;
    TRY(Expect("INTO", "UPSERT INTO Entity"));
    TRY_ASSIGN(statement.entity, Name("an entity"));
    if (IsWord(here(), "SET")) return Sets(statement);
    if (IsSymbol("(") || IsWord(here(), "VALUES")) {
      return Wrong(here().at, "An upsert writes the whole row, or what SET says.",
                   fmt::format("Write UPSERT INTO {}.", statement.entity.text));
    }
    return {};
  }

  SqlParsed<void> Update(SqlStatement& statement) {
    statement.kind = StatementKind::kUpdate;
    TRY_ASSIGN(statement.entity, Name("an entity"));
    if (!IsWord(here(), "SET")) TRY(Expect("SET", "UPDATE Entity SET attribute = :value WHERE …"));
    TRY(Sets(statement));
    return Where(statement);
  }

  SqlParsed<void> Delete(SqlStatement& statement) {
    statement.kind = StatementKind::kDelete;
    TRY(Expect("FROM", "DELETE FROM Entity WHERE …"));
    TRY_ASSIGN(statement.entity, Name("an entity"));
    return Where(statement);
  }

  SqlParsed<void> Sets(SqlStatement& statement) {
    ++at_;
    do {
      SqlAssignment assignment;
      TRY_ASSIGN(assignment.attribute, Name("an attribute"));
      TRY(ExpectSymbol("=", "SET attribute = :value"));
      const std::size_t at = here().at;
      const bool name =
          (here().kind == SqlTokenKind::kWord || here().kind == SqlTokenKind::kQuoted) &&
          !IsWord(here(), "NULL") && !IsWord(here(), "TRUE") && !IsWord(here(), "FALSE");
      if (name || IsSymbol("(")) {
        return Wrong(at, "A change sets an attribute to a parameter or a literal.",
                     fmt::format("Write {0} = :{0} for the new value.", assignment.attribute.text));
      }
      TRY_ASSIGN(assignment.value, Operand());
      TRY(RefuseArithmetic());
      statement.sets.push_back(std::move(assignment));
    } while (TakeSymbol(","));
    return {};
  }

  SqlParsed<void> Where(SqlStatement& statement) {
    if (!TakeWord("WHERE")) {
      TRY(Refuse());
      return Wrong(here().at, "A change names the row that it changes.",
                   "Add WHERE with the whole identity.");
    }
    TRY_ASSIGN(statement.terms, Terms());
    for (const SqlTerm& term : statement.terms) {
      if (term.comparison != SqlComparison::kEqual || term.bucket != Bucket::kNone) {
        return Wrong(term.at, "A change names one row, by equality with its identity.",
                     "Write attribute = :parameter for each attribute of the identity.");
      }
    }
    return {};
  }

  std::vector<SqlToken> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

SqlParsed<SqlSelect> ParseSelect(std::string_view sql) {
  TRY_ASSIGN(std::vector<SqlToken> tokens, LexSql(sql));
  return Parser(std::move(tokens)).Select();
}

SqlParsed<SqlStatement> ParseStatement(std::string_view sql) {
  TRY_ASSIGN(std::vector<SqlToken> tokens, LexSql(sql));
  return Parser(std::move(tokens)).Statement();
}

}  // namespace kw::modeller
