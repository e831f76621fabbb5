// SPDX-License-Identifier: Apache-2.0
// One change at a time: the service refuses most combinations in one request.
// Sentences and their precedence: observed in October 2026 (ack-api-quirks DDB-TABLE-015, -160,
// -162, -174, -359, -433).
#include "api/ops/update_table.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/ops/key_rules.h"
#include "api/ops/table_name.h"
#include "api/ops/table_settings.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 4> kIndexUpdateMembers{{
    {"IndexName", &kIndexName, kRequired},
    {"ProvisionedThroughput", &kProvisioned},
    {"OnDemandThroughput", &kOnDemand},
    {"WarmThroughput", &kWarm},
}};
constexpr Shape kIndexUpdate{.kind = ShapeKind::kStructure,
                             .name = "UpdateGlobalSecondaryIndexAction",
                             .members = kIndexUpdateMembers};
constexpr std::array<ShapeMember, 1> kIndexDeleteMembers{{{"IndexName", &kIndexName, kRequired}}};
constexpr Shape kIndexDelete{.kind = ShapeKind::kStructure,
                             .name = "DeleteGlobalSecondaryIndexAction",
                             .members = kIndexDeleteMembers};
constexpr std::array<ShapeMember, 3> kIndexActionMembers{{
    {"Update", &kIndexUpdate},
    {"Create", &kGlobalIndexCreate},
    {"Delete", &kIndexDelete},
}};
constexpr Shape kIndexAction{.kind = ShapeKind::kStructure,
                             .name = "GlobalSecondaryIndexUpdate",
                             .members = kIndexActionMembers};
constexpr Shape kIndexActions{
    .kind = ShapeKind::kList, .name = "GlobalSecondaryIndexUpdateList", .element = &kIndexAction};

constexpr std::array<ShapeMember, 11> kMembers{{
    {"AttributeDefinitions", &kDefinitions},
    {"TableName", &kTableArn, kRequired},
    {"BillingMode", &kBillingMode},
    {"ProvisionedThroughput", &kProvisioned},
    {"GlobalSecondaryIndexUpdates", &kIndexActions},
    {"StreamSpecification", &kStream},
    {"SSESpecification", &kSse},
    {"TableClass", &kString},
    {"DeletionProtectionEnabled", &kBoolean},
    {"OnDemandThroughput", &kOnDemand},
    {"WarmThroughput", &kWarm},
}};

Error InvalidParameter(std::string_view text) {
  return {ErrorCode::kValidation, fmt::format("{}{}", kInvalidParameter, text), {}};
}

}  // namespace

constexpr Shape kUpdateTableInput{
    .kind = ShapeKind::kStructure, .name = "UpdateTableInput", .members = kMembers};

namespace {

using UpdateFields = Fields<kUpdateTableInput>;

// What a request asks for, as the rules of combination see it.
struct Wishes {
  bool capacity;  // ProvisionedThroughput or BillingMode
  bool to_provisioned;
  bool stream;
  bool encryption;
  bool table_class;
  bool protection;
  bool warm;
  bool on_demand;
  bool indexes;  // any change of a global index
  bool creates_index = false;
  bool online = false;  // creates or deletes an index

