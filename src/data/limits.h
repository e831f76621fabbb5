// SPDX-License-Identifier: Apache-2.0
// Every limit of the service that the program enforces, each with its source.
// Source, unless said: AWS Developer Guide, "Quotas in Amazon DynamoDB" (2026-11).
#pragma once

#include <cstddef>
#include <cstdint>

namespace kw::limits {

inline constexpr std::int64_t kItemBytesMax = 400 * 1024;
inline constexpr std::int64_t kPartitionKeyBytesMax = 2048;
inline constexpr std::int64_t kSortKeyBytesMax = 1024;
inline constexpr int kNestingMax = 32;
inline constexpr int kNumberDigitsMax = 38;

inline constexpr std::int64_t kPageBytesMax = 1024 * 1024;        // Query, Scan
inline constexpr std::int64_t kStreamPageBytesMax = 1024 * 1024;  // aws-doc: API_streams_GetRecords
inline constexpr std::size_t kStreamRecordsMax = 1000;            // likewise
inline constexpr std::int64_t kReadUnitBytes = 4096;
inline constexpr std::int64_t kWriteUnitBytes = 1024;
inline constexpr std::int64_t kBatchGetBytesMax = 16 * 1024 * 1024;
inline constexpr std::int64_t kTransactionBytesMax = 4 * 1024 * 1024;
inline constexpr std::size_t kBatchGetKeysMax = 100;
inline constexpr std::size_t kBatchWriteRequestsMax = 25;
inline constexpr std::size_t kTransactionActionsMax = 100;
inline constexpr std::int64_t kIdempotencyWindowSeconds = 600;
inline constexpr std::size_t kBatchStatementsMax = 25;
inline constexpr std::size_t kStatementCharactersMax = 8192;   // aws-model: PartiQLStatement
inline constexpr std::size_t kNextTokenCharactersMax = 32768;  // aws-model: PartiQLNextToken
inline constexpr std::size_t kInPartitionKeysMax = 50;         // aws-doc: ql-operators
inline constexpr std::size_t kInPageItemsMax = 10;             // aws-doc: ql-operators

inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr std::size_t kExpressionOperatorsMax = 300;
inline constexpr std::size_t kExpressionNameBytesMax = 255;  // a placeholder's name
inline constexpr std::size_t kInOperandsMax = 100;
inline constexpr std::int64_t kExpressionValuesBytesMax = 2 * 1024 * 1024;

inline constexpr std::size_t kTableNameMin = 3;
inline constexpr std::size_t kTableNameMax = 255;
inline constexpr std::size_t kAttributeNameBytesMax = 65535;
inline constexpr std::size_t kKeyAttributeNameBytesMax = 255;
inline constexpr std::size_t kGlobalIndexesMax = 20;
inline constexpr std::size_t kLocalIndexesMax = 5;
inline constexpr std::size_t kProjectedAttributesMax = 100;     // over all indexes of a table
inline constexpr std::size_t kIndexPartitionAttributesMax = 4;  // multi-attribute keys, 2025-11
inline constexpr std::size_t kIndexSortAttributesMax = 4;
inline constexpr std::size_t kTablesMax = 2500;
inline constexpr std::size_t kResourcePolicyBytesMax = 20 * 1024;  // aws-doc: rbac-considerations
inline constexpr std::size_t kTagsMax = 50;                        // of a table
inline constexpr std::size_t kTagKeyMax = 128;                     // characters
inline constexpr std::size_t kTagValueMax = 256;
inline constexpr std::int64_t kTableCapacityUnitsMax =
    40000;  // read, and write; of a table, and of an index
inline constexpr std::int64_t kAccountCapacityUnitsMax = 80000;
inline constexpr std::int64_t kItemCollectionBytesMax = std::int64_t{10} * 1024 * 1024 * 1024;
inline constexpr std::int64_t kScanSegmentsMax = 1000000;
inline constexpr std::int64_t kStorageOverheadBytes = 100;  // an item, and each index entry

}  // namespace kw::limits
