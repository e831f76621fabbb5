// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <libdeflate.h>

#include <array>
#include <cstring>

#include "base/int128.h"

namespace kw {
namespace {

constexpr std::string_view kBase64Alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xFF;

constexpr std::array<std::uint8_t, 256> MakeBase64Digits() {
  std::array<std::uint8_t, 256> digits{};
  for (auto& digit : digits) digit = kNoDigit;
  for (std::size_t i = 0; i < kBase64Alphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kBase64Alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}
constexpr auto kBase64Digits = MakeBase64Digits();

std::uint64_t Load64(const char* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<Uint128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

void AppendBase64(std::string& out, std::string_view bytes) {
  std::size_t at = out.size();
  out.resize(at + (bytes.size() + 2) / 3 * 4, '=');
  const auto put = [&](std::uint32_t group, std::size_t digits) {
    for (std::size_t i = 0; i < digits; ++i)
      out[at++] = kBase64Alphabet[group >> (18 - 6 * i) & 63U];
  };
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) put(byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2), 4);
  const std::size_t rest = bytes.size() - i;
  if (rest == 1) put(byte(i) << 16, 2);
  if (rest == 2) put(byte(i) << 16 | byte(i + 1) << 8, 3);
}

std::string Base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  AppendBase64(out, bytes);
  return out;
}

std::optional<std::string> ParseBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  const std::size_t digits = text.size() - padding;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint8_t digit = kBase64Digits[static_cast<unsigned char>(text[i])];
    if (digit == kNoDigit) return std::nullopt;
    group = group << 6 | digit;
    if (i % 4 == 3) {
      out += static_cast<char>(group >> 16 & 0xFFU);
      out += static_cast<char>(group >> 8 & 0xFFU);
      out += static_cast<char>(group & 0xFFU);
      group = 0;
    }
  }
  if (padding == 1) {
    if ((group & 3U) != 0) return std::nullopt;
    out += static_cast<char>(group >> 10 & 0xFFU);
    out += static_cast<char>(group >> 2 & 0xFFU);
  } else if (padding == 2) {
    if ((group & 15U) != 0) return std::nullopt;
    out += static_cast<char>(group >> 4 & 0xFFU);
  }
  return out;
}

void AppendBigEndian32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFFU);
}

void AppendBigEndian64(std::string& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFFU);
}

std::uint32_t ReadBigEndian32(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint64_t ReadBigEndian64(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void AppendVarint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>((value & 0x7FU) | 0x80U);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

std::optional<std::uint64_t> TakeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (i == 9 && byte > 1) return std::nullopt;
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

void AppendLengthPrefixed(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out.append(text);
}

std::optional<std::string_view> TakeLengthPrefixed(std::string_view& bytes) {
  const auto size = TakeVarint(bytes);
  if (!size || *size > bytes.size()) return std::nullopt;
  const auto text = bytes.substr(0, *size);
  bytes.remove_prefix(*size);
  return text;
}

std::uint64_t StableHash(std::string_view bytes) {
  constexpr std::uint64_t kSeed = 0xA0761D6478BD642FULL;
  constexpr std::uint64_t kStep = 0xE7037ED1A0B428DBULL;
  std::uint64_t hash = kSeed ^ (bytes.size() * kStep);
  while (bytes.size() >= 8) {
    hash = Mix(hash ^ Load64(bytes.data()), kStep);
    bytes.remove_prefix(8);
  }
  std::array<char, 8> tail{};
  std::memcpy(tail.data(), bytes.data(), bytes.size());
  return Mix(Mix(hash ^ Load64(tail.data()), kStep), kSeed);
}

std::uint32_t Crc32(std::string_view bytes) {
  // libdeflate folds with the processor's carry-less multiplication: several times zlib's speed.
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace kw
