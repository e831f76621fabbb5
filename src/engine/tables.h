// SPDX-License-Identifier: Apache-2.0
// The life of a table: created, changed, backfilled, deleted. Requests come from api with the
// service's request rules checked; here are the rules that need the catalog.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/engine.h"

namespace kw::engine {

struct IndexRequest {
  IndexSchema schema;
  std::optional<Provisioned> provisioned;
  std::optional<OnDemandMaximum> on_demand;
  std::optional<WarmThroughput> warm;
};

struct CreateTableRequest {
  TableKey key;
  TableSchema schema;
  std::vector<KeyAttribute> attribute_definitions;
  BillingMode billing = BillingMode::kProvisioned;
  Provisioned provisioned;
  std::vector<IndexRequest> indexes;  // one for each of schema.indexes(), in order
  std::optional<OnDemandMaximum> on_demand;
  std::optional<WarmThroughput> warm;
  TableClass table_class = TableClass::kStandard;
  bool deletion_protection = false;
  std::optional<StreamView> stream;
  bool sse_kms = false;
  std::optional<std::string> sse_key_arn;
  std::vector<Tag> tags;
  ResourcePolicyPtr policy;  // its revision is still to be given
};

struct IndexCreate {
  IndexRequest index;
};
struct IndexDelete {
  std::string name;
};
struct IndexChange {
  std::string name;
  std::optional<Provisioned> provisioned;
  std::optional<OnDemandMaximum> on_demand;
  std::optional<WarmThroughput> warm;
};
struct UpdateTableRequest {
  TableKey key;
  std::optional<BillingMode> billing;
  std::optional<Provisioned> provisioned;
  std::vector<std::variant<IndexCreate, IndexDelete, IndexChange>> index_changes;
  std::optional<std::optional<StreamView>> stream;  // set: enable a view, or disable
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection;
  std::optional<OnDemandMaximum> on_demand;  // -1 takes a maximum away; absent members stay
  std::optional<WarmThroughput> warm;        // absent members stay
  std::optional<bool> sse_kms;
  std::optional<std::string> sse_key_arn;
};

// What a new index begins with, but for its ordinal. Errors: LimitExceeded, Validation for
// capacity.
Result<IndexState> StartIndex(const TableKey& table, const IndexRequest& index,
                              BillingMode billing);
// Errors: Validation where the projections of a table's indexes name too many attributes.
Result<void> CheckProjections(const std::vector<IndexSchema>& indexes);
// The label of a stream that begins now, as in its ARN.
std::string StreamLabel(TimePoint now);

// A snapshot and its sizes, for descriptions.
struct IndexSize {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
};
struct TableSize {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  std::vector<IndexSize> indexes;  // in the order of schema.indexes()
};
Result<TableSize> SizeOf(Engine& engine, const Table& table);

// The control plane's sentence for a table that is not there; item operations have another.
Error TableNotFound(const TableKey& key);
// Errors: TableNotFound.
Result<TablePtr> FindTable(const Engine& engine, const TableKey& key);

// The table with the day's decreases of capacity as of now: they count from midnight UTC.
TablePtr AsOf(TablePtr table, TimePoint now);

// All block until durable; run them where waiting is allowed.
// The answers are as the service's: they show the table as CREATING, UPDATING or DELETING, and a
// change of capacity with the numbers before; the catalog holds the new state at once, ACTIVE.
// A new index is filled, and what is dropped is removed, by RunUpkeep (upkeep.h).
// Errors: ResourceInUse, ResourceNotFound, LimitExceeded, Validation, in the service's words.
Result<TablePtr> CreateTable(Engine& engine, CreateTableRequest request);
Result<TablePtr> UpdateTable(Engine& engine, UpdateTableRequest request);
Result<TablePtr> DeleteTable(Engine& engine, const TableKey& key);

}  // namespace kw::engine
