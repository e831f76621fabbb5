// SPDX-License-Identifier: Apache-2.0
// The cheapest keys: branch and bound over the ways to answer each question. What couples entities
// (collections on the base key or on an index, counters) is tried both ways; given that, each
// entity is solved by itself. Costs are those of plan_cost: the same estimator.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "modeller/cost/estimate.h"
#include "modeller/cost/money.h"
#include "modeller/design/options.h"
#include "modeller/model/model.h"

namespace kw::modeller {

// What is minimised: the month's price of units and bytes.
struct Weights {
  NanoDollars read_million = {};
  NanoDollars write_million = {};
  NanoDollars storage_gb = {};
};

struct Way {
  enum class Kind : std::uint8_t { kBase, kIndex, kGuard, kCounter, kScan, kNone };
  Kind kind = Kind::kNone;
  std::size_t option = 0;  // of kIndex: into EntityChoice::indexes
};

// An index key that an entity uses.
struct ChosenIndex {
  KeyOption option = {};
  bool all = false;                            // projects all
  std::vector<AttributeId> shown = {};         // else these
  std::optional<std::size_t> collection = {};  // question that it holds together
  std::vector<std::size_t> questions = {};     // that it answers
};

struct Alternative {
  std::string what = {};
  std::string why = {};
  NanoDollars more = {};  // a month, had it been chosen and all else kept
};

struct EntityChoice {
  KeyOption base = {};
  std::vector<AttributeId> together = {};  // its partition is a collection's
  std::vector<ChosenIndex> indexes = {};
  std::vector<Counter> counters = {};                             // kept on its items
  std::map<std::size_t, Way> ways = {};                           // by question
  std::map<std::size_t, std::vector<Alternative>> rejected = {};  // by question
  std::vector<Alternative> rejected_bases = {};
  NanoDollars cost = {};
};

enum class CollectionMode : std::uint8_t { kBase, kIndex };

struct Selection {
  std::vector<EntityChoice> entities = {};                 // as Model::entities()
  std::map<std::size_t, CollectionMode> collections = {};  // by question; absent: not answered
  NanoDollars cost = {};    // by the weights; collections are priced with it
  bool optimal = true;      // false: the search was cut short
  std::size_t weighed = 0;  // selections that were priced whole
};

struct SolveOptions {
  std::vector<KeyStyle> styles = {};  // as Model::entities()
  Weights weights = {};
  bool one_table = false;  // a Scan reads every entity
};

// Deterministic: equal costs are decided by the order of options.
Selection Solve(const Model& model, const SolveOptions& options);

}  // namespace kw::modeller
