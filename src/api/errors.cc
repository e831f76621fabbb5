// SPDX-License-Identifier: Apache-2.0
// The table of errors as they look on the wire.
#include "api/errors.h"

#include <algorithm>
#include <source_location>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/api.h"
#include "base/check.h"
#include "base/json.h"
#include "data/item_bytes.h"

namespace kw::api {
namespace {

void WriteItemMember(std::string_view stored, JsonWriter& out) {
  out.Key("Item");
  WriteStoredItem(stored, out);
}

struct DetailWriter {
  JsonWriter& out;
  ErrorCode code;

  void operator()(std::monostate) const {}
  void operator()(const OldItem& old) const { WriteItemMember(old.stored, out); }
  void operator()(const std::vector<CancellationReason>& reasons) const {
    out.Key("CancellationReasons");
    out.BeginArray();
    for (const CancellationReason& reason : reasons) {
      out.BeginObject();
      out.Member("Code", reason.code);
      if (reason.message) out.Member("Message", *reason.message);
      if (reason.item) WriteItemMember(*reason.item, out);
      out.EndObject();
    }
    out.EndArray();
  }
  void operator()(const std::vector<ThrottlingReason>& reasons) const {
    out.Key(code == ErrorCode::kThrottling ? "throttlingReasons" : "ThrottlingReasons");
    out.BeginArray();
    for (const ThrottlingReason& reason : reasons) {
      out.BeginObject();
      out.Member("reason", reason.reason);
      out.Member("resource", reason.resource);
      out.EndObject();
    }
    out.EndArray();
  }
};

// Messages may quote a header, which is not always UTF-8.
std::string AsUtf8(std::string text) {
  if (!IsUtf8(text)) std::ranges::replace_if(text, [](char c) { return (c & 0x80) != 0; }, '?');
  return text;
}

}  // namespace

// Source: the AWS Developer Guide, "Error handling with DynamoDB", and the service model of
// 2026-11.
WireError WireErrorOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation: return {"com.amazon.coral.validate#ValidationException"};
    case ErrorCode::kSerialization:
      return {"com.amazon.coral.service#SerializationException", 400, "Message"};
    case ErrorCode::kConditionalCheckFailed:
      return {"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"};
    case ErrorCode::kDuplicateItem:
      return {"com.amazonaws.dynamodb.v20120810#DuplicateItemException"};
    case ErrorCode::kTransactionCanceled:
      return {"com.amazonaws.dynamodb.v20120810#TransactionCanceledException", 400, "Message"};
    case ErrorCode::kTransactionConflict:
      return {"com.amazonaws.dynamodb.v20120810#TransactionConflictException"};
    case ErrorCode::kTransactionInProgress:
      return {"com.amazonaws.dynamodb.v20120810#TransactionInProgressException", 400, "Message"};
    case ErrorCode::kIdempotentParameterMismatch:
      return {"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException", 400,
              "Message"};
    case ErrorCode::kItemCollectionSizeLimitExceeded:
      return {"com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"};
    case ErrorCode::kProvisionedThroughputExceeded:
      return {"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"};
    case ErrorCode::kRequestLimitExceeded:
      return {"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded"};
    case ErrorCode::kThrottling: return {"com.amazonaws.dynamodb.v20120810#ThrottlingException"};
    case ErrorCode::kResourceNotFound:
      return {"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"};
    case ErrorCode::kResourceInUse:
      return {"com.amazonaws.dynamodb.v20120810#ResourceInUseException"};
    case ErrorCode::kLimitExceeded:
      return {"com.amazonaws.dynamodb.v20120810#LimitExceededException"};
    case ErrorCode::kExpiredIterator:
      return {"com.amazonaws.dynamodb.v20120810#ExpiredIteratorException"};
    case ErrorCode::kTrimmedDataAccess:
      return {"com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException"};
    case ErrorCode::kPolicyNotFound:
      return {"com.amazonaws.dynamodb.v20120810#PolicyNotFoundException"};
    case ErrorCode::kUnknownOperation:
      return {"com.amazon.coral.service#UnknownOperationException"};
    case ErrorCode::kAccessDenied:
      return {"com.amazon.coral.service#AccessDeniedException", 400, "Message"};
    case ErrorCode::kMissingAuthenticationToken:
      return {"com.amazon.coral.service#MissingAuthenticationTokenException"};
    case ErrorCode::kIncompleteSignature:
      return {"com.amazon.coral.service#IncompleteSignatureException"};
    case ErrorCode::kInvalidSignature:
      return {"com.amazon.coral.service#InvalidSignatureException"};
    case ErrorCode::kUnrecognizedClient:
      return {"com.amazon.coral.service#UnrecognizedClientException"};
    case ErrorCode::kInternalServerError:
      return {"com.amazonaws.dynamodb.v20120810#InternalServerError", 500};
    case ErrorCode::kServiceUnavailable:
      return {"com.amazon.coral.availability#ServiceUnavailableException", 503};
    case ErrorCode::kWouldBlock: break;
  }
  CheckFailed("an error on the wire has a row in the table", std::source_location::current());
}

Reply RenderError(const Error& error) {
  if (error.code == ErrorCode::kWouldBlock) return {.status = 0, .body = {}, .would_block = true};
  const WireError wire = WireErrorOf(error.code);
  Reply reply{.status = wire.status, .body = {}};
  JsonWriter out(reply.body);
  out.BeginObject();
  out.Member("__type", wire.type);
  if (!error.message.empty()) out.Member(wire.message_member, AsUtf8(error.message));
  std::visit(DetailWriter{out, error.code}, error.detail);
  out.EndObject();
  return reply;
}

}  // namespace kw::api
