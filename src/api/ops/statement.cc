// SPDX-License-Identifier: Apache-2.0
#include "api/ops/statement.h"

#include <utility>
#include <vector>

#include "api/ops/item_write.h"
#include "api/ops/table_name.h"
#include "api/ops/wording.h"

namespace kw::api {

Access AccessOfStatement(JsonValue body) {
  if (!body.is(JsonType::kObject)) return Access::kWrite;
  const auto statement = body.object().Find("Statement");
  const bool reads =
      statement && statement->is(JsonType::kString) && partiql::BeginsAsRead(statement->string());
  return reads ? Access::kRead : Access::kWrite;
}

Access AccessOfStatements(JsonValue body, std::string_view list) {
  if (!body.is(JsonType::kObject)) return Access::kWrite;
  const auto statements = body.object().Find(list);
  if (!statements || !statements->is(JsonType::kArray)) return Access::kWrite;
  for (const JsonValue one : statements->array()) {
    if (AccessOfStatement(one) == Access::kWrite) return Access::kWrite;
  }
  return Access::kRead;
}

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
