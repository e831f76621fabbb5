// SPDX-License-Identifier: Apache-2.0
// One run of a change: which rows it is of, and what it writes.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "modeller/plan/plan.h"
#include "modeller/plan/replica.h"
#include "modeller/prove/dataset.h"

namespace kw::modeller {

struct RowChange {
  EntityId entity = 0;
  std::optional<Row> before;
  std::optional<Row> after;
};
struct MadeChange {
  std::vector<RowChange> rows;  // each row once
  WriteSet writes;
};

// Rows by chance: inserted ones are new, and of the same parents as the change's others; updated
// and deleted ones are there. Nothing if there is no such row.
std::optional<MadeChange> MakeChange(const Plan& plan, std::size_t change, Dataset& dataset,
                                     const Replica& now, Rng& rng);

void ApplyTo(Dataset& dataset, const std::vector<RowChange>& rows);

}  // namespace kw::modeller
