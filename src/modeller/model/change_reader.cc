// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "modeller/model/model_reader.h"

namespace kw::modeller {
namespace {

constexpr std::string_view kChangeForm = "{rate: 2/s, sql: [\"INSERT INTO Player\"]}";

}  // namespace

void ModelReader::ReadChange(const YamlMember& member) {
  const YamlNode& node = member.value;
  const bool named = ReadName(member.key, "A change's name", true);
  if (!reader_.ExpectFields(node, member.key.text, kChangeForm, {"sql", "rate", "peak"}) ||
      !named) {
    return;
  }
  Change change;
  change.name = member.key.text;
  change.at = member.key.at;
  ReadRates(node, change);
  const YamlMember* sql = node.Find("sql");
  if (sql == nullptr) {
    reader_.Report(member.key.at, "A change says what it writes.",
                   fmt::format("Write {}.", kChangeForm));
    return;
  }
  for (const YamlNode* statement : reader_.Texts(sql->value, "sql", kChangeForm)) {
    ReadStatement(*statement, change);
  }
  model_.changes_.push_back(std::move(change));
}

void ModelReader::ReadStatement(const YamlNode& sql, Change& change) {
  auto parsed = ParseStatement(sql.text);
  if (!parsed) {
    SqlFault& fault = parsed.error();
    reader_.ReportIn(sql, fault.at, std::move(fault.message), std::move(fault.suggestion));
    return;
  }
  const auto id = FindEntity(sql, parsed->entity);
  if (!id || drafts_[*id].broken) return;
  Statement statement;
  statement.kind = parsed->kind;
  statement.entity = *id;
  statement.times = parsed->times;
  statement.sql = sql.text;
  ReadSets(sql, *parsed, statement);
  switch (parsed->kind) {
    case StatementKind::kUpdate:
    case StatementKind::kDelete: ReadRow(sql, *parsed, statement); break;
    case StatementKind::kInsert:
    case StatementKind::kUpsert: break;
  }
  // An upsert of a whole row may change all of it but its identity.
  Entity& entity = model_.entities_[*id];
  if (statement.kind == StatementKind::kUpsert && statement.sets.empty()) {
    for (std::size_t i = entity.identity.size(); i < entity.attributes.size(); ++i) {
      entity.attributes[i].is_mutable = true;
    }
  }
  for (const Assignment& set : statement.sets) entity.attributes[set.attribute].is_mutable = true;
  change.statements.push_back(std::move(statement));
}

void ModelReader::ReadSets(const YamlNode& sql, const SqlStatement& parsed, Statement& statement) {
  const Entity& entity = model_.entities_[statement.entity];
  for (const SqlAssignment& set : parsed.sets) {
    const auto id = FindAttribute(sql, set.attribute, statement.entity);
    if (!id) continue;
    const Attribute& attribute = entity.attributes[*id];
    if (*id < entity.identity.size()) {
      reader_.ReportIn(
          sql, set.attribute.at,
          fmt::format("{} is part of the identity, which never changes.", attribute.name),
          fmt::format("Delete the row and insert another: DELETE FROM {0} WHERE …, "
                      "INSERT INTO {0}.",
                      entity.name));
      continue;
    }
    const bool twice =
        std::any_of(statement.sets.begin(), statement.sets.end(),
                    [&](const Assignment& assignment) { return assignment.attribute == *id; });
    if (twice) {
      reader_.ReportIn(sql, set.attribute.at, fmt::format("'{}' is set twice.", attribute.name),
                       "Keep one of the two.");
      continue;
    }
    const auto* literal = std::get_if<SqlLiteral>(&set.value.value);
    if (literal != nullptr && literal->kind == SqlLiteral::Kind::kNull) {
      if (attribute.present.value() == 1'000'000) {
        reader_.ReportIn(sql, set.value.at,
                         fmt::format("{} is in every row: it cannot be NULL.", attribute.name),
                         fmt::format("Add optional: 0.5 to {}, or set a value.", attribute.name));
        continue;
      }
      statement.sets.push_back({.attribute = *id, .value = Value()});
      continue;
    }
    auto value = ReadOperand(sql, set.value, attribute, Bucket::kNone);
    if (!value) continue;
    if (const auto* plain = std::get_if<Value>(&*value)) {
      if (auto why = WhyNotOf(attribute, *plain)) {
        reader_.ReportIn(sql, set.value.at, std::move(*why), SuggestValue(attribute, *plain));
        continue;
      }
    }
    statement.sets.push_back({.attribute = *id, .value = std::move(*value)});
  }
}

// The row that WHERE names: every attribute of the identity once, and no other.
void ModelReader::ReadRow(const YamlNode& sql, const SqlStatement& parsed, Statement& statement) {
  const Entity& entity = model_.entities_[statement.entity];
  std::vector<std::optional<Operand>> row(entity.identity.size());
  for (const SqlTerm& term : parsed.terms) {
    const auto id = FindColumn(sql, term.column, statement.entity);
    if (!id) return;
    if (*id >= row.size() || row[*id]) {
      reader_.ReportIn(sql, term.at,
                       *id < row.size()
                           ? fmt::format("'{}' stands here twice.", entity.attributes[*id].name)
                           : fmt::format("{} is no part of the identity of {}.",
                                         entity.attributes[*id].name, entity.name),
                       "A change names one row, by its whole identity.");
      return;
    }
    row[*id] = ReadOperand(sql, term.value, entity.attributes[*id], Bucket::kNone);
    if (!row[*id]) return;
  }
  std::string missing;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i]) {
      statement.identity.push_back(std::move(*row[i]));
    } else {
      missing += fmt::format(" AND {0} = :{0}", entity.attributes[i].name);
    }
  }
  if (!missing.empty()) {
    reader_.ReportIn(sql, parsed.terms.back().at,
                     fmt::format("WHERE does not name one row of {}.", entity.name),
                     fmt::format("Add{}.", missing));
  }
}

}  // namespace kw::modeller
