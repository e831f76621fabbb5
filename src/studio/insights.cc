// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access/actions.h"
#include "api/authorize.h"
#include "data/item.h"
#include "data/metering.h"
#include "engine/key_insights.h"
#include "engine/tables.h"
#include "studio/endpoint.h"

namespace kw::studio {
namespace {

// Source: aws-doc contributorinsights_HowItWorks ("a limit of 25 contributors").
constexpr std::size_t kContributorsMax = 25;

// Halves are exact in JSON's numbers.
void WriteUnitsMember(JsonWriter& out, std::string_view name, HalfUnits units) {
  out.Key(name);
  out.Double(static_cast<double>(units.value()) / 2);
}

template <class WriteCounts>
void WriteKeys(JsonWriter& out, std::string_view name, const std::vector<engine::CountedKey>& keys,
               const WriteCounts& write_counts) {
  out.Key(name);
  out.BeginArray();
  for (const auto& counted : keys) {
    out.BeginObject();
    out.Key("Key");
    WriteJson(counted.key, out);
    write_counts(counted);
    out.EndObject();
  }
  out.EndArray();
}

void WriteStructure(const Context& context, const engine::Table& table,
                    std::optional<std::size_t> index, JsonWriter& out) {
  if (!engine::AreEnabled(engine::InsightsOf(table, index))) return;
  const auto hot = context.engine.insights->Top(table, index, kContributorsMax);
  const auto accesses = [&](const engine::CountedKey& counted) {
    WriteUnitsMember(out, "ConsumedThroughputUnits", HalfUnits(counted.count));
    WriteUnitsMember(out, "ErrorMax", HalfUnits(counted.error_max));
  };
  const auto throttles = [&](const engine::CountedKey& counted) {
    out.Member("ThrottleCount", counted.count);
    out.Member("ErrorMax", counted.error_max);
  };
  out.BeginObject();
  if (index) out.Member("IndexName", table.schema.indexes()[*index].name);
  WriteKeys(out, "MostAccessedPartitionKeys", hot.accessed_partitions, accesses);
  WriteKeys(out, "MostAccessedKeys", hot.accessed, accesses);
  WriteKeys(out, "MostThrottledPartitionKeys", hot.throttled_partitions, throttles);
  WriteKeys(out, "MostThrottledKeys", hot.throttled, throttles);
  out.EndObject();
}

}  // namespace

Result<void> Insights(const Context& context, JsonValue body, JsonWriter& out) {
  const auto name = body.object().Find("TableName");
  if (!name || !name->is(JsonType::kString)) {
    return Invalid("TableName must be the name of a table.");
  }
  const engine::TableKey key{.account = context.call.account,
                             .region = context.call.region,
                             .name = std::string(name->string())};
  // They show keys of any item: only who may read all of the table may see them.
  if (context.call.principal != nullptr) {
    const api::Asking asking{.engine = context.engine, .call = context.call, .body = body};
    TRY(api::AuthorizeTable(asking, access::Action("DescribeContributorInsights"), key));
    TRY(api::AuthorizeTable(asking, access::Action("Scan"), key));
  }
  TRY_ASSIGN(const auto table, engine::FindTable(context.engine, key));
  out.BeginObject();
  out.Member("TableName", table->key.name);
  out.Key("Structures");
  out.BeginArray();
  if (context.engine.insights != nullptr) {
    WriteStructure(context, *table, std::nullopt, out);
    for (std::size_t i = 0; i < table->schema.indexes().size(); ++i) {
      WriteStructure(context, *table, i, out);
    }
  }
  out.EndArray();
  out.EndObject();
  return {};
}

}  // namespace kw::studio
