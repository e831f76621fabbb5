// SPDX-License-Identifier: Apache-2.0
#include "engine/access.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "data/item_bytes.h"

namespace kw::engine {

Result<TablePtr> FindUsable(const Catalog& catalog, const TableKey& key) {
  auto table = catalog.Find(key);
  if (table &&
      ((*table)->status == TableStatus::kCreating || (*table)->status == TableStatus::kDeleting)) {
    return Fail(ErrorCode::kResourceNotFound, "Requested resource not found");
  }
  return table;
}

Error ErrorOf(storage::StoreError error) {
  switch (error) {
    case storage::StoreError::kWouldBlock:
      return {ErrorCode::kWouldBlock, "The answer is not in memory.", {}};
    case storage::StoreError::kNotDone:
      return {ErrorCode::kInternalServerError,
              "The storage did not do the work; nothing was changed.",
              {}};
    case storage::StoreError::kUnknownOutcome:
      return {ErrorCode::kInternalServerError,
              "The storage failed during the write; whether it was done will show after a restart.",
              {}};
  }
  return {ErrorCode::kInternalServerError, "Internal server error", {}};
}

std::string Project(std::string stored, const std::optional<Projection>& projection) {
  if (!projection) return stored;
  return StoreItem(projection->Apply(LoadItem(stored)));
}

bool HasDuplicate(std::span<const storage::RowKey> rows) {
  std::vector<const storage::RowKey*> sorted;
  sorted.reserve(rows.size());
  for (const auto& row : rows) sorted.push_back(&row);
  const auto key = [](const storage::RowKey* row) -> const storage::RowKey& { return *row; };
  std::ranges::sort(sorted, {}, key);
  return std::ranges::adjacent_find(sorted, {}, key) != sorted.end();
}

GlobalIndexes GlobalIndexesOf(const Engine& engine) {
  return engine.options.index_lag.count() > 0 ? GlobalIndexes::kFromLog : GlobalIndexes::kInBatch;
}

}  // namespace kw::engine
