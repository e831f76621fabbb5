// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/oracle.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "data/item.h"

namespace kw::modeller {
namespace {

template <class T>
using Answered = Expected<T, std::string>;

// A double holds so many decimal digits without loss.
constexpr std::size_t kExactDigits = 15;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Prepared = std::unique_ptr<sqlite3_stmt, FinishStatement>;

std::string Quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

// ---- times are texts of one width, so that a bucket is a start of them ----

template <int length>
void StartOf(sqlite3_context* context, int /*count*/, sqlite3_value** arguments) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(arguments[0]));
  if (text == nullptr) return sqlite3_result_null(context);
  const int bytes = std::min(length, sqlite3_value_bytes(arguments[0]));
  sqlite3_result_text(context, text, bytes, SQLITE_TRANSIENT);
}

// Fractions of a second of any width compare as if filled up with zeros.
int CompareTimes(void* /*unused*/, int a_size, const void* a, int b_size, const void* b) {
  const auto plain = [](int size, const void* data) {
    std::string text(static_cast<const char*>(data), static_cast<std::size_t>(size));
    if (text.ends_with('Z')) text.pop_back();
    if (text.find('.') == text.npos) text += '.';
    text.append(text.size() < 26 ? 26 - text.size() : 0, '0');
    return text;
  };
  return plain(a_size, a).compare(plain(b_size, b));
}

std::string_view ColumnType(FieldType type) {
  switch (type) {
    case FieldType::kString:
    case FieldType::kDate:
    case FieldType::kList:
    case FieldType::kMap: return "TEXT";
    case FieldType::kTimestamp: return "TEXT COLLATE TIME";
    case FieldType::kInteger:
    case FieldType::kBoolean: return "INTEGER";
    case FieldType::kDecimal: return "REAL";
    case FieldType::kBinary: return "BLOB";
  }
  return {};
}

Answered<void> Say(sqlite3* database, int status) {
  if (status == SQLITE_OK || status == SQLITE_DONE || status == SQLITE_ROW) return {};
  return Unexpected(std::string(sqlite3_errmsg(database)));
}

Answered<Prepared> Prepare(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  TRY(Say(database, sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()),
                                       &statement, nullptr)));
  return Prepared(statement);
}

Answered<void> Run(sqlite3* database, const std::string& sql) {
  return Say(database, sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr));
}

// ---- values in and out ----

int BindText(sqlite3_stmt* statement, int at, std::string_view text) {
  return sqlite3_bind_text64(statement, at, text.data(), text.size(), SQLITE_TRANSIENT,
                             SQLITE_UTF8);
}

Answered<int> BindNumber(sqlite3_stmt* statement, int at, const Number& number) {
  const std::string text = number.ToString();
  const auto digits = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return c != '-' && c != '.'; }));
  if (text.find('.') == text.npos) {
    std::int64_t whole = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size()) {
      return sqlite3_bind_int64(statement, at, whole);
    }
  }
  if (digits > kExactDigits) {
    return Unexpected(fmt::format("{} has more digits than the oracle can compare exactly", text));
  }
  double real = 0;
  std::from_chars(text.data(), text.data() + text.size(), real);
  return sqlite3_bind_double(statement, at, real);
}

std::string JsonOf(const AttributeValue& value) {
  std::string text;
  JsonWriter out(text);
  WriteJson(value, out);
  return text;
}

// `precision` is that of the column that the value stands in or is compared with; texts of any
// width compare alike.
Answered<void> Bind(sqlite3* database, sqlite3_stmt* statement, int at, const Value& value,
                    TimePrecision precision) {
  struct Binder {
    sqlite3_stmt* statement;
    int at;
    TimePrecision precision;
    Answered<int> operator()(std::monostate) const { return sqlite3_bind_null(statement, at); }
    Answered<int> operator()(const std::string& text) const {
      return BindText(statement, at, text);
    }
    Answered<int> operator()(const Number& number) const {
      return BindNumber(statement, at, number);
    }
    Answered<int> operator()(bool flag) const {
      return sqlite3_bind_int(statement, at, flag ? 1 : 0);
    }
    Answered<int> operator()(Timestamp time) const {
      return BindText(statement, at, FormatTimestamp(time, precision));
    }
    Answered<int> operator()(Date date) const { return BindText(statement, at, FormatDate(date)); }
    Answered<int> operator()(const Bytes& bytes) const {
      return sqlite3_bind_blob64(statement, at, bytes.bytes.data(), bytes.bytes.size(),
                                 SQLITE_TRANSIENT);
    }
    Answered<int> operator()(const AttributeValue& nested) const {
      return BindText(statement, at, JsonOf(nested));
    }
  };
  TRY_ASSIGN(const int status, std::visit(Binder{statement, at, precision}, value));
  return Say(database, status);
}

