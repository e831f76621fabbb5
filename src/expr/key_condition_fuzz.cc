// SPDX-License-Identifier: Apache-2.0
// Any bytes as a key condition; what parses is resolved against keys of one and of many attributes.
#include <cstdint>
#include <string_view>

#include "expr/key_condition.h"
#include "expr/testing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto placeholders = kw::testing::SamplePlaceholders();
  const auto condition = kw::KeyCondition::Parse(text, placeholders);
  if (condition) {
    static_cast<void>(
        condition->Resolve({{{"s", kw::KeyType::kString}}, {{"n", kw::KeyType::kNumber}}}));
    static_cast<void>(
        condition->Resolve({{{"s", kw::KeyType::kString}, {"b", kw::KeyType::kBinary}},
                            {{"n", kw::KeyType::kNumber}, {"u", kw::KeyType::kString}}}));
  }
  return 0;
}
