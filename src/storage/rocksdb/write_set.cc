// SPDX-License-Identifier: Apache-2.0
#include "storage/rocksdb/write_set.h"

#include <algorithm>
#include <memory>

#include "base/bytes.h"
#include "storage/rocksdb/key_space.h"

namespace kw::storage {
namespace {

std::string EncodeInteger(std::uint64_t value) {
  std::string out;
  AppendBigEndian64(out, value);
  return out;
}

// Reads a value of `key`; nothing where there is none.
StoreResult<std::optional<std::string>> Read(rocksdb::DB& db, std::string_view key) {
  rocksdb::PinnableSlice value;
  const auto status = db.Get({}, db.DefaultColumnFamily(), key, &value);
  if (status.IsNotFound()) return std::optional<std::string>();
  if (!status.ok()) return Unexpected(StoreError::kNotDone);
  return std::optional(value.ToString());
}

}  // namespace

StoreResult<const std::optional<std::string>*> WriteSet::Row(const RowKey& key) {
  key_space::Encode(key.cell, key_space::kRow, key.key, scratch_);
  const auto known = rows_.find(std::string_view(scratch_));
  if (known != rows_.end()) return &known->second.value;
  TRY_ASSIGN(auto value, Read(db_, scratch_));
  bytes_ += scratch_.size() + (value ? value->size() : 0);
  const auto row = rows_.emplace(scratch_, RowState{Origin::kRead, std::move(value)}).first;
  return &row->second.value;
}

StoreResult<std::int64_t*> WriteSet::Counter(CellId cell, std::string_view key) {
  key_space::Encode(cell, key_space::kCounter, key, scratch_);
  const auto known = counters_.find(std::string_view(scratch_));
  if (known != counters_.end()) return &known->second;
  TRY_ASSIGN(const auto value, Read(db_, scratch_));
  const auto sum = value ? static_cast<std::int64_t>(ReadBigEndian64(*value)) : 0;
  return &counters_.emplace(scratch_, sum).first->second;
}

StoreResult<std::uint64_t> WriteSet::LogHead(CellId cell, std::uint32_t log) {
  const auto known = log_heads_.find({cell, log});
  if (known != log_heads_.end()) return known->second;
  // The entries may all have been trimmed; their positions are never given again.
  TRY_ASSIGN(const auto trimmed, Read(db_, key_space::Trimmed(cell, log)));
  std::uint64_t head = trimmed ? ReadBigEndian64(*trimmed) : 0;
  const auto begin = key_space::LogPrefix(cell, log);
  const auto end = key_space::LogEnd(cell, log);
  const rocksdb::Slice lower(begin);
  const rocksdb::Slice upper(end);
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> entries(db_.NewIterator(options));
  entries->SeekToLast();
  if (entries->Valid()) {
    head = std::max(head, key_space::LogPosition(entries->key().ToStringView()));
  } else if (!entries->status().ok()) {
    return Unexpected(StoreError::kNotDone);
  }
  log_heads_.emplace(std::pair(cell, log), head);
  return head;
}

void WriteSet::SetRow(CellId cell, std::string_view key, std::optional<std::string> value) {
  key_space::Encode(cell, key_space::kRow, key, scratch_);
  bytes_ += scratch_.size() + (value ? value->size() : 0);
  const auto known = rows_.find(std::string_view(scratch_));
  if (known != rows_.end()) {
    known->second = {Origin::kWritten, std::move(value)};
  } else {
    rows_.emplace(scratch_, RowState{Origin::kWritten, std::move(value)});
  }
}

StoreResult<void> WriteSet::Add(Mutation mutation) {
  // Reads may fail, so all of them come before the first change.
  for (const auto& step : mutation.steps()) {
    if (const auto* append = std::get_if<Mutation::Append>(&step)) {
      TRY(LogHead(append->cell, append->log));
    } else if (const auto* add = std::get_if<Mutation::Add>(&step)) {
      TRY(Counter(add->cell, add->key));
    }
  }
  struct Step {
    WriteSet& set;
    void operator()(Mutation::Put& put) const {
      set.SetRow(put.cell, put.key, std::move(put.value));
    }
    void operator()(Mutation::Delete& erase) const {
      set.SetRow(erase.cell, erase.key, std::nullopt);
    }
    void operator()(Mutation::Append& append) const {
      auto& head = set.log_heads_.find({append.cell, append.log})->second;
      set.batch_.Put(key_space::LogEntry(append.cell, append.log, ++head), append.record);
      set.bytes_ += append.record.size();
    }
    void operator()(Mutation::Add& add) const {
      // Wraps at the ends like the unsigned sum, rather than trap.
      auto& sum = **set.Counter(add.cell, add.key);
      sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) +
                                      static_cast<std::uint64_t>(add.delta));
      set.bytes_ += sizeof(sum);
    }
  };
  for (auto& step : mutation.steps()) std::visit(Step{*this}, step);
  return {};
}

rocksdb::WriteBatch& WriteSet::Finish() {
  for (const auto& [key, row] : rows_) {
    if (row.origin == Origin::kRead) continue;
    if (row.value) {
      batch_.Put(key, *row.value);
    } else {
      batch_.Delete(key);
    }
  }
  for (const auto& [key, sum] : counters_) {
    batch_.Put(key, EncodeInteger(static_cast<std::uint64_t>(sum)));
  }
  return batch_;
}

void WriteSet::Clear() {
  rows_.clear();
  counters_.clear();
  batch_.Clear();
  bytes_ = 0;
}

void WriteSet::Abandon() {
  Clear();
  log_heads_.clear();
}

void WriteSet::ForgetCell(CellId cell) {
  log_heads_.erase(log_heads_.lower_bound({cell, 0}), log_heads_.upper_bound({cell, ~0U}));
}

}  // namespace kw::storage
