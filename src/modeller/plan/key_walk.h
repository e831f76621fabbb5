// SPDX-License-Identifier: Apache-2.0
// Matches what a question says (its terms) with how a kind of item fills one key, without values:
// which parts equalities fill, where a range may stand, what order the rest has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modeller/plan/asked.h"
#include "modeller/plan/keys.h"

namespace kw::modeller {

struct FilledKey {
  std::vector<FilledPart> partition;
  std::vector<FilledPart> sort;
};
// Nothing if the item has not every attribute of the key.
std::optional<FilledKey> FillKey(const Entity& entity, const Placement& placement,
                                 const DesignKey& key);
// False if no two items that fill a base key so have the same one.
bool MayShareKey(const FilledKey& a, const FilledKey& b);

class KeyWalk {
 public:
  KeyWalk(const Entity& entity, FilledKey key, std::vector<Term> terms)
      : entity_(&entity), key_(std::move(key)), terms_(std::move(terms)) {}

  struct Mismatch {
    int score = 0;  // how far it came
    std::string why;
    std::string nearest;
  };
  // To be called first; the rest is of meaning if it answers nothing.
  std::optional<Mismatch> Match();

  // Whether a Query forwards gives this order, or backwards; nothing if neither.
  [[nodiscard]] std::optional<bool> DirectionFor(const std::vector<Order>& order) const;
  // Whether the key condition may also return items that fill the key so. With a prefix: whether
  // the partition and this prefix of sort keys may.
  [[nodiscard]] bool MayReturn(const FilledKey& other,
                               std::optional<std::string_view> shared_prefix) const;

  [[nodiscard]] bool whole_key() const { return access_.sort_equal == key_.sort.size(); }
  [[nodiscard]] std::int64_t partitions() const { return partitions_; }
  [[nodiscard]] SortMatch sort_match() const;
  [[nodiscard]] const Plan::Access& access() const { return access_; }
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

  // The key condition in words; its partition alone.
  [[nodiscard]] std::string Where() const;
  [[nodiscard]] std::string PartitionWhere() const;
  // The literal text that the sort key begins with; empty if it is no text or there is none.
  [[nodiscard]] std::string_view sort_literal() const;
  [[nodiscard]] std::string_view sort_name() const { return key_.sort.front().name; }

 private:
  [[nodiscard]] const Term* Find(AttributeId attribute, Term::Kind kind) const;
  void Use(const Term* term) { used_[static_cast<std::size_t>(term - terms_.data())] = true; }
  bool IsUsed(const Term* term) const {
    return used_[static_cast<std::size_t>(term - terms_.data())];
  }
  std::optional<Mismatch> MatchConditions();
  std::optional<Mismatch> MatchPartition(const FilledPart& part);
  std::optional<std::int64_t> BucketsOf(const TemplateField& field);
  bool FillsByEquality(const TemplateField& field);
  void MatchSort();
  void MatchTail(const FilledPart& part);
  [[nodiscard]] std::vector<const TemplateField*> OrderFields() const;
  [[nodiscard]] bool Ordered(const TemplateField& field) const;
  void RemarkDelimiters();
  [[nodiscard]] std::string Shown(const FilledPart& part, std::size_t parts) const;

  const Entity* entity_;
  FilledKey key_;
  std::vector<Term> terms_;
  std::vector<bool> used_;
  Plan::Access access_;
  std::int64_t partitions_ = 1;
  std::vector<std::string> remarks_;
};

}  // namespace kw::modeller
