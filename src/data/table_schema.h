// SPDX-License-Identifier: Apache-2.0
// What a table is: its key, its indexes, their projections. Keys and projections are types, not
// flags: a schema that exists is legal.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/attribute_value.h"
#include "data/error.h"

namespace kw {

enum class KeyType : std::uint8_t { kString, kNumber, kBinary };
AttributeType AttributeTypeOf(KeyType type);
std::string_view WireName(KeyType type);  // "S", "N", "B"

struct KeyAttribute {
  std::string name;
  KeyType type;
  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// A base table has one partition attribute and at most one sort attribute; a global index up to
// four of each.
struct KeySchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
  friend bool operator==(const KeySchema&, const KeySchema&) = default;
  [[nodiscard]] bool Has(std::string_view attribute) const;
};

struct ProjectAll {
  friend bool operator==(const ProjectAll&, const ProjectAll&) = default;
};
struct ProjectKeys {
  friend bool operator==(const ProjectKeys&, const ProjectKeys&) = default;
};
struct ProjectInclude {
  std::vector<std::string> attributes;  // non-key, in the order given
  friend bool operator==(const ProjectInclude&, const ProjectInclude&) = default;
};
using Projected = std::variant<ProjectAll, ProjectKeys, ProjectInclude>;

enum class IndexScope : std::uint8_t { kLocal, kGlobal };

struct IndexSchema {
  std::string name;
  IndexScope scope;
  KeySchema key;
  Projected projected;
};

class TableSchema {
 public:
  // Errors: none; the caller (api) has checked the service's rules, and a broken one is a Check.
  static TableSchema Make(KeySchema key, std::vector<IndexSchema> indexes);

  [[nodiscard]] const KeySchema& key() const { return key_; }
  [[nodiscard]] const std::vector<IndexSchema>& indexes() const { return indexes_; }
  [[nodiscard]] const IndexSchema* FindIndex(std::string_view name) const;
  // True if the attribute is part of the table's key or of any index's.
  [[nodiscard]] const KeyAttribute* FindKeyAttribute(std::string_view name) const;

  // What an index holds of an item: nothing if a key attribute is absent (the index is sparse), or
  // is none that CheckIndexKeys would pass (the item is older than the index).
  [[nodiscard]] std::optional<Item> EntryOf(const IndexSchema& index, const Item& item) const;

 private:
  KeySchema key_;
  std::vector<IndexSchema> indexes_;
  std::vector<KeyAttribute> key_attributes_;  // of all keys, once each, sorted by name
};

}  // namespace kw
