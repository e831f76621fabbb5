// SPDX-License-Identifier: Apache-2.0
#include "api/ops/execute_transaction.h"

#include <array>
#include <utility>

#include "api/ops/fingerprint.h"
#include "api/ops/statement.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 3> kStatementMembers{{
    {"Statement", &kStatement, kRequired},
    {"Parameters", &kParameters},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};
constexpr Shape kParameterizedStatement{
    .kind = ShapeKind::kStructure, .name = "ParameterizedStatement", .members = kStatementMembers};
constexpr Shape kStatements{.kind = ShapeKind::kList,
                            .name = "ParameterizedStatements",
                            .min = 1,
                            .max = limits::kTransactionActionsMax,
                            .element = &kParameterizedStatement};
constexpr Shape kClientRequestToken{
    .kind = ShapeKind::kString, .name = "ClientRequestToken", .min = 1, .max = 36};
constexpr std::array<ShapeMember, 3> kMembers{{
    {"TransactStatements", &kStatements, kRequired},
    {"ClientRequestToken", &kClientRequestToken},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
}};

}  // namespace

constexpr Shape kExecuteTransactionInput{
    .kind = ShapeKind::kStructure, .name = "ExecuteTransactionInput", .members = kMembers};

Access ExecuteTransaction::AccessOf(JsonValue body) {
  return AccessOfStatements(body, "TransactStatements");
}

Result<Parsed<ExecuteTransaction::Request, ExecuteTransaction::Echo>> ExecuteTransaction::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kExecuteTransactionInput> fields(body);
  Parsed<Request, Echo> parsed;
  for (const JsonValue json : fields.Get<"TransactStatements">().array()) {
    const Fields<kParameterizedStatement> one(json);
    TRY_ASSIGN(partiql::Command command,
               ParseCommand(one.Get<"Statement">().string(), one.Find<"Parameters">(),
                            one.String<"ReturnValuesOnConditionCheckFailure">(), call));
    parsed.echo.names.emplace(command.table, command.statement.table());
    parsed.request.commands.push_back(std::move(command));
  }
  if (const auto token = fields.String<"ClientRequestToken">()) {
    parsed.request.token = std::string(*token);
    parsed.request.fingerprint = FingerprintOf(body, "ClientRequestToken");
  }
  parsed.echo.consumed = ParseReturnConsumed(fields.String<"ReturnConsumedCapacity">());
  return parsed;
}

void ExecuteTransaction::Run(engine::Engine& engine, const engine::CallContext& call,
                             Request request, engine::Done<Response> done) {
  partiql::ExecuteTransaction(engine, call, std::move(request), std::move(done));
}

// observed: Responses is an empty list for writes.
void ExecuteTransaction::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  WriteTransactionItems(response.items, out);
  WriteTransactionCapacity(echo, response.capacities, out);
  out.EndObject();
}

}  // namespace kw::api
