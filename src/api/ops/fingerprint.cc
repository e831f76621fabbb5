// SPDX-License-Identifier: Apache-2.0
#include "api/ops/fingerprint.h"

#include <string>

#include "base/bytes.h"

namespace kw::api {
namespace {

std::uint64_t Combine(std::uint64_t a, std::uint64_t b) {
  std::string bytes;
  AppendBigEndian64(bytes, a);
  AppendBigEndian64(bytes, b);
  return StableHash(bytes);
}

// Each kind of value starts from its own number, so that "1" and 1 differ. Depth is the parser's.
std::uint64_t HashOf(JsonValue value) {
  switch (value.type()) {
    case JsonType::kNull: return 1;
    case JsonType::kBool: return value.boolean() ? 2 : 3;
    case JsonType::kInteger: return Combine(4, static_cast<std::uint64_t>(value.integer()));
    case JsonType::kDouble: return Combine(5, StableHash(std::to_string(value.number())));
    case JsonType::kString: return Combine(6, StableHash(value.string()));
    case JsonType::kArray: {
      std::uint64_t hash = 7;
      for (const JsonValue element : value.array()) hash = Combine(hash, HashOf(element));
      return hash;
    }
    case JsonType::kObject: return Combine(8, FingerprintOf(value, {}));
  }
  return 0;
}

}  // namespace

std::uint64_t FingerprintOf(JsonValue object, std::string_view excluded) {
  std::uint64_t sum = 0;  // a sum does not know the order of what was added
  for (const auto [name, value] : object.object()) {
    if (value.is(JsonType::kNull)) continue;
    if (!excluded.empty() && name == excluded) continue;
    sum += Combine(StableHash(name), HashOf(value));
  }
  return sum;
}

}  // namespace kw::api
