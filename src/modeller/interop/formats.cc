// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "modeller/interop/cdk.h"
#include "modeller/interop/cloudformation.h"
#include "modeller/interop/create_table.h"
#include "modeller/interop/electrodb.h"
#include "modeller/interop/onetable.h"
#include "modeller/interop/sql_schema.h"
#include "modeller/interop/terraform.h"
#include "modeller/interop/workbench.h"

namespace kw::modeller {
namespace {

using enum Content;

const Contents kTable = {
    kSeveralTables,        kBareTables,  kTableNames, kLocalIndexes,    kOptions,
    kSeveralKeyAttributes, kProjections, kThroughput, kIndexThroughput, kStreams};

Contents With(Contents contents, std::initializer_list<Content> more) {
  contents.insert(more.begin(), more.end());
  return contents;
}
Contents Without(Contents contents, std::initializer_list<Content> less) {
  for (const auto content : less) contents.erase(content);
  return contents;
}

const std::vector<FileFormat>& All() {
  // In the order in which a text is tried.
  static const std::vector<FileFormat> formats = {
      {"workbench", "a data model of NoSQL Workbench, 1.0 to 3.0", ".json",
       With(Without(kTable,
                    {kLocalIndexes, kSeveralKeyAttributes, kIndexThroughput, kStreams, kOptions}),
            {kName, kScaling, kEntities, kBinaries, kKeyFormats, kItems}),
       LooksLikeWorkbench, ReadWorkbench, PrintWorkbench},
      {"onetable",
       "a schema of OneTable, format onetable:1.1.0",
       ".json",
       {kBareTables, kLocalIndexes, kProjections, kEntities, kTimes, kBinaries, kRequired, kValues,
        kUnique, kIndexTexts, kPadding},
       LooksLikeOneTable,
       ReadOneTable,
       PrintOneTable},
      {"electrodb",
       "models of ElectroDB, as JSON",
       ".json",
       {kName, kSeveralTables, kTableNames, kEntities, kRequired, kValues, kIndexTexts},
       LooksLikeElectroDb,
       ReadElectroDb,
       PrintElectroDb},
      {"cloudformation", "tables of CloudFormation; SAM and Serverless are read", ".yaml",
       With(kTable, {kScaling, kTimeToLive, kPointInTime}), LooksLikeCloudFormation,
       ReadCloudFormation, PrintCloudFormation},
      {"terraform", "aws_dynamodb_table; read where values are plain", ".tf",
       With(Without(kTable, {kSeveralKeyAttributes}), {kTimeToLive, kPointInTime}),
       LooksLikeTerraform, ReadTerraform, PrintTerraform},
      {"cdk", "a stack of TableV2 in TypeScript", ".ts",
       With(Without(kTable, {kSeveralKeyAttributes}), {kScaling, kTimeToLive, kPointInTime}),
       nullptr, nullptr, PrintCdk},
      {"describe-table", "the answer of `aws dynamodb describe-table`", ".json", kTable,
       LooksLikeDescribeTable, ReadDescribeTable, nullptr},
      {"create-table", "the input of `aws dynamodb create-table`", ".json", kTable,
       LooksLikeCreateTable, ReadCreateTable, PrintCreateTable},
      {"sql",
       "CREATE TABLE of PostgreSQL, MySQL or SQLite, with SELECTs",
       ".sql",
       {kName, kEntities, kFieldTypes, kRequired, kValues, kUnique, kIdentity, kReferences,
        kQuestions},
       LooksLikeSqlSchema,
       ReadSqlSchema,
       nullptr},
  };
  return formats;
}

std::string Known(std::string_view what) {
  std::vector<std::string_view> names;
  for (const auto& format : All()) names.push_back(format.name);
  return fmt::format("{} Known are: {}.", what, fmt::join(names, ", "));
}

}  // namespace

std::span<const FileFormat> Formats() { return All(); }

Expected<const FileFormat*, std::string> FindFormat(std::string_view name) {
  const auto found = std::ranges::find(All(), name, &FileFormat::name);
  if (found != All().end()) return &*found;
  return Unexpected(Known(fmt::format("There is no format '{}'.", name)));
}

Expected<const FileFormat*, std::string> DetectFormat(std::string_view text) {
  for (const auto& format : All()) {
    if (format.read != nullptr && format.detects(text)) return &format;
  }
  return Unexpected(Known("The text looks like no known format: name one with --format."));
}

Expected<Blueprint, std::string> Read(const FileFormat& format, std::string_view text,
                                      Notes& notes) {
  Check(format.read != nullptr, "the caller reads a format that is read");
  return format.read(text, notes);
}

Expected<std::string, std::string> Print(const FileFormat& format, const Blueprint& blueprint,
                                         Notes& notes) {
  if (format.print == nullptr) {
    return Unexpected(fmt::format("{} is only read, not written.", format.name));
  }
  const auto reduced = Reduce(blueprint, format.holds, notes);
  if (reduced.tables.empty()) {
    return Unexpected(fmt::format("{} needs tables: name a design as well.", format.name));
  }
  return format.print(reduced);
}

}  // namespace kw::modeller
