// SPDX-License-Identifier: Apache-2.0
// Any bytes as a condition; what parses is evaluated.
#include <cstdint>
#include <string_view>

#include "expr/condition.h"
#include "expr/testing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto placeholders = kw::testing::SamplePlaceholders();
  const auto condition = kw::Condition::Parse(text, kw::ConditionKind::kFilter, placeholders);
  if (condition) {
    static_cast<void>(condition->Holds(kw::testing::SampleItem()));
    static_cast<void>(condition->Attributes());
  }
  return 0;
}
