// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/workbench.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "data/item.h"
#include "modeller/interop/document.h"
#include "modeller/interop/table_form.h"

namespace kw::modeller {
namespace {

// ---- reading ----

std::optional<KeyAttribute> TakeKeyAttribute(Fields& keys, std::string_view name) {
  const Node* node = keys.Take(name);
  if (node == nullptr) return std::nullopt;
  Fields fields(*node, keys.At(name), keys.notes());
  KeyAttribute attribute{.name = fields.TakeText("AttributeName").value_or(""),
                         .type = KeyType::kString};
  const auto type = ParseKeyType(fields.TakeText("AttributeType").value_or(""));
  if (!type) keys.notes().Guessed(keys.At(name), "It has no key's type: S is taken.");
  attribute.type = type.value_or(KeyType::kString);
  return attribute;
}

KeySchema TakeKeys(Fields& fields) {
  KeySchema key;
  const Node* node = fields.Take("KeyAttributes");
  if (node == nullptr) return key;
  Fields keys(*node, fields.At("KeyAttributes"), fields.notes());
  if (auto part = TakeKeyAttribute(keys, "PartitionKey")) key.partition.push_back(*part);
  if (auto part = TakeKeyAttribute(keys, "SortKey")) key.sort.push_back(*part);
  return key;
}

std::vector<Item> TakeItems(Fields& fields, std::string_view name) {
  std::vector<Item> items;
  JsonParser parser(kDocumentDepthMax * 2);
  for (const Node& node : fields.TakeList(name)) {
    const auto json = parser.Parse(PrintJson(node));
    if (!json || !json->is(JsonType::kObject)) {
      fields.notes().Lost(fields.At(name), "This is no item.");
      continue;
    }
    auto item = ParseAttributeMap(*json);
    if (item) {
      items.push_back(std::move(*item));
    } else {
      fields.notes().Lost(fields.At(name), item.error().message);
    }
  }
  return items;
}

Capacity TakeCapacity(Fields& settings, std::string_view name, std::int64_t units) {
  Capacity capacity{.units = units, .scaling = std::nullopt};
  const Node* node = settings.Take(name);
  if (node == nullptr) return capacity;
  Fields form(*node, settings.At(name), settings.notes());
  const Node* target = form.Take("ScalableTargetRequest");
  const Node* policy = form.Take("ScalingPolicyConfiguration");
  if (target == nullptr) return capacity;
  Scaling scaling;
  {
    Fields range(*target, form.At("ScalableTargetRequest"), settings.notes());
    scaling.min = range.TakeInteger("MinCapacity").value_or(1);
    scaling.max = range.TakeInteger("MaxCapacity").value_or(scaling.min);
    range.Ignore({"ServiceRole"});  // always the service-linked one
  }
  if (policy != nullptr) {
    Fields said(*policy, form.At("ScalingPolicyConfiguration"), settings.notes());
    scaling.target_percent = said.TakeInteger("TargetValue").value_or(scaling.target_percent);
  }
  capacity.scaling = scaling;
  return capacity;
}

std::optional<Throughput> TakeSettings(Fields& fields) {
  const Node* node = fields.Take("ProvisionedCapacitySettings");
  if (node == nullptr) return std::nullopt;
  Fields settings(*node, fields.At("ProvisionedCapacitySettings"), fields.notes());
  auto throughput = TakeThroughput(settings, "ProvisionedThroughput").value_or(Throughput{});
  throughput.read = TakeCapacity(settings, "AutoScalingRead", throughput.read.units);
  throughput.write = TakeCapacity(settings, "AutoScalingWrite", throughput.write.units);
  return throughput;
}

// `USER#{userId}` and `'profile'` as they are, and what people write: `USER#<userId>`,
// `USER#userId`.
KeyPattern PatternOfAlias(std::string alias) {
  if (alias.size() > 1 && alias.front() == '\'' && alias.back() == '\'') {
    if (auto pattern = ParsePattern(std::string_view(alias).substr(1, alias.size() - 2))) {
      return *pattern;
    }
  }
  for (auto [open, close] : {std::pair('<', '>'), std::pair('[', ']')}) {
    if (std::ranges::count(alias, open) != std::ranges::count(alias, close)) continue;
    std::ranges::replace(alias, open, '{');
    std::ranges::replace(alias, close, '}');
  }
  const bool braces = alias.find('{') != alias.npos;
  if (auto pattern = ParsePattern(alias); pattern && braces) return *pattern;
  return PatternBetweenMarks(
      alias, [](std::string_view part, std::string_view) { return std::string(part); });
}

// Whether a sample has the alias itself for its key: `Details` is text then, not a name.
bool ShowsItself(const std::vector<Item>& items, const std::string& key, const std::string& alias) {
  return std::ranges::any_of(items, [&](const Item& item) {
    const auto* value = item.Find(key);
    const auto* text = value == nullptr ? nullptr : value->As<std::string>();
    return text != nullptr && *text == alias;
  });
}

EntityDraft ReadFacet(const Node& node, const std::string& where, const PhysicalTable& table,
                      Notes& notes) {
  Fields facet(node, where, notes);
  EntityDraft entity;
  entity.name = facet.TakeText("FacetName").value_or("");
  facet.Ignore({"DataAccess"});
  entity.items = TakeItems(facet, "TableData");
  if (const Node* alias_node = facet.Take("KeyAttributeAlias")) {
    Fields aliases(*alias_node, facet.At("KeyAttributeAlias"), notes);
    const auto take = [&](std::string_view name, const std::vector<KeyAttribute>& parts) {
      const auto alias = aliases.TakeText(name);
      if (!alias || parts.empty() || alias->empty() || *alias == parts.front().name) return;
      const auto& key = parts.front().name;
      if (ShowsItself(entity.items, key, *alias) || ShowsItself(table.items, key, *alias)) {
        AppendText(entity.keys[key], *alias);
        return;
      }
      auto pattern = PatternOfAlias(*alias);
      if (PatternText(pattern) != *alias && alias->front() != '\'') {
        notes.Guessed(entity.name, fmt::format("{} reads as {}.", *alias, PatternText(pattern)));
      }
      entity.keys.emplace(parts.front().name, std::move(pattern));
    };
    take("PartitionKeyAlias", table.key.partition);
    take("SortKeyAlias", table.key.sort);
  }
  const auto add = [&](const std::string& name, AttributeType type) {
    if (entity.Find(name) != nullptr || entity.keys.contains(name)) return;
    entity.attributes.push_back(
        {.name = name, .type = SuggestedType(type), .required = true, .values = {}});
  };
  for (const auto* parts : {&table.key.partition, &table.key.sort}) {
    for (const auto& part : *parts) add(part.name, AttributeTypeOf(part.type));
  }
  for (const auto& name : facet.TakeTexts("NonKeyAttributes")) {
    const auto type = table.attributes.find(name);
    if (type == table.attributes.end()) {
      notes.Guessed(entity.name, fmt::format("{} has no type: S is taken.", name));
    }
    add(name, type == table.attributes.end() ? AttributeType::kString : type->second);
  }
  return entity;
}

Expected<PhysicalTable, std::string> TakeWorkbenchTable(Fields& fields) {
  PhysicalTable table;
  table.name = fields.TakeText("TableName").value_or("");
  table.key = TakeKeys(fields);
  for (const Node& node : fields.TakeList("NonKeyAttributes")) {
    Fields attribute(node, fields.At("NonKeyAttributes"), fields.notes());
    const auto name = attribute.TakeText("AttributeName").value_or("");
    const auto type = ParseWireType(attribute.TakeText("AttributeType").value_or(""));
    if (type) table.attributes.emplace(name, *type);
    if (!type)
      fields.notes().Lost(attribute.where(), name + " has no type that the service knows.");
  }
  for (const Node& node : fields.TakeList("GlobalSecondaryIndexes")) {
    Fields index(node, fields.At("GlobalSecondaryIndexes"), fields.notes());
    table.indexes.push_back({.name = index.TakeText("IndexName").value_or(""),
                             .scope = IndexScope::kGlobal,
                             .key = TakeKeys(index),
                             .projected = TakeProjection(index, "Projection"),
                             .throughput = TakeSettings(index)});
  }
  table.throughput = TakeSettings(fields);
  if (fields.TakeText("BillingMode") == "PAY_PER_REQUEST") table.throughput.reset();
  table.items = TakeItems(fields, "TableData");
  fields.Ignore({"DataAccess"});
  TRY(CheckTable(table));
  return table;
}

// ---- writing ----

Node AttributeForm(std::string_view name, std::string_view type) {
  return Node::Map({{"AttributeName", Node::Text(name)}, {"AttributeType", Node::Text(type)}});
}

Node KeysForm(const KeySchema& key) {
  const auto form = [](const KeyAttribute& part) {
    return AttributeForm(part.name, WireName(part.type));
  };
  Node keys = Node::Map({{"PartitionKey", form(key.partition.front())}});
  if (!key.sort.empty()) keys.Add("SortKey", form(key.sort.front()));
  return keys;
}

Node ItemsForm(const std::vector<Item>& items) {
  Node list = Node::List();
  for (const Item& item : items) {
    std::string json;
    JsonWriter writer(json);
    WriteJson(item, writer);
    auto node = ReadDocument(json);
    if (node) list.items.push_back(std::move(*node));
  }
  return list;
}

Node ScalingForm(const Scaling& scaling) {
  return Node::Map(
      {{"ScalableTargetRequest",
        Node::Map({{"MinCapacity", Node::Integer(scaling.min)},
                   {"MaxCapacity", Node::Integer(scaling.max)},
                   {"ServiceRole", Node::Text("AWSServiceRoleForApplicationAutoScaling_"
                                              "DynamoDBTable")}})},
       {"ScalingPolicyConfiguration",
        Node::Map({{"TargetValue", Node::Integer(scaling.target_percent)}})}});
}

// An alias that reads back as the pattern: in quotes where it would not.
std::string AliasOf(const KeyPattern& pattern, std::string_view key) {
  auto text = PatternText(pattern);
  const bool plain = !text.empty() && text != key && PatternOfAlias(text) == pattern;
  return plain ? text : "'" + text + "'";
}

Node FacetForm(const EntityDraft& entity, const PhysicalTable& table) {
  const auto alias = [&](const KeyAttribute& part) {
    const auto pattern = entity.keys.find(part.name);
    return Node::Text(pattern == entity.keys.end() ? part.name
                                                   : AliasOf(pattern->second, part.name));
  };
  Node aliases = Node::Map({{"PartitionKeyAlias", alias(table.key.partition.front())}});
  if (!table.key.sort.empty()) aliases.Add("SortKeyAlias", alias(table.key.sort.front()));
  Node names = Node::List();
  for (const auto& attribute : entity.attributes) {
    if (!table.key.Has(attribute.name)) names.items.push_back(Node::Text(attribute.name));
  }
  return Node::Map({{"FacetName", Node::Text(entity.name)},
                    {"KeyAttributeAlias", std::move(aliases)},
                    {"NonKeyAttributes", std::move(names)},
                    {"TableData", ItemsForm(entity.items)},
                    {"DataAccess", Node::Map({{"MySql", Node::Map()}})}});
}

Node WorkbenchTable(const Blueprint& blueprint, std::size_t number) {
  const auto& table = blueprint.tables[number];
  auto types = table.attributes;
  Node facets = Node::List();
  for (const auto& entity : blueprint.entities) {
    if (entity.table != number) continue;
    facets.items.push_back(FacetForm(entity, table));
    for (const auto& attribute : entity.attributes) {
      types.emplace(attribute.name, StoredType(attribute.type));
    }
  }
  Node attributes = Node::List();
  for (const auto& [name, type] : types) {
    if (!table.key.Has(name)) attributes.items.push_back(AttributeForm(name, WireName(type)));
  }
  Node indexes = Node::List();
  for (const auto& index : table.indexes) {
    indexes.items.push_back(Node::Map({{"IndexName", Node::Text(index.name)},
                                       {"KeyAttributes", KeysForm(index.key)},
                                       {"Projection", ProjectionForm(index.projected)}}));
  }
  Node form = Node::Map({{"TableName", Node::Text(table.name)},
                         {"KeyAttributes", KeysForm(table.key)},
                         {"NonKeyAttributes", std::move(attributes)},
                         {"TableFacets", std::move(facets)},
                         {"GlobalSecondaryIndexes", std::move(indexes)},
                         {"TableData", ItemsForm(table.items)},
                         {"DataAccess", Node::Map({{"MySql", Node::Map()}})}});
  form.Add("BillingMode", Node::Text(table.throughput ? "PROVISIONED" : "PAY_PER_REQUEST"));
  if (table.throughput) {
    Node settings = Node::Map({{"ProvisionedThroughput", ThroughputForm(*table.throughput)}});
    const auto add = [&](std::string_view name, const Capacity& capacity) {
      if (capacity.scaling) settings.Add(name, ScalingForm(*capacity.scaling));
    };
    add("AutoScalingRead", table.throughput->read);
    add("AutoScalingWrite", table.throughput->write);
    form.Add("ProvisionedCapacitySettings", std::move(settings));
  }
  return form;
}

}  // namespace

bool LooksLikeWorkbench(std::string_view text) {
  return text.find("\"DataModel\"") != text.npos && text.find("\"ModelName\"") != text.npos;
}

Expected<Blueprint, std::string> ReadWorkbench(std::string_view text, Notes& notes) {
  TRY_ASSIGN(const Node document, ReadDocument(text));
  Fields root(document, "", notes);
  Blueprint blueprint;
  blueprint.name = root.TakeText("ModelName").value_or("");
  root.Ignore({"ModelMetadata"});  // who made it and when
  for (const Node& node : root.TakeList("DataModel")) {
    const Node* name = node.Find("TableName");
    Fields fields(node, name == nullptr ? "DataModel" : name->text, notes);
    TRY_ASSIGN(auto table, TakeWorkbenchTable(fields));
    for (const Node& facet : fields.TakeList("TableFacets")) {
      auto entity = ReadFacet(facet, fields.At("TableFacets"), table, notes);
      entity.table = blueprint.tables.size();
      blueprint.entities.push_back(std::move(entity));
    }
    blueprint.tables.push_back(std::move(table));
  }
  if (blueprint.tables.empty()) return Unexpected(std::string("The data model has no table."));
  return blueprint;
}

std::string PrintWorkbench(const Blueprint& blueprint) {
  Node tables = Node::List();
  for (std::size_t i = 0; i < blueprint.tables.size(); ++i) {
    tables.items.push_back(WorkbenchTable(blueprint, i));
  }
  // A file without AWSService and Version is refused. The dates are those of the format, not of
  // the export: the same model is the same text.
  constexpr std::string_view kDate = "Jan 01, 2024, 12:00 AM";
  return PrintJson(
      Node::Map({{"ModelName", Node::Text(blueprint.name)},
                 {"ModelMetadata", Node::Map({{"Author", Node::Text("")},
                                              {"DateCreated", Node::Text(kDate)},
                                              {"DateLastModified", Node::Text(kDate)},
                                              {"Description", Node::Text("")},
                                              {"AWSService", Node::Text("Amazon DynamoDB")},
                                              {"Version", Node::Text("3.0")}})},
                 {"DataModel", std::move(tables)}}));
}

}  // namespace kw::modeller