std::string TextAt(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

Number DecimalAt(sqlite3_stmt* statement, int column, int scale) {
  const auto number =
      Number::Parse(fmt::format("{:.{}f}", sqlite3_column_double(statement, column), scale));
  return number ? *number : Number();
}

Value ValueAt(sqlite3_stmt* statement, int column, const Attribute& attribute) {
  if (sqlite3_column_type(statement, column) == SQLITE_NULL) return {};
  switch (attribute.type) {
    case FieldType::kString: return TextAt(statement, column);
    case FieldType::kInteger: return Number::FromInteger(sqlite3_column_int64(statement, column));
    case FieldType::kDecimal: return DecimalAt(statement, column, attribute.scale);
    case FieldType::kBoolean: return sqlite3_column_int(statement, column) != 0;
    case FieldType::kTimestamp:
      if (const auto time = ParseTimestamp(TextAt(statement, column))) return *time;
      return {};
    case FieldType::kDate:
      if (const auto date = ParseDate(TextAt(statement, column))) return *date;
      return {};
    case FieldType::kBinary: {
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return Bytes{size == 0 ? std::string() : std::string(bytes, size)};
    }
    case FieldType::kList:
    case FieldType::kMap: {
      JsonParser parser;
      const auto json = parser.Parse(TextAt(statement, column));
      if (!json) return {};
      const auto value = ParseAttributeValue(*json);
      return value ? Value(*value) : Value();
    }
  }
  return {};
}

// ---- a question's text ----

// The text without its LIMIT, which the grammar allows only as the last clause.
std::string WithoutLimit(const Question& question, const Select& select) {
  if (!select.limit) return question.sql;
  std::string upper = question.sql;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  });
  return question.sql.substr(0, upper.rfind("LIMIT"));
}

// The attributes whose values the text's columns are.
std::vector<AttributeId> ColumnsOf(const Entity& entity, const Select& select) {
  if (const auto* named = std::get_if<std::vector<AttributeId>>(&select.columns)) return *named;
  std::vector<AttributeId> all(entity.attributes.size());
  for (AttributeId id = 0; id < all.size(); ++id) all[id] = id;
  return all;
}

TimePrecision PrecisionOf(const Select& select, const Entity& entity, std::string_view parameter) {
  const auto is = [&](const Operand& operand) {
    const auto* named = std::get_if<Parameter>(&operand);
    return named != nullptr && named->name == parameter;
  };
  for (const Equality& equality : select.equalities) {
    if (is(equality.value)) return entity.attributes[equality.attribute].precision;
  }
  return select.range ? entity.attributes[select.range->attribute].precision
                      : TimePrecision::kSecond;
}

}  // namespace

struct Oracle::Impl {
  const Model& model;
  Database database;

  Answered<void> CreateTables() const {
    sqlite3* db = database.get();
    TRY(Run(db, "PRAGMA case_sensitive_like = ON"));
    TRY(Say(db, sqlite3_create_collation(db, "TIME", SQLITE_UTF8, nullptr, CompareTimes)));
    const auto add = [&](const char* name, void (*start)(sqlite3_context*, int, sqlite3_value**)) {
      return Say(db, sqlite3_create_function(db, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                             nullptr, start, nullptr, nullptr));
    };
    TRY(add("month", StartOf<7>));
    TRY(add("date", StartOf<10>));
    TRY(add("hour", StartOf<13>));
    for (const Entity& entity : model.entities()) {
      std::string columns;
      for (const Attribute& attribute : entity.attributes) {
        columns += fmt::format("{}{} {}", columns.empty() ? "" : ", ", Quoted(attribute.name),
                               ColumnType(attribute.type));
      }
      std::string identity;
      for (const AttributeId id : entity.identity) {
        identity +=
            fmt::format("{}{}", identity.empty() ? "" : ", ", Quoted(entity.attributes[id].name));
      }
      TRY(Run(db, fmt::format("CREATE TABLE {} ({}, UNIQUE ({}))", Quoted(entity.name), columns,
                              identity)));
    }
    return {};
  }

  Answered<void> Insert(EntityId id, const Row& row) const {
    const Entity& entity = model.entity(id);
    std::string marks = "?";
    for (std::size_t i = 1; i < row.size(); ++i) marks += ", ?";
    TRY_ASSIGN(const Prepared statement,
               Prepare(database.get(),
                       fmt::format("INSERT INTO {} VALUES ({})", Quoted(entity.name), marks)));
    for (AttributeId a = 0; a < row.size(); ++a) {
      TRY(Bind(database.get(), statement.get(), static_cast<int>(a) + 1, row[a],
               entity.attributes[a].precision));
    }
    return Say(database.get(), sqlite3_step(statement.get()));
  }

