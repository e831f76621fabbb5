// SPDX-License-Identifier: Apache-2.0
// The first line is an Authorization header, the others are headers `name:value`.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "server/sigv4.h"

namespace kw::server {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const KeyRing keys = {{"AKIDEXAMPLE", {.secret = "secret"}}};
  static const kw::ManualClock clock(kw::TimePoint(std::chrono::seconds(1440938160)));
  static SigV4Verifier verifier(keys, clock);

  std::string_view rest(reinterpret_cast<const char*>(data), size);
  HttpRequest request;
  request.method = HttpMethod::kPost;
  request.path = "/";
  const auto next_line = [&] {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() == rest.size() ? line.size() : line.size() + 1);
    return line;
  };
  const std::string_view authorization = next_line();
  request.headers.push_back({.name = "authorization", .value = authorization});
  while (!rest.empty() && request.headers.size() < 100) {
    const std::string_view line = next_line();
    const std::size_t colon = line.find(':');
    if (colon == line.npos) {
      request.query = line;
    } else {
      request.headers.push_back({.name = line.substr(0, colon), .value = line.substr(colon + 1)});
    }
  }
  if (verifier.Verify(request) && request.body.empty()) return 0;
  ReadClaimedCredential(authorization);
  return 0;
}

}  // namespace kw::server
