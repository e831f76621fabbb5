// SPDX-License-Identifier: Apache-2.0
// How item operations reach tables and rows: which tables they may use, what a store's failure is
// called, and how a found item is cut to what was asked for.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/engine.h"
#include "engine/layout.h"
#include "expr/projection.h"

namespace kw::engine {

// Reads on an event loop stay short: beyond this a memory-only page answers WouldBlock.
inline constexpr std::int64_t kMemoryOnlyBytesMax = 64 * 1024;

// Errors: ResourceNotFound, also for a table that is being created or deleted.
Result<TablePtr> FindUsable(const Catalog& catalog, const TableKey& key);

Error ErrorOf(storage::StoreError error);

// The stored item, or the part of it that the projection names.
std::string Project(std::string stored, const std::optional<Projection>& projection);

// Whether one row is named twice.
bool HasDuplicate(std::span<const storage::RowKey> rows);

// Whether changes leave global index rows to the log.
GlobalIndexes GlobalIndexesOf(const Engine& engine);

}  // namespace kw::engine
