// SPDX-License-Identifier: Apache-2.0
// The order of the checks is the service's where it was observed: definitions come before
// everything that is wrong with a global index (ack-api-quirks DDB-TABLE-127); the rest of it is
// assumed.
#include "api/ops/create_table.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/ops/key_rules.h"
#include "api/ops/resource_policy.h"
#include "api/ops/table_name.h"
#include "api/ops/table_settings.h"
#include "api/ops/tags.h"
#include "data/limits.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 3> kLocalIndexMembers{{
    {"IndexName", &kIndexName, kRequired},
    {"KeySchema", &kKeySchema, kRequired},
    {"Projection", &kProjection, kRequired},
}};
constexpr Shape kLocalIndex{
    .kind = ShapeKind::kStructure, .name = "LocalSecondaryIndex", .members = kLocalIndexMembers};
constexpr Shape kLocalIndexes{
    .kind = ShapeKind::kList, .name = "LocalSecondaryIndexList", .element = &kLocalIndex};
constexpr Shape kGlobalIndexes{
    .kind = ShapeKind::kList, .name = "GlobalSecondaryIndexList", .element = &kGlobalIndex};

constexpr std::array<ShapeMember, 15> kMembers{{
    {"AttributeDefinitions", &kDefinitions, kRequired},
    {"TableName", &kTableArn, kRequired},
    {"KeySchema", &kKeySchema, kRequired},
    {"LocalSecondaryIndexes", &kLocalIndexes},
    {"GlobalSecondaryIndexes", &kGlobalIndexes},
    {"BillingMode", &kBillingMode},
    {"ProvisionedThroughput", &kProvisioned},
    {"StreamSpecification", &kStream},
    {"SSESpecification", &kSse},
    {"Tags", &kTagList},
    {"TableClass", &kString},
    {"DeletionProtectionEnabled", &kBoolean},
    {"WarmThroughput", &kWarm},
    {"ResourcePolicy", &kString},
    {"OnDemandThroughput", &kOnDemand},
}};

Error InvalidParameter(std::string_view text) {
  return {ErrorCode::kValidation, fmt::format("{}{}", kInvalidParameter, text), {}};
}

// An index off the wire: its key has no types yet, its projection is not looked at.
struct RawIndex {
  IndexScope scope;
  std::string name;
  KeyNames key;
  JsonValue projection;
  std::optional<engine::Provisioned> provisioned;
  std::optional<engine::OnDemandMaximum> on_demand;
  std::optional<engine::WarmThroughput> warm;
};

Result<void> ParseLocalIndexes(const JsonValue* list, std::vector<RawIndex>& indexes) {
  if (list == nullptr) return {};
  const auto count = list->array().size();
  if (count == 0) {
    return Unexpected(InvalidParameter("List of LocalSecondaryIndexes is empty"));
  }
  if (count > limits::kLocalIndexesMax) {
    return Unexpected(InvalidParameter(
        fmt::format("Number of LocalSecondaryIndexes exceeds per-table limit of {}",
                    limits::kLocalIndexesMax)));
  }
  for (const JsonValue element : list->array()) {
    const Fields<kLocalIndex> fields(element);
    TRY_ASSIGN(auto key, ParseKeySchema(fields.Get<"KeySchema">(), KeyOwner::kTableOrLocal));
    indexes.push_back({.scope = IndexScope::kLocal,
                       .name = std::string(fields.Get<"IndexName">().string()),
                       .key = std::move(key),
                       .projection = fields.Get<"Projection">(),
                       .provisioned = std::nullopt,
                       .on_demand = std::nullopt,
                       .warm = std::nullopt});
  }
  return {};
}

