// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/electrodb.h"

#include <fmt/format.h>

#include <algorithm>

#include "modeller/interop/document.h"
#include "modeller/interop/table_form.h"

namespace kw::modeller {
namespace {

// ---- reading ----

FieldType TypeOf(std::string_view type) {
  if (type == "number") return FieldType::kDecimal;
  if (type == "boolean") return FieldType::kBoolean;
  if (type == "map") return FieldType::kMap;
  if (type == "list" || type == "set") return FieldType::kList;
  return FieldType::kString;
}

// One entity, and the table that its indexes speak of.
class EntityReader {
 public:
  EntityReader(const Node& node, std::string where, Notes& notes)
      : fields_(node, std::move(where), notes), notes_(notes) {}

  Expected<void, std::string> Read() {
    if (const Node* node = fields_.Take("model")) {
      Fields model(*node, fields_.At("model"), notes_);
      entity.name = model.TakeText("entity").value_or("");
      service = model.TakeText("service").value_or("");
      version_ = model.TakeText("version").value_or("1");
    }
    table.name = fields_.TakeText("table").value_or("");
    if (const Node* node = fields_.Take("attributes")) {
      for (const auto& member : node->members) ReadAttribute(member);
    }
    if (const Node* node = fields_.Take("indexes")) {
      for (const auto& member : node->members) ReadIndex(member);
    }
    TRY(CheckTable(table));
    if (lowered_) {
      notes_.Guessed(entity.name,
                     "ElectroDB writes keys in lower case: values in them must be so too.");
    }
    return {};
  }

  EntityDraft entity;
  PhysicalTable table;
  std::string service;

 private:
  void ReadAttribute(const NodeMember& member) {
    EntityAttribute attribute{
        .name = member.name, .type = FieldType::kString, .required = false, .values = {}};
    if (member.value.is(Node::Kind::kText)) {  // {"name": "string"}
      attribute.type = TypeOf(member.value.text);
      entity.attributes.push_back(std::move(attribute));
      return;
    }
    Fields said(member.value, fmt::format("{}.{}", entity.name, member.name), notes_);
    if (const Node* type = said.Take("type")) {
      attribute.type = TypeOf(type->text);
      for (const Node& value : type->items) attribute.values.push_back(value.text);
      if (type->text == "any") notes_.Guessed(said.where(), "Any type is taken for a string.");
    }
    attribute.required = said.TakeFlag("required");
    said.Ignore({"hidden", "readOnly", "label", "cast"});
    if (const auto label = member.value.Find("label")) labels_[member.name] = label->text;
    entity.attributes.push_back(std::move(attribute));
  }

  void ReadIndex(const NodeMember& member) {
    Fields index(member.value, fmt::format("{}.{}", entity.name, member.name), notes_);
    auto name = index.TakeText("index");
    index.Ignore({"type", "scope"});
    std::string prefix;  // of a sort key's own text
    if (const Node* collection = index.Take("collection")) {
      for (const Node& item : collection->items) prefix += "$" + item.text + "#";
      if (collection->items.empty()) prefix = "$" + collection->text + "#";
      notes_.Lost(index.At("collection"), "That it is a collection is not carried over.");
    }
    const bool collected = !prefix.empty();
    prefix += fmt::format("{}{}_{}", collected ? "" : "$", entity.name, version_);
    KeySchema key;
    ReadKey(index, "pk", "$" + service, key.partition);
    ReadKey(index, "sk", prefix, key.sort);
    if (!name || name->empty()) {
      table.key = std::move(key);
      return;
    }
    table.indexes.push_back({.name = std::move(*name),
                             .scope = IndexScope::kGlobal,
                             .key = std::move(key),
                             .projected = ProjectAll{},
                             .throughput = std::nullopt});
  }

  void ReadKey(Fields& index, std::string_view role, const std::string& prefix,
               std::vector<KeyAttribute>& parts) {
    const Node* node = index.Take(role);
    if (node == nullptr) return;
    Fields said(*node, index.At(role), notes_);
    const auto field = said.TakeText("field").value_or("");
    const auto composite = said.TakeTexts("composite");
    const auto text = said.TakeText("template");
    const bool lower = said.TakeText("casing").value_or("default") == "default";
    auto type = said.TakeText("cast") == "number" ? KeyType::kNumber : KeyType::kString;
    const auto* own = entity.Find(field);
    if (own != nullptr && composite == std::vector{field} && !text) {
      if (own->type == FieldType::kDecimal) type = KeyType::kNumber;
    } else {
      lowered_ = lowered_ || lower;
      AddPattern(said, field, text, composite, prefix);
    }
    parts.push_back({field, type});
  }

  void AddPattern(Fields& said, const std::string& field, const std::optional<std::string>& text,
                  const std::vector<std::string>& composite, const std::string& prefix) {
    KeyPattern pattern;
    if (text) {
      auto parsed = ParseDollarPattern(*text);
      if (!parsed) notes_.Lost(said.At("template"), *text + " is no template.");
      pattern = std::move(parsed).value_or(KeyPattern{});
    } else {
      AppendText(pattern, prefix);
      for (const auto& name : composite) {
        const auto label = labels_.find(name);
        AppendText(pattern, fmt::format("#{}_", label == labels_.end() ? name : label->second));
        pattern.emplace_back(KeyField{.attribute = name, .format = ""});
      }
    }
    entity.keys.emplace(field, std::move(pattern));
  }

