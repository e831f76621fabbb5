// SPDX-License-Identifier: Apache-2.0
// Any bytes as a projection; what parses is applied to an item.
#include <cstdint>
#include <string_view>

#include "expr/projection.h"
#include "expr/testing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto placeholders = kw::testing::SamplePlaceholders();
  const auto projection = kw::Projection::Parse(text, placeholders);
  if (projection) {
    const kw::Item part = projection->Apply(kw::testing::SampleItem());
    kw::Check(kw::SizeOf(part) <= kw::SizeOf(kw::testing::SampleItem()), "a part is no larger");
  }
  return 0;
}