Result<void> ParseGlobalIndexes(const JsonValue* list, std::vector<RawIndex>& indexes) {
  if (list == nullptr) return {};
  const auto count = list->array().size();
  if (count == 0) {
    return Unexpected(InvalidParameter("List of GlobalSecondaryIndexes is empty"));
  }
  if (count > limits::kGlobalIndexesMax) {
    return Unexpected(
        InvalidParameter(fmt::format("GlobalSecondaryIndex count exceeds the per-table limit of {}",
                                     limits::kGlobalIndexesMax)));
  }
  for (const JsonValue element : list->array()) {
    const Fields<kGlobalIndex> fields(element);
    TRY_ASSIGN(auto key, ParseKeySchema(fields.Get<"KeySchema">(), KeyOwner::kGlobal));
    indexes.push_back({.scope = IndexScope::kGlobal,
                       .name = std::string(fields.Get<"IndexName">().string()),
                       .key = std::move(key),
                       .projection = fields.Get<"Projection">(),
                       .provisioned = ParseProvisioned(fields.Find<"ProvisionedThroughput">()),
                       .on_demand = ParseOnDemand(fields.Find<"OnDemandThroughput">()),
                       .warm = ParseWarm(fields.Find<"WarmThroughput">())});
  }
  return {};
}

Result<void> CheckBilling(const engine::CreateTableRequest& request, bool has_capacity) {
  const bool provisioned = request.billing == engine::BillingMode::kProvisioned;
  if (provisioned && !has_capacity) {
    return Unexpected(
        InvalidParameter("ReadCapacityUnits and WriteCapacityUnits must both be specified when "
                         "BillingMode is PROVISIONED"));
  }
  if (!provisioned && has_capacity) {
    return Unexpected(
        InvalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                         "BillingMode is PAY_PER_REQUEST"));
  }
  return {};
}

Result<void> CheckLocalIndex(const RawIndex& index, const KeyNames& table) {
  if (table.sort.empty()) {
    return Unexpected(
        InvalidParameter("Table KeySchema does not have a range key, which is required when "
                         "specifying a LocalSecondaryIndex"));
  }
  if (index.key.partition != table.partition) {
    return Unexpected(InvalidParameter(fmt::format(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: {}. "
        "index hash key: {}, table hash key: {}",
        index.name, index.key.partition.front(), table.partition.front())));
  }
  if (index.key.sort.empty()) {
    return Unexpected(InvalidParameter(
        fmt::format("Index KeySchema does not have a range key for index: {}", index.name)));
  }
  return {};
}

Result<void> CheckGlobalIndex(const RawIndex& index, engine::BillingMode billing) {
  const bool provisioned = billing == engine::BillingMode::kProvisioned;
  if (provisioned && !index.provisioned) {
    return Unexpected(InvalidParameter(
        fmt::format("ProvisionedThroughput is not specified for index: {}", index.name)));
  }
  if (!provisioned && index.provisioned) {
    return Unexpected(InvalidParameter(
        fmt::format("ProvisionedThroughput should not be specified for index: {} when BillingMode "
                    "is PAY_PER_REQUEST",
                    index.name)));
  }
  return {};
}

// Keys and indexes into the request, after every check of them.
Result<void> BuildSchema(std::vector<RawIndex> indexes, const KeyNames& table,
                         engine::CreateTableRequest& request) {
  const auto& definitions = request.attribute_definitions;
  TRY_ASSIGN(auto key, TypedKey(table, definitions));
  std::vector<KeySchema> index_keys;
  std::vector<KeyNames> names;
  for (const auto& index : indexes) {
    TRY_ASSIGN(auto index_key, TypedKey(index.key, definitions));
    index_keys.push_back(std::move(index_key));
    names.push_back(index.key);
  }
  TRY(CheckAllUsed(definitions, table, names));

  std::set<std::string_view> taken;
  std::vector<IndexSchema> schemas;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto& index = indexes[i];
    if (!taken.insert(index.name).second) {
      return Unexpected(InvalidParameter(fmt::format("Duplicate index name: {}", index.name)));
    }
    TRY(index.scope == IndexScope::kLocal ? CheckLocalIndex(index, table)
                                          : CheckGlobalIndex(index, request.billing));
    TRY_ASSIGN(auto projected, ParseProjection(index.projection));
    schemas.push_back({index.name, index.scope, std::move(index_keys[i]), std::move(projected)});
    request.indexes.push_back({schemas.back(), index.provisioned, index.on_demand, index.warm});
  }
  request.schema = TableSchema::Make(std::move(key), std::move(schemas));
  // As the service keeps them. observed: ack-api-quirks DDB-TABLE-125.
  std::ranges::sort(request.attribute_definitions, {}, &KeyAttribute::name);
  return {};
}

}  // namespace

