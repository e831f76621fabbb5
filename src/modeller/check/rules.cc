// SPDX-License-Identifier: Apache-2.0
#include "modeller/check/rules.h"

#include <algorithm>
#include <array>

namespace kw::modeller {
namespace {

// One a line.
constexpr std::array kRules = {
    Rule{"unanswered-question", Grade::kError, "A question that only a Scan can answer",
         LookAtUnanswered},
    Rule{"filter-as-key", Grade::kError, "A filter that does a key's work", LookAtPartialKeys},
    Rule{"narrow-projection", Grade::kError, "A projection that lacks what the question returns",
         LookAtProjections},
    Rule{"strong-read-of-index", Grade::kError, "A strong read asked of a global index",
         LookAtStrongReads},
    Rule{"two-roles-one-index", Grade::kError, "One item asked to play two roles in one index",
         LookAtSharedIndexes},
    Rule{"open-range", Grade::kError, "A range left open over overloaded keys", LookAtOpenRanges},
    Rule{"unpadded-number", Grade::kError, "A number without padding in a text key", LookAtPadding},
    Rule{"colliding-prefixes", Grade::kError, "Prefixes that collide", LookAtCollidingPrefixes},
    Rule{"mistyped-prefix", Grade::kWarning, "A prefix that is written in two ways",
         LookAtMistypedPrefixes},
    Rule{"mixed-delimiters", Grade::kWarning, "Mixed delimiters", LookAtDelimiters},
    Rule{"time-as-text", Grade::kWarning, "A time that is not ISO-8601 in UTC", LookAtTimes},
    Rule{"version-as-text", Grade::kWarning, "A version that sorts as text", LookAtVersions},
    Rule{"stored-rank", Grade::kWarning, "A stored rank that every write would change",
         LookAtRanks},
    Rule{"mutable-key", Grade::kWarning, "A mutable attribute in a base key", LookAtMutableKeys},
    Rule{"hot-partition", Grade::kWarning, "A partition key of few values, or a hot one",
         LookAtHotPartitions},
    Rule{"missing-guard", Grade::kWarning, "A unique attribute without its guard item",
         LookAtUniqueness},
    Rule{"unused-index", Grade::kWarning, "An index that no question uses", LookAtUnusedIndexes},
    Rule{"too-many-indexes", Grade::kWarning, "More indexes than a table may have",
         LookAtIndexCounts},
    Rule{"large-item", Grade::kWarning, "Items near 400 KB", LookAtItemSizes},
    Rule{"large-change", Grade::kError, "A change that cannot be atomic", LookAtChangeSizes},
    Rule{"large-collection", Grade::kWarning, "An item collection without a bound",
         LookAtCollections},
    Rule{"needless-collection", Grade::kNote, "Kept together, never read together",
         LookAtRelations},
    Rule{"scan", Grade::kNote, "A question answered by a Scan", LookAtScans},
    Rule{"reserved-word", Grade::kNote, "A reserved word as an attribute", LookAtReservedWords},
};

}  // namespace

std::span<const Rule> Rules() { return kRules; }

std::string_view WordOf(Grade grade) {
  switch (grade) {
    case Grade::kError: return "error";
    case Grade::kWarning: return "warning";
    case Grade::kNote: return "note";
  }
  return {};
}

std::vector<Finding> Advise(const Subject& subject) {
  std::vector<Finding> findings;
  for (const Rule& rule : kRules) {
    const std::size_t before = findings.size();
    rule.look(subject, findings);
    for (std::size_t i = before; i < findings.size(); ++i) {
      findings[i].rule = rule.id;
      findings[i].grade = rule.grade;
    }
  }
  std::ranges::stable_sort(findings, {}, &Finding::grade);
  return findings;
}

}  // namespace kw::modeller
