// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "partiql/write.h"

namespace kw::partiql {
namespace {

// assumed: the wording of all, from memory where it is not ours.
Error Mixed() {
  return {ErrorCode::kValidation,
          "ExecuteTransaction does not support both read and write statements in one request.",
          {}};
}
Error NoKey() {
  return {ErrorCode::kValidation,
          "Select statements within ExecuteTransaction must specify the primary key in the where "
          "clause.",
          {}};
}
Error Returns() {
  return {ErrorCode::kValidation, "RETURNING is not supported in ExecuteTransaction.", {}};
}

Result<TransactionOutcome> ReadAll(engine::Engine& engine, const engine::CallContext& call,
                                   std::vector<Command> commands) {
  std::vector<ItemRead> reads;
  std::vector<engine::GetRequest> gets;
  for (Command& command : commands) {
    TRY_ASSIGN(const engine::TablePtr table, engine.catalog.Find(command.table));
    auto read = ItemReadOf(std::move(std::get<SelectStatement>(command.statement.what)),
                           table->schema.key());
    if (!read) return Unexpected(NoKey());
    engine::GetRequest get = std::move(read->get);
    get.table = std::move(command.table);
    get.consistent = true;
    gets.push_back(std::move(get));
    reads.push_back(std::move(*read));
  }
  TRY_ASSIGN(engine::TransactGetOutcome found, engine::TransactGet(engine, call, gets));
  TransactionOutcome outcome{.items = {}, .capacities = std::move(found.capacities)};
  for (std::size_t i = 0; i < reads.size(); ++i) {
    outcome.items.push_back(reads[i].Show(std::move(found.items[i])));
  }
  return outcome;
}

bool Asks(const engine::TransactWriteAction& action) {
  if (const auto* update = std::get_if<engine::UpdateRequest>(&action)) {
    return update->returns != engine::UpdateReturn::kNone;
  }
  const auto* erase = std::get_if<engine::DeleteRequest>(&action);
  return erase != nullptr && erase->returns != engine::DeleteReturn::kNone;
}

// An INSERT's failed condition is a duplicate. assumed: that the reason says so.
Error WithDuplicates(Error error, const std::vector<bool>& inserts) {
  auto* reasons = std::get_if<std::vector<CancellationReason>>(&error.detail);
  if (reasons == nullptr) return error;
  bool any = false;
  for (std::size_t i = 0; i < reasons->size(); ++i) {
    CancellationReason& reason = (*reasons)[i];
    if (!inserts[i] || reason.code != "ConditionalCheckFailed") continue;
    reason.code = "DuplicateItem";
    reason.message = kDuplicateItemMessage;
    any = true;
  }
  if (!any) return error;
  error.message = engine::CancellationMessage(*reasons);
  return error;
}

void WriteAll(engine::Engine& engine, const engine::CallContext& call, TransactionRequest request,
              engine::Done<TransactionOutcome> done) {
  engine::TransactWriteRequest writes{
      .actions = {}, .token = std::move(request.token), .fingerprint = request.fingerprint};
  std::vector<bool> inserts;
  for (Command& command : request.commands) {
    auto action = ActionOf(engine, std::move(command));
    if (!action) return done(Unexpected(std::move(action).error()));
    if (Asks(*action)) return done(Unexpected(Returns()));
    inserts.push_back(std::holds_alternative<engine::PutRequest>(*action));
    writes.actions.push_back(std::move(*action));
  }
  engine::TransactWrite(
      engine, call, std::move(writes),
      [inserts = std::move(inserts),
       done = std::move(done)](Result<engine::TransactWriteOutcome> written) {
        if (!written) {
          return done(Unexpected(WithDuplicates(std::move(written).error(), inserts)));
        }
        done(TransactionOutcome{.items = {}, .capacities = std::move(written->capacities)});
      });
}

}  // namespace

void ExecuteTransaction(engine::Engine& engine, const engine::CallContext& call,
                        TransactionRequest request, engine::Done<TransactionOutcome> done) {
  const auto reads = std::ranges::count_if(
      request.commands, [](const Command& command) { return command.statement.reads(); });
  if (reads == 0) return WriteAll(engine, call, std::move(request), std::move(done));
  if (reads != std::ssize(request.commands)) return done(Unexpected(Mixed()));
  done(ReadAll(engine, call, std::move(request.commands)));
}

}  // namespace kw::partiql
