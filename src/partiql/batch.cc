// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "engine/traffic.h"
#include "partiql/write.h"

namespace kw::partiql {
namespace {

// Source: aws-doc API_BatchExecuteStatement ("you cannot mix both in one batch"); assumed: the
// wording.
Error Mixed() {
  return {ErrorCode::kValidation,
          "BatchExecuteStatement does not support both read and write statements in one request.",
          {}};
}

// Source: aws-doc API_BatchExecuteStatement ("must specify an equality condition on all key
// attributes"); assumed: the wording, from memory.
Error NoKey() {
  return {ErrorCode::kValidation,
          "Select statements within BatchExecuteStatement must specify the primary key in the "
          "where clause.",
          {}};
}

Result<Outcome> ReadOne(engine::Engine& engine, const engine::CallContext& call, BatchEntry entry) {
  if (!entry.command) return Unexpected(std::move(entry.command).error());
  TRY_ASSIGN(const engine::TablePtr table, engine.catalog.Find(entry.command->table));
  TRY(engine::CheckMayRepeat(engine, call, *table));
  auto read = ItemReadOf(std::move(std::get<SelectStatement>(entry.command->statement.what)),
                         table->schema.key());
  if (!read) return Unexpected(NoKey());
  read->get.table = std::move(entry.command->table);
  read->get.consistent = entry.consistent;
  TRY_ASSIGN(engine::GetOutcome found, engine::Get(engine, call, read->get));
  Outcome outcome{.capacity = std::move(found.capacity)};
  if (auto item = read->Show(std::move(found.item))) outcome.items.Add(*item);
  return outcome;
}

void ReadAll(engine::Engine& engine, const engine::CallContext& call,
             std::vector<BatchEntry> entries, const engine::Done<BatchOutcome>& done) {
  BatchOutcome outcome;
  outcome.reserve(entries.size());
  for (BatchEntry& entry : entries) {
    auto read = ReadOne(engine, call, std::move(entry));
    if (!read && read.error().code == ErrorCode::kWouldBlock) {
      return done(Unexpected(std::move(read).error()));
    }
    outcome.push_back(std::move(read));
  }
  done(std::move(outcome));
}

// Writes under way; the last to end answers.
struct Writes {
  BatchOutcome outcome;
  std::atomic<std::size_t> left;
  engine::Done<BatchOutcome> done;

  void End(std::size_t entry, Result<Outcome> written) {
    outcome[entry] = std::move(written);
    if (left.fetch_sub(1) == 1) done(std::move(outcome));
  }
};

void WriteAll(engine::Engine& engine, const engine::CallContext& call,
              std::vector<BatchEntry> entries, engine::Done<BatchOutcome> done) {
  const auto writes = std::make_shared<Writes>();
  writes->outcome.resize(entries.size());
  writes->left = entries.size();
  writes->done = std::move(done);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto end = [writes, i](Result<Outcome> written) { writes->End(i, std::move(written)); };
    if (entries[i].command) {
      Write(engine, call, std::move(*entries[i].command), end);
    } else {
      end(Unexpected(std::move(entries[i].command).error()));
    }
  }
}

}  // namespace

void ExecuteBatch(engine::Engine& engine, const engine::CallContext& call,
                  std::vector<BatchEntry> entries, engine::Done<BatchOutcome> done) {
  const auto reads = [](const BatchEntry& entry) {
    return entry.command && entry.command->statement.reads();
  };
  const auto writes = [](const BatchEntry& entry) {
    return entry.command && !entry.command->statement.reads();
  };
  const bool any_read = std::ranges::any_of(entries, reads);
  if (any_read && std::ranges::any_of(entries, writes)) return done(Unexpected(Mixed()));
  if (any_read) return ReadAll(engine, call, std::move(entries), done);
  // Several writes never wait for the disk one after another.
  engine::CallContext together = call;
  together.inline_if_idle = false;
  WriteAll(engine, together, std::move(entries), std::move(done));
}

}  // namespace kw::partiql
