// SPDX-License-Identifier: Apache-2.0
// The storage contract. It knows bytes, not items.
//
// Cell: an ordered map of bytes to bytes (unsigned order), named by an id, made by the first write.
//   The unit of atomicity that every engine has; engines that can (Capabilities::many_cells) apply
//   an update of several cells as one too.
// Read: one consistent view of the rows asked for. A read that begins after a commit was answered
//   sees it. It never sees what was not made durable (unless durability is relaxed).
// Update: the one way to write. The caller names the rows it must see; the store calls Decide with
//   the newest of them, perhaps several times, applies the mutation all or nothing, makes it
//   durable, then calls Done once. What was decided is written only if the rows seen still stand; a
//   decision sees every update applied before it. Done is called after durability even for an empty
//   mutation, because what was seen may itself have been on its way to disk.
// Log: an append-only sequence in a cell. The store assigns positions in commit order, without a
// gap
//   visible to a reader: a reader that saw position n never later finds a new entry below n.
// Counter: a signed 64-bit row that updates add to; it is 0 where it does not exist.
//
// Threads: every method may be called from any thread. Decide and Done run on a thread of the
// store's choice, one at a time for each cell; they must not block and must not call Update
// synchronously waiting for its answer (starting one is fine from Done).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.h"

namespace kw::storage {

enum class StoreError : std::uint8_t {
  kWouldBlock,      // a memory-only read that would need the disk
  kNotDone,         // nothing was changed: full, read-only, failing, closed
  kUnknownOutcome,  // the write may or may not stand after a restart; the store refuses further
                    // writes
};

template <class T>
using StoreResult = Expected<T, StoreError>;

using CellId = std::uint64_t;

struct RowKey {
  CellId cell;
  std::string key;
  friend auto operator<=>(const RowKey&, const RowKey&) = default;
};

enum class Wait : std::uint8_t {
  kMayBlock,
  kMemoryOnly,  // answer kWouldBlock rather than touch the disk
};

// All or nothing. Later entries for the same key win.
class Mutation {
 public:
  struct Put {
    CellId cell;
    std::string key;
    std::string value;
  };
  struct Delete {
    CellId cell;
    std::string key;
  };
  struct Append {
    CellId cell;
    std::uint32_t log;
    std::string record;
  };
  struct Add {
    CellId cell;
    std::string key;
    std::int64_t delta;
  };
  using Step = std::variant<Put, Delete, Append, Add>;

  void PutRow(CellId cell, std::string key, std::string value);
  void DeleteRow(CellId cell, std::string key);
  void AppendToLog(CellId cell, std::uint32_t log, std::string record);
  void AddToCounter(CellId cell, std::string key, std::int64_t delta);
  // For a small one that makes way for DropCell or TrimLog: a nearly full disk does not refuse it.
  void MakeWay() { makes_way_ = true; }

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::vector<Step>& steps() { return steps_; }
  [[nodiscard]] bool empty() const { return steps_.empty(); }
  [[nodiscard]] bool makes_way() const { return makes_way_; }

 private:
  bool makes_way_ = false;
  std::vector<Step> steps_;
};

// One write on its way. The object lives until Done returns.
class Update {
 public:
  virtual ~Update() = default;
  // The rows to see. Stable for the object's life.
  [[nodiscard]] virtual std::span<const RowKey> Sees() const = 0;
  // Pure, but for what it remembers in this object for Done: may run several times.
  // `rows` has one entry for each of Sees(), in order; valid during the call.
  virtual Mutation Decide(std::span<const std::optional<std::string_view>> rows) = 0;
  virtual void Done(StoreResult<void> result) = 0;
};

struct Range {
  CellId cell = 0;
  std::string begin = {};  // inclusive
  std::string end = {};    // exclusive; empty: to the end of the cell
  bool reverse = false;
};

// Return false to stop after this row.
using RowVisitor = std::function<bool(std::string_view key, std::string_view value)>;
using LogVisitor = std::function<bool(std::uint64_t position, std::string_view record)>;

struct Capabilities {
  bool many_cells;  // an Update may see and write rows of several cells
  bool durable;     // what was answered survives a crash
  std::string_view name;
};

// A number about a store that an operator may watch.
struct Gauge {
  std::string_view name;  // "queued_updates"
  std::string_view help;  // one sentence
  std::int64_t value;
};

class Store {
 public:
  virtual ~Store() = default;
  [[nodiscard]] virtual Capabilities capabilities() const = 0;
  // As it stands; from any thread, without waiting for writes or the disk.
  [[nodiscard]] virtual std::vector<Gauge> Gauges() const { return {}; }

  // One consistent view over all keys, also of several cells; absent rows are nullopt.
  virtual StoreResult<std::vector<std::optional<std::string>>> Get(std::span<const RowKey> keys,
                                                                   Wait wait) = 0;

  // Visits the rows of a range in order, from one consistent view. The visitor must not call the
  // store. Ending early is no error. After an error the rows visited so far are to be discarded.
  virtual StoreResult<void> Visit(const Range& range, Wait wait, const RowVisitor& visitor) = 0;

  // Queues the update; blocks only while the queue is full. With `inline_if_idle` the calling
  // thread may do the whole work itself, disk included, when nothing else is under way.
  virtual void Submit(std::unique_ptr<Update> update, bool inline_if_idle = false) = 0;

  [[nodiscard]] virtual StoreResult<std::int64_t> ReadCounter(const RowKey& key) = 0;

  // Entries above `after` (positions start at 1), oldest first.
  virtual StoreResult<void> VisitLog(CellId cell, std::uint32_t log, std::uint64_t after,
                                     const LogVisitor& visitor) = 0;
  // The position of the newest entry, also if it was trimmed; 0: there never was one.
  virtual StoreResult<std::uint64_t> LogEnd(CellId cell, std::uint32_t log) = 0;
  virtual StoreResult<void> TrimLog(CellId cell, std::uint32_t log,
                                    std::uint64_t up_to) = 0;  // inclusive

  // Removes every row, counter and log of a cell. The caller has made sure that nobody writes
  // there.
  virtual StoreResult<void> DropCell(CellId cell) = 0;
};

// Convenience: submits and waits. Not from Decide or Done.
StoreResult<void> SubmitAndWait(
    Store& store, std::vector<RowKey> sees,
    std::function<Mutation(std::span<const std::optional<std::string_view>>)> decide);

}  // namespace kw::storage
