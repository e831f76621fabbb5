// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "modeller/model/model_reader.h"

namespace kw::modeller {
namespace {

constexpr std::string_view kQuestionForm = "{sql: \"SELECT …\", rate: 50/s}";

std::string ParameterList(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("{}{} = :{}", text.empty() ? "" : " AND ", name, name);
  }
  return text;
}

// The half of a range that `other` lacks, if one has a lower and the other an upper bound.
bool Merge(Between& into, Between other) {
  if ((into.lower && other.lower) || (into.upper && other.upper)) return false;
  if (other.lower) into.lower = std::move(other.lower);
  if (other.upper) into.upper = std::move(other.upper);
  return true;
}

}  // namespace

void ModelReader::ReadQuestion(const YamlMember& member) {
  const YamlNode& node = member.value;
  const bool named = ReadName(member.key, "A question's name", true);
  if (!reader_.ExpectFields(node, member.key.text, kQuestionForm,
                            {"sql", "collection", "by", "rate", "peak", "consistency", "answer"}) ||
      !named) {
    return;
  }
  Question question;
  question.name = member.key.text;
  question.at = member.key.at;
  ReadRates(node, question);
  if (const YamlMember* consistency = node.Find("consistency")) {
    if (consistency->value.text == "strong") {
      question.consistency = Consistency::kStrong;
    } else if (consistency->value.text != "eventual") {
      reader_.Report(consistency->value.at, "consistency is strong or eventual.",
                     "Write consistency: strong where a stale read will not do.");
    }
  }
  if (const YamlMember* answer = node.Find("answer")) {
    if (answer->value.text == "scan") {
      question.answer = AnswerBy::kScan;
    } else if (answer->value.text != "key") {
      reader_.Report(answer->value.at, "answer is key or scan.",
                     "Write answer: scan where reading the whole table is good enough.");
    }
  }
  const YamlMember* sql = node.Find("sql");
  const YamlMember* collection = node.Find("collection");
  const YamlMember* by = node.Find("by");
  if ((sql != nullptr) == (collection != nullptr)) {
    reader_.Report(member.key.at, "A question is one SELECT or one collection.",
                   "Write sql: \"SELECT …\", or collection: [Player, Match], by: playerId.");
    return;
  }
  const std::size_t before = reader_.fault_count();
  if (sql != nullptr) {
    if (by != nullptr) {
      reader_.Report(by->key.at, "by belongs to a collection.", "Leave it out.");
    }
    if (reader_.ExpectText(sql->value, "sql", "sql: \"SELECT …\"")) ReadSql(sql->value, question);
  } else {
    ReadCollection(collection->value, by == nullptr ? nullptr : &by->value, question);
  }
  if (reader_.fault_count() == before) model_.questions_.push_back(std::move(question));
}

void ModelReader::ReadCollection(const YamlNode& entities, const YamlNode* by, Question& question) {
  constexpr std::string_view kForm = "collection: [Player, Match], by: playerId";
  Collection collection;
  if (by == nullptr) {
    reader_.Report(entities.at, "A collection says which attribute its entities share.",
                   fmt::format("Write {}.", kForm));
    return;
  }
  const auto names = reader_.Texts(*by, "by", kForm);
  for (const YamlNode* name : names) collection.by.push_back(name->text);
  const auto nodes = reader_.Texts(entities, "collection", kForm);
  if (nodes.size() == 1) {
    reader_.Report(entities.at, "A collection has two entities or more.",
                   fmt::format("Write sql: \"SELECT * FROM {} WHERE {}\".", nodes.front()->text,
                               ParameterList(collection.by)));
  }
  for (const YamlNode* node : nodes) {
    const auto id = ReadEntityName(*node);
    if (!id || drafts_[*id].broken) continue;
    const bool twice = std::any_of(collection.members.begin(), collection.members.end(),
                                   [&](const auto& member) { return member.entity == *id; });
    if (twice) {
      reader_.Report(node->at, fmt::format("{} stands in the collection twice.", node->text),
                     "Keep one of the two.");
      continue;
    }
    Collection::Member member{.entity = *id, .by = {}};
    for (const YamlNode* name : names) {
      const auto attribute = model_.entities_[*id].Find(name->text);
      if (!attribute) {
        reader_.Report(node->at, fmt::format("{} has no attribute '{}'.", node->text, name->text),
                       "A collection's entities share the attributes that by names.");
        break;
      }
      member.by.push_back(*attribute);
      if (collection.members.empty()) continue;
      const Collection::Member& first = collection.members.front();
      const Attribute& other =
          model_.entities_[first.entity].attributes[first.by[member.by.size() - 1]];
      const Attribute& own = model_.entities_[*id].attributes[*attribute];
      if (own.type != other.type) {
        reader_.Report(node->at,
                       fmt::format("{} of {} is {}, and of {} {}.", name->text, node->text,
                                   TypePhrase(own.type), model_.entities_[first.entity].name,
                                   TypePhrase(other.type)),
                       "Give both the same type.");
      }
    }
    if (member.by.size() == names.size()) collection.members.push_back(std::move(member));
  }
  question.asks = std::move(collection);
}

