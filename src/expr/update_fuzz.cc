// SPDX-License-Identifier: Apache-2.0
// Any bytes as an update; what parses is applied, and the result is an item that can be read.
#include <cstdint>
#include <string_view>

#include "expr/testing.h"
#include "expr/update.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto placeholders = kw::testing::SamplePlaceholders();
  const auto update = kw::Update::Parse(text, placeholders);
  if (update) {
    const auto after = update->Apply(kw::testing::SampleItem());
    if (after) {
      kw::Check(kw::testing::MapOf(kw::testing::JsonOf(*after)) == *after, "the result is an item");
      static_cast<void>(kw::PickPaths(*after, update->Targets()));
    }
  }
  return 0;
}