  [[nodiscard]] int Count() const {
    return int{capacity} + int{stream} + int{encryption} + int{table_class} + int{protection} +
           int{warm} + int{on_demand} + int{indexes};
  }
};

Wishes WishesOf(const UpdateFields& fields) {
  const auto* indexes = fields.Find<"GlobalSecondaryIndexUpdates">();
  Wishes wishes{
      .capacity = fields.Has<"ProvisionedThroughput">() || fields.Has<"BillingMode">(),
      .to_provisioned =
          fields.Has<"ProvisionedThroughput">() || fields.String<"BillingMode">() == "PROVISIONED",
      .stream = fields.Has<"StreamSpecification">(),
      .encryption = fields.Has<"SSESpecification">(),
      .table_class = fields.Has<"TableClass">(),
      .protection = fields.Has<"DeletionProtectionEnabled">(),
      .warm = fields.Has<"WarmThroughput">(),
      .on_demand = fields.Has<"OnDemandThroughput">(),
      .indexes = indexes != nullptr && indexes->array().size() > 0,
  };
  if (!wishes.indexes) return wishes;
  for (const JsonValue json : indexes->array()) {
    const Fields<kIndexAction> action(json);
    wishes.creates_index = wishes.creates_index || action.Has<"Create">();
    wishes.online = wishes.online || action.Has<"Create">() || action.Has<"Delete">();
  }
  return wishes;
}

Result<void> CheckCombination(const Wishes& wishes, const UpdateFields& fields) {
  if (wishes.Count() == 0) {
    return Invalid(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
        "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
        "OnDemandThroughput, WarmThroughput or TableClass is required");
  }
  if (fields.Has<"GlobalSecondaryIndexUpdates">() && !wishes.indexes) {
    return Unexpected(InvalidParameter("List of GlobalSecondaryIndexUpdates is empty"));
  }
  if (wishes.Count() == 1) return {};
  const auto alone = [](std::string_view what) {
    return Unexpected(
        InvalidParameter(fmt::format("{} must be the only operation in the request", what)));
  };
  if (wishes.encryption) return alone("Server-Side Encryption modification");
  if (wishes.table_class) return alone("TableClass modification");
  if (wishes.protection) return alone("DeletionProtection modification");
  if (wishes.warm && wishes.creates_index) {
    return Unexpected(InvalidParameter(
        "Create global secondary index cannot be specified when updating WarmThroughput"));
  }
  // assumed: which of the two sentences wins for warm throughput with maxima.
  if (wishes.on_demand && wishes.Count() > (wishes.capacity ? 2 : 1)) {
    return Unexpected(InvalidParameter(
        "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"));
  }
  if (wishes.warm) return alone("WarmThroughput");
  if (wishes.stream && wishes.to_provisioned) {
    return Unexpected(
        InvalidParameter("You cannot modify stream status while updating table IOPS"));
  }
  if (wishes.online && fields.Has<"ProvisionedThroughput">()) {
    return Unexpected(
        InvalidParameter("You cannot create or delete index while updating table IOPS"));
  }
  if (wishes.online && wishes.stream) {
    return Unexpected(
        InvalidParameter("You cannot create or delete index while changing stream status"));
  }
  return {};
}

Result<engine::IndexCreate> ParseCreate(JsonValue json, const UpdateFields& fields) {
  const Fields<kGlobalIndexCreate> index(json);
  const auto name = std::string(index.Get<"IndexName">().string());
  const auto* definitions_json = fields.Find<"AttributeDefinitions">();
  if (definitions_json == nullptr) {
    return Unexpected(
        InvalidParameter(fmt::format("AttributeDefinitions is not specified for index: {}", name)));
  }
  TRY_ASSIGN(const auto definitions, ParseDefinitions(*definitions_json));
  TRY_ASSIGN(const auto names, ParseKeySchema(index.Get<"KeySchema">(), KeyOwner::kGlobal));
  TRY_ASSIGN(auto key, TypedKey(names, definitions));
  TRY_ASSIGN(auto projected, ParseProjection(index.Get<"Projection">()));
  return engine::IndexCreate{
      {.schema = {name, IndexScope::kGlobal, std::move(key), std::move(projected)},
       .provisioned = ParseProvisioned(index.Find<"ProvisionedThroughput">()),
       .on_demand = ParseOnDemand(index.Find<"OnDemandThroughput">()),
       .warm = ParseWarm(index.Find<"WarmThroughput">())}};
}

engine::IndexChange ParseChange(JsonValue json) {
  const Fields<kIndexUpdate> index(json);
  return {.name = std::string(index.Get<"IndexName">().string()),
          .provisioned = ParseProvisioned(index.Find<"ProvisionedThroughput">()),
          .on_demand = ParseOnDemand(index.Find<"OnDemandThroughput">()),
          .warm = ParseWarm(index.Find<"WarmThroughput">())};
}

Result<void> ParseIndexChanges(const UpdateFields& fields, engine::UpdateTableRequest& request) {
  const auto* list = fields.Find<"GlobalSecondaryIndexUpdates">();
  if (list == nullptr) return {};
  std::set<std::string> names;
  for (const JsonValue json : list->array()) {
    const Fields<kIndexAction> action(json);
    if (action.count() > 1) {
      return Unexpected(InvalidParameter(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
          "object"));
    }
    if (action.count() == 0) {
      return Unexpected(InvalidParameter(
          "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null"));
    }
    std::string name;
    if (const auto* create = action.Find<"Create">()) {
      TRY_ASSIGN(auto change, ParseCreate(*create, fields));
      name = change.index.schema.name;
      request.index_changes.emplace_back(std::move(change));
    } else if (const auto* erase = action.Find<"Delete">()) {
      name = Fields<kIndexDelete>(*erase).Get<"IndexName">().string();
      request.index_changes.emplace_back(engine::IndexDelete{name});
    } else {
      auto change = ParseChange(*action.Find<"Update">());
      name = change.name;
      request.index_changes.emplace_back(std::move(change));
    }
    if (!names.insert(name).second) {
      return Unexpected(InvalidParameter(fmt::format(
          "Only one global secondary index update per index is allowed simultaneously. Index: {}",
          name)));
    }
  }
  return {};
}

DescriptionOf MomentOf(const engine::UpdateTableRequest& request) {
  if (request.billing) return DescriptionOf::kChangedBilling;
  return request.warm ? DescriptionOf::kChangedWarm : DescriptionOf::kChanged;
}

}  // namespace

