// SPDX-License-Identifier: Apache-2.0
#include "partiql/write.h"

#include <source_location>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace kw::partiql {
namespace {

Result<Outcome> OutcomeOf(Result<engine::WriteOutcome> written) {
  if (!written) return Unexpected(std::move(written).error());
  Outcome outcome{.capacity = std::move(written->capacity)};
  if (written->attributes) outcome.items.Add(*written->attributes);
  return outcome;
}

// The only condition of an INSERT is that there is no such item.
Result<Outcome> InsertOutcomeOf(Result<engine::WriteOutcome> written) {
  if (!written && written.error().code == ErrorCode::kConditionalCheckFailed) {
    Error error = std::move(written).error();
    error.code = ErrorCode::kDuplicateItem;
    error.message = kDuplicateItemMessage;
    return Unexpected(std::move(error));
  }
  return OutcomeOf(std::move(written));
}

struct Starter {
  engine::Engine& engine;
  const engine::CallContext& call;
  engine::Done<Outcome> done;

  void operator()(engine::PutRequest request) {
    engine::Put(engine, call, std::move(request), [done = std::move(done)](auto written) {
      done(InsertOutcomeOf(std::move(written)));
    });
  }
  void operator()(engine::UpdateRequest request) {
    engine::Update(engine, call, std::move(request),
                   [done = std::move(done)](auto written) { done(OutcomeOf(std::move(written))); });
  }
  void operator()(engine::DeleteRequest request) {
    engine::Delete(engine, call, std::move(request),
                   [done = std::move(done)](auto written) { done(OutcomeOf(std::move(written))); });
  }
  // Source: aws-doc ql-functions.exists ("can only be used in transactions"); assumed: the wording.
  void operator()(const engine::ConditionCheckRequest& /*request*/) {
    done(Invalid("EXISTS can only be used in transactions"));
  }
};

}  // namespace

Result<engine::TransactWriteAction> ActionOf(const engine::Engine& engine, Command command) {
  TRY_ASSIGN(const engine::TablePtr table, engine.catalog.Find(command.table));
  const auto make = [&](auto& statement) -> Result<engine::TransactWriteAction> {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(statement)>, SelectStatement>) {
      CheckFailed("a SELECT is no write", std::source_location::current());
    } else {
      TRY_ASSIGN(auto request, RequestOf(std::move(statement), table->schema.key()));
      request.table = std::move(command.table);
      request.on_failure = command.on_failure;
      return engine::TransactWriteAction(std::move(request));
    }
  };
  return std::visit(make, command.statement.what);
}

void Write(engine::Engine& engine, const engine::CallContext& call, Command command,
           engine::Done<Outcome> done) {
  auto action = ActionOf(engine, std::move(command));
  if (!action) return done(Unexpected(std::move(action).error()));
  std::visit(Starter{engine, call, std::move(done)}, std::move(*action));
}

void Execute(engine::Engine& engine, const engine::CallContext& call, Command command,
             const ReadOptions& options, engine::Done<Outcome> done) {
  if (!command.statement.reads()) return Write(engine, call, std::move(command), std::move(done));
  done(Read(engine, call, std::move(command.table), std::move(command.statement), options));
}

}  // namespace kw::partiql
