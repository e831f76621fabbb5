// SPDX-License-Identifier: Apache-2.0
// The rules of key schemas, attribute definitions and projections that a request must keep by
// itself. Sentences: observed in October 2026 (ack-api-quirks DDB-TABLE-123 to -129, -162, -442).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/ops/table_shapes.h"
#include "data/table_schema.h"

namespace kw::api {

// Errors: Validation for a name defined twice.
Result<std::vector<KeyAttribute>> ParseDefinitions(JsonValue json);

// Key attributes before their types are known.
struct KeyNames {
  std::vector<std::string> partition;
  std::vector<std::string> sort;
};
enum class KeyOwner : std::uint8_t { kTableOrLocal, kGlobal };
// Errors: Validation for the order, the number and the repetition of elements.
Result<KeyNames> ParseKeySchema(JsonValue json, KeyOwner owner);

// The schema with types. Errors: Validation for an attribute that is not defined.
Result<KeySchema> TypedKey(const KeyNames& names, const std::vector<KeyAttribute>& definitions);

// That no definition is idle. Errors: Validation, in the words for tables with or without indexes.
Result<void> CheckAllUsed(const std::vector<KeyAttribute>& definitions, const KeyNames& table,
                          const std::vector<KeyNames>& indexes);

// Attributes come sorted, as the service keeps them. Errors: Validation for a type that does not
// fit its attributes.
Result<Projected> ParseProjection(JsonValue json);

}  // namespace kw::api
