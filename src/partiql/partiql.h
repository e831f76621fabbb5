// SPDX-License-Identifier: Apache-2.0
// PartiQL: text to a statement (statements.h), and statements carried out by the engine, alone, in
// a batch or in a transaction. A statement costs what the operation costs that it becomes.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/operations.h"
#include "partiql/read.h"
#include "partiql/statements.h"

namespace kw::partiql {

// A statement whose table's name has been resolved.
struct Command {
  Statement statement;
  engine::TableKey table;
  engine::FailureReturn on_failure = engine::FailureReturn::kNone;
};

// Errors: those of the operation that the statement becomes; DuplicateItem for an INSERT;
// Validation, if a write's WHERE clause does not give the key, and for EXISTS.
void Execute(engine::Engine& engine, const engine::CallContext& call, Command command,
             const ReadOptions& options, engine::Done<Outcome> done);

// One statement of a batch. One that could not be parsed takes part with its error.
struct BatchEntry {
  Result<Command> command;
  bool consistent = false;
};
using BatchOutcome = std::vector<Result<Outcome>>;  // one for each entry, in order

// Each statement succeeds or fails by itself. Errors: Validation, if reads and writes are mixed;
// WouldBlock.
void ExecuteBatch(engine::Engine& engine, const engine::CallContext& call,
                  std::vector<BatchEntry> entries, engine::Done<BatchOutcome> done);

struct TransactionRequest {
  std::vector<Command> commands;
  std::optional<std::string> token = std::nullopt;  // ClientRequestToken
  std::uint64_t fingerprint = 0;
};
struct TransactionOutcome {
  std::vector<std::optional<std::string>> items;  // of reads: one for each statement
  std::vector<engine::TableCapacity> capacities;  // one a table
};

// All or nothing. Errors: Validation, if reads and writes are mixed or a key is not given;
// TransactionCanceled with one reason for each statement; IdempotentParameterMismatch.
void ExecuteTransaction(engine::Engine& engine, const engine::CallContext& call,
                        TransactionRequest request, engine::Done<TransactionOutcome> done);

}  // namespace kw::partiql
