// SPDX-License-Identifier: Apache-2.0
// What one write makes of the item that it finds: the pure core of PutItem, UpdateItem, DeleteItem,
// batches and transactions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/operations.h"

namespace kw::engine {

using WriteAction = TransactWriteAction;

const TableKey& TableOf(const WriteAction& action);
// The key, or the item that holds it.
const AttributeMap& KeyOf(const WriteAction& action);

// Everything that needs no row. Errors: Validation for keys, key attributes to be updated, and of
// an item to put also its index keys and its size.
Result<void> CheckAction(const Table& table, const WriteAction& action);

// Items are decoded only where the action or the table's indexes need them.
struct Decision {
  std::optional<Item> before;   // the decoded item, if it was needed and there is one
  std::optional<Item> updated;  // what an update made, if it made one
};

// Decides over the stored item (absent: nullopt). The item after is that of the action for a Put,
// `updated` for an Update (none if it only clears and there was none), none for a Delete, unchanged
// for a ConditionCheck.
// Errors: ConditionalCheckFailed, then Validation: of the update, its index keys, its size.
Result<Decision> DecideWrite(const Table& table, const WriteAction& action,
                             std::optional<std::string_view> before);

// What ReturnValues asks for, in stored form; nothing if it asks for nothing or nothing is there.
// `after` is the stored form of the item after, empty if there is none.
std::optional<std::string> ReturnedAttributes(const WriteAction& action, const Decision& decision,
                                              std::optional<std::string_view> before,
                                              std::string_view after);

}  // namespace kw::engine