  Answered<void> Delete(EntityId id, const Row& row) const {
    const Entity& entity = model.entity(id);
    std::string where;
    for (const AttributeId a : entity.identity) {
      where +=
          fmt::format("{}{} = ?", where.empty() ? "" : " AND ", Quoted(entity.attributes[a].name));
    }
    TRY_ASSIGN(const Prepared statement,
               Prepare(database.get(),
                       fmt::format("DELETE FROM {} WHERE {}", Quoted(entity.name), where)));
    int at = 0;
    for (const AttributeId a : entity.identity) {
      TRY(Bind(database.get(), statement.get(), ++at, row[a], entity.attributes[a].precision));
    }
    return Say(database.get(), sqlite3_step(statement.get()));
  }

  // Every parameter that the text names must be given.
  Answered<Prepared> Ask(const std::string& sql, const Select& select,
                         const Parameters& parameters) const {
    TRY_ASSIGN(Prepared statement, Prepare(database.get(), sql));
    const int count = sqlite3_bind_parameter_count(statement.get());
    for (int at = 1; at <= count; ++at) {
      const char* name = sqlite3_bind_parameter_name(statement.get(), at);
      const auto given = parameters.find(name == nullptr ? std::string_view() : name + 1);
      if (given == parameters.end()) {
        return Unexpected(fmt::format("no value was given for parameter {}", at));
      }
      TRY(Bind(database.get(), statement.get(), at, given->second,
               PrecisionOf(select, model.entity(select.entity), given->first)));
    }
    return statement;
  }

  Answered<Expectation> AnswerAggregate(const Question& question, const Select& select,
                                        const Aggregate& aggregate,
                                        const Parameters& parameters) const {
    TRY_ASSIGN(const Prepared statement, Ask(question.sql, select, parameters));
    TRY(Say(database.get(), sqlite3_step(statement.get())));
    Value value;
    if (!aggregate.attribute || aggregate.kind == AggregateKind::kCount) {
      value = Number::FromInteger(sqlite3_column_int64(statement.get(), 0));
    } else {
      value =
          ValueAt(statement.get(), 0, model.entity(select.entity).attributes[*aggregate.attribute]);
    }
    return Expectation{.rows = {{.tuple = {select.entity, {std::move(value)}}}}, .count = 1};
  }

  Answered<Expectation> AnswerSelect(const Question& question, const Select& select,
                                     const Parameters& parameters) const {
    const Entity& entity = model.entity(select.entity);
    const std::vector<AttributeId> columns = ColumnsOf(entity, select);
    // What is ordered by goes behind the text's own columns, to tell the runs.
    std::string order;
    for (const Order& by : select.order) {
      order += fmt::format(", {}", Quoted(entity.attributes[by.attribute].name));
    }
    std::string sql = WithoutLimit(question, select);
    sql.insert(FromOf(sql), order + " ");
    TRY_ASSIGN(const Prepared statement, Ask(sql, select, parameters));

    Expectation expected;
    std::vector<Value> before;
    int status = SQLITE_OK;
    while ((status = sqlite3_step(statement.get())) == SQLITE_ROW) {
      Expectation::Ranked row{.tuple = {.entity = select.entity, .values = {}}, .run = 0};
      int at = 0;
      for (const AttributeId column : columns) {
        row.tuple.values.push_back(ValueAt(statement.get(), at++, entity.attributes[column]));
      }
      std::vector<Value> ranks;
      for (const Order& by : select.order) {
        ranks.push_back(ValueAt(statement.get(), at++, entity.attributes[by.attribute]));
      }
      const bool first = expected.rows.empty();
      row.run = first ? 0 : expected.rows.back().run + (ranks == before ? 0 : 1);
      before = std::move(ranks);
      expected.rows.push_back(std::move(row));
    }
    TRY(Say(database.get(), status));
    TRY_ASSIGN(expected.count, CountOf(question, select, parameters));
    return expected;
  }

  // How many rows the question's own text gives, LIMIT and all.
  Answered<std::size_t> CountOf(const Question& question, const Select& select,
                                const Parameters& parameters) const {
    TRY_ASSIGN(const Prepared statement, Ask(question.sql, select, parameters));
    std::size_t count = 0;
    int status = SQLITE_OK;
    while ((status = sqlite3_step(statement.get())) == SQLITE_ROW) ++count;
    TRY(Say(database.get(), status));
    return count;
  }

