// SPDX-License-Identifier: Apache-2.0
// A plan: a design compiled against a model. It knows the items of a row, the request of a question
// and the units of both, without touching a table. The proof compares it with the engine; costs,
// programs and pictures are drawn from it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "data/item.h"
#include "data/metering.h"
#include "data/table_schema.h"
#include "modeller/plan/design.h"

namespace kw::modeller {

using TableId = std::size_t;  // into Plan::tables()

struct PlannedTable {
  std::string name;
  TableSchema schema;
};

struct PlacedItem {
  TableId table = 0;
  Item item;
};

// ---- reads ----

using Bindings = std::map<std::string, Value, std::less<>>;  // parameter name → value

struct GetPath {
  TableId table = 0;
};
enum class SortMatch : std::uint8_t { kAll, kEqual, kPrefix, kRange };
struct QueryPath {
  TableId table = 0;
  std::optional<std::string> index;
  SortMatch sort = SortMatch::kAll;
  bool forward = true;
  std::int64_t partitions = 1;  // how many Queries: shards, or buckets of a range (an estimate)
  bool ordered = true;          // one Query's order is the question's; else the caller merges
};
struct ScanPath {
  TableId table = 0;
  std::optional<std::string> index;
};
// A guard item leads to the row: two GetItem.
struct GuardPath {
  TableId table = 0;
};
// A maintained attribute of the parent's item.
struct CounterPath {
  TableId table = 0;
  std::string attribute;
};
using Path = std::variant<GetPath, QueryPath, ScanPath, GuardPath, CounterPath>;

// Why a design does not answer a question with one Query or GetItem.
struct NoPath {
  std::string why;      // a sentence
  std::string nearest;  // the nearest thing that can be asked or designed
};

// One real request: what GetItem or Query is sent.
struct GetCall {
  TableId table = 0;
  Item key;
};
struct QueryCall {
  TableId table = 0;
  std::optional<std::string> index;
  std::vector<std::pair<std::string, AttributeValue>> partition;  // all by equality
  std::vector<std::pair<std::string, AttributeValue>> sort_equal;
  struct Tail {
    std::string attribute;
    std::optional<AttributeValue> low;  // BETWEEN low AND high, or one-sided
    std::optional<AttributeValue> high;
    std::optional<AttributeValue> prefix;  // begins_with; excludes low and high
  };
  std::optional<Tail> tail;
  bool forward = true;
  std::optional<std::int64_t> limit;
  bool consistent = false;
};
using Call = std::variant<GetCall, QueryCall>;

struct Answer {
  std::size_t question = 0;  // into Model::questions()
  std::variant<Path, NoPath> path;
  // What the program still does after the answer: attributes that only narrow ("filter" never
  // stands in for a key), in sentences; empty for a clean answer.
  std::vector<std::string> remarks;
};

// ---- writes ----

struct WriteStep {
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  TableId table = 0;
  std::optional<Item> before;
  std::optional<Item> after;
  bool must_be_new = false;  // a condition attribute_not_exists
  bool must_exist = false;
};
// Steps of one atomic change; more than one is a TransactWriteItems.
struct WriteSet {
  std::vector<WriteStep> steps;
};

class Plan {
 public:
  // Errors: faults of the design that only show against the model: two entities whose items may
  // share a key, a key attribute no template fills, more indexes than a table may have.
  static Parsed<Plan> Compile(const Model& model, const Design& design);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const Design& design() const { return *design_; }
  [[nodiscard]] const std::vector<PlannedTable>& tables() const { return tables_; }
  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }  // as questions()

  // The items that stand for a row: its own, guards and copies. Counters are kept by changes.
  [[nodiscard]] std::vector<PlacedItem> ItemsOf(EntityId entity, const Row& row) const;
  // The row that an item stands for; nothing if it is no entity's own item.
  [[nodiscard]] std::optional<std::pair<EntityId, Row>> RowOf(TableId table,
                                                              const Item& item) const;

  // The requests that answer a question for these parameters: one, but for shards and buckets.
  // The question has a path that is no Scan.
  [[nodiscard]] std::vector<Call> CallsOf(std::size_t question, const Bindings& bindings) const;

  // What changing one row writes: nothing before is an insert, nothing after a delete.
  [[nodiscard]] WriteSet WritesOf(EntityId entity, const Row* before, const Row* after) const;

  // Units that a write set consumes, by table and index, by the service's rules.
  [[nodiscard]] std::map<TableId, Capacity> UnitsOf(const WriteSet& writes) const;

 private:
  Plan() = default;
  const Model* model_ = nullptr;
  const Design* design_ = nullptr;
  std::vector<PlannedTable> tables_;
  std::vector<Answer> answers_;
};

}  // namespace kw::modeller
