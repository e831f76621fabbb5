// SPDX-License-Identifier: Apache-2.0
// From rows that refute a question to the fewest that do.
#pragma once

#include <cstddef>
#include <optional>

#include "modeller/prove/prove.h"

namespace kw::modeller {

// Whether these rows, stored by the plan and asked for with its requests, give a wrong answer; why.
std::optional<std::string> RefutedBy(const Plan& plan, std::size_t question, const Dataset& rows,
                                     const Parameters& parameters);

// Rows are taken away as long as the answer stays wrong. Nothing if the replica does not show the
// fault at all: then the database differs from the service.
std::optional<Counterexample> Shrink(const Plan& plan, std::size_t question, const Dataset& rows,
                                     const Parameters& parameters);

}  // namespace kw::modeller
