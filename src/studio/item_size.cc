// SPDX-License-Identifier: Apache-2.0
#include "api/api.h"
#include "data/attribute_value.h"
#include "data/limits.h"
#include "data/metering.h"
#include "studio/endpoint.h"

namespace kw::studio {
Result<void> ItemSize(const Context& /*context*/, JsonValue body, JsonWriter& out) {
  const auto sent = body.object().Find("Item");
  if (!sent) {
    return Unexpected(
        Error{.code = ErrorCode::kValidation, .message = "Item is required.", .detail = {}});
  }
  TRY_ASSIGN(const Item item, api::ParseItemDocument(*sent));
  const ByteCount size = SizeOf(item);
  out.BeginObject();
  out.Member("Bytes", size.value());
  out.Member("BytesMax", limits::kItemBytesMax);
  out.Key("ReadUnits");
  out.BeginObject();
  WriteUnitsMember(out, "Eventual", ReadUnits(size, ReadMode::kEventual));
  WriteUnitsMember(out, "Strong", ReadUnits(size, ReadMode::kStrong));
  WriteUnitsMember(out, "Transactional", ReadUnits(size, ReadMode::kTransactional));
  out.EndObject();
  out.Key("WriteUnits");
  out.BeginObject();
  WriteUnitsMember(out, "Standard", WriteUnits(size, WriteMode::kStandard));
  WriteUnitsMember(out, "Transactional", WriteUnits(size, WriteMode::kTransactional));
  out.EndObject();
  out.Key("Attributes");
  out.BeginArray();
  for (const auto& [name, value] : item.entries()) {
    out.BeginObject();
    out.Member("Name", name);
    out.Member("Type", WireName(value.type()));
    out.Member("NameBytes", static_cast<std::int64_t>(name.size()));
    out.Member("ValueBytes", SizeOf(value).value());
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
  return {};
}

}  // namespace kw::studio
