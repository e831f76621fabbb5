// SPDX-License-Identifier: Apache-2.0
// Where the rows, counters and logs of all cells lie in RocksDB's one ordered space of keys:
//   cell(8, big-endian) kind(1) …   'c' key -> counter, 8 bytes big-endian
//                                   'l' log(4) position(8) -> record
//                                   'm' log(4) -> position(8): entries up to it were trimmed
//                                   'r' key -> row
// A change here is another format of the data folder (data_folder.cc).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "storage/store.h"

namespace kw::storage::key_space {

inline constexpr char kCounter = 'c';
inline constexpr char kLog = 'l';
inline constexpr char kTrimmed = 'm';
inline constexpr char kRow = 'r';
inline constexpr std::size_t kPrefixSize = 9;
// So many bytes of a key are its beginning, by which filters find rows that lie together: of a
// table's rows the hash that those of one partition share.
inline constexpr std::size_t kBeginningSize = kPrefixSize + 9;

// The functions overwrite `out`, so that its memory serves many keys.
inline void Encode(CellId cell, char kind, std::string_view key, std::string& out) {
  out.clear();
  AppendBigEndian64(out, cell);
  out += kind;
  out += key;
}

inline std::string Row(CellId cell, std::string_view key) {
  std::string out;
  out.reserve(kPrefixSize + key.size());
  Encode(cell, kRow, key, out);
  return out;
}

// Above every row of the cell.
inline std::string RowsEnd(CellId cell) {
  std::string out;
  Encode(cell, kRow + 1, {}, out);
  return out;
}

inline std::string Counter(CellId cell, std::string_view key) {
  std::string out;
  Encode(cell, kCounter, key, out);
  return out;
}

inline std::string LogPrefix(CellId cell, std::uint32_t log) {
  std::string out;
  Encode(cell, kLog, {}, out);
  AppendBigEndian32(out, log);
  return out;
}

inline std::string LogEntry(CellId cell, std::uint32_t log, std::uint64_t position) {
  auto out = LogPrefix(cell, log);
  AppendBigEndian64(out, position);
  return out;
}

// Above every entry of the log: no position comes near the largest.
inline std::string LogEnd(CellId cell, std::uint32_t log) { return LogEntry(cell, log, ~0ULL); }

inline std::uint64_t LogPosition(std::string_view entry_key) {
  return ReadBigEndian64(entry_key.substr(entry_key.size() - 8));
}

inline std::string Trimmed(CellId cell, std::uint32_t log) {
  std::string out;
  Encode(cell, kTrimmed, {}, out);
  AppendBigEndian32(out, log);
  return out;
}

inline std::string CellBegin(CellId cell) {
  std::string out;
  AppendBigEndian64(out, cell);
  return out;
}

inline std::string CellEnd(CellId cell) {
  auto out = CellBegin(cell);
  out += '\xff';  // above every kind
  return out;
}

}  // namespace kw::storage::key_space
