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

// One kind of item that rows of an entity make: the row itself, a copy, or a guard.
struct Placement {
  enum class Role : std::uint8_t { kRow, kCopy, kGuard };
  Role role = Role::kRow;
  EntityId entity = 0;
  TableId table = 0;
  std::map<std::string, KeyText> keys;  // by key attribute, where a template fills it
  std::vector<AttributeId> attributes;  // that the item carries under their own names
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
};
// A guard's item holds what is asked for, or leads to the row by a second GetItem.
struct GuardPath {
  TableId table = 0;
  bool follows = false;
};
// A maintained attribute of the parent's item; an item without it means zero.
struct CounterPath {
  TableId table = 0;
  std::string attribute;
};
using Path = std::variant<GetPath, QueryPath, ScanPath, GuardPath, CounterPath>;

// Why a design does not answer a question with one Query or GetItem.
struct NoPath {
  enum class Reason : std::uint8_t {
    kNoKey,       // no key begins with what the question gives
    kPartialKey,  // a key takes a part of it: a filter would do the rest
    kOrder,       // the sort key gives another order
    kOtherItems,  // the same condition also returns other kinds of items
    kProjection,  // the index does not hold what is asked for
    kStrongRead,  // of a global index
  };
  std::string why;      // a sentence
  std::string nearest;  // the nearest thing that can be asked or designed
  Reason reason = Reason::kNoKey;
};

// One real request: what GetItem or Query is sent.
struct GetCall {
  TableId table = 0;
  Item key;
  bool consistent = false;
};
struct QueryCall {
  TableId table = 0;
  std::optional<std::string> index;
  std::vector<std::pair<std::string, AttributeValue>> partition;  // all by equality
  std::vector<std::pair<std::string, AttributeValue>> sort_equal;
  struct Tail {
    std::string attribute;
    std::optional<AttributeValue> low;  // BETWEEN low AND high, or one-sided; both inclusive
    std::optional<AttributeValue> high;
    std::optional<AttributeValue> prefix;  // begins_with; excludes low and high
  };
  std::optional<Tail> tail;
  bool forward = true;
  std::optional<std::int64_t> limit;  // rows that are enough; of all pages together
  bool consistent = false;
};
using Call = std::variant<GetCall, QueryCall>;

struct Answer {
  std::size_t question = 0;  // into Model::questions()
  std::variant<Path, NoPath> path;
  // The key condition with the parameters in braces: `pk = PLAYER#{playerId}, sk begins_with
  // MATCH#`. Empty without a path, and of a Scan.
  std::string where;
  // What holds only while something does, and what the program still does, in sentences.
  std::vector<std::string> remarks;

  [[nodiscard]] const Path* found() const { return std::get_if<Path>(&path); }
};

// ---- writes ----

// One item's write. Its condition: kMustBeNew is attribute_not_exists of the key, kMustExist
// attribute_exists.
struct WriteStep {
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete };
  enum class Condition : std::uint8_t { kNone, kMustBeNew, kMustExist };
  Kind kind = Kind::kPut;
  Condition condition = Condition::kNone;
  TableId table = 0;
  std::optional<Item> before;
  std::optional<Item> after;
};
// Steps of one atomic change, each of another item; more than one is a TransactWriteItems.
struct WriteSet {
  std::vector<WriteStep> steps;
};

class Replica;  // replica.h: what the tables hold, as far as the plan says

class Plan {
 public:
  // The model and the design outlive the plan.
  // Errors: faults of the design that only show against the model: two kinds of items that may
  // share a key, a key attribute that nothing fills, too many indexes, an answer that is none.
  static Parsed<Plan> Compile(const Model& model, const Design& design);

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const Design& design() const { return *design_; }
  [[nodiscard]] const std::vector<PlannedTable>& tables() const { return tables_; }
  [[nodiscard]] const std::vector<Placement>& placements() const { return placements_; }
  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }  // as questions()
  struct Access;
  [[nodiscard]] const Access& access(std::size_t question) const { return accesses_[question]; }

  // The items that stand for a row: its own first, then copies and guards. Counters are kept by
  // changes.
  [[nodiscard]] std::vector<PlacedItem> ItemsOf(EntityId entity, const Row& row) const;
  // The item that one kind makes of a row; nothing if its key lacks an attribute.
  [[nodiscard]] std::optional<Item> ItemOf(const Placement& placement, const Row& row) const;
  // The row that an item stands for, of a row's own item or a copy of it; attributes that the item
  // lacks are absent. Nothing if it is a guard or no item of the plan.
  [[nodiscard]] std::optional<std::pair<EntityId, Row>> RowOf(TableId table,
                                                              const Item& item) const;

  // The requests that answer a question for these parameters: one, but for shards and buckets;
  // none if no row can match (an empty range; a parameter that is absent or of another type). A
  // range over more than 10,000 buckets is cut there. The question has a path that is no Scan.
  [[nodiscard]] std::vector<Call> CallsOf(std::size_t question, const Bindings& bindings) const;
  // The GetItem that follows a guard's item, where the path says so.
  [[nodiscard]] std::optional<GetCall> FollowGuard(std::size_t question, const Item& guard) const;

  // What one statement writes: nothing before is an insert, nothing after a delete. What the items
  // hold now (counters, the parents') is asked of the replica.
  [[nodiscard]] WriteSet WritesOf(StatementKind kind, EntityId entity, const Row* before,
                                  const Row* after, const Replica& now) const;
  // Units that a write set consumes, by table and index, by the service's rules.
  [[nodiscard]] std::map<TableId, Capacity> UnitsOf(const WriteSet& writes) const;

  // How a question's rows are found. Of meaning where the answer has a path.
  struct Access {
    std::size_t placement = 0;         // into placements()
    std::optional<std::size_t> index;  // into the design's table
    bool get = false;                  // the whole base key
    bool forward = true;
    bool limit = false;             // LIMIT may be passed on
    std::size_t sort_equal = 0;     // sort parts that equalities fill
    std::size_t tail_fixed = 0;     // template parts of the next one that they fill, or literals
    bool tail_range = false;        // the field behind these carries the range
    bool tail = false;              // there is a condition on the next part
    std::size_t literal_bytes = 0;  // of a collection: how much of its sort text all members share
  };

 private:
  friend class PlanCompiler;
  Plan() = default;
  const Model* model_ = nullptr;
  const Design* design_ = nullptr;
  std::vector<PlannedTable> tables_;
  std::vector<Placement> placements_;
  std::vector<Answer> answers_;
  std::vector<Access> accesses_;  // one for each answer; of no meaning where there is no path
};

// Adds a later statement's steps of the same atomic change; steps of one item become one.
void Append(const Plan& plan, WriteSet more, WriteSet& to);

}  // namespace kw::modeller
