// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/create_table.h"

#include "modeller/interop/document.h"
#include "modeller/interop/table_form.h"

namespace kw::modeller {
namespace {

// One table or a list of them.
std::vector<const Node*> Several(const Node& document) {
  std::vector<const Node*> nodes;
  if (!document.is(Node::Kind::kList)) return {&document};
  for (const Node& item : document.items) nodes.push_back(&item);
  return nodes;
}

bool Holds(std::string_view text, std::string_view name) {
  return text.find('"' + std::string(name) + '"') != text.npos;
}

}  // namespace

bool LooksLikeCreateTable(std::string_view text) {
  return Holds(text, "KeySchema") && Holds(text, "AttributeDefinitions");
}

Expected<Blueprint, std::string> ReadCreateTable(std::string_view text, Notes& notes) {
  TRY_ASSIGN(const Node document, ReadDocument(text));
  Blueprint blueprint;
  for (const Node* node : Several(document)) {
    const Node* name = node->Find("TableName");
    Fields fields(*node, name == nullptr ? "" : name->text, notes);
    TRY_ASSIGN(auto table, TakeTable(fields));
    blueprint.tables.push_back(std::move(table));
  }
  return blueprint;
}

std::string PrintCreateTable(const Blueprint& blueprint) {
  if (blueprint.tables.size() == 1) return PrintJson(TableForm(blueprint.tables.front()));
  Node list = Node::List();
  for (const auto& table : blueprint.tables) list.items.push_back(TableForm(table));
  return PrintJson(list);
}

bool LooksLikeDescribeTable(std::string_view text) {
  return LooksLikeCreateTable(text) && (Holds(text, "Table") || Holds(text, "TableStatus"));
}

Expected<Blueprint, std::string> ReadDescribeTable(std::string_view text, Notes& notes) {
  TRY_ASSIGN(const Node document, ReadDocument(text));
  Blueprint blueprint;
  for (const Node* node : Several(document)) {
    if (const Node* inner = node->Find("Table")) node = inner;
    const Node* name = node->Find("TableName");
    Fields fields(*node, name == nullptr ? "" : name->text, notes);
    // What a table is now, as opposed to how it was made.
    fields.Ignore({"TableStatus", "CreationDateTime", "TableSizeBytes", "ItemCount", "TableArn",
                   "TableId", "LatestStreamArn", "LatestStreamLabel", "WarmThroughput"});
    std::optional<std::string> billing;
    if (const Node* summary = fields.Take("BillingModeSummary")) {
      Fields said(*summary, fields.At("BillingModeSummary"), notes);
      billing = said.TakeText("BillingMode");
      said.Ignore({"LastUpdateToPayPerRequestDateTime"});
    }
    std::optional<std::string> table_class;
    if (const Node* summary = fields.Take("TableClassSummary")) {
      Fields said(*summary, fields.At("TableClassSummary"), notes);
      table_class = said.TakeText("TableClass");
      said.Ignore({"LastUpdateDateTime"});
    }
    TRY_ASSIGN(auto table, TakeTable(fields));
    if (billing == "PAY_PER_REQUEST") table.throughput.reset();
    if (table_class == "STANDARD_INFREQUENT_ACCESS") {
      table.options.insert(TableOption::kInfrequentAccess);
    }
    blueprint.tables.push_back(std::move(table));
  }
  return blueprint;
}

}  // namespace kw::modeller
