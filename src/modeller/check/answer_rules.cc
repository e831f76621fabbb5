// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "modeller/check/rules.h"

namespace kw::modeller {
namespace {

using Reason = NoPath::Reason;

// Each question that has no path for this reason.
template <class Look>
void ForEachMissing(const Subject& subject, Reason reason, Look look) {
  if (subject.plan == nullptr) return;
  for (const Answer& answer : subject.plan->answers()) {
    const auto* none = std::get_if<NoPath>(&answer.path);
    if (none == nullptr || none->reason != reason) continue;
    look(subject.model.questions()[answer.question], *none);
  }
}

void Report(const Subject& subject, Reason reason, std::string_view example, Findings& findings) {
  ForEachMissing(subject, reason, [&](const Question& question, const NoPath& none) {
    findings.push_back({.at = question.at,
                        .message = fmt::format("{}: {}", question.name, none.why),
                        .example = std::string(example),
                        .fix = none.nearest});
  });
}

}  // namespace

void LookAtUnanswered(const Subject& subject, Findings& findings) {
  Report(subject, Reason::kNoKey, "a Scan reads, and bills, every item of the table", findings);
}

void LookAtPartialKeys(const Subject& subject, Findings& findings) {
  Report(subject, Reason::kPartialKey, "a filter drops items after they were read and billed",
         findings);
  Report(subject, Reason::kOrder, "a LIMIT of rows in another order returns other rows", findings);
}

void LookAtProjections(const Subject& subject, Findings& findings) {
  Report(subject, Reason::kProjection, "the entry has the index's keys and no more", findings);
}

void LookAtStrongReads(const Subject& subject, Findings& findings) {
  Report(subject, Reason::kStrongRead,
         "Consistent reads are not supported on global secondary indexes", findings);
}

void LookAtOpenRanges(const Subject& subject, Findings& findings) {
  Report(subject, Reason::kOtherItems, "sk >= EVENT# also returns INVOICE# and USER#", findings);
  if (subject.plan == nullptr) return;
  // A range that someone wrote by hand: only one end, over keys that several kinds of items share.
  for (const WrittenAnswer& answer : subject.plan->design().answers) {
    if (!answer.where) continue;
    const std::string& where = *answer.where;
    const std::size_t low = where.find(">");
    const bool closed = where.find("<") != where.npos || where.find("between") != where.npos;
    if (low == where.npos || closed) continue;
    const DesignTable* table = subject.plan->design().FindTable(answer.table);
    if (table == nullptr || table->entities.size() < 2) continue;
    findings.push_back(
        {.file = SourceFile::kDesign,
         .at = answer.at,
         .message = fmt::format("{}: the range `{}` has no upper end.", answer.question, where),
         .example = "sk >= EVENT# also returns INVOICE# and USER#",
         .fix = "Write between, up to the prefix followed by the highest character."});
  }
}

// An item has one entry in an index: two questions that need it there under two keys need two.
void LookAtSharedIndexes(const Subject& subject, Findings& findings) {
  if (subject.plan == nullptr) return;
  for (const Answer& answer : subject.plan->answers()) {
    const auto* none = std::get_if<NoPath>(&answer.path);
    const Question& question = subject.model.questions()[answer.question];
    const auto* select = std::get_if<Select>(&question.asks);
    if (none == nullptr || none->reason != Reason::kNoKey || select == nullptr) continue;
    for (const Answer& other : subject.plan->answers()) {
      const Path* path = other.found();
      const auto* query = path == nullptr ? nullptr : std::get_if<QueryPath>(path);
      const Question& served = subject.model.questions()[other.question];
      const auto* theirs = std::get_if<Select>(&served.asks);
      if (query == nullptr || !query->index || theirs == nullptr ||
          theirs->entity != select->entity) {
        continue;
      }
      findings.push_back(
          {.at = question.at,
           .message =
               fmt::format("{} needs {} under another key than {} has it in {}.", question.name,
                           subject.model.entity(select->entity).name, served.name, *query->index),
           .example = "an item has one entry in an index, under one key",
           .fix = "Give the second question an index of its own."});
      break;
    }
  }
}

void LookAtScans(const Subject& subject, Findings& findings) {
  if (subject.plan == nullptr) return;
  for (const Answer& answer : subject.plan->answers()) {
    const Path* path = answer.found();
    if (path == nullptr || !std::holds_alternative<ScanPath>(*path)) continue;
    const Question& question = subject.model.questions()[answer.question];
    findings.push_back(
        {.at = question.at,
         .message = fmt::format("{} reads the whole table, as the model allows.", question.name),
         .example = "its cost grows with the table, not with its answer",
         .fix = "Export the table, or give the question a key when it is asked more."});
  }
}

void LookAtUniqueness(const Subject& subject, Findings& findings) {
  if (subject.plan == nullptr) return;
  const Model& model = subject.model;
  for (EntityId id = 0; id < model.entities().size(); ++id) {
    for (const AttributeId unique : model.entity(id).unique) {
      const bool guarded =
          std::ranges::any_of(subject.plan->design().tables, [&](const DesignTable& table) {
            return std::ranges::any_of(table.entities, [&](const EntityLayout& layout) {
              return layout.entity == id &&
                     std::ranges::any_of(layout.guards, [&](const GuardItem& guard) {
                       return guard.unique == unique;
                     });
            });
          });
      if (guarded) continue;
      const std::string& name = model.entity(id).attributes[unique].name;
      findings.push_back(
          {.at = model.entity(id).attributes[unique].at,
           .message = fmt::format("{}.{} must be unique, and nothing keeps it so.",
                                  model.entity(id).name, name),
           .example = "two sign-ups at one moment both find the name free, and both write it",
           .fix = fmt::format("Write a guard under {}: \"{}#{{{}}}\": guard.",
                              model.entity(id).name, "UNIQUE", name)});
    }
  }
}

void LookAtRelations(const Subject& subject, Findings& findings) {
  if (subject.plan == nullptr) return;
  const Model& model = subject.model;
  const auto read_together = [&](EntityId a, EntityId b) {
    return std::ranges::any_of(model.questions(), [&](const Question& question) {
      const auto* collection = std::get_if<Collection>(&question.asks);
      if (collection == nullptr) return false;
      const auto has = [&](EntityId id) {
        return std::ranges::find(collection->members, id, &Collection::Member::entity) !=
               collection->members.end();
      };
      return has(a) && has(b);
    });
  };
  for (const DesignTable& table : subject.plan->design().tables) {
    const std::string& partition = table.key.partition.front().name;
    for (std::size_t i = 0; i < table.entities.size(); ++i) {
      for (std::size_t j = i + 1; j < table.entities.size(); ++j) {
        const auto one = table.entities[i].keys.find(partition);
        const auto two = table.entities[j].keys.find(partition);
        if (one == table.entities[i].keys.end() || two == table.entities[j].keys.end()) continue;
        const Entity& first = model.entity(table.entities[i].entity);
        const Entity& second = model.entity(table.entities[j].entity);
        const bool fixed = one->second.text.parts.size() == 1 &&
                           std::holds_alternative<std::string>(one->second.text.parts[0]);
        if (fixed || !MayMeet(one->second.text, two->second.text) ||
            one->second.text.literal_prefix() != two->second.text.literal_prefix() ||
            one->second.text.literal_prefix().empty() ||
            read_together(table.entities[i].entity, table.entities[j].entity)) {
          continue;
        }
        findings.push_back(
            {.file = SourceFile::kDesign,
             .at = table.entities[j].at,
             .message = fmt::format("{} and {} share a partition, and no question reads both.",
                                    first.name, second.name),
             .example = "a Query of one pays for nothing of the other, but their load adds up",
             .fix = fmt::format("Give {} a partition text of its own.", second.name)});
      }
    }
  }
}

}  // namespace kw::modeller