void ModelReader::ReadSql(const YamlNode& sql, Question& question) {
  question.sql = sql.text;
  auto parsed = ParseSelect(sql.text);
  if (!parsed) {
    SqlFault& fault = parsed.error();
    reader_.ReportIn(sql, fault.at, std::move(fault.message), std::move(fault.suggestion));
    return;
  }
  const auto id = FindEntity(sql, parsed->entity);
  if (!id || drafts_[*id].broken) return;
  if (parsed->joins.empty()) {
    ReadSelect(sql, *parsed, question);
  } else {
    ReadJoin(sql, *parsed, *id, question);
  }
}

void ModelReader::ReadSelect(const YamlNode& sql, const SqlSelect& parsed, Question& question) {
  Select select;
  select.entity = *Find(parsed.entity.text);
  select.columns = ReadColumns(sql, parsed, select.entity);
  // Equalities first: a range may be refused for one that follows it.
  for (const bool equal : {true, false}) {
    for (const SqlTerm& term : parsed.terms) {
      if ((term.comparison == SqlComparison::kEqual) == equal) ReadTerm(sql, term, select);
    }
  }
  ReadOrder(sql, parsed, select);
  select.limit = parsed.limit;
  if (parsed.limit && std::holds_alternative<Aggregate>(select.columns)) {
    reader_.ReportIn(sql, parsed.limit_at, "An aggregate is one row.", "Leave LIMIT out.");
  }
  question.asks = std::move(select);
}

Columns ModelReader::ReadColumns(const YamlNode& sql, const SqlSelect& parsed, EntityId id) {
  if (const auto* aggregate = std::get_if<SqlAggregate>(&parsed.columns)) {
    if (auto read = ReadAggregate(sql, *aggregate, id)) return *std::move(read);
  } else if (const auto* named = std::get_if<std::vector<SqlColumn>>(&parsed.columns)) {
    std::vector<AttributeId> columns;
    for (const SqlColumn& column : *named) {
      const auto attribute = FindColumn(sql, column, id);
      if (!attribute) continue;
      if (std::find(columns.begin(), columns.end(), *attribute) != columns.end()) {
        reader_.ReportIn(sql, column.name.at,
                         fmt::format("'{}' is returned twice.", column.name.text),
                         "Keep one of the two.");
      }
      columns.push_back(*attribute);
    }
    return columns;
  }
  return AllColumns{};
}

std::optional<Aggregate> ModelReader::ReadAggregate(const YamlNode& sql, const SqlAggregate& parsed,
                                                    EntityId id) {
  Aggregate aggregate{.kind = parsed.kind, .attribute = std::nullopt};
  if (!parsed.column) return aggregate;
  aggregate.attribute = FindColumn(sql, *parsed.column, id);
  if (!aggregate.attribute) return std::nullopt;
  const Attribute& attribute = model_.entities_[id].attributes[*aggregate.attribute];
  switch (parsed.kind) {
    case AggregateKind::kCount: return aggregate;
    case AggregateKind::kSum:
      if (attribute.type == FieldType::kInteger || attribute.type == FieldType::kDecimal) {
        return aggregate;
      }
      break;
    case AggregateKind::kMin:
    case AggregateKind::kMax:
      if (IsKeyable(attribute.type)) return aggregate;
      break;
  }
  reader_.ReportIn(sql, parsed.column->name.at,
                   fmt::format("A {} has no such aggregate.", TypeName(attribute.type)),
                   "SUM is of numbers; MIN and MAX are of what a key can hold.");
  return std::nullopt;
}

void ModelReader::ReadTerm(const YamlNode& sql, const SqlTerm& term, Select& select) {
  const auto id = FindColumn(sql, term.column, select.entity);
  if (!id) return;
  const Attribute& attribute = model_.entities_[select.entity].attributes[*id];
  if (term.bucket != Bucket::kNone && attribute.type != FieldType::kTimestamp) {
    reader_.ReportIn(sql, term.at,
                     fmt::format("{} is {}: date(), month() and hour() are of a timestamp.",
                                 attribute.name, TypePhrase(attribute.type)),
                     fmt::format("Write {} itself.", attribute.name));
    return;
  }
  if (attribute.type == FieldType::kList || attribute.type == FieldType::kMap) {
    reader_.ReportIn(
        sql, term.at,
        fmt::format("{} is {}, which no key can hold.", attribute.name, TypePhrase(attribute.type)),
        "Make an entity of its parts, and ask for those.");
    return;
  }
  const bool fixed = std::any_of(
      select.equalities.begin(), select.equalities.end(), [&](const Equality& equality) {
        return equality.attribute == *id && equality.bucket == term.bucket;
      });
  if (fixed) {
    reader_.ReportIn(sql, term.at, fmt::format("{} is already fixed by =.", attribute.name),
                     "Leave one of the two conditions out.");
  } else if (term.comparison == SqlComparison::kEqual) {
    ReadEquality(sql, term, *id, select);
  } else {
    ReadRange(sql, term, *id, select);
  }
}

