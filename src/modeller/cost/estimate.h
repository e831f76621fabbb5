// SPDX-License-Identifier: Apache-2.0
// What rows of a model weigh and consume on average under given keys: bytes of items and index
// entries, rows that a question finds, units that a statement writes. Whole numbers throughout;
// what the model does not say is taken by a stated rule and said in assumptions().
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/int128.h"
#include "modeller/cost/calculators.h"
#include "modeller/plan/key_walk.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {

using MicroRows = Quantity<struct MicroRowsUnit>;  // millionths of a row

// How one kind of item stands in one index of its table.
struct EntryShape {
  std::size_t index = 0;  // into the design table's indexes
  FilledKey key = {};
  bool all = true;                      // projects all; else only `shown`, besides the keys
  std::vector<AttributeId> shown = {};  // of the item's attributes
};

// One kind of item that rows of an entity make, with every index that it stands in.
struct ItemShape {
  Placement::Role role = Placement::Role::kRow;
  EntityId entity = 0;
  FilledKey base = {};
  std::vector<AttributeId> attributes = {};
  std::vector<EntryShape> entries = {};
  std::vector<std::string> counters = {};  // numbers kept on the item
};

// What one statement does to one kind of item, once; units without a transaction's factor.
struct WriteEstimate {
  std::int64_t steps = 0;
  MicroUnits table = {};
  std::vector<MicroUnits> entries = {};  // as ItemShape::entries
};

struct ReadEstimate {
  MicroUnits units = {};
  MicroRows rows = {};  // that are read
};

class Estimator {
 public:
  // The model outlives it.
  explicit Estimator(const Model& model) : model_(model) {}

  [[nodiscard]] std::int64_t RowsOf(EntityId entity);
  [[nodiscard]] ByteCount ItemBytes(const ItemShape& item) const;
  [[nodiscard]] ByteCount EntryBytes(const ItemShape& item, const EntryShape& entry) const;
  // The share of rows that fill such a key: sparse keys hold fewer than all. Of all rows in steady
  // state, or of those just inserted.
  enum class Of : std::uint8_t { kAll, kInserted };
  [[nodiscard]] PartsPerMillion Presence(EntityId entity, const FilledKey& key, Of of) const;
  // The share of a structure's items that stand in its hottest partition, in millionths.
  [[nodiscard]] PartsPerMillion HottestShare(EntityId entity, const FilledKey& key);

  // Rows that one ask matches on average, before LIMIT.
  [[nodiscard]] MicroRows RowsFor(const Select& select);
  [[nodiscard]] MicroRows RowsFor(const Collection::Member& member);

  // Items side by side in `partitions` Queries, at most `limit` of them in each.
  [[nodiscard]] static ReadEstimate Query(MicroRows rows, ByteCount size, std::int64_t partitions,
                                          std::optional<std::int64_t> limit, Consistency mode);
  [[nodiscard]] static ReadEstimate Get(ByteCount size, Consistency mode);

  [[nodiscard]] WriteEstimate Write(const Statement& statement, const ItemShape& item) const;
  // A counter that goes up or down on the parent's item.
  [[nodiscard]] WriteEstimate Count(const ItemShape& parent) const;
  // Whether a statement changes a number kept on the parent: children come, go, or have another
  // summed value.
  [[nodiscard]] static bool Counts(const Statement& statement, const Counter& counter);

  [[nodiscard]] const std::set<std::string>& assumptions() const { return assumptions_; }
  void Assume(std::string sentence) { assumptions_.insert(std::move(sentence)); }

 private:
  MicroRows Matching(EntityId entity, const std::vector<Equality>& equalities);
  std::optional<Ratio> InsertRate(EntityId entity) const;
  std::int64_t DistinctOf(EntityId entity, AttributeId attribute);

  const Model& model_;
  std::set<std::string> assumptions_;
};

}  // namespace kw::modeller
