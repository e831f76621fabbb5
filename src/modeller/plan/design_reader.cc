// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "modeller/plan/design_source.h"

namespace kw::modeller {

namespace {

class DesignReader {
 public:
  DesignReader(const YamlDocument& document, const Model& model)
      : source_{.model = model, .reader = YamlReader(document)} {}

  Parsed<Design> Read(const YamlNode& root) {
    if (source_.reader.ExpectFields(
            root, "A design", "design: a name, and tables:", {"design", "tables", "answers"})) {
      if (const auto* name = source_.Member(root, "design")) design_.name = source_.Text(*name);
      if (const auto* tables = source_.Member(root, "tables")) ReadTables(*tables);
      if (const auto* answers = root.Find("answers")) ReadAnswers(answers->value);
    }
    if (source_.reader.fault_count() > 0) return Unexpected(source_.reader.TakeFaults());
    return std::move(design_);
  }

 private:
  // ---- tables ----

  void ReadTables(const YamlNode& node) {
    if (!source_.reader.ExpectMapping(node, "Tables", "tables: {Name: {key: …, entities: …}}"))
      return;
    for (const auto& member : node.members) {
      DesignTable table{
          .name = member.key.text, .key = {}, .indexes = {}, .entities = {}, .at = member.key.at};
      if (source_.reader.ExpectMapping(member.value, "A table", "{key: …, entities: …}"))
        ReadTable(member.value, table);
      design_.tables.push_back(std::move(table));
    }
  }

  void ReadTable(const YamlNode& node, DesignTable& table) {
    source_.reader.ExpectFields(node, "A table", "{key: …, entities: …}",
                                {"key", "indexes", "entities"});
    // Entities first: a native key takes its type from them.
    const auto* entities = source_.Member(node, "entities");
    natives_.clear();
    if (entities != nullptr &&
        source_.reader.ExpectMapping(*entities, "Entities", "entities: {Name: {pk: …}}")) {
      for (const auto& member : entities->members) {
        if (const auto found = source_.EntityOf(member.key)) natives_.push_back(*found);
      }
    }
    if (const auto* key = source_.Member(node, "key")) table.key = ReadKey(*key, {});
    if (const auto* indexes = node.Find("indexes")) ReadIndexes(indexes->value, table);
    if (entities == nullptr) return;
    for (const auto& member : entities->members) {
      if (const auto found = source_.model.FindEntity(member.key.text)) {
        table.entities.push_back(ReadLayout(source_, *found, member, table));
      }
    }
  }

  void ReadIndexes(const YamlNode& node, DesignTable& table) {
    if (node.is_null()) return;
    if (!source_.reader.ExpectMapping(node, "Indexes",
                                      "indexes: {name: {partition: …, sort: …, project: …}}"))
      return;
    for (const auto& member : node.members) {
      DesignIndex index{.name = member.key.text,
                        .scope = IndexScope::kGlobal,
                        .key = {},
                        .projected = ProjectAll{},
                        .at = member.key.at};
      const auto& value = member.value;
      if (!source_.reader.ExpectMapping(value, "An index", "{partition: …, sort: …, project: …}"))
        continue;
      index.key = ReadKey(value, {"project", "local"});
      if (const auto* local = value.Find("local")) {
        const auto said = local->value.boolean();
        if (!said) source_.Fail(local->value.at, "`local` is true or false.");
        if (said.value_or(false)) index.scope = IndexScope::kLocal;
      }
      if (const auto* project = value.Find("project")) {
        index.projected = ReadProjection(project->value);
      }
      table.indexes.push_back(std::move(index));
    }
  }

  Projected ReadProjection(const YamlNode& node) {
    if (node.kind == YamlKind::kSequence) {
      ProjectInclude include;
      for (const auto& item : node.items) include.attributes.push_back(source_.Text(item));
      if (include.attributes.empty()) return ProjectKeys{};
      return include;
    }
    if (node.text == "keys") return ProjectKeys{};
    if (node.text != "all")
      source_.Fail(node.at, "A projection is all, keys, or a list of attributes.");
    return ProjectAll{};
  }

  DesignKey ReadKey(const YamlNode& node, std::initializer_list<std::string_view> others) {
    DesignKey key;
    if (!source_.reader.ExpectMapping(node, "A key", "key: {partition: pk, sort: sk}")) return key;
    for (const auto& member : node.members) {
      if (member.key.text == "partition") {
        key.partition = ReadParts(member.value);
      } else if (member.key.text == "sort") {
        key.sort = ReadParts(member.value);
      } else if (std::ranges::find(others, member.key.text) == others.end()) {
        source_.Fail(member.key.at, fmt::format("`{}` is not known in a key.", member.key.text),
                     "Known are: partition, sort; shards stand beside the text of a partition.");
      }
    }
    if (key.partition.empty()) {
      source_.Fail(node.at, "A key needs its partition.", "Write {partition: pk}");
    }
    return key;
  }

  std::vector<KeyPart> ReadParts(const YamlNode& node) {
    std::vector<KeyPart> parts;
    if (node.kind != YamlKind::kSequence) {
      if (auto part = ReadPart(node, false)) parts.push_back(std::move(*part));
      return parts;
    }
    for (const auto& item : node.items) {
      if (auto part = ReadPart(item, true)) parts.push_back(std::move(*part));
    }
    return parts;
  }