void ModelReader::ReadEquality(const YamlNode& sql, const SqlTerm& term, AttributeId id,
                               Select& select) {
  const Attribute& attribute = model_.entities_[select.entity].attributes[id];
  auto value = ReadOperand(sql, term.value, attribute, term.bucket);
  if (!value) return;
  if (const auto* literal = std::get_if<Value>(&*value);
      literal != nullptr && term.bucket == Bucket::kNone) {
    if (auto why = WhyNotOf(attribute, *literal)) {
      reader_.ReportIn(sql, term.value.at, std::move(*why), SuggestValue(attribute, *literal));
      return;
    }
  }
  select.equalities.push_back({.attribute = id, .bucket = term.bucket, .value = std::move(*value)});
}

void ModelReader::ReadRange(const YamlNode& sql, const SqlTerm& term, AttributeId id,
                            Select& select) {
  const Attribute& attribute = model_.entities_[select.entity].attributes[id];
  const bool prefix = term.comparison == SqlComparison::kPrefix;
  if (prefix && (attribute.type != FieldType::kString || term.bucket != Bucket::kNone)) {
    reader_.ReportIn(sql, term.at, "LIKE is of a string.", "Write BETWEEN :from AND :to.");
    return;
  }
  if (!IsKeyable(attribute.type)) {
    reader_.ReportIn(sql, term.at, "A boolean has no range.",
                     fmt::format("Write {} = true.", attribute.name));
    return;
  }
  Range range{.attribute = id, .bucket = term.bucket, .bounds = Between{}};
  if (prefix) {
    auto text = ReadOperand(sql, term.value, attribute, Bucket::kNone);
    if (!text) return;
    range.bounds = Prefix{std::move(*text)};
  } else if (!Bounds(sql, term, attribute, std::get<Between>(range.bounds))) {
    return;
  }
  if (!select.range) {
    select.range = std::move(range);
    return;
  }
  auto* first = std::get_if<Between>(&select.range->bounds);
  auto* second = std::get_if<Between>(&range.bounds);
  const bool same = select.range->attribute == id && select.range->bucket == term.bucket;
  if (same && first != nullptr && second != nullptr && Merge(*first, std::move(*second))) return;
  const std::string& other =
      model_.entities_[select.entity].attributes[select.range->attribute].name;
  reader_.ReportIn(
      sql, term.at, "A key answers one range, behind its equalities; this is a second one.",
      same
          ? "Say the range once: BETWEEN :from AND :to."
          : fmt::format("Keep the range on {0} and make {1} an equality, or keep the range on {1}.",
                        other, attribute.name));
}

bool ModelReader::Bounds(const YamlNode& sql, const SqlTerm& term, const Attribute& attribute,
                         Between& between) {
  auto value = ReadOperand(sql, term.value, attribute, term.bucket);
  if (!value) return false;
  switch (term.comparison) {
    case SqlComparison::kLess: between.upper = Bound{std::move(*value), false}; break;
    case SqlComparison::kAtMost: between.upper = Bound{std::move(*value), true}; break;
    case SqlComparison::kMore: between.lower = Bound{std::move(*value), false}; break;
    case SqlComparison::kAtLeast: between.lower = Bound{std::move(*value), true}; break;
    case SqlComparison::kBetween: {
      auto upper = ReadOperand(sql, *term.upper, attribute, term.bucket);
      if (!upper) return false;
      between.lower = Bound{std::move(*value), true};
      between.upper = Bound{std::move(*upper), true};
      break;
    }
    case SqlComparison::kEqual:
    case SqlComparison::kPrefix: return false;
  }
  return true;
}

