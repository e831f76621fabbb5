// SPDX-License-Identifier: Apache-2.0
// Designs a model's tables: in three shapes the keys that cost least of all that answer every
// question by one Query or GetItem, each compiled and priced whole, with what was chosen, what was
// not, and why.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "base/json.h"
#include "modeller/cost/plan_cost.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {

enum class Shape : std::uint8_t {
  kSingle,  // one table with overloaded keys
  kTables,  // a table for each group of entities that are read together
  kNative,  // so, and attributes themselves as keys where they can be
};
inline constexpr std::size_t kShapes = 3;
std::string_view NameOf(Shape shape);  // "single", "tables", "native"
std::optional<Shape> ShapeOf(std::string_view name);

struct Rejected {
  std::string what = {};
  std::string why = {};
  NanoDollars more = {};  // a month on demand, all else kept
};
// How one question is answered, or one entity keyed.
struct Choice {
  enum class Of : std::uint8_t { kEntity, kQuestion };
  Of of = Of::kQuestion;
  std::string name = {};
  std::string how = {};  // "Query Shop.index1: pk1 = USER#{userId}"
  std::vector<std::string> remarks = {};
  std::vector<Rejected> rejected = {};  // cheapest first
};

struct Proposal {
  Shape shape = Shape::kSingle;
  std::unique_ptr<Design> design = {};
  std::unique_ptr<Plan> plan = {};  // of the model and the design
  PlanCost cost = {};
  std::size_t tables = 0;
  std::size_t indexes = 0;
  std::vector<Choice> choices = {};       // entities, then questions
  std::vector<std::string> stale = {};    // questions whose answer may lag behind writes
  std::vector<std::string> remarks = {};  // hot partitions, and what cannot be answered
  bool optimal = true;                    // false: the search was cut short
  std::size_t weighed = 0;                // selections that were priced whole
};

struct Proposals {
  std::vector<Proposal> shapes = {};  // in the order of Shape
  std::size_t best = 0;               // within 5 % of the cheapest, the fewest tables and indexes
};

// The model outlives the proposals. `only`: one shape alone.
// Errors: a region that the book lacks; why no design compiles.
Expected<Proposals, std::string> DesignTables(const Model& model, const CostOptions& options = {},
                                              std::optional<Shape> only = std::nullopt);

// The share of a partition's limit that the hottest one takes, in percent, and where.
struct Headroom {
  std::int64_t percent = 0;
  std::string where = {};
};
Headroom HottestOf(const PlanCost& cost);

void WriteJson(const Proposals& proposals, JsonWriter& out);
void WriteJson(const PlanCost& cost, JsonWriter& out);

}  // namespace kw::modeller
