// SPDX-License-Identifier: Apache-2.0
// A design: tables, indexes and how each entity's rows become items, as a `*.design.yaml` file says
// them, whoever made it: the search, an import or a person.
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

// A suffix on a partition that spreads it: `#0` to `#n-1`.
struct Shards {
  std::int64_t count = 1;
  std::optional<std::string> by;  // an attribute whose hash chooses; none: chance
};

struct DesignKey {
  std::vector<KeyPart> partition;  // one; of a global index up to four
  std::vector<KeyPart> sort;       // none or one; of a global index up to four
  std::optional<Shards> shards;
};

struct DesignIndex {
  std::string name;
  IndexScope scope = IndexScope::kGlobal;
  DesignKey key;
  Projected projected;
  Position at;
};

// One key attribute of one entity's item.
struct KeyText {
  Template text;
  // The entry stands in the index only for rows where this attribute has this value.
  struct When {
    AttributeId attribute = 0;
    Value equals;
  };
  std::optional<When> when;
};

// An item beside the row's own: the guard of a unique attribute, or a copy under another key.
struct GuardItem {
  AttributeId unique = 0;
  std::map<std::string, Template> key;
};
struct CopyItem {
  std::map<std::string, KeyText> key;
  std::vector<AttributeId> attributes;  // empty: all
};
// A number kept on the parent's item: how many children it has.
struct Counter {
  std::string name;  // the attribute that holds it
  EntityId child = 0;
  Aggregate aggregate;
};

struct EntityLayout {
  EntityId entity = 0;
  std::map<std::string, KeyText> keys;  // by key attribute; native parts stand here not
  std::vector<GuardItem> guards;
  std::vector<CopyItem> copies;
  std::vector<Counter> counters;
  Position at;
};

struct DesignTable {
  std::string name;
  DesignKey key;
  std::vector<DesignIndex> indexes;
  std::vector<EntityLayout> entities;
  Position at;
};

// How a question is answered, where the design says so; what is left out is derived.
struct WrittenAnswer {
  std::string question;
  std::string table;
  std::optional<std::string> index;
  std::string where;  // as written
  Position at;
};

struct Design {
  std::string name;
  std::vector<DesignTable> tables;
  std::vector<WrittenAnswer> answers;

  // Errors: every fault of the text, also keys that no template fills and names the model lacks.
  static Parsed<Design> Parse(std::string_view yaml, const Model& model);
  // The file's text; Parse of it is the same design.
  [[nodiscard]] std::string ToYaml(const Model& model) const;
};

}  // namespace kw::modeller
