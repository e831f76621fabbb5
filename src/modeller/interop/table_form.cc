// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/table_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "data/limits.h"

namespace kw::modeller {
namespace {

using KeyTypes = std::map<std::string, KeyType, std::less<>>;

KeyTypes TakeDefinitions(Fields& fields) {
  KeyTypes types;
  const auto where = fields.At("AttributeDefinitions");
  for (const Node& node : fields.TakeList("AttributeDefinitions")) {
    Fields definition(node, where, fields.notes());
    const auto name = definition.TakeText("AttributeName").value_or("");
    const auto type = ParseKeyType(definition.TakeText("AttributeType").value_or(""));
    if (type) types.emplace(name, *type);
    if (!type) fields.notes().Lost(where, fmt::format("{} is no S, N or B.", name));
  }
  return types;
}

KeySchema TakeKey(Fields& fields, const KeyTypes& types) {
  KeySchema key;
  const auto where = fields.At("KeySchema");
  for (const Node& node : fields.TakeList("KeySchema")) {
    Fields element(node, where, fields.notes());
    auto name = element.TakeText("AttributeName").value_or("");
    const auto role = element.TakeText("KeyType").value_or("");
    const auto type = types.find(name);
    if (type == types.end()) {
      fields.notes().Guessed(where, fmt::format("{} has no type: S is taken.", name));
    }
    auto& parts = role == "RANGE" ? key.sort : key.partition;
    parts.push_back({std::move(name), type == types.end() ? KeyType::kString : type->second});
  }
  return key;
}

void TakeIndexes(Fields& fields, std::string_view name, IndexScope scope, const KeyTypes& types,
                 PhysicalTable& table) {
  for (const Node& node : fields.TakeList(name)) {
    const auto* named = node.Find("IndexName");
    Fields index(node, fmt::format("{}.{}", fields.At(name), named == nullptr ? "" : named->text),
                 fields.notes());
    // What describe-table adds.
    index.Ignore({"IndexStatus", "IndexSizeBytes", "ItemCount", "IndexArn", "Backfilling",
                  "WarmThroughput"});
    table.indexes.push_back({.name = index.TakeText("IndexName").value_or(""),
                             .scope = scope,
                             .key = TakeKey(index, types),
                             .projected = TakeProjection(index, "Projection"),
                             .throughput = TakeThroughput(index, "ProvisionedThroughput")});
  }
}

Node KeyForm(const KeySchema& key) {
  Node schema = Node::List();
  const auto add = [&](const std::vector<KeyAttribute>& parts, std::string_view role) {
    for (const auto& part : parts) {
      schema.items.push_back(
          Node::Map({{"AttributeName", Node::Text(part.name)}, {"KeyType", Node::Text(role)}}));
    }
  };
  add(key.partition, "HASH");
  add(key.sort, "RANGE");
  return schema;
}

Node IndexesForm(const PhysicalTable& table, IndexScope scope) {
  Node indexes = Node::List();
  for (const auto& index : table.indexes) {
    if (index.scope != scope) continue;
    Node form = Node::Map({{"IndexName", Node::Text(index.name)},
                           {"KeySchema", KeyForm(index.key)},
                           {"Projection", ProjectionForm(index.projected)}});
    if (index.throughput) form.Add("ProvisionedThroughput", ThroughputForm(*index.throughput));
    indexes.items.push_back(std::move(form));
  }
  return indexes;
}

Expected<void, std::string> CheckKey(std::string_view of, const KeySchema& key, std::size_t most) {
  if (key.partition.empty()) {
    return Unexpected(fmt::format("{} has no partition key.", of));
  }
  if (key.partition.size() > most || key.sort.size() > most) {
    return Unexpected(fmt::format("The key of {} has too many attributes.", of));
  }
  std::set<std::string_view> names;
  for (const auto* parts : {&key.partition, &key.sort}) {
    for (const auto& part : *parts) {
      if (part.name.empty()) return Unexpected(fmt::format("A key of {} has no name.", of));
      if (!names.insert(part.name).second) {
        return Unexpected(fmt::format("{} stands twice in the key of {}.", part.name, of));
      }
    }
  }
  return {};
}

}  // namespace

Expected<void, std::string> CheckTable(const PhysicalTable& table) {
  TRY(CheckKey(table.name.empty() ? "The table" : table.name, table.key, 1));
  std::set<std::string_view> names;
  for (const auto& index : table.indexes) {
    if (index.name.empty())
      return Unexpected(fmt::format("An index of {} has no name.", table.name));
    if (!names.insert(index.name).second) {
      return Unexpected(fmt::format("{} has two indexes {}.", table.name, index.name));
    }
    const bool global = index.scope == IndexScope::kGlobal;
    TRY(CheckKey(index.name, index.key, global ? limits::kIndexPartitionAttributesMax : 1));
  }
  return {};
}

std::optional<Throughput> TakeThroughput(Fields& fields, std::string_view name) {
  const Node* node = fields.Take(name);
  if (node == nullptr) return std::nullopt;
  Fields form(*node, fields.At(name), fields.notes());
  form.Ignore({"NumberOfDecreasesToday", "LastIncreaseDateTime", "LastDecreaseDateTime"});
  const auto read = form.TakeInteger("ReadCapacityUnits").value_or(0);
  const auto write = form.TakeInteger("WriteCapacityUnits").value_or(0);
  // How describe-table says that there is none.
  if (read == 0 && write == 0) return std::nullopt;
  return Throughput{.read = {.units = read, .scaling = std::nullopt},
                    .write = {.units = write, .scaling = std::nullopt}};
}

Node ThroughputForm(const Throughput& throughput) {
  return Node::Map({{"ReadCapacityUnits", Node::Integer(throughput.read.units)},
                    {"WriteCapacityUnits", Node::Integer(throughput.write.units)}});
}

Projected TakeProjection(Fields& fields, std::string_view name) {
  const Node* node = fields.Take(name);
  if (node == nullptr) return ProjectAll{};
  Fields form(*node, fields.At(name), fields.notes());
  const auto type = form.TakeText("ProjectionType").value_or("ALL");
  auto names = form.TakeTexts("NonKeyAttributes");
  if (type == "KEYS_ONLY") return ProjectKeys{};
  if (type == "INCLUDE") return ProjectInclude{std::move(names)};
  if (type != "ALL") fields.notes().Lost(fields.At(name), type + " is no projection.");
  return ProjectAll{};
}

Node ProjectionForm(const Projected& projected) {
  if (std::holds_alternative<ProjectAll>(projected)) {
    return Node::Map({{"ProjectionType", Node::Text("ALL")}});
  }
  const auto* include = std::get_if<ProjectInclude>(&projected);
  if (include == nullptr) return Node::Map({{"ProjectionType", Node::Text("KEYS_ONLY")}});
  return Node::Map({{"ProjectionType", Node::Text("INCLUDE")},
                    {"NonKeyAttributes", Node::Texts(include->attributes)}});
}

Expected<PhysicalTable, std::string> TakeTable(Fields& fields) {
  PhysicalTable table;
  table.name = fields.TakeText("TableName").value_or("");
  const auto types = TakeDefinitions(fields);
  table.key = TakeKey(fields, types);
  TakeIndexes(fields, "LocalSecondaryIndexes", IndexScope::kLocal, types, table);
  TakeIndexes(fields, "GlobalSecondaryIndexes", IndexScope::kGlobal, types, table);
  table.throughput = TakeThroughput(fields, "ProvisionedThroughput");
  if (fields.TakeText("BillingMode").value_or("PROVISIONED") == "PAY_PER_REQUEST") {
    table.throughput.reset();
  }
  if (fields.TakeFlag("DeletionProtectionEnabled")) {
    table.options.insert(TableOption::kDeletionProtection);
  }
  if (const auto name = fields.TakeText("TableClass"); name == "STANDARD_INFREQUENT_ACCESS") {
    table.options.insert(TableOption::kInfrequentAccess);
  }
  if (const Node* node = fields.Take("StreamSpecification")) {
    Fields stream(*node, fields.At("StreamSpecification"), fields.notes());
    const Node* enabled = stream.Take("StreamEnabled");
    auto view = stream.TakeText("StreamViewType");
    if (enabled == nullptr || enabled->text != "false") table.stream = std::move(view);
  }
  TRY(CheckTable(table));
  return table;
}

Node TableForm(const PhysicalTable& table) {
  Node form = Node::Map();
  if (!table.name.empty()) form.Add("TableName", Node::Text(table.name));
  Node definitions = Node::List();
  for (const auto& attribute : KeyAttributesOf(table)) {
    definitions.items.push_back(
        Node::Map({{"AttributeName", Node::Text(attribute.name)},
                   {"AttributeType", Node::Text(WireName(attribute.type))}}));
  }
  form.Add("AttributeDefinitions", std::move(definitions));
  form.Add("KeySchema", KeyForm(table.key));
  form.AddUnlessEmpty("LocalSecondaryIndexes", IndexesForm(table, IndexScope::kLocal));
  form.AddUnlessEmpty("GlobalSecondaryIndexes", IndexesForm(table, IndexScope::kGlobal));
  form.Add("BillingMode", Node::Text(table.throughput ? "PROVISIONED" : "PAY_PER_REQUEST"));
  if (table.throughput) form.Add("ProvisionedThroughput", ThroughputForm(*table.throughput));
  if (table.options.contains(TableOption::kInfrequentAccess)) {
    form.Add("TableClass", Node::Text("STANDARD_INFREQUENT_ACCESS"));
  }
  if (table.options.contains(TableOption::kDeletionProtection)) {
    form.Add("DeletionProtectionEnabled", Node::Boolean(true));
  }
  if (table.stream) {
    form.Add("StreamSpecification", Node::Map({{"StreamEnabled", Node::Boolean(true)},
                                               {"StreamViewType", Node::Text(*table.stream)}}));
  }
  return form;
}

}  // namespace kw::modeller
