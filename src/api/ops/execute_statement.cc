// SPDX-License-Identifier: Apache-2.0
#include "api/ops/execute_statement.h"

#include <array>
#include <utility>

#include "api/ops/statement.h"
#include "data/item.h"
#include "data/item_bytes.h"

namespace kw::api {
namespace {

constexpr Shape kNextToken{.kind = ShapeKind::kString,
                           .name = "PartiQLNextToken",
                           .min = 1,
                           .max = limits::kNextTokenCharactersMax};
constexpr Shape kPositive{.kind = ShapeKind::kInteger, .name = "PositiveIntegerObject", .min = 1};

constexpr std::array<ShapeMember, 7> kMembers{{
    {"Statement", &kStatement, kRequired},
    {"Parameters", &kParameters},
    {"ConsistentRead", &kBoolean},
    {"NextToken", &kNextToken},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
    {"Limit", &kPositive},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};

}  // namespace

constexpr Shape kExecuteStatementInput{
    .kind = ShapeKind::kStructure, .name = "ExecuteStatementInput", .members = kMembers};

Access ExecuteStatement::AccessOf(JsonValue body) { return AccessOfStatement(body); }

Result<Parsed<ExecuteStatement::Request, ExecuteStatement::Echo>> ExecuteStatement::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kExecuteStatementInput> fields(body);
  TRY_ASSIGN(partiql::Command command,
             ParseCommand(fields.Get<"Statement">().string(), fields.Find<"Parameters">(),
                          fields.String<"ReturnValuesOnConditionCheckFailure">(), call));
  Echo echo{.table_name = command.statement.table(),
            .consumed = ParseReturnConsumed(fields.String<"ReturnConsumedCapacity">())};
  partiql::ReadOptions options{.consistent = fields.Boolean<"ConsistentRead">().value_or(false),
                               .limit = fields.Integer<"Limit">()};
  if (const auto token = fields.String<"NextToken">()) options.next_token = std::string(*token);
  return Parsed<Request, Echo>{
      .request = {.command = std::move(command), .options = std::move(options)},
      .echo = std::move(echo)};
}

void ExecuteStatement::Run(engine::Engine& engine, const engine::CallContext& call, Request request,
                           engine::Done<Response> done) {
  partiql::Execute(engine, call, std::move(request.command), request.options, std::move(done));
}

void ExecuteStatement::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Items");
  WriteStoredItems(response.items, out);
  if (response.next_token) out.Member("NextToken", *response.next_token);
  if (response.last_key) {
    out.Key("LastEvaluatedKey");
    WriteJson(*response.last_key, out);
  }
  if (echo.consumed != ReturnConsumed::kNone) {
    out.Key("ConsumedCapacity");
    WriteConsumedCapacity(echo.table_name, response.capacity, echo.consumed, CapacityForm::kPlain,
                          out);
  }
  out.EndObject();
}

}  // namespace kw::api
