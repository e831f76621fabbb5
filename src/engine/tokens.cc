// SPDX-License-Identifier: Apache-2.0
#include "engine/tokens.h"

#include <utility>

#include "base/bytes.h"
#include "data/limits.h"
#include "engine/access.h"
#include "engine/layout.h"

namespace kw::engine {
namespace {

constexpr char kTokenPrefix = 't';
constexpr char kExpiryPrefix = 'e';
constexpr std::size_t kExpiryHeadBytes = 9;  // the prefix and the time

std::uint64_t Milliseconds(TimePoint at) {
  return static_cast<std::uint64_t>(at.time_since_epoch().count());
}

std::string ExpiryKey(TimePoint at, std::string_view token_row) {
  std::string key(1, kExpiryPrefix);
  AppendBigEndian64(key, Milliseconds(at));
  return key.append(token_row);
}

}  // namespace

storage::RowKey TokenRow(const std::string& account, const std::string& region,
                         std::string_view token) {
  std::string key(1, kTokenPrefix);
  AppendLengthPrefixed(key, account);
  AppendLengthPrefixed(key, region);
  return {.cell = kTokenCell, .key = key.append(token)};
}

void WriteToken(const storage::RowKey& row, const TokenRecord& record,
                storage::Mutation& mutation) {
  std::string value;
  AppendBigEndian64(value, Milliseconds(record.at));
  AppendBigEndian64(value, record.fingerprint);
  for (const auto& [table, units] : record.reads) {
    AppendLengthPrefixed(value, table.account);
    AppendLengthPrefixed(value, table.region);
    AppendLengthPrefixed(value, table.name);
    AppendVarint(value, static_cast<std::uint64_t>(units.value()));
  }
  mutation.PutRow(row.cell, row.key, std::move(value));
  mutation.PutRow(row.cell, ExpiryKey(record.at, row.key), {});
}

std::optional<TokenRecord> DecodeToken(std::string_view row) {
  if (row.size() < 16) return std::nullopt;
  TokenRecord record;
  record.at = TimePoint(std::chrono::milliseconds(static_cast<std::int64_t>(ReadBigEndian64(row))));
  record.fingerprint = ReadBigEndian64(row.substr(8));
  row.remove_prefix(16);
  while (!row.empty()) {
    const auto account = TakeLengthPrefixed(row);
    const auto region = account ? TakeLengthPrefixed(row) : std::nullopt;
    const auto name = region ? TakeLengthPrefixed(row) : std::nullopt;
    const auto units = name ? TakeVarint(row) : std::nullopt;
    if (!units) return std::nullopt;
    record.reads.emplace_back(
        TableKey{std::string(*account), std::string(*region), std::string(*name)},
        HalfUnits(static_cast<std::int64_t>(*units)));
  }
  return record;
}

bool IsValid(const TokenRecord& record, TimePoint now) {
  return now - record.at <= std::chrono::seconds(limits::kIdempotencyWindowSeconds);
}

Result<std::size_t> SweepTokens(Engine& engine, std::size_t max) {
  const auto newest = engine.clock.Now() - std::chrono::seconds(limits::kIdempotencyWindowSeconds);
  std::vector<std::string> expired;
  const auto visited = engine.store.Visit({.cell = kTokenCell,
                                           .begin = std::string(1, kExpiryPrefix),
                                           .end = ExpiryKey(newest, {}),
                                           .reverse = false},
                                          storage::Wait::kMayBlock,
                                          [&](std::string_view key, std::string_view /*value*/) {
                                            expired.emplace_back(key);
                                            return expired.size() < max;
                                          });
  if (!visited) return Unexpected(ErrorOf(visited.error()));
  if (expired.empty()) return std::size_t{0};

  std::vector<storage::RowKey> rows;
  for (const auto& key : expired) {
    rows.push_back({.cell = kTokenCell, .key = key.substr(kExpiryHeadBytes)});
  }
  const auto swept = storage::SubmitAndWait(
      engine.store, rows, [&](std::span<const std::optional<std::string_view>> seen) {
        storage::Mutation mutation;
        for (std::size_t i = 0; i < expired.size(); ++i) {
          mutation.DeleteRow(kTokenCell, expired[i]);
          // A token that was used again since then has a younger record.
          const auto at = ReadBigEndian64(std::string_view(expired[i]).substr(1));
          const auto record = seen[i] ? DecodeToken(*seen[i]) : std::nullopt;
          if (record && Milliseconds(record->at) == at) {
            mutation.DeleteRow(kTokenCell, rows[i].key);
          }
        }
        return mutation;
      });
  if (!swept) return Unexpected(ErrorOf(swept.error()));
  return expired.size();
}

}  // namespace kw::engine