constexpr Shape kCreateTableInput{
    .kind = ShapeKind::kStructure, .name = "CreateTableInput", .members = kMembers};

Result<Parsed<CreateTable::Request, CreateTable::Echo>> CreateTable::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kCreateTableInput> fields(body);
  TRY(RefuseUnsupported(
      body, {"GlobalTableSourceArn", "GlobalTableSettingsReplicationMode", "VectorIndexes"}));
  Request request;
  TRY_ASSIGN(request.key, ParseTable(fields.Get<"TableName">().string(), call));
  request.billing =
      ParseBilling(fields.String<"BillingMode">()).value_or(engine::BillingMode::kProvisioned);
  const auto provisioned = ParseProvisioned(fields.Find<"ProvisionedThroughput">());
  TRY(CheckBilling(request, provisioned.has_value()));
  request.provisioned = provisioned.value_or(engine::Provisioned{});
  request.on_demand = ParseOnDemand(fields.Find<"OnDemandThroughput">());
  request.warm = ParseWarm(fields.Find<"WarmThroughput">());

  TRY_ASSIGN(request.attribute_definitions, ParseDefinitions(fields.Get<"AttributeDefinitions">()));
  TRY_ASSIGN(const auto key, ParseKeySchema(fields.Get<"KeySchema">(), KeyOwner::kTableOrLocal));
  std::vector<RawIndex> indexes;
  TRY(ParseLocalIndexes(fields.Find<"LocalSecondaryIndexes">(), indexes));
  TRY(ParseGlobalIndexes(fields.Find<"GlobalSecondaryIndexes">(), indexes));
  TRY(BuildSchema(std::move(indexes), key, request));

  if (const auto* stream = fields.Find<"StreamSpecification">()) {
    TRY_ASSIGN(request.stream, ParseStream(*stream, StreamMoment::kCreate));
  }
  if (const auto* sse = fields.Find<"SSESpecification">()) {
    TRY_ASSIGN(auto encryption, ParseEncryption(*sse, request.key));
    request.sse_kms = encryption.kms;
    request.sse_key_arn = std::move(encryption.key_arn);
  }
  TRY_ASSIGN(const auto table_class, ParseTableClass(fields.String<"TableClass">()));
  request.table_class = table_class.value_or(engine::TableClass::kStandard);
  request.deletion_protection = fields.Boolean<"DeletionProtectionEnabled">().value_or(false);
  if (const auto* tags = fields.Find<"Tags">()) {
    TRY_ASSIGN(request.tags, ParseTags(*tags));
  }
  if (const auto policy = fields.String<"ResourcePolicy">()) {
    TRY_ASSIGN(request.policy, ParseResourcePolicy(*policy));
  }
  const auto moment = request.warm ? DescriptionOf::kCreatedWarm : DescriptionOf::kCreated;
  return Parsed<Request, Echo>{.request = std::move(request), .echo = moment};
}

Result<CreateTable::Response> CreateTable::Run(engine::Engine& engine,
                                               const engine::CallContext& /*call*/,
                                               Request request) {
  return engine::CreateTable(engine, std::move(request));
}

void CreateTable::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TableDescription");
  WriteTableDescription(*response, {}, echo, out);
  out.EndObject();
}

}  // namespace kw::api
