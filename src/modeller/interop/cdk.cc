// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/cdk.h"

#include <fmt/format.h>

#include "base/json.h"

namespace kw::modeller {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted;
  JsonWriter(quoted).String(text);
  return quoted;
}

std::string AttributeText(const KeyAttribute& attribute) {
  const std::string_view type = attribute.type == KeyType::kString   ? "STRING"
                                : attribute.type == KeyType::kNumber ? "NUMBER"
                                                                     : "BINARY";
  return fmt::format("{{ name: {}, type: dynamodb.AttributeType.{} }}", Quoted(attribute.name),
                     type);
}

// TableV2 takes writes that scale only: fixed ones scale between equal bounds.
std::string CapacityText(const Capacity& capacity, bool writes) {
  if (!capacity.scaling && !writes) {
    return fmt::format("dynamodb.Capacity.fixed({})", capacity.units);
  }
  const auto scaling = capacity.scaling.value_or(
      Scaling{.min = capacity.units, .max = capacity.units, .target_percent = 70});
  return fmt::format(
      "dynamodb.Capacity.autoscaled({{ minCapacity: {}, maxCapacity: {}, "
      "targetUtilizationPercent: {}, seedCapacity: {} }})",
      scaling.min, scaling.max, scaling.target_percent, capacity.units);
}

std::string ProjectionText(const Projected& projected) {
  if (std::holds_alternative<ProjectAll>(projected)) {
    return "projectionType: dynamodb.ProjectionType.ALL";
  }
  const auto* include = std::get_if<ProjectInclude>(&projected);
  if (include == nullptr) return "projectionType: dynamodb.ProjectionType.KEYS_ONLY";
  std::vector<std::string> names;
  for (const auto& name : include->attributes) names.push_back(Quoted(name));
  return fmt::format("projectionType: dynamodb.ProjectionType.INCLUDE, nonKeyAttributes: [{}]",
                     fmt::join(names, ", "));
}

std::string IndexText(const PhysicalIndex& index) {
  std::string text = fmt::format("        {{\n          indexName: {},\n", Quoted(index.name));
  if (index.scope == IndexScope::kGlobal) {
    text +=
        fmt::format("          partitionKey: {},\n", AttributeText(index.key.partition.front()));
  }
  if (!index.key.sort.empty()) {
    text += fmt::format("          sortKey: {},\n", AttributeText(index.key.sort.front()));
  }
  text += fmt::format("          {},\n", ProjectionText(index.projected));
  if (index.throughput) {
    text += fmt::format("          readCapacity: {},\n          writeCapacity: {},\n",
                        CapacityText(index.throughput->read, false),
                        CapacityText(index.throughput->write, true));
  }
  return text + "        },\n";
}

std::string IndexesText(const PhysicalTable& table, IndexScope scope, std::string_view name) {
  std::string text;
  for (const auto& index : table.indexes) {
    if (index.scope == scope) text += IndexText(index);
  }
  return text.empty() ? text : fmt::format("      {}: [\n{}      ],\n", name, text);
}

std::string OptionText(TableOption option) {
  switch (option) {
    case TableOption::kDeletionProtection: return "deletionProtection: true";
    case TableOption::kInfrequentAccess:
      return "tableClass: dynamodb.TableClass.STANDARD_INFREQUENT_ACCESS";
    case TableOption::kPointInTime:
      return "pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true }";
  }
  return "";
}

// A word that is none of the service's becomes the widest view.
std::string StreamText(std::string_view view) {
  const bool known = view == "KEYS_ONLY" || view == "NEW_IMAGE" || view == "OLD_IMAGE";
  return fmt::format("dynamoStream: dynamodb.StreamViewType.{}",
                     known ? view : "NEW_AND_OLD_IMAGES");
}

std::string TableText(const PhysicalTable& table) {
  const auto name = Quoted(table.name);
  std::string text =
      fmt::format("    new dynamodb.TableV2(this, {}, {{\n      tableName: {},\n", name, name);
  text += fmt::format("      partitionKey: {},\n", AttributeText(table.key.partition.front()));
  if (!table.key.sort.empty()) {
    text += fmt::format("      sortKey: {},\n", AttributeText(table.key.sort.front()));
  }
  text += table.throughput
              ? fmt::format(
                    "      billing: dynamodb.Billing.provisioned({{\n"
                    "        readCapacity: {},\n        writeCapacity: {},\n      }}),\n",
                    CapacityText(table.throughput->read, false),
                    CapacityText(table.throughput->write, true))
              : "      billing: dynamodb.Billing.onDemand(),\n";
  if (table.ttl) text += fmt::format("      timeToLiveAttribute: {},\n", Quoted(*table.ttl));
  if (table.stream) text += fmt::format("      {},\n", StreamText(*table.stream));
  for (const auto option : table.options) text += fmt::format("      {},\n", OptionText(option));
  text += IndexesText(table, IndexScope::kGlobal, "globalSecondaryIndexes");
  text += IndexesText(table, IndexScope::kLocal, "localSecondaryIndexes");
  return text + "    });\n";
}

}  // namespace

std::string PrintCdk(const Blueprint& blueprint) {
  std::string text =
      "import { Stack, StackProps } from 'aws-cdk-lib';\n"
      "import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';\n"
      "import { Construct } from 'constructs';\n\n"
      "export class TablesStack extends Stack {\n"
      "  constructor(scope: Construct, id: string, props?: StackProps) {\n"
      "    super(scope, id, props);\n\n";
  for (const auto& table : blueprint.tables) text += TableText(table);
  return text + "  }\n}\n";
}

}  // namespace kw::modeller
