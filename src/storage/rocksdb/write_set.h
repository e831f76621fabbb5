// SPDX-License-Identifier: Apache-2.0
// What a batch of updates has seen and will write, before any of it is in the database: later
// decisions see earlier ones' effects here, and a row written many times is stored once.
// Used by the applier alone.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "storage/store.h"

namespace kw::storage {

class WriteSet {
 public:
  explicit WriteSet(rocksdb::DB& db) : db_(db) {}

  // The row as the batch so far leaves it. Valid until Clear, or until the row is written.
  StoreResult<const std::optional<std::string>*> Row(const RowKey& key);

  // Adds the mutation, all of it or, when what it builds upon cannot be read, nothing.
  StoreResult<void> Add(Mutation mutation);

  // About how much memory the batch takes: what it read and what it writes.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Everything added since Clear, to be written at once; may be empty.
  rocksdb::WriteBatch& Finish();
  void Clear();  // once written
  // Once not written: takes the positions back that the batch gave to log entries.
  void Abandon();

  // The position of the log's newest entry, 0 if it never had one.
  StoreResult<std::uint64_t> LogHead(CellId cell, std::uint32_t log);
  void ForgetCell(CellId cell);  // once dropped

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const {
      return std::hash<std::string_view>{}(key);
    }
  };
  template <class Value>
  using ByKey = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;
  enum class Origin : std::uint8_t { kRead, kWritten };
  struct RowState {
    Origin origin;
    std::optional<std::string> value;
  };

  StoreResult<std::int64_t*> Counter(CellId cell, std::string_view key);
  void SetRow(CellId cell, std::string_view key, std::optional<std::string> value);

  rocksdb::DB& db_;
  ByKey<RowState> rows_;
  ByKey<std::int64_t> counters_;
  std::map<std::pair<CellId, std::uint32_t>, std::uint64_t> log_heads_;  // kept from batch to batch
  rocksdb::WriteBatch batch_;  // log entries at once, rows and counters in Finish
  std::size_t bytes_ = 0;
  std::string scratch_;  // an encoded key
};

}  // namespace kw::storage