  // Where the FROM of a SELECT stands: the grammar has no other before it, and no quotes but
  // names'.
  static std::size_t FromOf(const std::string& sql) {
    bool quoted = false;
    for (std::size_t i = 0; i + 4 <= sql.size(); ++i) {
      if (sql[i] == '"') quoted = !quoted;
      if (quoted || i == 0) continue;
      const auto letter = [&](std::size_t at, char lower) { return (sql[at] | 0x20) == lower; };
      const bool word =
          letter(i, 'f') && letter(i + 1, 'r') && letter(i + 2, 'o') && letter(i + 3, 'm');
      const auto joins = [](char c) {
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
      };
      const bool alone = !joins(sql[i - 1]) && (i + 4 == sql.size() || !joins(sql[i + 4]));
      if (word && alone) return i;
    }
    return sql.size();
  }

  Answered<Expectation> AnswerCollection(const Collection& collection,
                                         const Parameters& parameters) const {
    Expectation expected;
    for (const Collection::Member& member : collection.members) {
      const Entity& entity = model.entity(member.entity);
      std::string where;
      for (const AttributeId by : member.by) {
        where += fmt::format("{}{} = ?", where.empty() ? "" : " AND ",
                             Quoted(entity.attributes[by].name));
      }
      TRY_ASSIGN(const Prepared statement,
                 Prepare(database.get(),
                         fmt::format("SELECT * FROM {} WHERE {}", Quoted(entity.name), where)));
      for (std::size_t i = 0; i < collection.by.size(); ++i) {
        const auto given = parameters.find(collection.by[i]);
        if (given == parameters.end()) {
          return Unexpected(fmt::format("no value was given for {}", collection.by[i]));
        }
        TRY(Bind(database.get(), statement.get(), static_cast<int>(i) + 1, given->second,
                 entity.attributes[member.by[i]].precision));
      }
      int status = SQLITE_OK;
      while ((status = sqlite3_step(statement.get())) == SQLITE_ROW) {
        Expectation::Ranked row{.tuple = {.entity = member.entity, .values = {}}, .run = 0};
        for (AttributeId a = 0; a < entity.attributes.size(); ++a) {
          row.tuple.values.push_back(
              ValueAt(statement.get(), static_cast<int>(a), entity.attributes[a]));
        }
        expected.rows.push_back(std::move(row));
      }
      TRY(Say(database.get(), status));
    }
    expected.count = expected.rows.size();
    return expected;
  }
};

Oracle::Oracle(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Oracle::~Oracle() = default;
Oracle::Oracle(Oracle&&) noexcept = default;
Oracle& Oracle::operator=(Oracle&&) noexcept = default;

Answered<Oracle> Oracle::Make(const Model& model, const Dataset& dataset) {
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE, nullptr);
  Database database(opened);
  if (status != SQLITE_OK) return Unexpected(std::string("SQLite gives no database in memory"));
  auto impl = std::make_unique<Impl>(Impl{.model = model, .database = std::move(database)});
  TRY(impl->CreateTables());
  TRY(Run(impl->database.get(), "BEGIN"));
  for (EntityId entity = 0; entity < dataset.rows.size(); ++entity) {
    for (const Row& row : dataset.rows[entity]) TRY(impl->Insert(entity, row));
  }
  TRY(Run(impl->database.get(), "COMMIT"));
  return Oracle(std::move(impl));
}

Answered<Expectation> Oracle::Answer(const Question& question, const Parameters& parameters) const {
  if (const auto* collection = std::get_if<Collection>(&question.asks)) {
    return impl_->AnswerCollection(*collection, parameters);
  }
  const Select& select = std::get<Select>(question.asks);
  if (const auto* aggregate = std::get_if<Aggregate>(&select.columns)) {
    return impl_->AnswerAggregate(question, select, *aggregate, parameters);
  }
  return impl_->AnswerSelect(question, select, parameters);
}

Answered<void> Oracle::Insert(EntityId entity, const Row& row) {
  return impl_->Insert(entity, row);
}
Answered<void> Oracle::Delete(EntityId entity, const Row& row) {
  return impl_->Delete(entity, row);
}

std::optional<std::string> WhyNot(const Expectation& expected, const std::vector<Tuple>& answer) {
  if (answer.size() != expected.count) {
    return fmt::format("it gives {} rows where {} are right", answer.size(), expected.count);
  }
  // What is left of the run that stands at this place.
  std::vector<const Tuple*> run;
  std::size_t next = 0;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (i == next) {
      run.clear();
      const std::size_t id = expected.rows[next].run;
      for (; next < expected.rows.size() && expected.rows[next].run == id; ++next) {
        run.push_back(&expected.rows[next].tuple);
      }
    }
    const auto found =
        std::ranges::find_if(run, [&](const Tuple* tuple) { return *tuple == answer[i]; });
    if (found == run.end()) return fmt::format("row {} is not the one that is right", i + 1);
    run.erase(found);
  }
  return std::nullopt;
}

}  // namespace kw::modeller
