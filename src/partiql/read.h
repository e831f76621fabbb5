// SPDX-License-Identifier: Apache-2.0
// A SELECT by itself. A condition that gives the whole key reads items, one that gives the
// partition key queries, and any other scans; what is left of it filters. It costs what those
// operations cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/operations.h"
#include "partiql/statements.h"

namespace kw::partiql {

struct ReadOptions {
  bool consistent = false;
  std::optional<std::int64_t> limit = std::nullopt;  // of items evaluated
  std::optional<std::string> next_token = std::nullopt;
};

struct Outcome {
  StoredItems items = {};
  std::optional<Item> last_key = std::nullopt;
  std::optional<std::string> next_token = std::nullopt;
  Capacity capacity = {};
};

// Errors: Validation for ORDER BY, for too many partition keys, for a foreign token; those of
// engine::Get, Query and Scan.
Result<Outcome> Read(engine::Engine& engine, const engine::CallContext& call,
                     engine::TableKey table, Statement statement, const ReadOptions& options);

// A SELECT that must give the whole key, as in batches and transactions; the item that it asks for
// is still to be filtered and shown.
struct ItemRead {
  engine::GetRequest get;
  std::optional<Condition> filter;
  Columns columns;

  // What the statement shows of the item that was found; nothing if the filter drops it.
  [[nodiscard]] std::optional<std::string> Show(std::optional<std::string> stored) const;
};
// Nothing, if the statement does not give the whole key of a table.
std::optional<ItemRead> ItemReadOf(SelectStatement select, const KeySchema& key);

}  // namespace kw::partiql
