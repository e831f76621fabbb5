// SPDX-License-Identifier: Apache-2.0
// What a statement touches, for whoever must allow it: attributes, partitions, what it returns.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/attribute_value.h"
#include "data/table_schema.h"
#include "partiql/statements.h"

namespace kw::partiql {

struct Footprint {
  std::set<std::string, std::less<>> attributes;  // that it names
  // The values that it gives for each partition attribute of the key; empty where it gives none for
  // one of them, so that a SELECT scans.
  std::vector<std::vector<AttributeValue>> partitions;
};
// `key` is that of the table or index that the statement is about.
Footprint FootprintOf(const Statement& statement, const KeySchema& key);

// The index that a statement reads; null: it is about the table.
const std::optional<std::string>& IndexOf(const Statement& statement);

}  // namespace kw::partiql
