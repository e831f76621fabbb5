// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/sql_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "modeller/interop/document.h"
#include "modeller/interop/sql_tokens.h"

namespace kw::modeller {
namespace {

using Kind = SchemaToken::Kind;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

// Reads on through the tokens of one statement; behind its end stand empty marks.
class Cursor {
 public:
  explicit Cursor(const std::vector<SchemaToken>& tokens) : tokens_(tokens) {}

  [[nodiscard]] bool done() const { return at_ >= tokens_.size(); }
  [[nodiscard]] const SchemaToken& next(std::size_t ahead = 0) const {
    static const SchemaToken kEnd;
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : kEnd;
  }
  const SchemaToken& Take() {
    const SchemaToken& token = next();
    ++at_;
    return token;
  }
  // Takes these words, if all of them come.
  bool Take(std::initializer_list<std::string_view> words) {
    std::size_t ahead = 0;
    for (const auto word : words) {
      if (!next(ahead++).Is(word)) return false;
    }
    at_ += words.size();
    return true;
  }
  // `schema.table` as the table alone.
  std::string TakeName() {
    std::string name = next().names() ? Take().text : "";
    while (next().Is(".") && next(1).names()) {
      Take();
      name = Take().text;
    }
    return name;
  }
  // (a, b DESC, c(10)): the names; nothing unless a bracket comes.
  std::vector<std::string> TakeNames() {
    std::vector<std::string> names;
    if (!Take({"("})) return names;
    while (!done() && !next().Is(")")) {
      if (next().names()) names.push_back(Take().text);
      while (!done() && !next().Is(",") && !next().Is(")")) SkipOne();
      Take({","});
    }
    Take({")"});
    return names;
  }
  // One token, or all of a bracket.
  void SkipOne() {
    int open = 0;
    do {
      if (next().Is("(")) ++open;
      if (next().Is(")")) --open;
      ++at_;
    } while (open > 0 && !done());
  }

 private:
  const std::vector<SchemaToken>& tokens_;
  std::size_t at_ = 0;
};

FieldType TypeOf(std::string_view type, bool single_bit) {
  const auto has = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](auto word) { return type.find(word) != type.npos; });
  };
  if (has({"bool"}) || (single_bit && has({"tinyint", "bit"}))) return FieldType::kBoolean;
  if (has({"timestamp", "datetime"})) return FieldType::kTimestamp;
  if (type == "date") return FieldType::kDate;
  if (has({"json"})) return FieldType::kMap;
  if (has({"blob", "bytea", "binary"})) return FieldType::kBinary;
  if (has({"interval", "point"})) return FieldType::kString;
  if (has({"int", "serial", "year"})) return FieldType::kInteger;
  if (has({"decimal", "numeric", "float", "double", "real", "money"})) return FieldType::kDecimal;
  return FieldType::kString;
}

struct ForeignKey {
  std::vector<std::string> by;
  std::string to;
  std::vector<std::string> columns;  // empty: its primary key
};

class SchemaReader {
 public:
  explicit SchemaReader(Notes& notes) : notes_(notes) {}

  Expected<Blueprint, std::string> Read(std::string_view text) {
    if (text.size() > kDocumentBytesMax) return Unexpected(std::string("The file is too large."));
    const auto scripts = SplitSql(text);
    for (const auto& script : scripts) ReadStatement(script);
    if (blueprint_.entities.empty()) {
      return Unexpected(std::string("There is no CREATE TABLE in it."));
    }
    for (std::size_t i = 0; i < blueprint_.entities.size(); ++i) Refer(i);
    for (const auto& script : scripts) {
      if (script.tokens.front().Is("SELECT")) ReadSelect(script);
    }
    return std::move(blueprint_);
  }

 private:
  // ---- statements ----

