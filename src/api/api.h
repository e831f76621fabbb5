// SPDX-License-Identifier: Apache-2.0
// The wire: a target and a JSON body in, a status and a JSON body out. It knows no sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "data/item.h"
#include "engine/engine.h"

namespace kw::api {

struct Shape;

enum class Access : std::uint8_t { kRead, kWrite, kControl };

struct OperationInfo {
  std::string_view name;  // "PutItem"
  Access access;          // kControl waits for the disk: call it where waiting is allowed
  std::string_view target = "DynamoDB_20120810.";  // the service and version that it belongs to
  const Shape* input = nullptr;
};

// `target` is the X-Amz-Target header, "DynamoDB_20120810.PutItem" or
// "DynamoDBStreams_20120810.GetRecords"; null: no such operation.
const OperationInfo* FindOperation(std::string_view target);
// What one request of it does: an operation on statements reads if all of them are reads.
Access AccessOf(const OperationInfo& operation, std::string_view body);
// Every operation, sorted by name.
std::span<const OperationInfo> Operations();

// The operations with their input shapes, and the errors, as JSON: for tools that compare and
// document them.
std::string ModelAsJson();

struct Reply {
  int status = 200;
  std::string body;
  bool would_block = false;  // nothing was answered: call again with Wait::kMayBlock
};

struct Request {
  std::string_view target;
  std::string_view body;  // both are needed until Handle returns, not until the reply
  engine::CallContext call;
};

// Calls `reply` once, from any thread, possibly before returning. Reads under Wait::kMemoryOnly may
// reply would_block; writes never do. An unknown target answers UnknownOperationException.
void Handle(engine::Engine& engine, const Request& request, std::function<void(Reply)> reply);

// The service's JSON for an error: {"__type": ..., "message": ...} and its HTTP status.
Reply RenderError(const Error& error);

// An item in DynamoDB JSON, with every check that PutItem makes before it knows the table.
Result<Item> ParseItemDocument(JsonValue document);

}  // namespace kw::api
