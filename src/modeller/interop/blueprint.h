// SPDX-License-Identifier: Apache-2.0
// What the formats speak of, each in its own words: tables as they are created, and entities with
// the texts of their keys. Every reader fills a Blueprint and every writer prints one, so that any
// format becomes any other; only bridge.h knows models and designs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/attribute_value.h"
#include "data/table_schema.h"
#include "modeller/interop/notes.h"
#include "modeller/model/model.h"

namespace kw::modeller {

// ---- tables ----

struct Scaling {
  std::int64_t min = 1;  // capacity units
  std::int64_t max = 1;
  std::int64_t target_percent = 70;
  friend bool operator==(const Scaling&, const Scaling&) = default;
};
struct Capacity {
  std::int64_t units = 1;
  std::optional<Scaling> scaling{};
  friend bool operator==(const Capacity&, const Capacity&) = default;
};
struct Throughput {
  Capacity read{};
  Capacity write{};
  friend bool operator==(const Throughput&, const Throughput&) = default;
};

struct PhysicalIndex {
  std::string name{};
  IndexScope scope = IndexScope::kGlobal;
  KeySchema key{};
  Projected projected{};
  std::optional<Throughput> throughput{};  // none: on demand, or the table's
  friend bool operator==(const PhysicalIndex&, const PhysicalIndex&) = default;
};

enum class TableOption : std::uint8_t { kDeletionProtection, kInfrequentAccess, kPointInTime };

struct PhysicalTable {
  std::string name{};
  KeySchema key{};
  std::vector<PhysicalIndex> indexes{};
  std::optional<Throughput> throughput{};  // none: on demand
  std::optional<std::string> ttl{};        // the attribute
  std::optional<std::string> stream{};     // the view type
  std::set<TableOption> options{};
  std::map<std::string, AttributeType> attributes{};  // types of those outside keys, where known
  std::vector<Item> items{};                          // sample rows
  friend bool operator==(const PhysicalTable&, const PhysicalTable&) = default;
};

// The key attributes of a table and its indexes, once each, in the order met.
std::vector<KeyAttribute> KeyAttributesOf(const PhysicalTable& table);

// ---- entities ----

struct KeyField {
  std::string attribute{};
  std::string format{};  // as in a design's template: "05", "month:desc"; empty: plain
  friend bool operator==(const KeyField&, const KeyField&) = default;
};
// No two texts side by side.
using KeyPattern = std::vector<std::variant<std::string, KeyField>>;

// `PLAYER#{playerId}` and back; braces of the text itself are doubled. Nothing if it is no such
// text.
std::optional<KeyPattern> ParsePattern(std::string_view text);
std::string PatternText(const KeyPattern& pattern);
// Adds text to a pattern, joined to a text at its end.
void AppendText(KeyPattern& pattern, std::string_view text);
// "6" of a field's format "06".
std::optional<std::string_view> PaddedWidth(const KeyField& field);
// `PLAYER#${playerId:6:0}` as JavaScript's libraries write it, where only padding with zeros has a
// word; and back.
std::optional<KeyPattern> ParseDollarPattern(std::string_view text);
std::string DollarPatternText(const KeyPattern& pattern);
// What people write beside a key, such as ITEMS#ItemID, or find in it, such as ITEMS#1842: parts
// in capitals between the # are text; `name` names the attribute of each other part, by the part
// and by the text in front of it.
KeyPattern PatternBetweenMarks(
    std::string_view text,
    const std::function<std::string(std::string_view part, std::string_view before)>& name);
// The attributes in a pattern, as they come.
std::vector<std::string> FieldsOf(const KeyPattern& pattern);

struct EntityAttribute {
  std::string name{};
  FieldType type = FieldType::kString;
  bool required = true;
  std::vector<std::string> values{};  // all there are, where they are listed
  friend bool operator==(const EntityAttribute&, const EntityAttribute&) = default;
};

struct EntityReference {
  std::vector<std::string> by{};
  std::string to{};
  friend bool operator==(const EntityReference&, const EntityReference&) = default;
};

struct EntityDraft {
  std::string name{};
  std::size_t table = 0;  // of the blueprint's; past the end: none
  std::vector<EntityAttribute> attributes{};
  std::vector<std::string> identity{};  // empty: what the base key's texts hold
  std::vector<std::string> unique{};
  std::vector<EntityReference> references{};
  std::map<std::string, KeyPattern> keys{};  // by key attribute; the others are the entity's own
  std::vector<Item> items{};                 // sample rows
  friend bool operator==(const EntityDraft&, const EntityDraft&) = default;

  [[nodiscard]] const EntityAttribute* Find(std::string_view attribute) const;
  // Whether the entity has each attribute of the key, as text or as its own.
  [[nodiscard]] bool Fills(const KeySchema& key) const;
};

struct QuestionDraft {
  std::string name{};
  std::string sql{};
  friend bool operator==(const QuestionDraft&, const QuestionDraft&) = default;
};

struct Blueprint {
  std::string name{};
  std::vector<PhysicalTable> tables{};
  std::vector<EntityDraft> entities{};
  std::vector<QuestionDraft> questions{};
  friend bool operator==(const Blueprint&, const Blueprint&) = default;
};

// ---- what a format holds ----

enum class Content : std::uint8_t {
  kName,
  kSeveralTables,
  kTableNames,
  kLocalIndexes,
  kSeveralKeyAttributes,  // more than one in a part of an index's key
  kProjections,
  kThroughput,
  kIndexThroughput,
  kScaling,
  kTimeToLive,
  kStreams,
  kOptions,  // deletion protection and the table class
  kPointInTime,
  kEntities,
  kBareTables,  // tables and indexes that no entity is in
  kFieldTypes,  // of entities: integer, decimal, date …; else only what the service knows
  kTimes,       // timestamps apart from strings, without the other types
  kBinaries,
  kRequired,
  kValues,
  kUnique,
  kIdentity,  // else it follows from the key texts
  kReferences,
  kIndexTexts,  // the key texts of indexes; else their attributes are the entity's own
  kKeyFormats,  // of fields in key texts
  kPadding,     // numbers of a fixed width in key texts, without the other formats
  kItems,
  kQuestions
};
using Contents = std::set<Content>;

// The blueprint without what a format does not hold; each loss is noted.
Blueprint Reduce(Blueprint blueprint, const Contents& holds, Notes& notes);

// The type that the service stores for a field, and the field that a stored type suggests.
AttributeType StoredType(FieldType type);
FieldType SuggestedType(AttributeType type);
std::optional<AttributeType> ParseWireType(std::string_view name);  // "S", "BOOL"
std::optional<KeyType> ParseKeyType(std::string_view name);         // "S", "N", "B"

}  // namespace kw::modeller
