// SPDX-License-Identifier: Apache-2.0
// A DynamoDB error as every layer above storage speaks it. Wire names and HTTP statuses are the
// table in api/errors.cc; a code exists only if a client or a caller reacts to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.h"

namespace kw {

enum class ErrorCode : std::uint8_t {
  // Data plane.
  kValidation,
  kSerialization,
  kConditionalCheckFailed,
  kDuplicateItem,
  kTransactionCanceled,
  kTransactionConflict,
  kTransactionInProgress,
  kIdempotentParameterMismatch,
  kItemCollectionSizeLimitExceeded,
  kProvisionedThroughputExceeded,
  kRequestLimitExceeded,
  kThrottling,
  kResourceNotFound,
  // Control plane.
  kResourceInUse,
  kLimitExceeded,
  // Streams.
  kExpiredIterator,
  kTrimmedDataAccess,
  // Resource-based policies.
  kPolicyNotFound,
  // Protocol and access.
  kUnknownOperation,
  kAccessDenied,
  kMissingAuthenticationToken,
  kIncompleteSignature,
  kInvalidSignature,
  kUnrecognizedClient,
  // The world's fault.
  kInternalServerError,
  kServiceUnavailable,
  // Never leaves the server: the answer is not in memory, ask again where waiting is allowed.
  kWouldBlock,
};

// One action's part in a cancelled transaction. `item` is in stored form (data/item_bytes.h).
struct CancellationReason {
  std::string code = "None";
  std::optional<std::string> message;
  std::optional<std::string> item;
};

struct ThrottlingReason {
  std::string reason;
  std::string resource;
};

// The item that stood in the way of a condition, in stored form.
struct OldItem {
  std::string stored;
};

using ErrorDetail = std::variant<std::monostate, OldItem, std::vector<CancellationReason>,
                                 std::vector<ThrottlingReason>>;

struct Error {
  ErrorCode code;
  std::string message;
  ErrorDetail detail;
};

template <class T>
using Result = Expected<T, Error>;

inline tl::unexpected<Error> Fail(ErrorCode code, std::string message, ErrorDetail detail = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(detail)});
}
inline tl::unexpected<Error> Invalid(std::string message) {
  return Fail(ErrorCode::kValidation, std::move(message));
}

}  // namespace kw
