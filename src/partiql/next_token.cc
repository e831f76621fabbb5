// SPDX-License-Identifier: Apache-2.0
#include "partiql/next_token.h"

#include <utility>

#include "base/bytes.h"
#include "data/item_bytes.h"

namespace kw::partiql {
namespace {

// base64 of: version(1 byte) statement(8 bytes) part(varint) start(a stored item, or nothing)
constexpr char kVersion = 1;
constexpr std::size_t kHeadBytes = 9;

// assumed: the wording of both.
tl::unexpected<Error> NoToken() { return Invalid("The provided NextToken is invalid"); }
tl::unexpected<Error> OtherStatement() { return Invalid("NextToken does not match request"); }

}  // namespace

std::string EncodeToken(const ReadPosition& position, std::uint64_t statement) {
  std::string bytes(1, kVersion);
  AppendBigEndian64(bytes, statement);
  AppendVarint(bytes, position.part);
  if (position.start) bytes += StoreItem(*position.start);
  return Base64(bytes);
}

Result<ReadPosition> DecodeToken(std::string_view token, std::uint64_t statement) {
  const auto bytes = ParseBase64(token);
  if (!bytes || bytes->size() <= kHeadBytes || bytes->front() != kVersion) return NoToken();
  if (ReadBigEndian64(std::string_view(*bytes).substr(1)) != statement) return OtherStatement();
  std::string_view rest = std::string_view(*bytes).substr(kHeadBytes);
  const auto part = TakeVarint(rest);
  if (!part) return NoToken();
  ReadPosition position{.part = *part};
  if (rest.empty()) return position;
  if (!IsStoredItem(rest)) return NoToken();
  position.start = LoadItem(rest);
  return position;
}

}  // namespace kw::partiql
