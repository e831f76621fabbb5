// SPDX-License-Identifier: Apache-2.0
// A model: entities, questions and changes, as a `*.kw.yaml` file says them and nothing more.
// A Model that exists is consistent: every name in it resolves, every question is one that can be
// asked. Names are resolved to indexes into the model's own vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.h"
#include "base/quantity.h"
#include "modeller/model/source.h"
#include "modeller/model/value.h"

namespace kw::modeller {

enum class FieldType : std::uint8_t {
  kString,
  kInteger,
  kDecimal,
  kBoolean,
  kTimestamp,
  kDate,
  kBinary,
  kList,
  kMap
};

using PartsPerMillion = Quantity<struct PartsPerMillionUnit>;

// An exact average: `count` things in each `per` (seconds for a rate, parents for a family).
struct Ratio {
  std::int64_t count = 0;
  std::int64_t per = 1;
};

using EntityId = std::size_t;     // into Model::entities()
using AttributeId = std::size_t;  // into Entity::attributes

struct Attribute {
  std::string name;
  FieldType type = FieldType::kString;
  TimePrecision precision = TimePrecision::kSecond;  // of a timestamp
  int scale = 0;                                     // digits behind the point, of a decimal
  std::optional<Number> min;
  std::optional<Number> max;
  std::optional<std::int64_t> length;    // of a string or binary, on average
  std::optional<std::int64_t> distinct;  // how many values there are, listed or not
  std::vector<Value> values;             // all of them, where they are listed
  std::vector<PartsPerMillion> shares;   // one for each of `values`, or none: even
  PartsPerMillion present{1'000'000};    // share of rows that have it
  std::optional<Value> example;
  bool is_mutable = false;  // some change sets it
  Position at;
};

struct Reference {
  std::vector<AttributeId> by;  // in the order of the target's identity
  EntityId to = 0;
};

struct Family {  // how many rows for each row of a parent
  EntityId parent = 0;
  Ratio average;
  std::optional<std::int64_t> max;
};

struct Entity {
  std::string name;
  // Identity first, in its order; then what only the references name; then the rest as written.
  std::vector<Attribute> attributes;
  std::vector<AttributeId> identity;
  std::vector<AttributeId> unique;
  std::vector<Reference> references;
  std::optional<Family> family;
  std::int64_t rows = 0;          // as said, or parent's rows times the average; 0: not known
  std::optional<ByteCount> size;  // the stored item with its key attributes, as said
  std::optional<AttributeId> expires;
  Position at;

  [[nodiscard]] std::optional<AttributeId> Find(std::string_view attribute) const;
};

// ---- questions ----

struct Parameter {
  std::string name;  // without the colon
};
// A literal beside a bucket is the bucket's text (FormatBucket).
using Operand = std::variant<Parameter, Value>;

struct Equality {
  AttributeId attribute = 0;
  Bucket bucket = Bucket::kNone;
  Operand value;
};
struct Bound {
  Operand value;
  bool inclusive = true;
};
struct Between {
  std::optional<Bound> lower;
  std::optional<Bound> upper;
};
struct Prefix {
  Operand text;  // LIKE 'text%': case-sensitive
};
struct Range {
  AttributeId attribute = 0;
  Bucket bucket = Bucket::kNone;
  std::variant<Between, Prefix> bounds;
};
struct Order {
  AttributeId attribute = 0;
  bool descending = false;
};

enum class AggregateKind : std::uint8_t { kCount, kSum, kMin, kMax };
struct Aggregate {
  AggregateKind kind = AggregateKind::kCount;
  std::optional<AttributeId> attribute;  // none: COUNT(*)
};
struct AllColumns {};
using Columns = std::variant<AllColumns, std::vector<AttributeId>, Aggregate>;

// One SELECT over one entity.
struct Select {
  EntityId entity = 0;
  Columns columns;
  std::vector<Equality> equalities;
  std::optional<Range> range;
  std::vector<Order> order;
  std::optional<std::int64_t> limit;
};
// Several entities that share attributes, each row once.
struct Collection {
  struct Member {
    EntityId entity = 0;
    std::vector<AttributeId> by;  // the shared attributes, in the collection's order
  };
  std::vector<Member> members;
  std::vector<std::string> by;  // names of the shared attributes, also of the parameters
};

enum class Consistency : std::uint8_t { kEventual, kStrong };
enum class AnswerBy : std::uint8_t { kKey, kScan };

struct Question {
  std::string name;
  std::string sql;  // as written; what the oracle runs; empty for a collection without one
  std::variant<Select, Collection> asks;
  std::optional<Ratio> rate;  // calls in seconds; none: not known
  std::optional<Ratio> peak;
  Consistency consistency = Consistency::kEventual;
  AnswerBy answer = AnswerBy::kKey;  // kScan: a Scan is good enough
  Position at;
};

// ---- changes ----

enum class StatementKind : std::uint8_t { kInsert, kUpdate, kUpsert, kDelete };
struct Assignment {
  AttributeId attribute = 0;
  Operand value;
};
struct Statement {
  StatementKind kind = StatementKind::kInsert;
  EntityId entity = 0;
  std::int64_t times = 1;         // of an insert
  std::vector<Assignment> sets;   // of an update; of an upsert: empty means the whole row
  std::vector<Operand> identity;  // of an update or delete: the row, in the identity's order
  std::string sql;                // as written
};
struct Change {
  std::string name;
  std::vector<Statement> statements;  // atomic together
  std::optional<Ratio> rate;
  std::optional<Ratio> peak;
  Position at;
};

class Model {
 public:
  // Reads a model file. Errors: every fault of the text with line and column and what to write.
  static Parsed<Model> Parse(std::string_view yaml);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<Entity>& entities() const { return entities_; }
  [[nodiscard]] const std::vector<Question>& questions() const { return questions_; }
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  // What the file leaves out and the modeller takes for granted, in sentences.
  [[nodiscard]] const std::vector<std::string>& assumptions() const { return assumptions_; }
  [[nodiscard]] const Entity& entity(EntityId id) const { return entities_[id]; }
  [[nodiscard]] std::optional<EntityId> FindEntity(std::string_view name) const;

 private:
  friend class ModelReader;
  Model() = default;
  std::string name_;
  std::vector<Entity> entities_;
  std::vector<Question> questions_;
  std::vector<Change> changes_;
  std::vector<std::string> assumptions_;
};

// Reads a value of the attribute's type as files and SQL write it: text as it is, numbers, true,
// 2026-06-23T14:00:00Z, 2026-06-23, base64. Not for lists and maps.
// Errors: what such a value looks like.
Expected<Value, std::string> ParseValue(const Attribute& attribute, std::string_view text);
// The way back; numbers of a decimal have its scale. Not for absent values, lists and maps.
std::string ValueText(const Attribute& attribute, const Value& value);

// Why a value of the right type is none that the attribute has: not listed, or out of bounds.
std::optional<std::string> WhyNotOf(const Attribute& attribute, const Value& value);

// "string", "integer" and so on, as a file says them.
std::string_view TypeName(FieldType type);
// "a string", "an integer".
std::string TypePhrase(FieldType type);
// Whether a key may hold it.
bool IsKeyable(FieldType type);

// Average stored size of an attribute's value where it is present. Units: millionths of a byte.
std::int64_t AverageValueSize(const Attribute& attribute);

// Average stored size of a row of an entity without any key attribute of a table: as said by
// `size`, or from its attributes' types, lengths and shares. Units: bytes.
ByteCount RowSize(const Model& model, EntityId entity);

}  // namespace kw::modeller
