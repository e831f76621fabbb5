// SPDX-License-Identifier: Apache-2.0
// Any bytes: refused, or an item that loads, prints and stores as the same bytes.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "data/item.h"
#include "data/item_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using kw::Check;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!kw::IsStoredItem(bytes)) return 0;
  const kw::Item item = kw::LoadItem(bytes);
  Check(kw::StoreItem(item) == bytes, "a stored item has one form");
  std::string text;
  kw::JsonWriter writer(text);
  kw::WriteStoredItem(bytes, writer);
  static kw::JsonParser parser;
  const auto json = parser.Parse(text);
  Check(json.has_value(), "what is written is JSON");
  Check(kw::ParseAttributeMap(*json).value() == item, "and reads back");
  return 0;
}
