// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/cloudformation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "modeller/interop/document.h"
#include "modeller/interop/table_form.h"

namespace kw::modeller {
namespace {

void Remove(Node& map, std::string_view name) {
  std::erase_if(map.members, [&](const NodeMember& member) { return member.name == name; });
}

Node* FindIn(Node& map, std::string_view name) {
  const auto found = std::ranges::find(map.members, name, &NodeMember::name);
  return found == map.members.end() ? nullptr : &found->value;
}

// ---- reading ----

void TakeExtras(Fields& fields, PhysicalTable& table) {
  if (const Node* node = fields.Take("TimeToLiveSpecification")) {
    Fields said(*node, fields.At("TimeToLiveSpecification"), fields.notes());
    const Node* enabled = said.Take("Enabled");
    auto name = said.TakeText("AttributeName");
    if (enabled == nullptr || enabled->text != "false") table.ttl = std::move(name);
  }
  if (const Node* node = fields.Take("PointInTimeRecoverySpecification")) {
    Fields said(*node, fields.At("PointInTimeRecoverySpecification"), fields.notes());
    if (said.TakeFlag("PointInTimeRecoveryEnabled")) {
      table.options.insert(TableOption::kPointInTime);
    }
  }
}

// Capacity that stays between equal bounds does not scale.
std::optional<Capacity> TakeScaled(Fields& fields, std::string_view name) {
  const Node* node = fields.Take(name);
  if (node == nullptr) return std::nullopt;
  Fields said(*node, fields.At(name), fields.notes());
  Scaling scaling;
  scaling.min = said.TakeInteger("MinCapacity").value_or(1);
  scaling.max = said.TakeInteger("MaxCapacity").value_or(scaling.min);
  const auto seed = said.TakeInteger("SeedCapacity").value_or(scaling.min);
  if (const Node* tracking = said.Take("TargetTrackingScalingPolicyConfiguration")) {
    Fields policy(*tracking, said.At("TargetTrackingScalingPolicyConfiguration"), fields.notes());
    scaling.target_percent = policy.TakeInteger("TargetValue").value_or(scaling.target_percent);
  }
  if (scaling.min == scaling.max) return Capacity{.units = scaling.min, .scaling = std::nullopt};
  return Capacity{.units = seed, .scaling = scaling};
}

std::optional<Capacity> TakeWrites(Fields& fields) {
  const Node* node = fields.Take("WriteProvisionedThroughputSettings");
  if (node == nullptr) return std::nullopt;
  Fields said(*node, fields.At("WriteProvisionedThroughputSettings"), fields.notes());
  return TakeScaled(said, "WriteCapacityAutoScalingSettings");
}

std::optional<Capacity> TakeReads(Fields& fields) {
  const Node* node = fields.Take("ReadProvisionedThroughputSettings");
  if (node == nullptr) return std::nullopt;
  Fields said(*node, fields.At("ReadProvisionedThroughputSettings"), fields.notes());
  if (const auto units = said.TakeInteger("ReadCapacityUnits")) {
    return Capacity{.units = *units, .scaling = std::nullopt};
  }
  return TakeScaled(said, "ReadCapacityAutoScalingSettings");
}

std::optional<Throughput> Together(std::optional<Capacity> read, std::optional<Capacity> write) {
  if (!read && !write) return std::nullopt;
  return Throughput{.read = read.value_or(Capacity{}), .write = write.value_or(Capacity{})};
}

using Writes = std::map<std::string, std::optional<Capacity>, std::less<>>;

// What the table is in its first region.
void TakeReplica(const Node& node, const std::string& where, std::optional<Capacity> writes,
                 const Writes& index_writes, PhysicalTable& table, Notes& notes) {
  Fields replica(node, where, notes);
  replica.Ignore({"Region"});
  TakeExtras(replica, table);
  if (replica.TakeFlag("DeletionProtectionEnabled")) {
    table.options.insert(TableOption::kDeletionProtection);
  }
  if (replica.TakeText("TableClass") == "STANDARD_INFREQUENT_ACCESS") {
    table.options.insert(TableOption::kInfrequentAccess);
  }
  table.throughput = Together(TakeReads(replica), std::move(writes));
  std::map<std::string, std::optional<Capacity>> index_reads;
  for (const Node& item : replica.TakeList("GlobalSecondaryIndexes")) {
    Fields index(item, replica.At("GlobalSecondaryIndexes"), notes);
    const auto name = index.TakeText("IndexName").value_or("");
    index_reads[name] = TakeReads(index);
  }
  for (auto& index : table.indexes) {
    const auto write = index_writes.find(index.name);
    index.throughput = Together(index_reads[index.name],
                                write == index_writes.end() ? std::nullopt : write->second);
  }
}

// Takes the writes of each index out of a GlobalTable's properties: CreateTable's form has none.
Writes TakeIndexWrites(Node& properties, const std::string& where, Notes& notes) {
  Writes writes;
  Node* indexes = FindIn(properties, "GlobalSecondaryIndexes");
  if (indexes == nullptr) return writes;
  constexpr std::string_view kMember = "WriteProvisionedThroughputSettings";
  for (Node& item : indexes->items) {
    const Node* name = item.Find("IndexName");
    const Node* settings = item.Find(kMember);
    if (name == nullptr || settings == nullptr) continue;
    {
      const Node said = Node::Map({{std::string(kMember), *settings}});
      Fields fields(said, where + ".GlobalSecondaryIndexes", notes);
      writes[name->text] = TakeWrites(fields);
    }
    Remove(item, kMember);
  }
  return writes;
}

Expected<PhysicalTable, std::string> TakeGlobalTable(Fields& fields, const Writes& index_writes) {
  const auto writes = TakeWrites(fields);
  TRY_ASSIGN(auto table, TakeTable(fields));
  const auto& replicas = fields.TakeList("Replicas");
  for (std::size_t i = 1; i < replicas.size(); ++i) {
    fields.notes().Lost(fields.At("Replicas"), "Only the first region's table is read.");
  }
  if (!replicas.empty()) {
    TakeReplica(replicas.front(), fields.At("Replicas"), writes, index_writes, table,
                fields.notes());
  }
  return table;
}

Expected<PhysicalTable, std::string> TakeSimpleTable(Fields& fields) {
  PhysicalTable table;
  table.name = fields.TakeText("TableName").value_or("");
  KeyAttribute key{"id", KeyType::kString};
  if (const Node* node = fields.Take("PrimaryKey")) {
    Fields said(*node, fields.At("PrimaryKey"), fields.notes());
    key.name = said.TakeText("Name").value_or(key.name);
    const auto type = said.TakeText("Type").value_or("String");
    key.type = type == "Number"   ? KeyType::kNumber
               : type == "Binary" ? KeyType::kBinary
                                  : KeyType::kString;
  }
  table.key.partition = {key};
  table.throughput = TakeThroughput(fields, "ProvisionedThroughput");
  TRY(CheckTable(table));
  return table;
}

// The resources of a template; of a Serverless file, below `resources`, which may be a list.
std::vector<const Node*> ResourcesOf(const Node& document) {
  std::vector<const Node*> found;
  const auto add = [&](const Node& node) {
    if (const Node* resources = node.Find("Resources")) found.push_back(resources);
  };
  add(document);
  if (const Node* node = document.Find("resources")) {
    add(*node);
    for (const Node& item : node->items) add(item);
  }
  return found;
}

Expected<void, std::string> ReadResource(const NodeMember& member, Blueprint& blueprint,
                                         Notes& notes) {
  Fields resource(member.value, member.name, notes);
  const auto type = resource.TakeText("Type").value_or("");
  const bool global = type == "AWS::DynamoDB::GlobalTable";
  const bool simple = type == "AWS::Serverless::SimpleTable";
  const Node* properties = resource.Take("Properties");
  if (!global && !simple && type != "AWS::DynamoDB::Table") {
    resource.Ignore({"DependsOn", "Metadata", "DeletionPolicy", "UpdateReplacePolicy", "Condition",
                     "CreationPolicy", "UpdatePolicy"});
    notes.Lost(member.name, fmt::format("{} is no table.", type));
    return {};
  }
  Node form = properties == nullptr ? Node::Map() : *properties;
  const auto index_writes = global ? TakeIndexWrites(form, member.name, notes) : Writes{};
  Fields fields(form, member.name, notes);
  auto read = [&] {
    if (simple) return TakeSimpleTable(fields);
    if (global) return TakeGlobalTable(fields, index_writes);
    return TakeTable(fields);
  }();
  TRY_ASSIGN(auto table, std::move(read));
  TakeExtras(fields, table);
  if (table.name.empty()) {
    table.name = member.name;
    notes.Guessed(member.name, "The table is named after its resource.");
  }
  blueprint.tables.push_back(std::move(table));
  return {};
}

// ---- writing ----

std::string LogicalId(std::string_view name, std::set<std::string>& taken) {
  std::string id;
  for (const char c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (good) id += c;
  }
  if (id.empty()) id = "Table";
  const auto stem = id;
  for (int i = 2; !taken.insert(id).second; ++i) id = stem + std::to_string(i);
  return id;
}

Node Enabled(std::string_view name) {
  return Node::Map({{std::string(name), Node::Boolean(true)}});
}

Node TableProperties(const PhysicalTable& table) {
  Node form = TableForm(table);
  if (Node* stream = FindIn(form, "StreamSpecification")) Remove(*stream, "StreamEnabled");
  if (table.ttl) {
    form.Add("TimeToLiveSpecification", Node::Map({{"AttributeName", Node::Text(*table.ttl)},
                                                   {"Enabled", Node::Boolean(true)}}));
  }
  if (table.options.contains(TableOption::kPointInTime)) {
    form.Add("PointInTimeRecoverySpecification", Enabled("PointInTimeRecoveryEnabled"));
  }
  return form;
}

Node ScaledForm(const Capacity& capacity) {
  const auto scaling =
      capacity.scaling.value_or(Scaling{.min = capacity.units, .max = capacity.units});
  return Node::Map({{"MinCapacity", Node::Integer(scaling.min)},
                    {"MaxCapacity", Node::Integer(scaling.max)},
                    {"SeedCapacity", Node::Integer(capacity.units)},
                    {"TargetTrackingScalingPolicyConfiguration",
                     Node::Map({{"TargetValue", Node::Integer(scaling.target_percent)}})}});
}

Node WritesForm(const Throughput& throughput) {
  return Node::Map({{"WriteCapacityAutoScalingSettings", ScaledForm(throughput.write)}});
}

Node ReadsForm(const Throughput& throughput) {
  if (throughput.read.scaling) {
    return Node::Map({{"ReadCapacityAutoScalingSettings", ScaledForm(throughput.read)}});
  }
  return Node::Map({{"ReadCapacityUnits", Node::Integer(throughput.read.units)}});
}

// A GlobalTable of one region: the resource that has scaling in itself.
Node GlobalTableProperties(const PhysicalTable& table) {
  Node form = TableProperties(table);
  Node replica = Node::Map({{"Region", Node::Map({{"Ref", Node::Text("AWS::Region")}})}});
  // What is each region's own.
  for (const std::string_view name :
       {"TableClass", "DeletionProtectionEnabled", "PointInTimeRecoverySpecification"}) {
    if (const Node* own = form.Find(name)) replica.Add(name, *own);
    Remove(form, name);
  }
  Remove(form, "ProvisionedThroughput");
  if (table.throughput) {
    form.Add("WriteProvisionedThroughputSettings", WritesForm(*table.throughput));
    replica.Add("ReadProvisionedThroughputSettings", ReadsForm(*table.throughput));
  }
  Node index_reads = Node::List();
  if (Node* indexes = FindIn(form, "GlobalSecondaryIndexes")) {
    for (Node& index : indexes->items) {
      Remove(index, "ProvisionedThroughput");
      const auto& name = index.Find("IndexName")->text;
      const auto& said = std::ranges::find(table.indexes, name, &PhysicalIndex::name)->throughput;
      if (!said) continue;
      index.Add("WriteProvisionedThroughputSettings", WritesForm(*said));
      index_reads.items.push_back(
          Node::Map({{"IndexName", Node::Text(name)},
                     {"ReadProvisionedThroughputSettings", ReadsForm(*said)}}));
    }
  }
  replica.AddUnlessEmpty("GlobalSecondaryIndexes", std::move(index_reads));
  form.Add("Replicas", Node::List({std::move(replica)}));
  return form;
}

bool Scales(const std::optional<Throughput>& throughput) {
  return throughput && (throughput->read.scaling || throughput->write.scaling);
}

Node Template(const Blueprint& blueprint) {
  Node resources = Node::Map();
  std::set<std::string> taken;
  for (const auto& table : blueprint.tables) {
    const bool global = Scales(table.throughput) ||
                        std::ranges::any_of(table.indexes, Scales, &PhysicalIndex::throughput);
    resources.Add(
        LogicalId(table.name, taken),
        Node::Map(
            {{"Type", Node::Text(global ? "AWS::DynamoDB::GlobalTable" : "AWS::DynamoDB::Table")},
             {"Properties", global ? GlobalTableProperties(table) : TableProperties(table)}}));
  }
  return Node::Map({{"AWSTemplateFormatVersion", Node::Text("2010-09-09")},
                    {"Resources", std::move(resources)}});
}

}  // namespace

bool LooksLikeCloudFormation(std::string_view text) {
  return text.find("AWS::DynamoDB::") != text.npos ||
         text.find("AWS::Serverless::SimpleTable") != text.npos;
}

Expected<Blueprint, std::string> ReadCloudFormation(std::string_view text, Notes& notes) {
  TRY_ASSIGN(const Node document, ReadDocument(text));
  Blueprint blueprint;
  for (const Node* resources : ResourcesOf(document)) {
    for (const auto& member : resources->members) TRY(ReadResource(member, blueprint, notes));
  }
  if (blueprint.tables.empty()) return Unexpected(std::string("The template has no table."));
  return blueprint;
}

std::string PrintCloudFormation(const Blueprint& blueprint) {
  return PrintYaml(Template(blueprint));
}

}  // namespace kw::modeller
