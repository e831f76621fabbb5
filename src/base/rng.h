// SPDX-License-Identifier: Apache-2.0
// Chance as a parameter: seeded in tests, from the system in the server.
#pragma once

#include <cstdint>
#include <string>

namespace kw {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  static Rng FromSystem();

  std::uint64_t Next();                      // uniform over all 64 bits (SplitMix64)
  std::uint64_t Below(std::uint64_t bound);  // uniform over [0, bound); bound > 0
  // 52 characters of [A-Z0-9], the service's form.
  void AppendRequestId(std::string& out);
  std::string Uuid();  // RFC 4122 version 4, lower case

 private:
  std::uint64_t state_;
};

}  // namespace kw
