// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/terraform.h"

#include <fmt/format.h>

#include <algorithm>

#include "modeller/interop/hcl.h"
#include "modeller/interop/table_form.h"

namespace kw::modeller {
namespace {

constexpr std::string_view kResource = "aws_dynamodb_table";

// ---- reading ----

using KeyTypes = std::map<std::string, KeyType, std::less<>>;

void TakeKeyPart(Fields& fields, std::string_view name, const KeyTypes& types,
                 std::vector<KeyAttribute>& parts) {
  auto attribute = fields.TakeText(name);
  if (!attribute) return;
  const auto type = types.find(*attribute);
  if (type == types.end()) {
    fields.notes().Guessed(fields.At(name), fmt::format("{} has no type: S is taken.", *attribute));
  }
  parts.push_back({std::move(*attribute), type == types.end() ? KeyType::kString : type->second});
}

std::optional<Throughput> TakeUnits(Fields& fields) {
  const auto read = fields.TakeInteger("read_capacity");
  const auto write = fields.TakeInteger("write_capacity");
  if (!read && !write) return std::nullopt;
  return Throughput{.read = {.units = read.value_or(1), .scaling = std::nullopt},
                    .write = {.units = write.value_or(1), .scaling = std::nullopt}};
}

void TakeIndexes(Fields& fields, std::string_view block, IndexScope scope, const KeyTypes& types,
                 PhysicalTable& table) {
  for (const Node& node : fields.TakeList(block)) {
    Fields said(node, fields.At(block), fields.notes());
    PhysicalIndex index{.name = said.TakeText("name").value_or(""), .scope = scope};
    TakeKeyPart(said, "hash_key", types, index.key.partition);
    if (scope == IndexScope::kLocal) index.key.partition = table.key.partition;
    TakeKeyPart(said, "range_key", types, index.key.sort);
    const auto projection = said.TakeText("projection_type").value_or("ALL");
    auto names = said.TakeTexts("non_key_attributes");
    if (projection == "KEYS_ONLY") index.projected = ProjectKeys{};
    if (projection == "INCLUDE") index.projected = ProjectInclude{std::move(names)};
    index.throughput = TakeUnits(said);
    table.indexes.push_back(std::move(index));
  }
}

// A block that stands once at most.
template <class Visit>
void TakeBlock(Fields& fields, std::string_view name, const Visit& visit) {
  for (const Node& node : fields.TakeList(name)) {
    Fields said(node, fields.At(name), fields.notes());
    visit(said);
  }
}

Expected<PhysicalTable, std::string> ReadTable(Fields& fields) {
  PhysicalTable table;
  table.name = fields.TakeText("name").value_or(fields.where());
  KeyTypes types;
  TakeBlock(fields, "attribute", [&](Fields& said) {
    const auto name = said.TakeText("name").value_or("");
    if (const auto type = ParseKeyType(said.TakeText("type").value_or(""))) {
      types.emplace(name, *type);
    }
  });
  TakeKeyPart(fields, "hash_key", types, table.key.partition);
  TakeKeyPart(fields, "range_key", types, table.key.sort);
  TakeIndexes(fields, "local_secondary_index", IndexScope::kLocal, types, table);
  TakeIndexes(fields, "global_secondary_index", IndexScope::kGlobal, types, table);
  table.throughput = TakeUnits(fields);
  if (fields.TakeText("billing_mode") == "PAY_PER_REQUEST") table.throughput.reset();
  TakeBlock(fields, "ttl", [&](Fields& said) {
    const Node* enabled = said.Take("enabled");
    auto name = said.TakeText("attribute_name");
    if (enabled == nullptr || enabled->text != "false") table.ttl = std::move(name);
  });
  TakeBlock(fields, "point_in_time_recovery", [&](Fields& said) {
    if (said.TakeFlag("enabled")) table.options.insert(TableOption::kPointInTime);
  });
  const bool streams = fields.TakeFlag("stream_enabled");
  auto view = fields.TakeText("stream_view_type");
  if (streams) table.stream = std::move(view);
  if (fields.TakeText("table_class") == "STANDARD_INFREQUENT_ACCESS") {
    table.options.insert(TableOption::kInfrequentAccess);
  }
  if (fields.TakeFlag("deletion_protection_enabled")) {
    table.options.insert(TableOption::kDeletionProtection);
  }
  TRY(CheckTable(table));
  return table;
}

// ---- writing ----

class HclWriter {
 public:
  void Open(std::string_view head) {
    out_ += fmt::format("{:{}}{} {{\n", "", indent_, head);
    indent_ += 2;
  }
  void Close() {
    indent_ -= 2;
    out_ += fmt::format("{:{}}}}\n", "", indent_);
  }
  void Text(std::string_view name, std::string_view value) { Raw(name, HclText(value)); }
  void Raw(std::string_view name, std::string_view value) {
    out_ += fmt::format("{:{}}{} = {}\n", "", indent_, name, value);
  }
  void Line() { out_ += '\n'; }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
  std::size_t indent_ = 0;
};

void WriteUnits(const std::optional<Throughput>& throughput, HclWriter& out) {
  if (!throughput) return;
  out.Raw("read_capacity", std::to_string(throughput->read.units));
  out.Raw("write_capacity", std::to_string(throughput->write.units));
}

void WriteIndex(const PhysicalIndex& index, HclWriter& out) {
  const bool global = index.scope == IndexScope::kGlobal;
  out.Line();
  out.Open(global ? "global_secondary_index" : "local_secondary_index");
  out.Text("name", index.name);
  if (global) out.Text("hash_key", index.key.partition.front().name);
  if (!index.key.sort.empty()) out.Text("range_key", index.key.sort.front().name);
  const auto* include = std::get_if<ProjectInclude>(&index.projected);
  out.Text("projection_type", include != nullptr                                    ? "INCLUDE"
                              : std::holds_alternative<ProjectAll>(index.projected) ? "ALL"
                                                                                    : "KEYS_ONLY");
  if (include != nullptr) {
    std::vector<std::string> names;
    for (const auto& name : include->attributes) names.push_back(HclText(name));
    out.Raw("non_key_attributes", fmt::format("[{}]", fmt::join(names, ", ")));
  }
  WriteUnits(index.throughput, out);
  out.Close();
}

std::string Label(std::string_view name) {
  std::string label;
  for (const char c : name) label += c == '.' ? '_' : c;
  return label.empty() ? "table" : label;
}

void WriteTable(const PhysicalTable& table, HclWriter& out) {
  out.Open(fmt::format("resource \"{}\" {}", kResource, HclText(Label(table.name))));
  out.Text("name", table.name);
  out.Text("billing_mode", table.throughput ? "PROVISIONED" : "PAY_PER_REQUEST");
  WriteUnits(table.throughput, out);
  out.Text("hash_key", table.key.partition.front().name);
  if (!table.key.sort.empty()) out.Text("range_key", table.key.sort.front().name);
  if (table.stream) {
    out.Raw("stream_enabled", "true");
    out.Text("stream_view_type", *table.stream);
  }
  if (table.options.contains(TableOption::kInfrequentAccess)) {
    out.Text("table_class", "STANDARD_INFREQUENT_ACCESS");
  }
  if (table.options.contains(TableOption::kDeletionProtection)) {
    out.Raw("deletion_protection_enabled", "true");
  }
  for (const auto& attribute : KeyAttributesOf(table)) {
    out.Line();
    out.Open("attribute");
    out.Text("name", attribute.name);
    out.Text("type", WireName(attribute.type));
    out.Close();
  }
  for (const auto& index : table.indexes) WriteIndex(index, out);
  if (table.ttl) {
    out.Line();
    out.Open("ttl");
    out.Text("attribute_name", *table.ttl);
    out.Raw("enabled", "true");
    out.Close();
  }
  if (table.options.contains(TableOption::kPointInTime)) {
    out.Line();
    out.Open("point_in_time_recovery");
    out.Raw("enabled", "true");
    out.Close();
  }
  out.Close();
}

}  // namespace

bool LooksLikeTerraform(std::string_view text) { return text.find(kResource) != text.npos; }

Expected<Blueprint, std::string> ReadTerraform(std::string_view text, Notes& notes) {
  TRY_ASSIGN(const Node document, ReadHcl(text));
  Fields root(document, "", notes);
  root.Ignore({"terraform", "provider", "variable", "output", "locals", "data"});
  Blueprint blueprint;
  for (const Node& node : root.TakeList("resource")) {
    const Node* labels = node.Find(kHclLabels);
    if (labels == nullptr || labels->items.size() != 2) continue;
    if (labels->items[0].text != kResource) {
      notes.Lost(labels->items[1].text, fmt::format("{} is no table.", labels->items[0].text));
      continue;
    }
    Fields fields(node, labels->items[1].text, notes);
    fields.Ignore({kHclLabels});
    TRY_ASSIGN(auto table, ReadTable(fields));
    blueprint.tables.push_back(std::move(table));
  }
  if (blueprint.tables.empty()) {
    return Unexpected(fmt::format("There is no resource \"{}\" in it.", kResource));
  }
  return blueprint;
}

std::string PrintTerraform(const Blueprint& blueprint) {
  HclWriter out;
  for (const auto& table : blueprint.tables) {
    if (&table != &blueprint.tables.front()) out.Line();
    WriteTable(table, out);
  }
  return out.Take();
}

}  // namespace kw::modeller
