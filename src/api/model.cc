// SPDX-License-Identifier: Apache-2.0
// The operations, their input shapes and the errors as JSON.
#include <limits>
#include <string>
#include <string_view>

#include "api/api.h"
#include "api/errors.h"
#include "api/shapes.h"
#include "base/check.h"
#include "base/json.h"

namespace kw::api {
namespace {

std::string_view NameOf(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kString: return "string";
    case ShapeKind::kBlob: return "blob";
    case ShapeKind::kBoolean: return "boolean";
    case ShapeKind::kInteger: return "integer";
    case ShapeKind::kLong: return "long";
    case ShapeKind::kDouble: return "double";
    case ShapeKind::kTimestamp: return "timestamp";
    case ShapeKind::kList: return "list";
    case ShapeKind::kMap: return "map";
    case ShapeKind::kStructure: return "structure";
    case ShapeKind::kAttributeValue: return "attribute value";
  }
  CheckFailed("a shape has a kind", std::source_location::current());
}

std::string_view NameOf(Access access) {
  switch (access) {
    case Access::kRead: return "read";
    case Access::kWrite: return "write";
    case Access::kControl: return "control";
  }
  CheckFailed("an operation has an access", std::source_location::current());
}

// No shape contains itself: attribute values, which do, are a kind of their own.
void WriteShape(const Shape& shape, JsonWriter& out) {
  out.BeginObject();
  out.Member("kind", NameOf(shape.kind));
  out.Member("name", shape.name);
  if (shape.min != std::numeric_limits<std::int64_t>::min()) out.Member("min", shape.min);
  if (shape.max != std::numeric_limits<std::int64_t>::max()) out.Member("max", shape.max);
  if (shape.pattern != nullptr) out.Member("pattern", shape.pattern->text);
  if (!shape.values.empty()) {
    out.Key("values");
    out.BeginArray();
    for (const std::string_view value : shape.values) out.String(value);
    out.EndArray();
  }
  if (shape.key != nullptr) {
    out.Key("key");
    WriteShape(*shape.key, out);
  }
  if (shape.element != nullptr) {
    out.Key("element");
    WriteShape(*shape.element, out);
  }
  if (!shape.members.empty()) {
    out.Key("members");
    out.BeginObject();
    for (const ShapeMember& member : shape.members) {
      out.Key(member.name);
      out.BeginObject();
      out.Member("required", member.presence == kRequired);
      out.Key("shape");
      WriteShape(*member.shape, out);
      out.EndObject();
    }
    out.EndObject();
  }
  out.EndObject();
}

void WriteOperation(const OperationInfo& operation, JsonWriter& out) {
  out.BeginObject();
  out.Member("target", operation.target);
  out.Member("access", NameOf(operation.access));
  out.Key("input");
  WriteShape(*operation.input, out);
  out.EndObject();
}

void WriteError(const WireError& error, JsonWriter& out) {
  out.BeginObject();
  out.Member("type", error.type);
  out.Member("status", error.status);
  out.Member("message_member", error.message_member);
  out.EndObject();
}

}  // namespace

std::string ModelAsJson() {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("operations");
  out.BeginObject();
  for (const OperationInfo& operation : Operations()) {
    out.Key(operation.name);
    WriteOperation(operation, out);
  }
  out.EndObject();
  out.Key("errors");
  out.BeginArray();
  for (int code = 0; code < static_cast<int>(ErrorCode::kWouldBlock); ++code) {
    WriteError(WireErrorOf(static_cast<ErrorCode>(code)), out);
  }
  out.EndArray();
  out.EndObject();
  return json;
}

}  // namespace kw::api
