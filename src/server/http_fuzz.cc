// SPDX-License-Identifier: Apache-2.0
// Any bytes, in pieces that the first byte chooses, through a buffer that moves.
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/http.h"

namespace kw::server {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = std::size_t{data[0]} + 1;
  std::string input(reinterpret_cast<const char*>(data + 1), size - 1);
  HttpParser parser({.head_bytes = 4096, .body_bytes = 4096});
  std::string message;
  for (std::size_t from = 0; from < input.size(); from += step) {
    std::string moved = message + input.substr(from, step);
    message.swap(moved);
    while (!message.empty()) {
      const HttpParser::State state = parser.Parse(message);
      if (state == HttpParser::State::kFailed) return 0;
      if (state != HttpParser::State::kComplete) break;
      std::size_t sum = parser.request().body.size();
      for (const HttpHeader& header : parser.request().headers) {
        for (const char c : header.name) sum += static_cast<unsigned char>(c);
        for (const char c : header.value) sum += static_cast<unsigned char>(c);
      }
      if (parser.consumed() > message.size() || sum == SIZE_MAX) __builtin_trap();
      message.erase(0, parser.consumed());
      parser.Reset();
    }
  }
  return 0;
}

}  // namespace kw::server
