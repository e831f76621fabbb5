// SPDX-License-Identifier: Apache-2.0
// The cheapest keys of one entity, when it is settled how it stands in collections and which
// numbers are kept on it. Exact: every whole selection that is not provably dearer is priced.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "modeller/design/solve.h"

namespace kw::modeller {

// What is settled beforehand.
struct EntityTask {
  EntityId entity = 0;
  KeyStyle style = KeyStyle::kText;
  std::vector<AttributeId> together = {};  // the base key's partition, of a collection
  // Collections that it must stand in by an index: question and shared attributes.
  std::vector<std::pair<std::size_t, std::vector<AttributeId>>> on_index = {};
  std::vector<Counter> counters = {};           // kept on its items
  std::vector<std::size_t> counter_reads = {};  // questions that read such a number
  std::set<std::size_t> by_counter = {};        // its own questions that a parent's item answers
  std::vector<std::int64_t> factors = {};       // of each change: 2 in a transaction
  std::int64_t scanned = 0;                     // bytes of a Scan beyond the entity's own
};

// What a selection is judged by, in this order.
struct Score {
  std::size_t unanswered = 0;
  NanoDollars cost = {};
  std::size_t indexes = 0;
  friend auto operator<=>(const Score&, const Score&) = default;
};

class EntitySolver {
 public:
  EntitySolver(const Model& model, Estimator& estimator, const Weights& weights, EntityTask task)
      : model_(model),
        entity_(model.entity(task.entity)),
        estimator_(estimator),
        weights_(weights),
        task_(std::move(task)) {}

  EntityChoice Run();
  [[nodiscard]] Score score() const { return best_.score; }
  [[nodiscard]] std::size_t weighed() const { return weighed_; }
  [[nodiscard]] bool optimal() const { return weighed_ < kWeighedMax; }

  // The kinds of items that a choice makes: the row's, then the guards'.
  static std::vector<ItemShape> ShapesOf(const Model& model, EntityId entity,
                                         const EntityChoice& choice);

 private:
  static constexpr std::size_t kWeighedMax = 200'000;

  struct Candidate {
    KeyOption option = {};
    std::vector<std::optional<Served>> serves = {};  // as questions_
    std::optional<std::size_t> collection = {};
    bool beaten = false;  // another answers the same questions and costs less
  };
  struct Assigned {
    Way way = {};  // kIndex: option into candidates_
    Served served = {};
  };
  struct Solution {
    Score score = {};
    KeyOption base = {};
    std::vector<Assigned> ways = {};  // as questions_
  };

  void GatherQuestions();
  void GatherCandidates();
  void AddCandidate(KeyOption option, std::optional<std::size_t> collection);
  void CompareEquals();
  void Shard(KeyOption& option, bool base) const;
  void SolveFor(const KeyOption& base);
  enum class Among : std::uint8_t { kUnbeaten, kAll };
  std::vector<Assigned> WaysOf(std::size_t question, const KeyOption& base, Among among) const;
  void Descend(std::size_t depth);
  [[nodiscard]] bool IsSelect(std::size_t place) const;
  [[nodiscard]] bool Stands(std::size_t place, const Assigned& way,
                            const std::vector<Assigned>& ways) const;
  EntityChoice ChoiceOf(const KeyOption& base, const std::vector<Assigned>& ways) const;
  NanoDollars PriceOf(const KeyOption& base, const std::vector<Assigned>& ways) const;
  NanoDollars Writes(const std::vector<ItemShape>& shapes) const;
  NanoDollars Storage(const std::vector<ItemShape>& shapes) const;
  NanoDollars Read(std::size_t place, const Assigned& assigned, const EntityChoice& choice,
                   const std::vector<ItemShape>& shapes) const;
  void Reject(EntityChoice& choice) const;
  std::string KeyText(const FilledKey& key) const;
  std::string Describe(const Assigned& assigned) const;

  const Model& model_;
  const Entity& entity_;
  Estimator& estimator_;
  const Weights& weights_;
  EntityTask task_;
  std::vector<std::size_t> questions_;  // of the model: selects of the entity, and collections
  std::vector<MicroRows> rows_;         // that each of them finds
  std::vector<Candidate> candidates_;

  KeyOption base_;  // that is being weighed
  std::vector<std::vector<Assigned>> ways_;
  std::vector<std::size_t> order_;
  std::vector<Assigned> current_;
  std::vector<std::pair<KeyOption, Score>> bases_;
  Score best_of_base_;
  Solution best_;
  bool found_ = false;
  std::size_t weighed_ = 0;
};

// A rate that is not known is taken as one a second, so that the design has a reason.
Ratio RateOr(const std::optional<Ratio>& rate);

}  // namespace kw::modeller
