// SPDX-License-Identifier: Apache-2.0
#include "engine/contributor_insights.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/key_insights.h"
#include "engine/tables.h"

namespace kw::engine {
namespace {

// Tables looked at for one list, at once.
constexpr std::size_t kNamesAtOnce = 100;

// observed: DDB-TABLE-094 (also for local indexes).
Error IndexNotFound(const Table& table, std::string_view index) {
  return {ErrorCode::kResourceNotFound,
          fmt::format("Requested resource not found: Index: {} not found for table: {}", index,
                      table.key.name),
          {}};
}

Result<std::optional<std::size_t>> PlaceOf(const Table& table,
                                           const std::optional<std::string>& index) {
  if (!index) return std::optional<std::size_t>();
  const auto& indexes = table.schema.indexes();
  const auto found = std::ranges::find(indexes, *index, &IndexSchema::name);
  if (found == indexes.end() || found->scope == IndexScope::kLocal) {
    return Unexpected(IndexNotFound(table, *index));
  }
  return std::optional(static_cast<std::size_t>(found - indexes.begin()));
}

// Source: aws-doc contributorinsights_HowItWorks; observed: DDB-TABLE-092 (which of them there are,
// and that an index's bear both names).
std::vector<std::string> RulesOf(const Table& table, std::optional<std::size_t> index,
                                 const ContributorInsights& insights) {
  const auto& schema = index ? table.schema.indexes()[*index].key : table.schema.key();
  const auto resource =
      index ? fmt::format("{}-{}", table.key.name, table.schema.indexes()[*index].name)
            : table.key.name;
  std::vector<std::string> rules;
  const auto add = [&](std::string_view kind) {
    rules.push_back(fmt::format("DynamoDBContributorInsights-{}-{}-{}", kind, resource,
                                insights.enabled_at.time_since_epoch().count()));
  };
  const bool sorted = !schema.sort.empty();
  if (insights.mode == InsightsMode::kAccessedAndThrottledKeys) {
    add("PKC");
    if (sorted) add("SKC");
  }
  add("PKT");
  if (sorted) add("SKT");
  return rules;
}

InsightsDescription Describe(const Table& table, std::optional<std::size_t> index) {
  InsightsDescription description{.table = table.key.name, .index = std::nullopt};
  if (index) description.index = table.schema.indexes()[*index].name;
  const auto* insights = InsightsOf(table, index);
  if (insights == nullptr) return description;
  description.mode = insights->mode;
  description.updated_at = insights->updated_at;
  if (!insights->enabled) return description;
  description.status = InsightsStatus::kEnabled;
  description.rules = RulesOf(table, index, *insights);
  return description;
}

// What a request makes of what stands; nothing if it changes nothing. observed: DDB-TABLE-092: a
// mode that is not said is the default again, and one that is said to DISABLE is not looked at.
std::optional<ContributorInsights> Next(const ContributorInsights* now,
                                        const InsightsRequest& request, TimePoint at) {
  const bool enabled = AreEnabled(now);
  if (request.action == InsightsAction::kDisable) {
    if (!enabled) return std::nullopt;
    auto next = *now;
    next.enabled = false;
    next.updated_at = at;
    return next;
  }
  if (enabled && now->mode == request.mode) return std::nullopt;
  return ContributorInsights{.enabled = true,
                             .mode = request.mode,
                             .enabled_at = enabled ? now->enabled_at : at,
                             .updated_at = at};
}

// One table's part of a list.
void Append(const Table& table, const std::optional<InsightsPlace>& after,
            std::vector<InsightsDescription>& entries) {
  const bool begun = after && after->table == table.key.name;
  const auto add = [&](std::optional<std::size_t> index) {
    auto description = Describe(table, index);
    if (description.status != InsightsStatus::kDisabled) entries.push_back(std::move(description));
  };
  if (!begun) add(std::nullopt);
  bool behind = !begun || !after->index;
  for (std::size_t i = 0; i < table.schema.indexes().size(); ++i) {
    const auto& index = table.schema.indexes()[i];
    if (behind && index.scope == IndexScope::kGlobal) add(i);
    behind = behind || index.name == after->index;
  }
}

}  // namespace

Result<InsightsDescription> UpdateContributorInsights(Engine& engine,
                                                      const InsightsRequest& request) {
  InsightsDescription shown;
  TRY(engine.catalog.Apply(request.table, [&](const TablePtr& now) -> Result<Catalog::Next> {
    if (!now) return Unexpected(TableNotFound(request.table));
    TRY_ASSIGN(const auto index, PlaceOf(*now, request.index));
    if (index && now->index_states[*index].status == IndexStatus::kCreating) {
      // observed: DDB-TABLE-116.
      return Invalid(
          "Table or Index is not in a valid state to update Key Access Insights: IndexStatus must "
          "be ACTIVE to enable ContributorInsights.");
    }
    auto next = std::make_unique<Table>(*now);
    auto insights = Next(InsightsOf(*now, index), request, engine.clock.Now());
    const bool changes = insights.has_value();
    if (changes) {
      (index ? next->index_states[*index].insights : next->insights) = std::move(insights);
    }
    shown = Describe(*next, index);
    if (changes) {
      shown.status = request.action == InsightsAction::kEnable ? InsightsStatus::kEnabling
                                                               : InsightsStatus::kDisabling;
    }
    return Catalog::Next{.table = std::move(next), .dropped = {}};
  }));
  return shown;
}

Result<InsightsDescription> DescribeContributorInsights(const Engine& engine, const TableKey& key,
                                                        const std::optional<std::string>& index) {
  TRY_ASSIGN(const auto table, FindTable(engine, key));
  TRY_ASSIGN(const auto place, PlaceOf(*table, index));
  return Describe(*table, place);
}

Result<InsightsList> ListContributorInsights(const Engine& engine, const CallContext& call,
                                             const std::optional<TableKey>& table,
                                             const std::optional<InsightsPlace>& after,
                                             std::size_t max) {
  InsightsList list;
  // One more tells whether there are more.
  if (table) {
    TRY_ASSIGN(const auto found, FindTable(engine, *table));
    Append(*found, after, list.entries);
  } else {
    if (after) {
      const auto begun = engine.catalog.FindOrNull({call.account, call.region, after->table});
      if (begun) Append(*begun, after, list.entries);
    }
    auto last = after ? after->table : std::string();
    while (list.entries.size() <= max) {
      const auto names = engine.catalog.Names(call.account, call.region, last, kNamesAtOnce);
      for (const auto& name : names) {
        const auto found = engine.catalog.FindOrNull({call.account, call.region, name});
        if (found) Append(*found, std::nullopt, list.entries);
      }
      if (names.size() < kNamesAtOnce) break;
      last = names.back();
    }
  }
  if (list.entries.size() > max) {
    list.entries.resize(max);
    list.next = {.table = list.entries.back().table, .index = list.entries.back().index};
  }
  return list;
}

}  // namespace kw::engine
