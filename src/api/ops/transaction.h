// SPDX-License-Identifier: Apache-2.0
// What both transactions share: their answers speak of tables by the names that the client sent.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/ops/consumed.h"
#include "engine/operations.h"

namespace kw::api {

struct TransactionEcho {
  ReturnConsumed consumed = ReturnConsumed::kNone;
  ReturnMetrics metrics = ReturnMetrics::kNone;
  std::map<engine::TableKey, std::string> names;  // as sent

  // The name under which a table of the transaction was sent.
  [[nodiscard]] std::string_view NameOf(const engine::TableKey& table) const;
};

// The member ConsumedCapacity, if it was asked for.
void WriteTransactionCapacity(const TransactionEcho& echo,
                              const std::vector<engine::TableCapacity>& capacities,
                              JsonWriter& out);

// "Responses": for each action an object that holds its item, if there is one.
void WriteTransactionItems(const std::vector<std::optional<std::string>>& items, JsonWriter& out);

}  // namespace kw::api
