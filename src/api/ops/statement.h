// SPDX-License-Identifier: Apache-2.0
// What the three operations on PartiQL statements share: their shapes, and a statement off the
// wire.
#pragma once

#include <optional>
#include <string_view>

#include "api/api.h"
#include "api/ops/item_shapes.h"
#include "api/shapes.h"
#include "data/limits.h"
#include "engine/operations.h"
#include "partiql/partiql.h"

namespace kw::api {

// Source: the service model (com.amazonaws.dynamodb.v20120810), 2026-11.
inline constexpr Shape kStatement{.kind = ShapeKind::kString,
                                  .name = "PartiQLStatement",
                                  .min = 1,
                                  .max = limits::kStatementCharactersMax};
inline constexpr Shape kParameters{.kind = ShapeKind::kList,
                                   .name = "PreparedStatementParameters",
                                   .min = 1,
                                   .element = &kAttributeValue};

// Of a body with one statement, or with a list of structures that have one: a read if all are. The
// body may be any JSON.
Access AccessOfStatement(JsonValue body);
Access AccessOfStatements(JsonValue body, std::string_view list);

// Parameters may be null, if none were sent.
// Errors: Validation, of the parameters' values, the statement and its table's name.
Result<partiql::Command> ParseCommand(std::string_view statement, const JsonValue* parameters,
                                      std::optional<std::string_view> on_failure,
                                      const engine::CallContext& call);

}  // namespace kw::api
