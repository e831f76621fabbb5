// SPDX-License-Identifier: Apache-2.0
// JSON to an item, to stored bytes, to JSON, to the same item.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "data/item.h"
#include "data/item_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using kw::Check;
  static kw::JsonParser parser;
  const auto json = parser.Parse({reinterpret_cast<const char*>(data), size});
  if (!json) return 0;
  const auto item = kw::ParseAttributeMap(*json);
  if (!item) return 0;

  const std::string stored = kw::StoreItem(*item);
  Check(kw::IsStoredItem(stored), "a parsed item is stored whole");
  Check(kw::StoredItemSize(stored) == kw::SizeOf(*item), "its size stands in front");
  for (const auto& [name, value] : item->entries()) {
    Check(kw::LoadAttribute(stored, name) == value, "each attribute is found");
  }
  std::string text;
  kw::JsonWriter writer(text);
  kw::WriteStoredItem(stored, writer);
  std::string same_text;
  kw::JsonWriter same_writer(same_text);
  kw::WriteJson(*item, same_writer);
  Check(text == same_text, "bytes and item are written alike");

  const auto again = parser.Parse(text);
  Check(again.has_value(), "what is written is JSON");
  Check(kw::ParseAttributeMap(*again).value() == *item, "and reads back");
  return 0;
}
