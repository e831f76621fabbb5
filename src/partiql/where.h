// SPDX-License-Identifier: Apache-2.0
// The WHERE clause as conditions that must all hold, and what they say of a key.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "data/error.h"
#include "data/table_schema.h"
#include "expr/condition.h"
#include "expr/condition_tree.h"
#include "expr/key_condition.h"

namespace kw::partiql {

using Conjuncts = std::vector<ConditionNode>;

// Takes ANDs apart.
void AddConjuncts(ConditionNode node, Conjuncts& conjuncts);

// Each of these takes what it answers with out of the conjuncts.

// The value that an attribute must have: `a = v`.
std::optional<AttributeValue> TakeEqual(Conjuncts& conjuncts, std::string_view attribute);
// The values of which it must have one, each once, in the order written: as before, `a IN [...]`,
// or `a = v OR a = w`.
std::optional<std::vector<AttributeValue>> TakeChoices(Conjuncts& conjuncts,
                                                       std::string_view attribute);
// A range that a key condition can hold: an order, BETWEEN or begins_with.
std::optional<KeyComparison> TakeRange(Conjuncts& conjuncts, std::string_view attribute);
// The whole key, each attribute by equality.
std::optional<Item> TakeKey(Conjuncts& conjuncts, const KeySchema& key);

// Whether TakeChoices would find something.
[[nodiscard]] bool HasChoices(const Conjuncts& conjuncts, std::string_view attribute);

// The service's sentence where TakeKey finds nothing.
tl::unexpected<Error> KeyIsMissing();

// What is left, as one condition; nothing if nothing is left.
std::optional<Condition> ConditionOf(Conjuncts conjuncts);

// attribute_exists and attribute_not_exists.
ConditionNode Exists(std::string_view attribute);
ConditionNode NotExists(std::string_view attribute);

}  // namespace kw::partiql
