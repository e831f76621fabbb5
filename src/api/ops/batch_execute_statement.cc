// SPDX-License-Identifier: Apache-2.0
#include "api/ops/batch_execute_statement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/ops/statement.h"
#include "data/item_bytes.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 4> kRequestMembers{{
    {"Statement", &kStatement, kRequired},
    {"Parameters", &kParameters},
    {"ConsistentRead", &kBoolean},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};
constexpr Shape kStatementRequest{
    .kind = ShapeKind::kStructure, .name = "BatchStatementRequest", .members = kRequestMembers};
constexpr Shape kStatements{.kind = ShapeKind::kList,
                            .name = "PartiQLBatchRequest",
                            .min = 1,
                            .max = limits::kBatchStatementsMax,
                            .element = &kStatementRequest};
constexpr std::array<ShapeMember, 2> kMembers{{
    {"Statements", &kStatements, kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
}};

struct BatchCode {
  ErrorCode code;
  std::string_view name;
};
// Source: aws-model BatchStatementErrorCodeEnum.
constexpr std::array kBatchCodes = {
    BatchCode{ErrorCode::kAccessDenied, "AccessDenied"},
    BatchCode{ErrorCode::kConditionalCheckFailed, "ConditionalCheckFailed"},
    BatchCode{ErrorCode::kDuplicateItem, "DuplicateItem"},
    BatchCode{ErrorCode::kItemCollectionSizeLimitExceeded, "ItemCollectionSizeLimitExceeded"},
    BatchCode{ErrorCode::kProvisionedThroughputExceeded, "ProvisionedThroughputExceeded"},
    BatchCode{ErrorCode::kRequestLimitExceeded, "RequestLimitExceeded"},
    BatchCode{ErrorCode::kResourceNotFound, "ResourceNotFound"},
    BatchCode{ErrorCode::kThrottling, "ThrottlingError"},
    BatchCode{ErrorCode::kTransactionConflict, "TransactionConflict"},
    BatchCode{ErrorCode::kValidation, "ValidationError"},
};

std::string_view BatchCodeOf(ErrorCode code) {
  const auto* found = std::ranges::find(kBatchCodes, code, &BatchCode::code);
  return found == kBatchCodes.end() ? "InternalServerError" : found->name;
}

void WriteError(const Error& error, JsonWriter& out) {
  out.Key("Error");
  out.BeginObject();
  out.Member("Code", BatchCodeOf(error.code));
  out.Member("Message", error.message);
  if (const auto* old = std::get_if<OldItem>(&error.detail)) {
    out.Key("Item");
    WriteStoredItem(old->stored, out);
  }
  out.EndObject();
}

}  // namespace

constexpr Shape kBatchExecuteStatementInput{
    .kind = ShapeKind::kStructure, .name = "BatchExecuteStatementInput", .members = kMembers};

Access BatchExecuteStatement::AccessOf(JsonValue body) {
  return AccessOfStatements(body, "Statements");
}

Result<Parsed<BatchExecuteStatement::Request, BatchExecuteStatement::Echo>>
BatchExecuteStatement::Parse(JsonValue body, const engine::CallContext& call) {
  const Fields<kBatchExecuteStatementInput> fields(body);
  Parsed<Request, Echo> parsed;
  for (const JsonValue json : fields.Get<"Statements">().array()) {
    const Fields<kStatementRequest> one(json);
    auto command = ParseCommand(one.Get<"Statement">().string(), one.Find<"Parameters">(),
                                one.String<"ReturnValuesOnConditionCheckFailure">(), call);
    auto& name = parsed.echo.table_names.emplace_back();
    if (command) name = command->statement.table();
    parsed.request.push_back({.command = std::move(command),
                              .consistent = one.Boolean<"ConsistentRead">().value_or(false)});
  }
  parsed.echo.consumed = ParseReturnConsumed(fields.String<"ReturnConsumedCapacity">());
  return parsed;
}

void BatchExecuteStatement::Run(engine::Engine& engine, const engine::CallContext& call,
                                Request request, engine::Done<Response> done) {
  partiql::ExecuteBatch(engine, call, std::move(request), std::move(done));
}

// aws-doc API_BatchExecuteStatement: responses and capacities in the order of the statements.
void BatchExecuteStatement::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Responses");
  out.BeginArray();
  for (std::size_t i = 0; i < response.size(); ++i) {
    out.BeginObject();
    if (!response[i]) WriteError(response[i].error(), out);
    if (echo.table_names[i]) out.Member("TableName", *echo.table_names[i]);
    if (response[i] && !response[i]->items.empty()) {
      out.Key("Item");
      WriteStoredItem(response[i]->items[0], out);
    }
    out.EndObject();
  }
  out.EndArray();
  if (echo.consumed != ReturnConsumed::kNone) {
    out.Key("ConsumedCapacity");
    out.BeginArray();
    for (std::size_t i = 0; i < response.size(); ++i) {
      if (!response[i]) continue;
      WriteConsumedCapacity(*echo.table_names[i], response[i]->capacity, echo.consumed,
                            CapacityForm::kPlain, out);
    }
    out.EndArray();
  }
  out.EndObject();
}

}  // namespace kw::api
