// SPDX-License-Identifier: Apache-2.0
// The item operations: requests with nothing left to check but the table, and outcomes ready to be
// rendered. Items in outcomes are in stored form (data/item_bytes.h).
//
// Errors of all: ResourceNotFound (also for a table that is not ACTIVE yet and for an unknown
// index, with the service's sentences), InternalServerError from the store, WouldBlock only where
// CallContext::wait is kMemoryOnly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "data/item_bytes.h"
#include "data/metering.h"
#include "engine/engine.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace kw::engine {

enum class FailureReturn : std::uint8_t { kNone, kAllOld };
enum class PutReturn : std::uint8_t { kNone, kAllOld };
enum class DeleteReturn : std::uint8_t { kNone, kAllOld };
enum class UpdateReturn : std::uint8_t { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
// What an update's result is held against the limit with: UpdateItem adds something for each
// action, statements do not.
enum class UpdateSizeRule : std::uint8_t { kWithActions, kItemAlone };

// The collection that a write went to; only for tables with local indexes.
struct ItemCollection {
  Item key;  // the partition attribute alone
  ByteCount size;
};

// ---- single writes ----

struct PutRequest {
  TableKey table;
  Item item;
  std::optional<Condition> condition = std::nullopt;
  PutReturn returns = PutReturn::kNone;
  FailureReturn on_failure = FailureReturn::kNone;
};
struct DeleteRequest {
  TableKey table;
  Item key;
  std::optional<Condition> condition = std::nullopt;
  DeleteReturn returns = DeleteReturn::kNone;
  FailureReturn on_failure = FailureReturn::kNone;
};
struct UpdateRequest {
  TableKey table;
  Item key;
  std::optional<kw::Update> update = std::nullopt;  // absent: only makes sure that the item exists
  std::optional<Condition> condition = std::nullopt;
  UpdateReturn returns = UpdateReturn::kNone;
  FailureReturn on_failure = FailureReturn::kNone;
  UpdateSizeRule size_rule = UpdateSizeRule::kWithActions;
};
struct WriteOutcome {
  std::optional<std::string> attributes = std::nullopt;  // what ReturnValues asked for
  Capacity capacity;
  std::optional<ItemCollection> collection = std::nullopt;
};

// Errors: ConditionalCheckFailed "The conditional request failed" (with OldItem if asked for and
// there), Validation for keys, index keys, sizes and updates, ItemCollectionSizeLimitExceeded.
void Put(Engine& engine, const CallContext& call, PutRequest request, Done<WriteOutcome> done);
void Delete(Engine& engine, const CallContext& call, DeleteRequest request,
            Done<WriteOutcome> done);
void Update(Engine& engine, const CallContext& call, UpdateRequest request,
            Done<WriteOutcome> done);

// ---- single read ----

struct GetRequest {
  TableKey table;
  Item key;
  bool consistent = false;
  std::optional<Projection> projection = std::nullopt;
};
struct GetOutcome {
  std::optional<std::string> item = std::nullopt;  // projected, if asked
  Capacity capacity;
};
Result<GetOutcome> Get(Engine& engine, const CallContext& call, const GetRequest& request);

// ---- pages ----

enum class Select : std::uint8_t {
  kAllAttributes,
  kAllProjectedAttributes,
  kSpecificAttributes,
  kCount
};

// Whether a query's filter may name attributes of the key, as a statement's condition may.
enum class FilterScope : std::uint8_t { kOutsideKey, kAnyAttribute };

struct PageRequest {
  TableKey table;
  std::optional<std::string> index = std::nullopt;
  std::optional<Condition> filter = std::nullopt;
  bool legacy_filter = false;  // the filter was sent as a QueryFilter or ScanFilter: for messages
  FilterScope filter_scope = FilterScope::kOutsideKey;
  std::optional<Projection> projection = std::nullopt;
  std::optional<Select> select = std::nullopt;  // absent: the service's default
  std::optional<std::int64_t> limit = std::nullopt;
  std::optional<Item> start = std::nullopt;  // ExclusiveStartKey
  bool consistent = false;
};
struct QueryRequest {
  PageRequest page;
  KeyCondition key_condition;
  bool forward = true;
};
struct ScanRequest {
  PageRequest page;
  std::int64_t segment = 0;
  std::int64_t segments = 1;
};
struct PageOutcome {
  StoredItems items;  // empty for Select COUNT
  std::int64_t count = 0;
  std::int64_t scanned = 0;
  std::optional<Item> last_key = std::nullopt;  // LastEvaluatedKey
  Capacity capacity;
};
// Errors: Validation for keys, ranges, filters on key attributes, ALL_ATTRIBUTES of a narrow global
// index, strong reads of a global index, a start key that does not fit.
Result<PageOutcome> Query(Engine& engine, const CallContext& call, const QueryRequest& request);
Result<PageOutcome> Scan(Engine& engine, const CallContext& call, const ScanRequest& request);

// ---- batches ----

struct BatchGetTable {
  TableKey table;
  std::string name_as_sent;  // a name or an ARN
  std::vector<Item> keys;
  bool consistent = false;
  std::optional<Projection> projection = std::nullopt;
};
struct BatchGetOutcome {
  struct Table {
    std::vector<std::string> items;        // those found, any order
    std::vector<std::size_t> unprocessed;  // indexes into the request's keys, over 16 MB
    Capacity capacity;
  };
  std::vector<Table> tables;  // one for each of the request's, in order
};
// Errors also: Validation for a double key.
Result<BatchGetOutcome> BatchGet(Engine& engine, const CallContext& call,
                                 const std::vector<BatchGetTable>& tables);

struct BatchWriteTable {
  TableKey table;
  std::string name_as_sent;
  std::vector<std::variant<PutRequest, DeleteRequest>> writes;  // without conditions and returns
};
struct BatchWriteOutcome {
  struct Table {
    Capacity capacity;
    std::vector<ItemCollection> collections;
    std::vector<std::size_t> unprocessed;
  };
  std::vector<Table> tables;
};
// Each write is atomic by itself. Errors also: Validation for two writes of one item.
void BatchWrite(Engine& engine, const CallContext& call, std::vector<BatchWriteTable> tables,
                Done<BatchWriteOutcome> done);

// ---- transactions ----

struct ConditionCheckRequest {
  TableKey table;
  Item key;
  Condition condition;
  FailureReturn on_failure = FailureReturn::kNone;
};
using TransactWriteAction =
    std::variant<ConditionCheckRequest, PutRequest, DeleteRequest, UpdateRequest>;
struct TransactWriteRequest {
  std::vector<TransactWriteAction> actions;
  std::optional<std::string> token = std::nullopt;  // ClientRequestToken
  std::uint64_t fingerprint = 0;  // of the request's content, to tell a replay from a misuse
};
struct TableCapacity {
  TableKey table;
  Capacity capacity;
};
struct TransactWriteOutcome {
  std::vector<TableCapacity> capacities;  // one a table, by name; reads for a replay
  struct Collection {
    TableKey table;
    ItemCollection collection;
  };
  std::vector<Collection> collections;
};
// Errors: TransactionCanceled with one reason for each action, in order; Validation for two actions
// on one item and for an oversized Put; IdempotentParameterMismatch.
void TransactWrite(Engine& engine, const CallContext& call, TransactWriteRequest request,
                   Done<TransactWriteOutcome> done);

// What TransactionCanceled says of its reasons.
std::string CancellationMessage(const std::vector<CancellationReason>& reasons);

struct TransactGetOutcome {
  std::vector<std::optional<std::string>> items;
  std::vector<TableCapacity> capacities;
};
// One snapshot. Errors: as TransactWrite.
Result<TransactGetOutcome> TransactGet(Engine& engine, const CallContext& call,
                                       const std::vector<GetRequest>& gets);

}  // namespace kw::engine
