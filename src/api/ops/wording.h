// SPDX-License-Identifier: Apache-2.0
// Which messages of which operations begin with "1 validation error detected: ": the one place.
// The service changed this operation by operation in 2026; the engine's messages never have it.
// Faults that begin with it are reported together, if there are several.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "data/attribute_value.h"
#include "data/error.h"

namespace kw::api {

// The operations that word alike.
enum class Dialect : std::uint8_t {
  kItemWrite,    // PutItem, UpdateItem, DeleteItem
  kGet,          // GetItem, BatchGetItem
  kQuery,        // Query
  kScanOrBatch,  // Scan, BatchWriteItem, transactions
};

// What a request's fault is about.
enum class Fault : std::uint8_t {
  kRequest,    // expressions, placeholders, parameters that exclude each other
  kSelection,  // Select against projections
};

// The error in the dialect's words.
Error InDialect(Dialect dialect, Fault fault, Error error);

// InDialect for whatever Result a parser gave.
template <class T>
Result<T> Worded(Dialect dialect, Fault fault, Result<T> result) {
  if (result) return result;
  return Unexpected(InDialect(dialect, fault, std::move(result).error()));
}

// The faults of a request's parts that do not depend on each other, in checking order. What has the
// prefix is reported together, as "2 validation errors detected: A; B"; what has none, alone, and
// only if it came first.
class FaultList {
 public:
  // The value, or nothing and its fault noted.
  template <class T>
  std::optional<T> Take(Result<T> result) {
    if (result) return std::move(*result);
    Note(std::move(result).error());
    return std::nullopt;
  }
  void Take(Result<void> result) {
    if (!result) Note(std::move(result).error());
  }
  [[nodiscard]] Result<void> Outcome() &&;

 private:
  void Note(Error error);

  std::optional<Error> noted_;
  int count_ = 0;
};

// The attribute values of a request, with their faults in the dialect's words: an item or a key,
// one value, and the values of expressions (whose faults may name the placeholder).
Result<AttributeMap> ParseItem(Dialect dialect, JsonValue map);
Result<AttributeValue> ParseValue(Dialect dialect, JsonValue value);
Result<AttributeMap> ParseExpressionValues(Dialect dialect, JsonValue map);

}  // namespace kw::api
