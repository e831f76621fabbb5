// SPDX-License-Identifier: Apache-2.0
// What a plan costs a month, line by line: the reads of each question, the writes of each change in
// each table and index, the storage of each; on demand and provisioned; and how near the hottest
// partition of each comes to its limit. Exact arithmetic over average rows (estimate.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "modeller/cost/calculators.h"
#include "modeller/cost/estimate.h"
#include "modeller/cost/price_book.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {

struct CostOptions {
  std::string region = "us-east-1";
  std::int64_t utilization_percent = 70;  // of provisioned capacity at the peak
};

struct CostLine {
  enum class Kind : std::uint8_t { kRead, kWrite, kStorage };
  Kind kind = Kind::kRead;
  std::string of = {};     // the question, change or entity
  std::string where = {};  // "Shop" or "Shop.index1"
  TableId table = 0;
  MicroUnits each = {};            // units of one ask or change
  std::optional<Ratio> rate = {};  // none: not known, and not priced
  ByteCount stored = {};
  std::string basis = {};  // how it comes about
  NanoDollars on_demand = {};
};

// Reads and writes of a table or an index, which is what capacity is provisioned for.
struct StructureLoad {
  std::string where = {};
  TableId table = 0;
  MicroUnits reads = {};  // a second
  MicroUnits writes = {};
  MicroUnits reads_peak = {};
  MicroUnits writes_peak = {};
  // Of the hottest partition, a second at the average rates; the limit is 3,000 and 1,000 units.
  MicroUnits hottest_reads = {};
  MicroUnits hottest_writes = {};
  std::string hottest = {};  // whose partition: "Purchase: PENDING"
};

struct TableCost {
  std::string table = {};
  NanoDollars on_demand = {};  // with storage
  NanoDollars provisioned = {};
  Billing billing = Billing::kOnDemand;  // the cheaper
};

struct PlanCost {
  std::string region = {};
  std::string price_date = {};
  std::vector<CostLine> lines = {};  // reads, writes, storage; each in the model's order
  std::vector<StructureLoad> loads = {};
  std::vector<TableCost> tables = {};
  std::vector<std::string> unanswered = {};   // questions without a path: not priced
  std::vector<std::string> assumptions = {};  // in sentences
  NanoDollars on_demand = {};
  NanoDollars provisioned = {};
  NanoDollars total = {};  // each table billed the cheaper way
  bool peaks_known = false;

  [[nodiscard]] NanoDollars Of(CostLine::Kind kind) const;  // on demand
};

// Errors: a region that the book lacks.
Expected<PlanCost, std::string> CostOf(const Plan& plan, const CostOptions& options = {},
                                       const PriceBook& book = PriceBook::Current());

// How a plan's kinds of items stand in tables and indexes; as placements().
std::vector<ItemShape> ShapesOf(const Plan& plan);

// A rate's month at a price a million; `each` in millionths of a unit.
NanoDollars MonthlyPrice(MicroUnits each, Ratio rate, NanoDollars million);

std::string FormatMicroUnits(MicroUnits units);  // "12.5"

inline constexpr std::int64_t kPartitionReadsMax = 3000;  // units a second, of one partition
inline constexpr std::int64_t kPartitionWritesMax = 1000;

}  // namespace kw::modeller
