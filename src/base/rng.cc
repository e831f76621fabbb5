// SPDX-License-Identifier: Apache-2.0
#include "base/rng.h"

#include <random>
#include <string_view>

#include "base/check.h"
#include "base/int128.h"

namespace kw {

Rng Rng::FromSystem() {
  std::random_device device;
  return Rng((static_cast<std::uint64_t>(device()) << 32) | device());
}

std::uint64_t Rng::Next() {
  state_ += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::uint64_t Rng::Below(std::uint64_t bound) {
  Check(bound > 0, "a bound is positive");
  return static_cast<std::uint64_t>((static_cast<Uint128>(Next()) * bound) >> 64);
}

void Rng::AppendRequestId(std::string& out) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr std::size_t kLength = 52;
  const std::size_t begin = out.size();
  out.resize(begin + kLength);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kLength; ++i) {
    if (i % 12 == 0) bits = Next();
    out[begin + i] = kAlphabet[bits % kAlphabet.size()];
    bits /= kAlphabet.size();
  }
}

std::string Rng::Uuid() {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string uuid;
  uuid.reserve(36);
  std::uint64_t bits = 0;
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) uuid += '-';
    if (i % 16 == 0) bits = Next();
    auto nibble = static_cast<unsigned>(bits & 15U);
    bits >>= 4;
    if (i == 12) nibble = 4;
    if (i == 16) nibble = 8 | (nibble & 3U);
    uuid += kHex[nibble];
  }
  return uuid;
}

}  // namespace kw