Result<Parsed<UpdateTable::Request, UpdateTable::Echo>> UpdateTable::Parse(
    JsonValue body, const engine::CallContext& call) {
  const UpdateFields fields(body);
  TRY(RefuseUnsupported(body, {"ReplicaUpdates", "MultiRegionConsistency",
                               "GlobalTableWitnessUpdates", "GlobalTableSettingsReplicationMode",
                               "DisassociationProtectionEnabled", "VectorIndexUpdates"}));
  TRY(CheckCombination(WishesOf(fields), fields));
  Request request;
  TRY_ASSIGN(request.key, ParseTable(fields.Get<"TableName">().string(), call));
  request.billing = ParseBilling(fields.String<"BillingMode">());
  request.provisioned = ParseProvisioned(fields.Find<"ProvisionedThroughput">());
  request.on_demand = ParseOnDemand(fields.Find<"OnDemandThroughput">());
  request.warm = ParseWarm(fields.Find<"WarmThroughput">());
  TRY(ParseIndexChanges(fields, request));
  if (const auto* stream = fields.Find<"StreamSpecification">()) {
    TRY_ASSIGN(request.stream, ParseStream(*stream, StreamMoment::kUpdate));
  }
  if (const auto* sse = fields.Find<"SSESpecification">()) {
    TRY_ASSIGN(auto encryption, ParseEncryption(*sse, request.key));
    request.sse_kms = encryption.kms;
    request.sse_key_arn = std::move(encryption.key_arn);
  }
  TRY_ASSIGN(request.table_class, ParseTableClass(fields.String<"TableClass">()));
  request.deletion_protection = fields.Boolean<"DeletionProtectionEnabled">();
  const auto moment = MomentOf(request);
  return Parsed<Request, Echo>{.request = std::move(request), .echo = moment};
}

Result<UpdateTable::Response> UpdateTable::Run(engine::Engine& engine,
                                               const engine::CallContext& /*call*/,
                                               Request request) {
  TRY_ASSIGN(auto table, engine::UpdateTable(engine, std::move(request)));
  TRY_ASSIGN(auto size, engine::SizeOf(engine, *table));
  return SizedTable{std::move(table), std::move(size)};
}

void UpdateTable::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TableDescription");
  WriteTableDescription(*response.table, response.size, echo, out);
  out.EndObject();
}

}  // namespace kw::api
