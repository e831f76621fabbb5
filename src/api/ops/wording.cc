// SPDX-License-Identifier: Apache-2.0
#include "api/ops/wording.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "data/item.h"

namespace kw::api {
namespace {

constexpr std::string_view kPrefix = "1 validation error detected: ";

Error Prefixed(Error error) {
  if (error.code == ErrorCode::kValidation) error.message.insert(0, kPrefix);
  return error;
}

bool IsTypeName(std::string_view name) {
  constexpr std::array<std::string_view, 10> kNames{"S",  "N",  "B",  "BOOL", "NULL",
                                                    "SS", "NS", "BS", "L",    "M"};
  return std::ranges::find(kNames, name) != kNames.end();
}

// Whether a value, and every value in it, has exactly one type. CheckShape has seen it.
bool HasOneType(JsonValue value) {
  if (!value.is(JsonType::kObject)) return false;  // a null
  int types = 0;
  for (const auto [name, content] : value.object()) {
    if (content.is(JsonType::kNull) || !IsTypeName(name)) continue;
    ++types;
    if (name == "L") {
      for (const JsonValue element : content.array()) {
        if (!HasOneType(element)) return false;
      }
    } else if (name == "M") {
      for (const auto [key, element] : content.object()) {
        if (!HasOneType(element)) return false;
      }
    }
  }
  return types == 1;
}

// A value without a type, or with several, is worded alike everywhere.
Error ValueError(Dialect dialect, JsonValue value, Error error) {
  if (!HasOneType(value)) return error;
  switch (dialect) {
    case Dialect::kItemWrite: return Prefixed(std::move(error));
    case Dialect::kGet:
    case Dialect::kQuery:
    case Dialect::kScanOrBatch: return error;
  }
  return error;
}

}  // namespace

Error InDialect(Dialect dialect, Fault fault, Error error) {
  switch (dialect) {
    case Dialect::kItemWrite: return Prefixed(std::move(error));
    case Dialect::kQuery:
      return fault == Fault::kSelection ? Prefixed(std::move(error)) : std::move(error);
    case Dialect::kGet:
    case Dialect::kScanOrBatch: return error;
  }
  return error;
}

// observed, 2026-10: that and how several are joined; which ones is assumed.
void FaultList::Note(Error error) {
  const bool prefixed = error.code == ErrorCode::kValidation && error.message.starts_with(kPrefix);
  if (!noted_) {
    noted_ = std::move(error);
    count_ = prefixed ? 1 : 0;
  } else if (prefixed && count_ > 0) {
    ++count_;
    noted_->message.append("; ").append(error.message, kPrefix.size());
  }
}

Result<void> FaultList::Outcome() && {
  if (!noted_) return {};
  if (count_ > 1) {
    noted_->message.replace(0, kPrefix.size(),
                            fmt::format("{} validation errors detected: ", count_));
  }
  return Unexpected(std::move(*noted_));
}

Result<AttributeValue> ParseValue(Dialect dialect, JsonValue value) {
  auto parsed = ParseAttributeValue(value);
  if (parsed) return parsed;
  return Unexpected(ValueError(dialect, value, std::move(parsed).error()));
}

Result<AttributeMap> ParseItem(Dialect dialect, JsonValue map) {
  auto parsed = ParseAttributeMap(map);
  if (parsed) return parsed;
  for (const auto [name, value] : map.object()) {
    if (!ParseAttributeValue(value)) {
      return Unexpected(ValueError(dialect, value, std::move(parsed).error()));
    }
  }
  return parsed;
}

Result<AttributeMap> ParseExpressionValues(Dialect dialect, JsonValue map) {
  if (dialect != Dialect::kScanOrBatch) return ParseItem(dialect, map);
  auto parsed = ParseAttributeMap(map);
  if (parsed) return parsed;
  for (const auto [name, value] : map.object()) {
    if (!ParseAttributeValue(value)) {
      return Invalid(fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}",
                                 parsed.error().message, name));
    }
  }
  return parsed;
}

}  // namespace kw::api
