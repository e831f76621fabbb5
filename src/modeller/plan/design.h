// SPDX-License-Identifier: Apache-2.0
// A design: tables, indexes and how each entity's rows become items, as a `*.design.yaml` file says
// them, whoever made it: the search, an import or a person. README.md shows the whole syntax.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/table_schema.h"
#include "modeller/model/model.h"
#include "modeller/plan/template.h"

namespace kw::modeller {

struct KeyPart {
  std::string name;  // the attribute of the table
  KeyType type = KeyType::kString;
  bool native = false;  // an attribute of the entities, under its own name and type
  friend bool operator==(const KeyPart&, const KeyPart&) = default;
};

struct DesignKey {
  std::vector<KeyPart> partition;  // one; of a global index up to four
  std::vector<KeyPart> sort;       // none or one; of a global index up to four
  friend bool operator==(const DesignKey&, const DesignKey&) = default;
};

struct DesignIndex {
  std::string name;
  IndexScope scope = IndexScope::kGlobal;
  DesignKey key;
  Projected projected;
  Position at;
  friend bool operator==(const DesignIndex&, const DesignIndex&) = default;
};

// A suffix that spreads a partition: `#0` to `#n-1`.
struct Shards {
  std::int64_t count = 1;
  std::optional<AttributeId> by;  // whose hash chooses; none: the identity's, as if by chance
  friend bool operator==(const Shards&, const Shards&) = default;
};

// The entry stands in the index only for rows where the attribute has this value.
struct When {
  AttributeId attribute = 0;
  Value equals;
  friend bool operator==(const When&, const When&) = default;
};

// One key attribute of one entity's item. A key attribute of type number or binary is one field.
struct KeyText {
  Template text;
  std::optional<When> when;
  std::optional<Shards> shards;  // of a partition
  friend bool operator==(const KeyText&, const KeyText&) = default;
};

// An item beside the row's own: the guard of a unique attribute, or a copy under another key.
struct GuardItem {
  AttributeId unique = 0;
  std::map<std::string, Template> key;
  friend bool operator==(const GuardItem&, const GuardItem&) = default;
};
struct CopyItem {
  std::map<std::string, KeyText> keys;
  std::vector<AttributeId> attributes;  // empty: all
  friend bool operator==(const CopyItem&, const CopyItem&) = default;
};
// A number kept on the parent's item: how many children it has, or their sum.
struct Counter {
  std::string name;  // the attribute that holds it
  EntityId child = 0;
  std::size_t reference = 0;       // of the child's, the one that leads to the parent
  std::optional<AttributeId> sum;  // of the child; none: a count
  friend bool operator==(const Counter&, const Counter&) = default;
};

struct EntityLayout {
  EntityId entity = 0;
  std::map<std::string, KeyText> keys;  // by key attribute; native parts do not stand here
  std::vector<GuardItem> guards;
  std::vector<CopyItem> copies;
  std::vector<Counter> counters;
  Position at;
  friend bool operator==(const EntityLayout&, const EntityLayout&) = default;
};

struct DesignTable {
  std::string name;
  DesignKey key;
  std::vector<DesignIndex> indexes;
  std::vector<EntityLayout> entities;
  Position at;
  friend bool operator==(const DesignTable&, const DesignTable&) = default;
};

// How a question is answered, where the design says so; what is left out is derived.
struct WrittenAnswer {
  enum class Kind : std::uint8_t { kGet, kQuery, kScan };
  std::string question;
  Kind kind = Kind::kQuery;
  std::string table;
  std::optional<std::string> index;
  std::optional<std::string> where;  // as written
  std::optional<bool> descending;
  std::optional<std::int64_t> limit;
  Position at;
  friend bool operator==(const WrittenAnswer&, const WrittenAnswer&) = default;
};

struct Design {
  std::string name;
  std::vector<DesignTable> tables;
  std::vector<WrittenAnswer> answers;

  friend bool operator==(const Design&, const Design&) = default;

  // Errors: every fault of the text and every name that the model lacks. Whether keys are filled
  // and kept apart is Plan::Compile's to say.
  static Parsed<Design> Parse(std::string_view yaml, const Model& model);
  // The file's text; Parse of it is the same design.
  [[nodiscard]] std::string ToYaml(const Model& model) const;

  [[nodiscard]] const DesignTable* FindTable(std::string_view table) const;
};

// The key type that an attribute has as it is; nothing for booleans, lists and maps.
std::optional<KeyType> KeyTypeOf(const Attribute& attribute);

}  // namespace kw::modeller