  void ReadStatement(const SqlScript& script) {
    Cursor in(script.tokens);
    if (in.next().Is("SELECT")) return;
    if (in.Take({"CREATE"})) {
      while (in.next().Is("TEMPORARY") || in.next().Is("TEMP") || in.next().Is("UNLOGGED"))
        in.Take();
      if (in.Take({"TABLE"})) return ReadTable(in);
      if (in.Take({"TYPE"})) return ReadEnum(in);
      const bool unique = in.Take({"UNIQUE"});
      if (in.Take({"INDEX"})) return unique ? ReadUniqueIndex(in) : void();
    } else if (in.Take({"ALTER", "TABLE"})) {
      return ReadAlter(in);
    }
    const auto& first = script.tokens.front().text;
    const auto word = Lower(first);
    if (word == "insert" || word == "update" || word == "delete") {
      notes_.Lost(first, "Changes are not read: write them into the model.");
    }
  }

  void ReadTable(Cursor& in) {
    in.Take({"IF", "NOT", "EXISTS"});
    EntityDraft entity{.name = in.TakeName(), .table = SIZE_MAX};
    if (entity.name.empty() || !in.Take({"("})) return;
    const auto known = Find(entity.name);
    if (known != nullptr) {
      notes_.Lost(entity.name, "It is created twice: the first one counts.");
      return;
    }
    foreign_.emplace_back();
    blueprint_.entities.push_back(std::move(entity));
    while (!in.done() && !in.next().Is(")")) {
      ReadDefinition(in, blueprint_.entities.size() - 1);
      while (!in.done() && !in.next().Is(",") && !in.next().Is(")")) in.SkipOne();
      in.Take({","});
    }
  }

  void ReadDefinition(Cursor& in, std::size_t number) {
    if (ReadConstraint(in, number)) return;
    const bool index = in.next().Is("KEY") || in.next().Is("INDEX") || in.next().Is("FULLTEXT") ||
                       in.next().Is("SPATIAL") || in.next().Is("EXCLUDE") || in.next().Is("CHECK");
    if (!index && in.next().names()) ReadColumn(in, number);
  }

  // [CONSTRAINT x] PRIMARY KEY, UNIQUE or FOREIGN KEY; false if it is none.
  bool ReadConstraint(Cursor& in, std::size_t number) {
    auto& entity = blueprint_.entities[number];
    if (in.next().Is("CONSTRAINT")) {
      in.Take();
      if (!in.next().Is("PRIMARY") && !in.next().Is("UNIQUE") && !in.next().Is("FOREIGN")) {
        in.TakeName();
      }
    }
    if (in.Take({"PRIMARY", "KEY"})) {
      entity.identity = in.TakeNames();
      return true;
    }
    if (in.Take({"FOREIGN", "KEY"})) {
      if (!in.next().Is("(")) in.TakeName();
      auto by = in.TakeNames();
      TakeReferences(in, number, std::move(by));
      return true;
    }
    if (!in.next().Is("UNIQUE")) return false;
    in.Take();
    if (in.next().Is("KEY") || in.next().Is("INDEX")) in.Take();
    if (!in.next().Is("(")) in.TakeName();
    AddUnique(entity, in.TakeNames());
    return true;
  }

  void AddUnique(EntityDraft& entity, std::vector<std::string> names) {
    if (names.size() == 1) {
      if (std::ranges::find(entity.unique, names[0]) == entity.unique.end()) {
        entity.unique.push_back(std::move(names[0]));
      }
    } else if (!names.empty()) {
      notes_.Lost(entity.name, fmt::format("Uniqueness of ({}) together is not carried over.",
                                           fmt::join(names, ", ")));
    }
  }

  void TakeReferences(Cursor& in, std::size_t number, std::vector<std::string> by) {
    if (!in.Take({"REFERENCES"})) return;
    ForeignKey key{.by = std::move(by), .to = in.TakeName(), .columns = {}};
    key.columns = in.TakeNames();
    foreign_[number].push_back(std::move(key));
  }

