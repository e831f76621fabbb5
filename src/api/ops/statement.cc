// SPDX-License-Identifier: Apache-2.0
#include "api/ops/statement.h"

#include <utility>
#include <vector>

#include "api/ops/item_write.h"
#include "api/ops/table_name.h"
#include "api/ops/wording.h"

namespace kw::api {

Result<partiql::Command> ParseCommand(std::string_view statement, const JsonValue* parameters,
                                      std::optional<std::string_view> on_failure,
                                      const engine::CallContext& call) {
  std::vector<AttributeValue> values;
  if (parameters != nullptr) {
    values.reserve(parameters->array().size());
    for (const JsonValue parameter : parameters->array()) {
      // assumed: that their faults are worded as those of a Scan.
      TRY_ASSIGN(values.emplace_back(), ParseValue(Dialect::kScanOrBatch, parameter));
    }
  }
  TRY_ASSIGN(partiql::Statement parsed, partiql::Parse(statement, std::move(values)));
  TRY_ASSIGN(engine::TableKey table, ParseTable(parsed.table(), call));
  return partiql::Command{.statement = std::move(parsed),
                          .table = std::move(table),
                          .on_failure = ParseOnFailure(on_failure)};
}

}  // namespace kw::api
