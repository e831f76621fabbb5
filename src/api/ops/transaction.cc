// SPDX-License-Identifier: Apache-2.0
#include "api/ops/transaction.h"

#include "base/check.h"

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

}  // namespace kw::api
