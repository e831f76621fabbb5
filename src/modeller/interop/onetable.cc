// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/onetable.h"

#include <fmt/format.h>

#include <algorithm>

#include "modeller/interop/document.h"
#include "modeller/interop/table_form.h"

namespace kw::modeller {
namespace {

constexpr std::string_view kFormat = "onetable:1.1.0";
constexpr std::string_view kPrimary = "primary";

// ---- reading ----

std::optional<FieldType> ParseType(std::string type) {
  std::ranges::transform(type, type.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (type == "array" || type == "set") return FieldType::kList;
  if (type == "binary" || type == "buffer" || type == "arraybuffer") return FieldType::kBinary;
  if (type == "boolean") return FieldType::kBoolean;
  if (type == "date") return FieldType::kTimestamp;
  if (type == "number") return FieldType::kDecimal;
  if (type == "object") return FieldType::kMap;
  if (type == "string") return FieldType::kString;
  return std::nullopt;
}

// The type of a key attribute is what the first model says that has it.
KeyType KeyTypeIn(const Node* models, std::string_view attribute) {
  if (models == nullptr) return KeyType::kString;
  for (const auto& model : models->members) {
    const Node* field = model.value.Find(attribute);
    const Node* type = field == nullptr ? nullptr : field->Find("type");
    if (type == nullptr) continue;
    const auto known = ParseType(type->text);
    if (known == FieldType::kDecimal) return KeyType::kNumber;
    if (known == FieldType::kBinary) return KeyType::kBinary;
    return KeyType::kString;
  }
  return KeyType::kString;
}

Projected TakeProject(Fields& fields) {
  const Node* node = fields.Take("project");
  if (node == nullptr || node->text == "all") return ProjectAll{};
  if (node->text == "keys") return ProjectKeys{};
  ProjectInclude include;
  for (const Node& item : node->items) include.attributes.push_back(item.text);
  if (include.attributes.empty()) return ProjectKeys{};
  return include;
}

void ReadIndex(const NodeMember& member, const Node* models, PhysicalTable& table, Notes& notes) {
  Fields fields(member.value, "indexes." + member.name, notes);
  KeySchema key;
  const auto take = [&](std::string_view name, std::vector<KeyAttribute>& parts) {
    if (auto attribute = fields.TakeText(name)) {
      const auto type = KeyTypeIn(models, *attribute);
      parts.push_back({std::move(*attribute), type});
    }
  };
  take("hash", key.partition);
  take("sort", key.sort);
  fields.Ignore({"follow"});  // how the library reads a narrow index
  if (member.name == kPrimary) {
    table.key = std::move(key);
    return;
  }
  const bool local = fields.TakeText("type") == "local";
  table.indexes.push_back({.name = member.name,
                           .scope = local ? IndexScope::kLocal : IndexScope::kGlobal,
                           .key = std::move(key),
                           .projected = TakeProject(fields),
                           .throughput = std::nullopt});
}

void ReadField(const NodeMember& member, const std::set<std::string_view>& keys,
               EntityDraft& entity, Notes& notes) {
  Fields fields(member.value, entity.name + "." + member.name, notes);
  const auto type_name = fields.TakeText("type").value_or("string");
  const auto type = ParseType(type_name);
  if (!type) notes.Lost(fields.At("type"), type_name + " is no type of OneTable's.");
  fields.Ignore({"hidden", "encode"});
  const auto value = fields.TakeText("value");
  if (value && keys.contains(member.name)) {
    if (auto pattern = ParseDollarPattern(*value)) {
      entity.keys.emplace(member.name, std::move(*pattern));
    } else {
      notes.Lost(fields.At("value"), *value + " is more than padding can say.");
    }
    fields.Ignore({"required"});
    return;
  }
  if (value) notes.Lost(fields.At("value"), "How it is made of others is not carried over.");
  if (fields.TakeFlag("unique")) entity.unique.push_back(member.name);
  entity.attributes.push_back({.name = member.name,
                               .type = type.value_or(FieldType::kString),
                               .required = fields.TakeFlag("required"),
                               .values = fields.TakeTexts("enum")});
}

// ---- writing ----

std::string_view TypeText(FieldType type) {
  switch (type) {
    case FieldType::kString:
    case FieldType::kDate: return "string";
    case FieldType::kInteger:
    case FieldType::kDecimal: return "number";
    case FieldType::kBoolean: return "boolean";
    case FieldType::kTimestamp: return "date";
    case FieldType::kBinary: return "binary";
    case FieldType::kList: return "array";
    case FieldType::kMap: return "object";
  }
  return "string";
}

Node IndexForm(const KeySchema& key) {
  Node form = Node::Map({{"hash", Node::Text(key.partition.front().name)}});
  if (!key.sort.empty()) form.Add("sort", Node::Text(key.sort.front().name));
  return form;
}

Node IndexesForm(const PhysicalTable& table) {
  Node indexes = Node::Map({{std::string(kPrimary), IndexForm(table.key)}});
  for (const auto& index : table.indexes) {
    Node form = IndexForm(index.key);
    if (const auto* include = std::get_if<ProjectInclude>(&index.projected)) {
      form.Add("project", Node::Texts(include->attributes));
    } else {
      const bool all = std::holds_alternative<ProjectAll>(index.projected);
      form.Add("project", Node::Text(all ? "all" : "keys"));
    }
    if (index.scope == IndexScope::kLocal) form.Add("type", Node::Text("local"));
    indexes.Add(index.name, std::move(form));
  }
  return indexes;
}

Node ModelForm(const EntityDraft& entity, const PhysicalTable& table) {
  Node model = Node::Map();
  for (const auto& part : KeyAttributesOf(table)) {
    const auto pattern = entity.keys.find(part.name);
    if (pattern == entity.keys.end()) continue;
    const auto type = part.type == KeyType::kString   ? FieldType::kString
                      : part.type == KeyType::kNumber ? FieldType::kDecimal
                                                      : FieldType::kBinary;
    model.Add(part.name, Node::Map({{"type", Node::Text(TypeText(type))},
                                    {"value", Node::Text(DollarPatternText(pattern->second))}}));
  }
  for (const auto& attribute : entity.attributes) {
    Node field = Node::Map({{"type", Node::Text(TypeText(attribute.type))}});
    if (attribute.required) field.Add("required", Node::Boolean(true));
    if (std::ranges::find(entity.unique, attribute.name) != entity.unique.end()) {
      field.Add("unique", Node::Boolean(true));
    }
    field.AddUnlessEmpty("enum", Node::Texts(attribute.values));
    model.Add(attribute.name, std::move(field));
  }
  return model;
}

}  // namespace

bool LooksLikeOneTable(std::string_view text) {
  return text.find("onetable:") != text.npos && text.find("\"models\"") != text.npos;
}

Expected<Blueprint, std::string> ReadOneTable(std::string_view text, Notes& notes) {
  TRY_ASSIGN(const Node document, ReadDocument(text));
  Fields root(document, "", notes);
  if (const auto format = root.TakeText("format"); format && *format != kFormat) {
    notes.Guessed("format", fmt::format("{} is read as {}.", *format, kFormat));
  }
  root.Ignore({"version"});
  std::string type_field = "_type";
  if (const Node* node = root.Take("params")) {
    Fields params(*node, "params", notes);
    type_field = params.TakeText("typeField").value_or(type_field);
    params.Ignore({"isoDates", "timestamps", "createdField", "updatedField", "nulls", "separator"});
  }
  Blueprint blueprint;
  PhysicalTable table;
  const Node* models = root.Take("models");
  if (const Node* indexes = root.Take("indexes")) {
    for (const auto& member : indexes->members) ReadIndex(member, models, table, notes);
  }
  // A local index may leave out the partition that it shares.
  for (auto& index : table.indexes) {
    if (index.key.partition.empty()) index.key.partition = table.key.partition;
  }
  TRY(CheckTable(table));
  const auto attributes = KeyAttributesOf(table);
  std::set<std::string_view> keys;
  for (const auto& attribute : attributes) keys.insert(attribute.name);
  if (models != nullptr) {
    for (const auto& model : models->members) {
      EntityDraft entity{.name = model.name, .table = 0};
      for (const auto& field : model.value.members) {
        if (field.name != type_field) ReadField(field, keys, entity, notes);
      }
      blueprint.entities.push_back(std::move(entity));
    }
  }
  blueprint.tables.push_back(std::move(table));
  return blueprint;
}

std::string PrintOneTable(const Blueprint& blueprint) {
  const auto& table = blueprint.tables.front();
  Node models = Node::Map();
  for (const auto& entity : blueprint.entities) models.Add(entity.name, ModelForm(entity, table));
  return PrintJson(Node::Map({{"format", Node::Text(kFormat)},
                              {"version", Node::Text("0.0.1")},
                              {"indexes", IndexesForm(table)},
                              {"models", std::move(models)},
                              {"params", Node::Map({{"typeField", Node::Text("_type")},
                                                    {"isoDates", Node::Boolean(true)},
                                                    {"timestamps", Node::Boolean(false)}})}}));
}

}  // namespace kw::modeller
