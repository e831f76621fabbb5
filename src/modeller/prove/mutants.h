// SPDX-License-Identifier: Apache-2.0
// Breaking a design on purpose: at least one way for each pitfall. A proof that does not notice is
// no proof.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modeller/prove/prove.h"

namespace kw::modeller {

// A design with one thing wrong.
struct BrokenDesign {
  std::string what;
  Design design;
  // Why it may go unnoticed and still answer everything; empty: it may not.
  std::string excuse = {};
};
std::vector<BrokenDesign> BreakDesign(const Model& model, const Design& design);

// A question's requests with one thing wrong.
struct BrokenRequest {
  std::string what;
  std::size_t question = 0;
  // Nothing if these requests have no such part.
  std::function<std::optional<std::vector<Call>>(const std::vector<Call>&)> change;
  std::string excuse = {};
};
std::vector<BrokenRequest> BreakRequests(const Plan& plan);

// Breaks the design and the requests in every way, asks all questions, and says who noticed.
// Broken writers are asked with the sound design's requests too: a prefix that only one side
// mistypes is the commonest break of all.
std::vector<Mutant> BreakOnPurpose(const Plan& plan, std::uint64_t seed);

}  // namespace kw::modeller