void ModelReader::ReadOrder(const YamlNode& sql, const SqlSelect& parsed, Select& select) {
  const Entity& entity = model_.entities_[select.entity];
  for (const SqlOrder& order : parsed.order) {
    const std::size_t at = order.column.name.at;
    if (std::holds_alternative<Aggregate>(select.columns)) {
      reader_.ReportIn(sql, at, "An aggregate is one row.", "Leave ORDER BY out.");
      return;
    }
    const auto id = FindColumn(sql, order.column, select.entity);
    if (!id) continue;
    const FieldType type = entity.attributes[*id].type;
    const bool twice = std::any_of(select.order.begin(), select.order.end(),
                                   [&](const Order& other) { return other.attribute == *id; });
    if (twice) {
      reader_.ReportIn(sql, at, fmt::format("'{}' orders twice.", order.column.name.text),
                       "Keep one of the two.");
    } else if (type == FieldType::kList || type == FieldType::kMap) {
      reader_.ReportIn(sql, at, fmt::format("A {} has no order.", TypeName(type)),
                       "Order by an attribute that a key can hold.");
    } else {
      select.order.push_back({.attribute = *id, .descending = order.descending});
    }
  }
}

// SELECT … LEFT JOIN … USING (…): the parent with its children, each row once.
void ModelReader::ReadJoin(const YamlNode& sql, const SqlSelect& parsed, EntityId id,
                           Question& question) {
  if (!std::holds_alternative<AllColumns>(parsed.columns)) {
    reader_.ReportIn(sql, parsed.columns_at, "A collection returns whole rows, each once.",
                     "Write SELECT *.");
  }
  if (!parsed.order.empty()) {
    reader_.ReportIn(sql, parsed.order.front().column.name.at,
                     "A collection comes in the order of its keys.",
                     "Leave ORDER BY out, or ask for one entity.");
  }
  if (parsed.limit) {
    reader_.ReportIn(sql, parsed.limit_at, "A collection is all of its rows.",
                     "Leave LIMIT out, or ask for one entity.");
  }
  Collection collection;
  Collection::Member parent{.entity = id, .by = {}};
  for (const SqlName& column : parsed.joins.front().columns) {
    const auto attribute = FindAttribute(sql, column, id);
    if (!attribute) return;
    parent.by.push_back(*attribute);
    collection.by.push_back(column.text);
  }
  collection.members.push_back(std::move(parent));
  for (const SqlJoin& join : parsed.joins) {
    const auto child = FindEntity(sql, join.entity);
    if (!child || drafts_[*child].broken) continue;
    Collection::Member member{.entity = *child, .by = {}};
    for (const SqlName& column : join.columns) {
      if (const auto attribute = FindAttribute(sql, column, *child))
        member.by.push_back(*attribute);
    }
    if (member.by.size() != join.columns.size()) continue;
    const Entity& entity = model_.entities_[*child];
    const bool refers = std::any_of(entity.references.begin(), entity.references.end(),
                                    [&](const Reference& reference) {
                                      return reference.to == id && reference.by == member.by;
                                    });
    const bool shared = join.columns.size() == collection.by.size() &&
                        std::equal(collection.by.begin(), collection.by.end(), join.columns.begin(),
                                   [](const std::string& name, const SqlName& other) {
                                     return name == other.text;
                                   });
    if (!refers || !shared) {
      reader_.ReportIn(sql, join.entity.at,
                       refers ? "All joins of a collection go by the same attributes."
                              : fmt::format("{} does not refer to {} by these attributes.",
                                            entity.name, model_.entities_[id].name),
                       refers
                           ? "Ask one question for each."
                           : "Add the reference to the entity, or write collection: […], by: ….");
      continue;
    }
    collection.members.push_back(std::move(member));
  }
  if (ReadJoinFilter(sql, parsed, collection)) question.asks = std::move(collection);
}

bool ModelReader::ReadJoinFilter(const YamlNode& sql, const SqlSelect& parsed,
                                 const Collection& collection) {
  std::size_t fixed = 0;
  for (const SqlTerm& term : parsed.terms) {
    const std::string& name = term.column.name.text;
    const bool shared =
        std::find(collection.by.begin(), collection.by.end(), name) != collection.by.end();
    if (!shared) {
      reader_.ReportIn(sql, term.at, "A filter in a collection would be read and thrown away.",
                       fmt::format("Ask a question of the one entity that has {}.", name));
      return false;
    }
    const auto* parameter = std::get_if<Parameter>(&term.value.value);
    if (term.comparison != SqlComparison::kEqual || term.bucket != Bucket::kNone ||
        parameter == nullptr || parameter->name != name) {
      reader_.ReportIn(sql, term.at, "A collection is named by the attributes it shares.",
                       fmt::format("Write {} = :{}.", name, name));
      return false;
    }
    ++fixed;
  }
  if (fixed != collection.by.size()) {
    reader_.ReportIn(sql, parsed.entity.at, "A collection is that of one parent.",
                     fmt::format("Add WHERE {}.", ParameterList(collection.by)));
    return false;
  }
  return true;
}

}  // namespace kw::modeller
