// SPDX-License-Identifier: Apache-2.0
#include "api/ops/transact_write_items.h"

#include <array>
#include <utility>

#include "api/ops/expressions.h"
#include "api/ops/fingerprint.h"
#include "api/ops/item_shapes.h"
#include "api/ops/item_write.h"
#include "api/ops/table_name.h"
#include "data/limits.h"

namespace kw::api {
namespace {

constexpr Dialect kDialect = Dialect::kScanOrBatch;

constexpr std::array<ShapeMember, 6> kCheckMembers{{
    {"Key", &kItemMap, kRequired},
    {"TableName", &kTableArn, kRequired},
    {"ConditionExpression", &kExpression, kRequired},
    {"ExpressionAttributeNames", &kExpressionNames},
    {"ExpressionAttributeValues", &kExpressionValues},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};
constexpr Shape kConditionCheck{
    .kind = ShapeKind::kStructure, .name = "ConditionCheck", .members = kCheckMembers};
constexpr std::array<ShapeMember, 6> kPutMembers{{
    {"Item", &kItemMap, kRequired},
    {"TableName", &kTableArn, kRequired},
    {"ConditionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
    {"ExpressionAttributeValues", &kExpressionValues},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};
constexpr Shape kPut{.kind = ShapeKind::kStructure, .name = "Put", .members = kPutMembers};
constexpr std::array<ShapeMember, 6> kDeleteMembers{{
    {"Key", &kItemMap, kRequired},
    {"TableName", &kTableArn, kRequired},
    {"ConditionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
    {"ExpressionAttributeValues", &kExpressionValues},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};
constexpr Shape kDelete{.kind = ShapeKind::kStructure, .name = "Delete", .members = kDeleteMembers};
constexpr std::array<ShapeMember, 7> kUpdateMembers{{
    {"Key", &kItemMap, kRequired},
    {"UpdateExpression", &kExpression, kRequired},
    {"TableName", &kTableArn, kRequired},
    {"ConditionExpression", &kExpression},
    {"ExpressionAttributeNames", &kExpressionNames},
    {"ExpressionAttributeValues", &kExpressionValues},
    {"ReturnValuesOnConditionCheckFailure", &kReturnOnFailure},
}};
constexpr Shape kUpdate{.kind = ShapeKind::kStructure, .name = "Update", .members = kUpdateMembers};

constexpr std::array<ShapeMember, 4> kActionMembers{{
    {"ConditionCheck", &kConditionCheck},
    {"Put", &kPut},
    {"Delete", &kDelete},
    {"Update", &kUpdate},
}};
constexpr Shape kTransactWriteItem{
    .kind = ShapeKind::kStructure, .name = "TransactWriteItem", .members = kActionMembers};
constexpr Shape kItemList{.kind = ShapeKind::kList,
                          .name = "TransactWriteItemList",
                          .min = 1,
                          .max = limits::kTransactionActionsMax,
                          .element = &kTransactWriteItem};
constexpr Shape kClientRequestToken{
    .kind = ShapeKind::kString, .name = "ClientRequestToken", .min = 1, .max = 36};
constexpr std::array<ShapeMember, 4> kMembers{{
    {"TransactItems", &kItemList, kRequired},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacity},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetrics},
    {"ClientRequestToken", &kClientRequestToken},
}};

// One action of the transaction, and the parameters that all kinds have.
template <const Shape& kShape>
class ActionParser {
 public:
  ActionParser(JsonValue json, const engine::CallContext& call, TransactionEcho& echo)
      : fields_(json), call_(call), echo_(echo) {}

  Result<engine::ConditionCheckRequest> ParseCheck() {
    TRY_ASSIGN(Item key, ParseItem(kDialect, fields_.template Get<"Key">()));
    TRY_ASSIGN(Placeholders placeholders, ParseNamesAndValues(true));
    TRY_ASSIGN(Condition condition,
               Worded(kDialect, Fault::kRequest,
                      Condition::Parse(fields_.template Get<"ConditionExpression">().string(),
                                       ConditionKind::kCondition, placeholders)));
    TRY(Worded(kDialect, Fault::kRequest, placeholders.CheckAllUsed()));
    TRY_ASSIGN(engine::TableKey table, ParseTableName());
    return engine::ConditionCheckRequest{.table = std::move(table),
                                         .key = std::move(key),
                                         .condition = std::move(condition),
                                         .on_failure = OnFailure()};
  }

  template <class Request>
  Result<Request> ParseWrite(Item Request::* map, JsonValue map_json) {
    Request request;
    TRY_ASSIGN(request.*map, ParseItem(kDialect, map_json));
    const bool updates = std::is_same_v<Request, engine::UpdateRequest>;
    TRY_ASSIGN(Placeholders placeholders,
               ParseNamesAndValues(updates || fields_.template Has<"ConditionExpression">()));
    if constexpr (updates) {
      TRY_ASSIGN(
          request.update,
          Worded(kDialect, Fault::kRequest,
                 Update::Parse(fields_.template Get<"UpdateExpression">().string(), placeholders)));
    }
    TRY_ASSIGN(request.condition, ParseCondition(placeholders));
    TRY(Worded(kDialect, Fault::kRequest, placeholders.CheckAllUsed()));
    TRY_ASSIGN(request.table, ParseTableName());
    request.on_failure = OnFailure();
    return request;
  }

  [[nodiscard]] const Fields<kShape>& fields() const { return fields_; }

 private:
  Result<Placeholders> ParseNamesAndValues(bool any_expression) {
    return ParsePlaceholders(kDialect, fields_.template Find<"ExpressionAttributeNames">(),
                             fields_.template Find<"ExpressionAttributeValues">(), any_expression);
  }
  Result<std::optional<Condition>> ParseCondition(Placeholders& placeholders) {
    return ParseConditionExpression(kDialect, fields_.template String<"ConditionExpression">(),
                                    placeholders);
  }
  engine::FailureReturn OnFailure() const {
    return ParseOnFailure(fields_.template String<"ReturnValuesOnConditionCheckFailure">());
  }
  Result<engine::TableKey> ParseTableName() {
    const std::string_view name = fields_.template Get<"TableName">().string();
    TRY_ASSIGN(engine::TableKey table, ParseTable(name, call_));
    echo_.names.emplace(table, name);
    return table;
  }

  Fields<kShape> fields_;
  const engine::CallContext& call_;
  TransactionEcho& echo_;
};

template <class Request>
Result<engine::TransactWriteAction> AsAction(Result<Request> request) {
  TRY_ASSIGN(engine::TransactWriteAction action, std::move(request));
  return action;
}

Result<engine::TransactWriteAction> ParseAction(JsonValue json, const engine::CallContext& call,
                                                TransactionEcho& echo) {
  const Fields<kTransactWriteItem> fields(json);
  if (fields.count() != 1) {
    return Invalid("TransactItems can only contain one of Check, Put, Update or Delete");
  }
  if (const JsonValue* check = fields.Find<"ConditionCheck">()) {
    return AsAction(ActionParser<kConditionCheck>(*check, call, echo).ParseCheck());
  }
  if (const JsonValue* put = fields.Find<"Put">()) {
    ActionParser<kPut> parser(*put, call, echo);
    return AsAction(parser.ParseWrite(&engine::PutRequest::item, parser.fields().Get<"Item">()));
  }
  if (const JsonValue* remove = fields.Find<"Delete">()) {
    ActionParser<kDelete> parser(*remove, call, echo);
    return AsAction(parser.ParseWrite(&engine::DeleteRequest::key, parser.fields().Get<"Key">()));
  }
  ActionParser<kUpdate> parser(*fields.Find<"Update">(), call, echo);
  return AsAction(parser.ParseWrite(&engine::UpdateRequest::key, parser.fields().Get<"Key">()));
}

void WriteCollections(const TransactionEcho& echo,
                      const std::vector<engine::TransactWriteOutcome::Collection>& collections,
                      JsonWriter& out) {
  std::map<std::string_view, std::vector<const engine::ItemCollection*>> by_table;
  for (const auto& [table, collection] : collections) {
    by_table[echo.NameOf(table)].push_back(&collection);
  }
  out.Key("ItemCollectionMetrics");
  out.BeginObject();
  for (const auto& [name, of_table] : by_table) {
    out.Key(name);
    out.BeginArray();
    for (const engine::ItemCollection* collection : of_table) {
      WriteCollectionMetrics(*collection, out);
    }
    out.EndArray();
  }
  out.EndObject();
}

}  // namespace

constexpr Shape kTransactWriteItemsInput{
    .kind = ShapeKind::kStructure, .name = "TransactWriteItemsInput", .members = kMembers};

Result<Parsed<TransactWriteItems::Request, TransactWriteItems::Echo>> TransactWriteItems::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kTransactWriteItemsInput> fields(body);
  Parsed<Request, Echo> parsed;
  for (const JsonValue json : fields.Get<"TransactItems">().array()) {
    TRY_ASSIGN(engine::TransactWriteAction action, ParseAction(json, call, parsed.echo));
    parsed.request.actions.push_back(std::move(action));
  }
  if (const auto token = fields.String<"ClientRequestToken">()) {
    parsed.request.token = std::string(*token);
    parsed.request.fingerprint = FingerprintOf(body, "ClientRequestToken");
  }
  parsed.echo.consumed = ParseReturnConsumed(fields.String<"ReturnConsumedCapacity">());
  parsed.echo.metrics = ParseReturnMetrics(fields.String<"ReturnItemCollectionMetrics">());
  return parsed;
}

void TransactWriteItems::Run(engine::Engine& engine, const engine::CallContext& call,
                             Request request, engine::Done<Response> done) {
  engine::TransactWrite(engine, call, std::move(request), std::move(done));
}

void TransactWriteItems::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  WriteTransactionCapacity(echo, response.capacities, out);
  if (echo.metrics == ReturnMetrics::kSize) WriteCollections(echo, response.collections, out);
  out.EndObject();
}

}  // namespace kw::api
