// SPDX-License-Identifier: Apache-2.0
// Which keys of a plan answer a question: every way by one GetItem or Query, cheapest first, and if
// there is none, the way that came closest and what it lacks.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "modeller/plan/plan.h"

namespace kw::modeller {

struct Candidate {
  Path path;
  Plan::Access access;
  std::string where;
  std::vector<std::string> remarks;
  std::int64_t requests = 1;       // at most, but for ranges of unknown length
  std::tuple<int, int, int> rank;  // kind of path, how much an entry holds, base before index
};

struct Ways {
  std::vector<Candidate> candidates;  // cheapest first; equals in the design's order
  NoPath closest;                     // of meaning if there are none
};

// The plan has its placements and tables.
Ways FindWays(const Plan& plan, const Question& question);

}  // namespace kw::modeller
