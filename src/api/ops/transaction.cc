// SPDX-License-Identifier: Apache-2.0
#include "api/ops/transaction.h"

#include "base/check.h"
#include "data/item_bytes.h"

namespace kw::api {

std::string_view TransactionEcho::NameOf(const engine::TableKey& table) const {
  const auto found = names.find(table);
  Check(found != names.end(), "a transaction answers only for tables that it names");
  return found->second;
}

void WriteTransactionCapacity(const TransactionEcho& echo,
                              const std::vector<engine::TableCapacity>& capacities,
                              JsonWriter& out) {
  if (echo.consumed == ReturnConsumed::kNone) return;
  out.Key("ConsumedCapacity");
  out.BeginArray();
  for (const engine::TableCapacity& table : capacities) {
    WriteConsumedCapacity(echo.NameOf(table.table), table.capacity, echo.consumed,
                          CapacityForm::kTransaction, out);
  }
  out.EndArray();
}

void WriteTransactionItems(const std::vector<std::optional<std::string>>& items, JsonWriter& out) {
  out.Key("Responses");
  out.BeginArray();
  for (const auto& item : items) {
    out.BeginObject();
    if (item) {
      out.Key("Item");
      WriteStoredItem(*item, out);
    }
    out.EndObject();
  }
  out.EndArray();
}

}  // namespace kw::api
