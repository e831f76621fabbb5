// SPDX-License-Identifier: Apache-2.0
// Any bytes as a statement, and as a NextToken.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "partiql/next_token.h"
#include "partiql/statements.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace std::string_literals;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(kw::partiql::DecodeToken(text, 0));
  // As many parameters as there are, or the parser stops at their number.
  std::vector<kw::AttributeValue> parameters;
  for (const char c : text) {
    if (c == '?') parameters.emplace_back("parameter"s);
  }
  const auto statement = kw::partiql::Parse(text, std::move(parameters));
  if (statement) static_cast<void>(statement->table());
  return 0;
}
