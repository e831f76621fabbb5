// SPDX-License-Identifier: Apache-2.0
// The keys that are worth weighing: for each entity the base keys that its identity allows, for
// each question the index keys that answer it by one Query. Whether a key serves a question is
// asked of the plan's own walk along keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modeller/cost/estimate.h"
#include "modeller/model/model.h"
#include "modeller/plan/key_walk.h"

namespace kw::modeller {

enum class KeyStyle : std::uint8_t {
  kText,    // overloaded key attributes with an entity's prefix
  kNative,  // attributes themselves, several where an index allows it
};

struct KeyOption {
  FilledKey key = {};
  // What the partition holds, in its order: members of one collection agree in it.
  std::vector<AttributeId> partition = {};
  std::string partition_text = {};  // of text keys: what all members of a collection share
};

// How a key answers a question.
struct Served {
  bool get = false;
  std::int64_t partitions = 1;
  std::optional<std::int64_t> limit = {};
};

class KeyOptions {
 public:
  KeyOptions(const Model& model, EntityId entity, KeyStyle style)
      : model_(model), entity_(model.entity(entity)), id_(entity), style_(style) {}

  // Base keys of the identity's attributes. Those that must share `together` begin with it, under
  // the text that all members of the collection have.
  [[nodiscard]] std::vector<KeyOption> BaseKeys(const std::vector<AttributeId>& together) const;
  // Index keys that answer this question.
  [[nodiscard]] std::vector<KeyOption> IndexKeys(const Select& select) const;
  // Index keys under which a collection's members stand together.
  [[nodiscard]] KeyOption CollectionKey(const std::vector<AttributeId>& by) const;
  // The key of the guard of a unique attribute.
  [[nodiscard]] FilledKey GuardKey(AttributeId unique) const;

 private:
  struct Field {
    AttributeId attribute = 0;
    Bucket bucket = Bucket::kNone;
    bool ordered = false;
    bool inverted = false;
  };
  [[nodiscard]] std::string FieldText(const Field& field) const;
  [[nodiscard]] FilledPart Text(std::string name, const std::string& text) const;
  [[nodiscard]] std::optional<FilledPart> Native(const Field& field) const;
  [[nodiscard]] std::string Joined(std::string text, const std::vector<Field>& fields) const;
  [[nodiscard]] std::optional<KeyOption> IndexKey(const std::vector<Field>& partition,
                                                  const std::vector<Field>& sort,
                                                  const std::optional<When>& when) const;
  [[nodiscard]] std::string PrefixOf(const std::vector<AttributeId>& attributes) const;

  const Model& model_;
  const Entity& entity_;
  EntityId id_;
  KeyStyle style_;
};

// Nothing if the key does not answer the question; the walk is the plan's.
std::optional<Served> Serves(const Entity& entity, const FilledKey& key, const Select& select,
                             Consistency consistency, bool base);

std::vector<AttributeId> ShownBy(const Entity& entity, const Select& select);

// `USER` for whatever names a user: the entity that the attributes refer to, else their own name.
std::string PartitionPrefix(const Model& model, EntityId id,
                            const std::vector<AttributeId>& attributes);
std::string UpperSnake(std::string_view name);  // "PURCHASE_LINE" of "PurchaseLine"

}  // namespace kw::modeller