  void ReadColumn(Cursor& in, std::size_t number) {
    EntityAttribute column{.name = in.Take().text, .required = false};
    const auto type = Lower(in.TakeName());
    bool single_bit = false;
    if (const auto found = enums_.find(type); found != enums_.end()) column.values = found->second;
    if (in.next().Is("(")) {
      single_bit = in.next(1).text == "1" && in.next(2).Is(")");
      if (type == "enum") {
        column.values = TakeValues(in);
      } else {
        in.SkipOne();
      }
    }
    column.type = TypeOf(type, single_bit);
    bool primary = false;
    while (!in.done() && !in.next().Is(",") && !in.next().Is(")")) {
      if (in.Take({"["})) {
        column.type = FieldType::kList;
      } else if (in.Take({"NOT", "NULL"})) {
        column.required = true;
      } else if (in.Take({"PRIMARY", "KEY"})) {
        primary = true;
      } else if (in.next().Is("UNIQUE")) {
        in.Take();
        AddUnique(blueprint_.entities[number], {column.name});
      } else if (in.next().Is("REFERENCES")) {
        TakeReferences(in, number, {column.name});
      } else if (in.Take({"CHECK"})) {
        TakeCheck(in, column);
      } else {
        in.SkipOne();
      }
    }
    auto& entity = blueprint_.entities[number];
    if (primary) entity.identity = {column.name};
    if (entity.Find(column.name) == nullptr) entity.attributes.push_back(std::move(column));
  }

  // ('a', 'b')
  static std::vector<std::string> TakeValues(Cursor& in) {
    std::vector<std::string> values;
    if (!in.Take({"("})) return values;
    while (!in.done() && !in.next().Is(")")) {
      const auto& token = in.Take();
      if (token.kind == Kind::kText) values.push_back(token.text);
    }
    in.Take({")"});
    return values;
  }

  // CHECK (state IN ('open', 'shut'))
  static void TakeCheck(Cursor& in, EntityAttribute& column) {
    const bool listed = in.next().Is("(") && in.next(1).names() && in.next(1).text == column.name &&
                        in.next(2).Is("IN");
    if (!listed) return;
    for (int i = 0; i < 3; ++i) in.Take();
    column.values = TakeValues(in);
    in.Take({")"});
  }

  void ReadEnum(Cursor& in) {
    const auto name = Lower(in.TakeName());
    if (in.Take({"AS", "ENUM"})) enums_[name] = TakeValues(in);
  }

  void ReadUniqueIndex(Cursor& in) {
    while (!in.done() && !in.next().Is("ON")) in.Take();
    in.Take();
    auto* entity = Find(in.TakeName());
    while (!in.done() && !in.next().Is("(")) in.Take();
    if (entity != nullptr) AddUnique(*entity, in.TakeNames());
  }

  void ReadAlter(Cursor& in) {
    in.Take({"IF", "EXISTS"});
    in.Take({"ONLY"});
    auto* entity = Find(in.TakeName());
    if (entity == nullptr || !in.Take({"ADD"})) return;
    ReadConstraint(in, static_cast<std::size_t>(entity - blueprint_.entities.data()));
  }

  EntityDraft* Find(std::string_view name) {
    const auto lower = Lower(name);
    const auto found = std::ranges::find_if(blueprint_.entities, [&](const EntityDraft& entity) {
      return Lower(entity.name) == lower;
    });
    return found == blueprint_.entities.end() ? nullptr : &*found;
  }

  // ---- references, once all tables are known ----

  void Refer(std::size_t number) {
    auto& entity = blueprint_.entities[number];
    for (auto& key : foreign_[number]) {
      const auto* target = Find(key.to);
      if (target == nullptr) {
        notes_.Lost(entity.name, fmt::format("It refers to {}, which is not created.", key.to));
        continue;
      }
      EntityReference reference{.by = {}, .to = target->name};
      if (key.columns.empty()) key.columns = target->identity;
      for (const auto& name : target->identity) {
        const auto place = std::ranges::find(key.columns, name) - key.columns.begin();
        if (place < std::ssize(key.by) && place < std::ssize(key.columns)) {
          reference.by.push_back(key.by[static_cast<std::size_t>(place)]);
        }
      }
      entity.references.push_back(std::move(reference));
    }
  }

  // ---- questions ----

