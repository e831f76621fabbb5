// SPDX-License-Identifier: Apache-2.0
#include "data/limits.h"
#include "data/metering.h"
#include "studio/endpoint.h"

namespace kw::studio {

Result<void> ReadCost(const Context& /*context*/, JsonValue body, JsonWriter& out) {
  const auto sent = body.object().Find("Bytes");
  if (!sent || !sent->is(JsonType::kInteger) || sent->integer() < 0) {
    return Unexpected(Error{.code = ErrorCode::kValidation,
                            .message = "Bytes must be a whole number, zero or more.",
                            .detail = {}});
  }
  const std::int64_t bytes = sent->integer();
  const auto units = [bytes](ReadMode mode) {
    // Whole pages round up alike; only the last one is smaller.
    const HalfUnits page = ReadUnits(ByteCount(limits::kPageBytesMax), mode);
    const HalfUnits last = ReadUnits(ByteCount(bytes % limits::kPageBytesMax), mode);
    return page * (bytes / limits::kPageBytesMax) + last;
  };
  out.BeginObject();
  WriteUnitsMember(out, "Eventual", units(ReadMode::kEventual));
  WriteUnitsMember(out, "Strong", units(ReadMode::kStrong));
  out.Member("Pages", bytes / limits::kPageBytesMax + 1);
  out.EndObject();
  return {};
}

}  // namespace kw::studio
