// SPDX-License-Identifier: Apache-2.0
#include "api/ops/table_description.h"

#include <fmt/format.h>

#include "api/ops/table_settings.h"

namespace kw::api {

std::string_view ViewName(engine::StreamView view) {
  switch (view) {
    case engine::StreamView::kKeysOnly: return "KEYS_ONLY";
    case engine::StreamView::kNewImage: return "NEW_IMAGE";
    case engine::StreamView::kOldImage: return "OLD_IMAGE";
    case engine::StreamView::kNewAndOldImages: return "NEW_AND_OLD_IMAGES";
  }
  return "";
}

void WriteTime(std::string_view name, TimePoint time, JsonWriter& out) {
  const auto ms = time.time_since_epoch().count();
  out.Key(name);
  out.Raw(fmt::format("{}.{:03}", ms / 1000, ms % 1000));
}

void WriteKeySchema(const KeySchema& key, JsonWriter& out) {
  const auto write = [&](const std::vector<KeyAttribute>& attributes, std::string_view type) {
    for (const auto& attribute : attributes) {
      out.BeginObject();
      out.Member("AttributeName", attribute.name);
      out.Member("KeyType", type);
      out.EndObject();
    }
  };
  out.Key("KeySchema");
  out.BeginArray();
  write(key.partition, "HASH");
  write(key.sort, "RANGE");
  out.EndArray();
}

namespace {

std::string_view WireName(engine::TableStatus status) {
  switch (status) {
    case engine::TableStatus::kCreating: return "CREATING";
    case engine::TableStatus::kUpdating: return "UPDATING";
    case engine::TableStatus::kDeleting: return "DELETING";
    case engine::TableStatus::kActive: return "ACTIVE";
  }
  return "";
}

std::string_view WireName(engine::IndexStatus status) {
  switch (status) {
    case engine::IndexStatus::kCreating: return "CREATING";
    case engine::IndexStatus::kUpdating: return "UPDATING";
    case engine::IndexStatus::kDeleting: return "DELETING";
    case engine::IndexStatus::kActive: return "ACTIVE";
  }
  return "";
}

std::string_view WireName(engine::BillingMode billing) {
  switch (billing) {
    case engine::BillingMode::kProvisioned: return "PROVISIONED";
    case engine::BillingMode::kPayPerRequest: return "PAY_PER_REQUEST";
  }
  return "";
}

std::string_view WireName(engine::TableClass table_class) {
  switch (table_class) {
    case engine::TableClass::kStandard: return "STANDARD";
    case engine::TableClass::kStandardInfrequentAccess: return "STANDARD_INFREQUENT_ACCESS";
  }
  return "";
}

void WriteTimeIfKnown(std::string_view name, const std::optional<TimePoint>& time,
                      JsonWriter& out) {
  if (time) WriteTime(name, *time, out);
}

void WriteDefinitions(const std::vector<KeyAttribute>& definitions, JsonWriter& out) {
  out.Key("AttributeDefinitions");
  out.BeginArray();
  for (const auto& definition : definitions) {
    out.BeginObject();
    out.Member("AttributeName", definition.name);
    out.Member("AttributeType", kw::WireName(definition.type));
    out.EndObject();
  }
  out.EndArray();
}

void WriteProjection(const Projected& projected, JsonWriter& out) {
  out.Key("Projection");
  out.BeginObject();
  if (std::holds_alternative<ProjectAll>(projected)) out.Member("ProjectionType", "ALL");
  if (std::holds_alternative<ProjectKeys>(projected)) out.Member("ProjectionType", "KEYS_ONLY");
  if (const auto* include = std::get_if<ProjectInclude>(&projected)) {
    out.Member("ProjectionType", "INCLUDE");
    out.Key("NonKeyAttributes");
    out.BeginArray();
    for (const auto& name : include->attributes) out.String(name);
    out.EndArray();
  }
  out.EndObject();
}

void WriteProvisioned(const engine::Provisioned& provisioned, JsonWriter& out) {
  out.Key("ProvisionedThroughput");
  out.BeginObject();
  WriteTimeIfKnown("LastIncreaseDateTime", provisioned.increased_at, out);
  WriteTimeIfKnown("LastDecreaseDateTime", provisioned.decreased_at, out);
  out.Member("NumberOfDecreasesToday", provisioned.decreases_today);
  out.Member("ReadCapacityUnits", provisioned.read_units);
  out.Member("WriteCapacityUnits", provisioned.write_units);
  out.EndObject();
}

void WriteOnDemand(const std::optional<engine::OnDemandMaximum>& maximum, JsonWriter& out) {
  if (!maximum || (!maximum->read_units && !maximum->write_units)) return;
  out.Key("OnDemandThroughput");
  out.BeginObject();
  if (maximum->read_units) out.Member("MaxReadRequestUnits", *maximum->read_units);
  if (maximum->write_units) out.Member("MaxWriteRequestUnits", *maximum->write_units);
  out.EndObject();
}

void WriteWarm(const std::optional<engine::WarmThroughput>& warm, std::string_view status,
               JsonWriter& out) {
  if (!warm) return;
  out.Key("WarmThroughput");
  out.BeginObject();
  if (warm->read_units) out.Member("ReadUnitsPerSecond", *warm->read_units);
  if (warm->write_units) out.Member("WriteUnitsPerSecond", *warm->write_units);
  out.Member("Status", status);
  out.EndObject();
}

void WriteSize(const engine::IndexSize& size, std::string_view index_arn, JsonWriter& out) {
  out.Member("IndexSizeBytes", size.bytes);
  out.Member("ItemCount", size.items);
  out.Member("IndexArn", index_arn);
}

bool IsCreation(DescriptionOf moment) {
  return moment == DescriptionOf::kCreated || moment == DescriptionOf::kCreatedWarm;
}

void WriteGlobalState(const engine::IndexState& state, DescriptionOf moment, JsonWriter& out) {
  out.Member("IndexStatus", WireName(state.status));
  // Only of an index that was added to a table: false while resources are allocated, then true.
  if (state.status == engine::IndexStatus::kCreating && !IsCreation(moment)) {
    out.Member("Backfilling", state.backfilling);
  }
  WriteProvisioned(state.provisioned, out);
  WriteOnDemand(state.on_demand, out);
  if (!IsCreation(moment)) WriteWarm(state.warm, "ACTIVE", out);
}

void WriteIndexes(const engine::Table& table, const engine::TableSize& size, IndexScope scope,
                  DescriptionOf moment, JsonWriter& out) {
  bool any = false;
  for (std::size_t i = 0; i < table.schema.indexes().size(); ++i) {
    const auto& index = table.schema.indexes()[i];
    if (index.scope != scope) continue;
    if (!any) {
      out.Key(scope == IndexScope::kLocal ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
      out.BeginArray();
      any = true;
    }
    out.BeginObject();
    out.Member("IndexName", index.name);
    WriteKeySchema(index.key, out);
    WriteProjection(index.projected, out);
    if (scope == IndexScope::kGlobal) WriteGlobalState(table.index_states[i], moment, out);
    WriteSize(i < size.indexes.size() ? size.indexes[i] : engine::IndexSize{},
              fmt::format("{}/index/{}", table.Arn(), index.name), out);
    out.EndObject();
  }
  if (any) out.EndArray();
}

// Present once a table was ever on demand.
void WriteBilling(const engine::Table& table, DescriptionOf moment, JsonWriter& out) {
  const bool shows_time = !IsCreation(moment) && moment != DescriptionOf::kChangedBilling;
  if (table.billing == engine::BillingMode::kProvisioned && !table.on_demand_since) return;
  out.Key("BillingModeSummary");
  out.BeginObject();
  out.Member("BillingMode", WireName(table.billing));
  if (shows_time) WriteTimeIfKnown("LastUpdateToPayPerRequestDateTime", table.on_demand_since, out);
  out.EndObject();
}

void WriteStream(const engine::Table& table, JsonWriter& out) {
  if (table.stream) {
    out.Key("StreamSpecification");
    out.BeginObject();
    out.Member("StreamEnabled", true);
    out.Member("StreamViewType", ViewName(*table.stream));
    out.EndObject();
  }
  if (!table.stream_label.empty()) {
    out.Member("LatestStreamLabel", table.stream_label);
    out.Member("LatestStreamArn", fmt::format("{}/stream/{}", table.Arn(), table.stream_label));
  }
}

void WriteEncryption(const engine::Table& table, JsonWriter& out) {
  if (!table.sse_kms) return;
  out.Key("SSEDescription");
  out.BeginObject();
  out.Member("Status", "ENABLED");
  out.Member("SSEType", "KMS");
  out.Member("KMSMasterKeyArn",
             table.sse_key_arn ? *table.sse_key_arn : KmsKeyArn(kManagedKey, table.key));
  out.EndObject();
}

void WriteTableClass(const engine::Table& table, JsonWriter& out) {
  if (table.table_class == engine::TableClass::kStandard && !table.table_class_changed_at) return;
  out.Key("TableClassSummary");
  out.BeginObject();
  out.Member("TableClass", WireName(table.table_class));
  WriteTimeIfKnown("LastUpdateDateTime", table.table_class_changed_at, out);
  out.EndObject();
}

void WriteTableWarm(const engine::Table& table, DescriptionOf moment, JsonWriter& out) {
  switch (moment) {
    case DescriptionOf::kCreated: return;
    case DescriptionOf::kCreatedWarm:
    case DescriptionOf::kChangedWarm: return WriteWarm(table.warm, "UPDATING", out);
    case DescriptionOf::kChanged:
    case DescriptionOf::kChangedBilling:
    case DescriptionOf::kTable: return WriteWarm(table.warm, "ACTIVE", out);
  }
}

}  // namespace

void WriteTableDescription(const engine::Table& table, const engine::TableSize& size,
                           DescriptionOf moment, JsonWriter& out) {
  out.BeginObject();
  WriteDefinitions(table.attribute_definitions, out);
  out.Member("TableName", table.key.name);
  WriteKeySchema(table.schema.key(), out);
  out.Member("TableStatus", WireName(table.status));
  WriteTime("CreationDateTime", table.created_at, out);
  WriteProvisioned(table.provisioned, out);
  out.Member("TableSizeBytes", size.bytes);
  out.Member("ItemCount", size.items);
  out.Member("TableArn", table.Arn());
  out.Member("TableId", table.id);
  WriteBilling(table, moment, out);
  WriteIndexes(table, size, IndexScope::kLocal, moment, out);
  WriteIndexes(table, size, IndexScope::kGlobal, moment, out);
  WriteStream(table, out);
  WriteEncryption(table, out);
  WriteTableClass(table, out);
  out.Member("DeletionProtectionEnabled", table.deletion_protection);
  WriteOnDemand(table.on_demand, out);
  WriteTableWarm(table, moment, out);
  out.EndObject();
}

void WriteDeletedTable(const engine::Table& table, const engine::TableSize& size, JsonWriter& out) {
  out.BeginObject();
  out.Member("TableName", table.key.name);
  out.Member("TableStatus", WireName(table.status));
  WriteProvisioned(table.provisioned, out);
  out.Member("TableSizeBytes", size.bytes);
  out.Member("ItemCount", size.items);
  out.Member("TableArn", table.Arn());
  out.Member("TableId", table.id);
  out.Member("DeletionProtectionEnabled", table.deletion_protection);
  out.EndObject();
}

}  // namespace kw::api