  void ReadSelect(const SqlScript& script) {
    const auto& tokens = script.tokens;
    std::string table;
    std::size_t tables = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (!tokens[i].Is("FROM") && !tokens[i].Is("JOIN")) continue;
      if (++tables == 1) table = tokens[i + 1].text;
    }
    std::string sql;
    std::string column;  // the last name seen: what a parameter is compared with
    std::vector<std::string> where;
    std::set<std::string> parameters;
    const bool single = tables == 1;
    const auto alias_at = AliasAt(tokens);
    bool after_where = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto& token = tokens[i];
      after_where = after_where || token.Is("WHERE");
      if (single && i >= alias_at.first && i < alias_at.second) continue;
      const bool qualified = i + 1 < tokens.size() && tokens[i + 1].Is(".") && token.names();
      if (qualified && (single || IsSchema(tokens, i))) {
        ++i;
        continue;
      }
      std::string text = token.text;
      if (token.kind == Kind::kParameter) {
        auto name = text.empty() ? column : text;
        if (name.empty()) name = "value";
        const auto stem = name;
        for (int n = 2; text.empty() && !parameters.insert(name).second; ++n) {
          name = fmt::format("{}{}", stem, n);
        }
        if (after_where && !column.empty()) where.push_back(column);
        text = ":" + name;
      } else if (token.kind == Kind::kText) {
        std::string quoted = "'";
        for (const char c : token.text) quoted.append(c == '\'' ? 2 : 1, c);
        text = quoted + "'";
      } else if (token.names()) {
        const auto* entity = Find(token.text);
        if (entity != nullptr) text = entity->name;
        if (IsColumn(token.text)) column = token.text;
      }
      const bool tight = sql.empty() || sql.ends_with('(') || sql.ends_with('.') || text == ")" ||
                         text == "," || text == "." || (text == "(" && IsFunction(tokens[i - 1]));
      sql += (tight ? "" : " ") + text;
    }
    blueprint_.questions.push_back(
        {.name = script.name.empty() ? QuestionName(table, where) : script.name,
         .sql = std::move(sql)});
  }

  // FROM orders [AS] o: where the alias stands, one or two tokens.
  static std::pair<std::size_t, std::size_t> AliasAt(const std::vector<SchemaToken>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].Is("FROM")) continue;
      std::size_t at = i + 2;
      while (at + 1 < tokens.size() && tokens[at].Is(".")) at += 2;
      if (at + 1 < tokens.size() && tokens[at].Is("AS")) return {at, at + 2};
      const bool word = at < tokens.size() && tokens[at].names() && !tokens[at].Is("WHERE") &&
                        !tokens[at].Is("ORDER") && !tokens[at].Is("LIMIT") &&
                        !tokens[at].Is("GROUP") && !tokens[at].Is("FOR");
      if (!word) return {tokens.size(), tokens.size()};
      return {at, at + 1};
    }
    return {tokens.size(), tokens.size()};
  }

  // `public.` in front of a table.
  bool IsSchema(const std::vector<SchemaToken>& tokens, std::size_t at) {
    return at + 2 < tokens.size() && Find(tokens[at + 2].text) != nullptr &&
           Find(tokens[at].text) == nullptr;
  }

  static bool IsFunction(const SchemaToken& token) {
    return token.Is("COUNT") || token.Is("SUM") || token.Is("MIN") || token.Is("MAX") ||
           token.Is("date") || token.Is("month") || token.Is("hour");
  }

  bool IsColumn(std::string_view name) {
    return std::ranges::any_of(blueprint_.entities, [&](const EntityDraft& entity) {
      return entity.Find(name) != nullptr;
    });
  }

  static std::string QuestionName(std::string_view table, const std::vector<std::string>& where) {
    if (where.empty()) return fmt::format("{}-all", table);
    return fmt::format("{}-by-{}", table, fmt::join(where, "-"));
  }

  Notes& notes_;
  Blueprint blueprint_;
  std::vector<std::vector<ForeignKey>> foreign_;  // of each entity
  std::map<std::string, std::vector<std::string>, std::less<>> enums_;
};

}  // namespace

bool LooksLikeSqlSchema(std::string_view text) {
  const auto scripts = SplitSql(text.substr(0, 64 * 1024));
  return std::ranges::any_of(scripts, [](const SqlScript& script) {
    const auto& tokens = script.tokens;
    const bool create = tokens.size() > 2 && tokens[0].Is("CREATE");
    return create && std::any_of(tokens.begin() + 1, tokens.begin() + 3,
                                 [](const SchemaToken& token) { return token.Is("TABLE"); });
  });
}

Expected<Blueprint, std::string> ReadSqlSchema(std::string_view text, Notes& notes) {
  return SchemaReader(notes).Read(text);
}

}  // namespace kw::modeller
