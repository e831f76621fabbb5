// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/int128.h"
#include "data/limits.h"
#include "modeller/check/rules.h"

namespace kw::modeller {
namespace {

// aws-doc: bp-partition-key-design: what one partition serves in a second.
constexpr std::int64_t kPartitionWrites = 1000;
constexpr std::int64_t kPartitionReads = 3000;

// How many values a partition text takes: the least of its attributes' counts is enough to know.
std::optional<std::int64_t> DistinctOf(const Model& model, EntityId id, const Template& text) {
  const Entity& entity = model.entity(id);
  std::optional<std::int64_t> product = 1;
  for (const TemplatePart& part : text.parts) {
    const auto* field = std::get_if<TemplateField>(&part);
    if (field == nullptr) continue;
    const Attribute& attribute = entity.attributes[field->attribute];
    // A bucket of time has few values at any one time: all writes go to the last.
    if (field->bucket() != Bucket::kNone) return 1;
    std::optional<std::int64_t> count = attribute.distinct;
    if (!count && attribute.type == FieldType::kBoolean) count = 2;
    if (!count) return std::nullopt;
    product = *product > (std::int64_t{1} << 40) ? product : *product * *count;
  }
  return product;
}

// Rows of the entity that are written in a second, times a million.
std::int64_t MicroWrites(const Model& model, EntityId id) {
  Int128 micro = 0;
  for (const Change& change : model.changes()) {
    if (!change.rate) continue;
    for (const Statement& statement : change.statements) {
      if (statement.entity != id) continue;
      micro += Int128{change.rate->count} * statement.times * 1'000'000 / change.rate->per;
    }
  }
  return static_cast<std::int64_t>(std::min<Int128>(micro, std::int64_t{1} << 60));
}

}  // namespace

void LookAtUnusedIndexes(const Subject& subject, Findings& findings) {
  if (subject.plan == nullptr) return;
  std::set<std::string> used;
  for (const Answer& answer : subject.plan->answers()) {
    const Path* path = answer.found();
    const auto* query = path == nullptr ? nullptr : std::get_if<QueryPath>(path);
    if (query != nullptr && query->index) {
      used.insert(subject.plan->tables()[query->table].name + "/" + *query->index);
    }
  }
  for (const DesignTable& table : subject.plan->design().tables) {
    for (const DesignIndex& index : table.indexes) {
      if (used.contains(table.name + "/" + index.name)) continue;
      findings.push_back({.file = SourceFile::kDesign,
                          .at = index.at,
                          .message = fmt::format("{} is written with every item, and no question "
                                                 "reads it.",
                                                 index.name),
                          .example = "each write costs an entry more",
                          .fix = fmt::format("Drop {}.", index.name)});
    }
  }
}

void LookAtIndexCounts(const Subject& subject, Findings& findings) {
  if (subject.plan == nullptr) return;
  for (const DesignTable& table : subject.plan->design().tables) {
    const auto global = std::ranges::count(table.indexes, IndexScope::kGlobal, &DesignIndex::scope);
    // Compile refuses more than there may be: what is near the end is said here.
    if (global < static_cast<std::int64_t>(limits::kGlobalIndexesMax) - 2) continue;
    findings.push_back(
        {.file = SourceFile::kDesign,
         .at = table.at,
         .message = fmt::format("{} has {} of at most {} global indexes.", table.name, global,
                                limits::kGlobalIndexesMax),
         .example = "the next question has no index left",
         .fix = "Overload one index: entities that do not clash can share its keys."});
  }
}

void LookAtHotPartitions(const Subject& subject, Findings& findings) {
  if (subject.plan == nullptr) return;
  const Model& model = subject.model;
  for (const DesignTable& table : subject.plan->design().tables) {
    for (const EntityLayout& layout : table.entities) {
      const auto look = [&](const DesignKey& key) {
        if (key.partition.size() != 1) return;
        const auto found = layout.keys.find(key.partition.front().name);
        if (found == layout.keys.end()) return;
        const auto distinct = DistinctOf(model, layout.entity, found->second.text);
        if (!distinct) return;
        const std::int64_t shards = found->second.shards ? found->second.shards->count : 1;
        const std::int64_t partitions = *distinct * shards;
        const std::int64_t writes = MicroWrites(model, layout.entity) / 1'000'000;
        constexpr std::int64_t kFew = 10;
        const bool hot = writes / partitions >= kPartitionWrites;
        const bool few =
            partitions < kFew && !found->second.when && model.entity(layout.entity).rows > 100'000;
        if (!hot && !few) return;
        findings.push_back(
            {.file = SourceFile::kDesign,
             .at = layout.at,
             .message = fmt::format("{}.{} has {} {}; {} writes a second go there.",
                                    model.entity(layout.entity).name, key.partition.front().name,
                                    partitions, partitions == 1 ? "value" : "values", writes),
             .example = fmt::format("one partition serves {} writes and {} reads a second",
                                    kPartitionWrites, kPartitionReads),
             .fix = "Add an attribute of many values to the partition, or shards: n."});
      };
      look(table.key);
      for (const DesignIndex& index : table.indexes) look(index.key);
    }
  }
}

void LookAtCollections(const Subject& subject, Findings& findings) {
  const Model& model = subject.model;
  constexpr std::int64_t kCollectionMax = limits::kItemCollectionBytesMax;
  for (EntityId id = 0; id < model.entities().size(); ++id) {
    const Entity& entity = model.entity(id);
    if (!entity.family) continue;
    const std::int64_t bytes = RowSize(model, id).value();
    if (!entity.family->max) {
      findings.push_back({.at = entity.at,
                          .message = fmt::format("Nothing bounds the {} of one {}.", entity.name,
                                                 model.entity(entity.family->parent).name),
                          .example = "one celebrity has as many as all others together",
                          .fix = "Say max beside average, or the largest that must work."});
      continue;
    }
    const bool local =
        subject.plan != nullptr &&
        std::ranges::any_of(subject.plan->design().tables, [&](const auto& table) {
          const auto has = [&](const EntityLayout& layout) { return layout.entity == id; };
          return std::ranges::any_of(table.entities, has) &&
                 std::ranges::any_of(table.indexes, [](const DesignIndex& index) {
                   return index.scope == IndexScope::kLocal;
                 });
        });
    if (!local || Int128{*entity.family->max} * bytes <= kCollectionMax) continue;
    findings.push_back(
        {.at = entity.at,
         .message =
             fmt::format("{} rows of {} bytes are more than the 10 GB that a partition value "
                         "may have beside a local index.",
                         *entity.family->max, bytes),
         .example = "the write that passes 10 GB is refused: ItemCollectionSizeLimitExceeded",
         .fix = "Use a global index, or put a bucket of time into the partition."});
  }
}

}  // namespace kw::modeller
