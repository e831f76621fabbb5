// SPDX-License-Identifier: Apache-2.0
// What is remembered of a transaction that was sent with a ClientRequestToken.
//
// Cell 1:  't' account region token -> record
//          'e' time(8) token-row -> nothing; finds what has expired without reading the rest
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/metering.h"
#include "engine/engine.h"

namespace kw::engine {

struct TokenRecord {
  TimePoint at;
  std::uint64_t fingerprint = 0;                      // of the request's content
  std::vector<std::pair<TableKey, HalfUnits>> reads;  // what a replay reports
};

storage::RowKey TokenRow(const std::string& account, const std::string& region,
                         std::string_view token);
void WriteToken(const storage::RowKey& row, const TokenRecord& record, storage::Mutation& mutation);
// Nothing, if the bytes are no record.
std::optional<TokenRecord> DecodeToken(std::string_view row);
// Whether it still binds: for 10 minutes.
bool IsValid(const TokenRecord& record, TimePoint now);

// Removes expired tokens, at most `max`; answers how many there were. Blocks: call it now and then
// where waiting is allowed. Errors: InternalServerError.
Result<std::size_t> SweepTokens(Engine& engine, std::size_t max = 1000);

}  // namespace kw::engine
