// SPDX-License-Identifier: Apache-2.0
// The actions of DynamoDB that policies speak of, as small numbers.
// Source: aws-doc, Service Authorization Reference, "Actions, resources, and condition keys for
// Amazon DynamoDB".
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kw::access {

// What an action is about: the policy of a resource cannot speak of the others.
enum class Subject : std::uint8_t { kTable, kStream, kAccount };

struct ActionRow {
  std::string_view name;
  Subject subject = Subject::kTable;
};

// Sorted by name.
inline constexpr std::array kActions = {
    ActionRow{"BatchGetItem"},
    ActionRow{"BatchWriteItem"},
    ActionRow{"CancelBulkOperation", Subject::kAccount},
    ActionRow{"ConditionCheckItem"},
    ActionRow{"CreateBackup"},
    ActionRow{"CreateGlobalTable", Subject::kAccount},
    ActionRow{"CreateTable", Subject::kAccount},
    ActionRow{"CreateTableReplica"},
    ActionRow{"DeleteBackup", Subject::kAccount},
    ActionRow{"DeleteItem"},
    ActionRow{"DeleteResourcePolicy"},
    ActionRow{"DeleteTable"},
    ActionRow{"DeleteTableReplica"},
    ActionRow{"DescribeBackup", Subject::kAccount},
    ActionRow{"DescribeBulkOperation", Subject::kAccount},
    ActionRow{"DescribeContinuousBackups"},
    ActionRow{"DescribeContributorInsights"},
    ActionRow{"DescribeEndpoints", Subject::kAccount},
    ActionRow{"DescribeExport", Subject::kAccount},
    ActionRow{"DescribeGlobalTable", Subject::kAccount},
    ActionRow{"DescribeGlobalTableSettings", Subject::kAccount},
    ActionRow{"DescribeImport", Subject::kAccount},
    ActionRow{"DescribeKinesisStreamingDestination"},
    ActionRow{"DescribeLimits", Subject::kAccount},
    ActionRow{"DescribeStream", Subject::kStream},
    ActionRow{"DescribeTable"},
    ActionRow{"DescribeTableReplicaAutoScaling"},
    ActionRow{"DescribeTimeToLive"},
    ActionRow{"DisableKinesisStreamingDestination"},
    ActionRow{"EnableKinesisStreamingDestination"},
    ActionRow{"ExportTableToPointInTime"},
    ActionRow{"GetItem"},
    ActionRow{"GetRecords", Subject::kStream},
    ActionRow{"GetResourcePolicy"},
    ActionRow{"GetShardIterator", Subject::kStream},
    ActionRow{"ImportTable", Subject::kAccount},
    ActionRow{"ListBackups", Subject::kAccount},
    ActionRow{"ListBulkOperations", Subject::kAccount},
    ActionRow{"ListContributorInsights", Subject::kAccount},
    ActionRow{"ListExports", Subject::kAccount},
    ActionRow{"ListGlobalTables", Subject::kAccount},
    ActionRow{"ListImports", Subject::kAccount},
    ActionRow{"ListStreams", Subject::kAccount},
    ActionRow{"ListTables", Subject::kAccount},
    ActionRow{"ListTagsOfResource"},
    ActionRow{"PartiQLDelete"},
    ActionRow{"PartiQLInsert"},
    ActionRow{"PartiQLSelect"},
    ActionRow{"PartiQLUpdate"},
    ActionRow{"PutItem"},
    ActionRow{"PutResourcePolicy"},
    ActionRow{"Query"},
    ActionRow{"RestoreTableFromBackup", Subject::kAccount},
    ActionRow{"RestoreTableToPointInTime"},
    ActionRow{"Scan"},
    ActionRow{"SearchVectors"},
    ActionRow{"StartBulkPutItems"},
    ActionRow{"TagResource"},
    ActionRow{"UntagResource"},
    ActionRow{"UpdateContinuousBackups"},
    ActionRow{"UpdateContributorInsights"},
    ActionRow{"UpdateGlobalTable", Subject::kAccount},
    ActionRow{"UpdateGlobalTableSettings", Subject::kAccount},
    ActionRow{"UpdateItem"},
    ActionRow{"UpdateKinesisStreamingDestination"},
    ActionRow{"UpdateTable"},
    ActionRow{"UpdateTableReplicaAutoScaling"},
    ActionRow{"UpdateTimeToLive"},
};
static_assert(std::ranges::is_sorted(kActions, {}, &ActionRow::name));

// One of kActions.
class Action {
 public:
  // A name that is not in the list does not compile.
  explicit consteval Action(std::string_view name) : place_(PlaceOf(name)) {}

  [[nodiscard]] constexpr std::string_view name() const { return kActions[place_].name; }
  [[nodiscard]] constexpr Subject subject() const { return kActions[place_].subject; }
  [[nodiscard]] constexpr std::size_t place() const { return place_; }
  friend bool operator==(Action, Action) = default;

 private:
  static consteval std::uint8_t PlaceOf(std::string_view name) {
    const auto* row = std::ranges::lower_bound(kActions, name, {}, &ActionRow::name);
    if (row == kActions.end() || row->name != name) throw "no such action";
    return static_cast<std::uint8_t>(row - kActions.begin());
  }
  std::uint8_t place_;
};

using ActionSet = std::bitset<kActions.size()>;

}  // namespace kw::access