  // `pk`, `deviceId number`, `{attribute: season}`; in a list a plain name is an attribute, and
  // `{text: pk}` is not.
  std::optional<KeyPart> ReadPart(const YamlNode& node, bool in_list) {
    if (node.kind == YamlKind::kMapping && node.members.size() == 1) {
      const auto& member = node.members.front();
      if (member.key.text == "attribute") return NativePart(member.value);
      if (member.key.text == "text") return TextPart(member.value);
    }
    if (node.kind != YamlKind::kScalar) {
      source_.Fail(node.at, "A key's part is a name.",
                   "Write pk, pk number, or {attribute: season}");
      return std::nullopt;
    }
    return in_list ? NativePart(node) : TextPart(node);
  }

  std::optional<KeyPart> TextPart(const YamlNode& node) {
    const auto text = source_.Text(node);
    const auto space = std::min(text.find(' '), text.size());
    KeyPart part{.name = text.substr(0, space)};
    const auto type = space < text.size() ? text.substr(space + 1) : "string";
    if (type == "number") {
      part.type = KeyType::kNumber;
    } else if (type == "binary") {
      part.type = KeyType::kBinary;
    } else if (type != "string") {
      source_.Fail(node.at, fmt::format("`{}` is no type of a key.", type),
                   "Types are: string, number, binary.");
    }
    if (part.name.empty()) return std::nullopt;
    return part;
  }

  std::optional<KeyPart> NativePart(const YamlNode& node) {
    const auto name = source_.Text(node);
    KeyPart part{.name = name, .native = true};
    bool found = false;
    for (const auto id : natives_) {
      const auto& entity = source_.model.entity(id);
      const auto attribute = entity.Find(name);
      if (!attribute) continue;
      const auto type = KeyTypeOf(entity.attributes[*attribute]);
      if (!type) {
        source_.Fail(node.at,
                     fmt::format("`{}` of {} is of a type that no key has.", name, entity.name),
                     "Keys are text, numbers, times or binaries.");
      } else if (found && *type != part.type) {
        source_.Fail(node.at,
                     fmt::format("`{}` of {} has another type than elsewhere in the table.", name,
                                 entity.name));
      } else {
        part.type = *type;
      }
      found = true;
    }
    if (!found) {
      source_.Fail(node.at, fmt::format("No entity of this table has an attribute `{}`.", name));
      return std::nullopt;
    }
    return part;
  }

  // ---- answers ----

  void ReadAnswers(const YamlNode& node) {
    if (node.is_null()) return;
    if (!source_.reader.ExpectMapping(node, "Answers",
                                      "answers: {question: {query: Table, where: \"pk = …\"}}"))
      return;
    for (const auto& member : node.members) {
      if (!source_.reader.ExpectMapping(member.value, "An answer",
                                        "{query: Table, where: \"pk = …\"}"))
        continue;
      source_.reader.ExpectFields(member.value, "An answer", "{query: Table, where: …}",
                                  {"get", "query", "scan", "index", "where", "order", "limit"});
      WrittenAnswer answer;
      answer.question = member.key.text;
      answer.at = member.key.at;
      if (std::ranges::find(source_.model.questions(), answer.question, &Question::name) ==
          source_.model.questions().end()) {
        source_.Fail(answer.at, fmt::format("The model has no question `{}`.", answer.question));
      }
      ReadAnswer(member.value, answer);
      design_.answers.push_back(std::move(answer));
    }
  }

  void ReadAnswer(const YamlNode& node, WrittenAnswer& answer) {
    using Kind = WrittenAnswer::Kind;
    int kinds = 0;
    for (const auto& [word, kind] : {std::pair("get", Kind::kGet), std::pair("query", Kind::kQuery),
                                     std::pair("scan", Kind::kScan)}) {
      const auto* member = node.Find(word);
      if (member == nullptr) continue;
      ++kinds;
      answer.kind = kind;
      answer.table = source_.Text(member->value);
      if (design_.FindTable(answer.table) == nullptr) {
        source_.Fail(member->value.at, fmt::format("The design has no table `{}`.", answer.table));
      }
    }
    if (kinds != 1)
      source_.Fail(node.at, "An answer is one of get, query, scan.", "Write query: Table");
    if (const auto* index = node.Find("index")) answer.index = source_.Text(index->value);
    if (const auto* where = node.Find("where")) answer.where = source_.Text(where->value);
    if (const auto* limit = node.Find("limit"))
      answer.limit = source_.reader.WholeNumber(limit->value, "A limit", 1,
                                                std::numeric_limits<std::int32_t>::max());
    if (const auto* order = node.Find("order")) {
      const auto word = source_.Text(order->value);
      if (word != "ascending" && word != "descending") {
        source_.Fail(order->value.at, "An order is ascending or descending.");
      }
      answer.descending = word == "descending";
    }
  }

  DesignSource source_;
  Design design_;
  std::vector<EntityId> natives_;  // entities of the table being read
};

}  // namespace

Parsed<Design> Design::Parse(std::string_view yaml, const Model& model) {
  TRY_ASSIGN(const auto document, YamlDocument::Parse(yaml));
  return DesignReader(document, model).Read(document.root());
}

const DesignTable* Design::FindTable(std::string_view table) const {
  const auto found = std::ranges::find(tables, table, &DesignTable::name);
  return found != tables.end() ? &*found : nullptr;
}

std::optional<KeyType> KeyTypeOf(const Attribute& attribute) {
  switch (attribute.type) {
    case FieldType::kString:
    case FieldType::kTimestamp:
    case FieldType::kDate: return KeyType::kString;
    case FieldType::kInteger:
    case FieldType::kDecimal: return KeyType::kNumber;
    case FieldType::kBinary: return KeyType::kBinary;
    case FieldType::kBoolean:
    case FieldType::kList:
    case FieldType::kMap: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace kw::modeller
