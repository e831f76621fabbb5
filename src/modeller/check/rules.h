// SPDX-License-Identifier: Apache-2.0
// The rules, by what they look at. Each is a row of the list in rules.cc.
#pragma once

#include "modeller/check/findings.h"

namespace kw::modeller {

using Findings = std::vector<Finding>;

// Of the model (model_rules.cc).
void LookAtTimes(const Subject& subject, Findings& findings);
void LookAtVersions(const Subject& subject, Findings& findings);
void LookAtRanks(const Subject& subject, Findings& findings);
void LookAtReservedWords(const Subject& subject, Findings& findings);
void LookAtItemSizes(const Subject& subject, Findings& findings);
void LookAtChangeSizes(const Subject& subject, Findings& findings);

// Of the questions' answers (answer_rules.cc).
void LookAtUnanswered(const Subject& subject, Findings& findings);
void LookAtScans(const Subject& subject, Findings& findings);
void LookAtPartialKeys(const Subject& subject, Findings& findings);
void LookAtProjections(const Subject& subject, Findings& findings);
void LookAtStrongReads(const Subject& subject, Findings& findings);
void LookAtSharedIndexes(const Subject& subject, Findings& findings);
void LookAtOpenRanges(const Subject& subject, Findings& findings);
void LookAtUniqueness(const Subject& subject, Findings& findings);
void LookAtRelations(const Subject& subject, Findings& findings);

// Of the texts of keys (key_rules.cc).
void LookAtPadding(const Subject& subject, Findings& findings);
void LookAtDelimiters(const Subject& subject, Findings& findings);
void LookAtCollidingPrefixes(const Subject& subject, Findings& findings);
void LookAtMistypedPrefixes(const Subject& subject, Findings& findings);
void LookAtMutableKeys(const Subject& subject, Findings& findings);

// Of indexes and of load (index_rules.cc).
void LookAtUnusedIndexes(const Subject& subject, Findings& findings);
void LookAtIndexCounts(const Subject& subject, Findings& findings);
void LookAtHotPartitions(const Subject& subject, Findings& findings);
void LookAtCollections(const Subject& subject, Findings& findings);

}  // namespace kw::modeller
