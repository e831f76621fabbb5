// SPDX-License-Identifier: Apache-2.0
// Any bytes as key parts: refused, or taken in one canonical form. The first byte chooses the type.
#include <array>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "data/key.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using kw::Check;
  constexpr std::array<kw::KeyType, 3> kTypes = {kw::KeyType::kString, kw::KeyType::kNumber,
                                                 kw::KeyType::kBinary};
  if (size == 0) return 0;
  const kw::KeyType type = kTypes[data[0] % kTypes.size()];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);

  std::string_view rest = bytes;
  while (const auto value = kw::TakeKeyPart(rest, type)) {
    Check(value->type() == kw::AttributeTypeOf(type), "a part has the asked type");
  }
  std::string_view tail = bytes;
  if (const auto value = kw::TakeKeyPart(tail, type)) {
    std::string part;
    kw::AppendKeyPart(part, *value);
    Check(part == bytes.substr(0, bytes.size() - tail.size()), "a part has one form");
  }

  // Parts sort as what they hold.
  const std::string left(bytes.substr(0, bytes.size() / 2));
  const std::string right(bytes.substr(bytes.size() / 2));
  std::string left_part;
  std::string right_part;
  kw::AppendKeyPart(left_part, kw::Binary{left});
  kw::AppendKeyPart(right_part, kw::Binary{right});
  Check((left_part <=> right_part) == (left <=> right), "parts sort as their bytes");
  const std::string end = kw::PrefixEnd(left);
  Check(right.starts_with(left) == (right >= left && (end.empty() || right < end)),
        "a prefix's range holds what begins with it");
  return 0;
}
