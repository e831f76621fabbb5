// SPDX-License-Identifier: Apache-2.0
// A number that is accepted prints, reads and sorts as itself; key bytes that are accepted are the
// canonical ones.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "data/number.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using kw::Check;
  using kw::Number;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto number = Number::Parse(text)) {
    Check(Number::Parse(number->ToString()).value() == *number, "a number's text reads back");
    std::string key;
    number->AppendKey(key);
    std::string_view rest = key;
    Check(Number::TakeKey(rest) == *number && rest.empty(), "a number's key reads back");
    Check(number->Size().value() >= 1 && number->Size().value() <= 22,
          "a number's size is bounded");
    const auto twice = Number::Add(*number, *number);
    if (twice) {
      Check(Number::Subtract(*twice, *number).value() == *number, "subtraction undoes addition");
    }
  }
  std::string_view rest = text;
  if (const auto number = Number::TakeKey(rest)) {
    std::string key;
    number->AppendKey(key);
    Check(key == text.substr(0, text.size() - rest.size()), "a key has one form");
    Check(Number::Parse(number->ToString()).value() == *number, "a key is a number in range");
  }
  return 0;
}