  Fields fields_;
  Notes& notes_;
  std::string version_;
  std::map<std::string, std::string> labels_;
  bool lowered_ = false;
};

// The table of that name, with the indexes of all entities in it.
Expected<std::size_t, std::string> Merge(PhysicalTable table, Blueprint& blueprint, Notes& notes) {
  const auto found = std::ranges::find(blueprint.tables, table.name, &PhysicalTable::name);
  if (found == blueprint.tables.end()) {
    blueprint.tables.push_back(std::move(table));
    return blueprint.tables.size() - 1;
  }
  if (found->key != table.key) {
    return Unexpected(
        fmt::format("Two entities say different keys of the table '{}'.", table.name));
  }
  for (auto& index : table.indexes) {
    const auto known = std::ranges::find(found->indexes, index.name, &PhysicalIndex::name);
    if (known == found->indexes.end()) {
      found->indexes.push_back(std::move(index));
    } else if (known->key != index.key) {
      notes.Lost(index.name, "Two entities say different keys of this index.");
    }
  }
  return static_cast<std::size_t>(found - blueprint.tables.begin());
}

// ---- writing ----

std::string_view TypeText(FieldType type) {
  switch (type) {
    case FieldType::kString:
    case FieldType::kTimestamp:
    case FieldType::kDate:
    case FieldType::kBinary: return "string";
    case FieldType::kInteger:
    case FieldType::kDecimal: return "number";
    case FieldType::kBoolean: return "boolean";
    case FieldType::kList: return "list";
    case FieldType::kMap: return "map";
  }
  return "string";
}

Node KeyForm(const EntityDraft& entity, const KeyAttribute& part) {
  Node form = Node::Map({{"field", Node::Text(part.name)}});
  const auto pattern = entity.keys.find(part.name);
  if (pattern == entity.keys.end()) {
    form.Add("composite", Node::Texts({part.name}));
  } else {
    form.Add("composite", Node::Texts(FieldsOf(pattern->second)));
    form.Add("template", Node::Text(DollarPatternText(pattern->second)));
  }
  form.Add("casing", Node::Text("none"));
  if (part.type == KeyType::kNumber) form.Add("cast", Node::Text("number"));
  return form;
}

Node IndexForm(const EntityDraft& entity, const KeySchema& key, std::string_view name) {
  Node form = Node::Map();
  if (!name.empty()) form.Add("index", Node::Text(name));
  form.Add("pk", KeyForm(entity, key.partition.front()));
  if (!key.sort.empty()) form.Add("sk", KeyForm(entity, key.sort.front()));
  return form;
}

Node EntityForm(const Blueprint& blueprint, const EntityDraft& entity) {
  const auto& table = blueprint.tables[entity.table];
  Node attributes = Node::Map();
  for (const auto& attribute : entity.attributes) {
    Node form = Node::Map({{"type", attribute.values.empty() ? Node::Text(TypeText(attribute.type))
                                                             : Node::Texts(attribute.values)}});
    if (attribute.required) form.Add("required", Node::Boolean(true));
    attributes.Add(attribute.name, std::move(form));
  }
  Node indexes = Node::Map({{"primary", IndexForm(entity, table.key, "")}});
  for (const auto& index : table.indexes) {
    if (entity.Fills(index.key)) indexes.Add(index.name, IndexForm(entity, index.key, index.name));
  }
  return Node::Map({{"model", Node::Map({{"entity", Node::Text(entity.name)},
                                         {"version", Node::Text("1")},
                                         {"service", Node::Text(blueprint.name)}})},
                    {"table", Node::Text(table.name)},
                    {"attributes", std::move(attributes)},
                    {"indexes", std::move(indexes)}});
}

}  // namespace

bool LooksLikeElectroDb(std::string_view text) {
  return text.find("\"model\"") != text.npos && text.find("\"indexes\"") != text.npos &&
         text.find("\"entity\"") != text.npos;
}

Expected<Blueprint, std::string> ReadElectroDb(std::string_view text, Notes& notes) {
  TRY_ASSIGN(const Node document, ReadDocument(text));
  std::vector<const Node*> nodes;
  if (document.Find("model") != nullptr) {
    nodes.push_back(&document);
  } else {
    for (const Node& item : document.items) nodes.push_back(&item);
    for (const NodeMember& member : document.members) nodes.push_back(&member.value);
  }
  Blueprint blueprint;
  for (const Node* node : nodes) {
    EntityReader reader(*node, "", notes);
    TRY(reader.Read());
    if (blueprint.name.empty()) blueprint.name = reader.service;
    TRY_ASSIGN(reader.entity.table, Merge(std::move(reader.table), blueprint, notes));
    blueprint.entities.push_back(std::move(reader.entity));
  }
  if (blueprint.tables.empty()) return Unexpected(std::string("There is no entity in it."));
  return blueprint;
}

std::string PrintElectroDb(const Blueprint& blueprint) {
  Node entities = Node::Map();
  for (const auto& entity : blueprint.entities) {
    entities.Add(entity.name, EntityForm(blueprint, entity));
  }
  return PrintJson(entities);
}

}  // namespace kw::modeller
