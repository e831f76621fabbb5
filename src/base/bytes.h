// SPDX-License-Identifier: Apache-2.0
// Encodings of plain bytes: base64, big-endian integers, varints, hashes, checksums.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kw {

void AppendBase64(std::string& out, std::string_view bytes);
[[nodiscard]] std::string Base64(std::string_view bytes);
// Nothing on a wrong character, length or padding, or on stray bits behind the last byte.
[[nodiscard]] std::optional<std::string> ParseBase64(std::string_view text);

void AppendBigEndian32(std::string& out, std::uint32_t value);
void AppendBigEndian64(std::string& out, std::uint64_t value);
// The caller knows that the bytes are there.
[[nodiscard]] std::uint32_t ReadBigEndian32(std::string_view bytes);
[[nodiscard]] std::uint64_t ReadBigEndian64(std::string_view bytes);

// LEB128, 1 to 10 bytes.
void AppendVarint(std::string& out, std::uint64_t value);
// Takes a varint off the front of `bytes`; nothing if it is cut short or too long.
[[nodiscard]] std::optional<std::uint64_t> TakeVarint(std::string_view& bytes);

// A text behind its length as a varint.
void AppendLengthPrefixed(std::string& out, std::string_view text);
// Takes one off the front of `bytes`; nothing if it is cut short.
[[nodiscard]] std::optional<std::string_view> TakeLengthPrefixed(std::string_view& bytes);

// A fixed, well-mixed 64-bit hash: stored keys depend on it, so it never changes.
[[nodiscard]] std::uint64_t StableHash(std::string_view bytes);

// CRC-32 (IEEE), as in `x-amz-crc32`.
[[nodiscard]] std::uint32_t Crc32(std::string_view bytes);

}  // namespace kw
