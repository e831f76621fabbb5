// SPDX-License-Identifier: Apache-2.0
// Builds a Model from a document: entities first, then what questions and changes say of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modeller/model/model.h"
#include "modeller/model/sql.h"
#include "modeller/model/yaml_reader.h"

namespace kw::modeller {

// A rate or a number of things for each of others: "500/s", 0.2. Nothing if it is no such text.
std::optional<Ratio> ParseRate(std::string_view text);
std::optional<Ratio> ParseAverage(std::string_view text);  // six digits behind the point at most

// The digits behind the point that any number of a decimal's declaration shows.
int ShownPlaces(const YamlNode& attribute);

// Whether two names are one to SQL, which does not look at case.
bool SameInSql(std::string_view a, std::string_view b);

class ModelReader {
 public:
  explicit ModelReader(const YamlDocument& document) : document_(document), reader_(document) {}
  Parsed<Model> Read();

 private:
  // An attribute as an entity declares it, before its type is known.
  struct DraftAttribute {
    const YamlMember* member = nullptr;
    Attribute attribute;
    bool typed = false;
  };
  struct DraftReference {
    std::vector<const YamlNode*> by;
    EntityId to = 0;
  };
  struct Draft {  // of an entity
    const YamlNode* node = nullptr;
    std::vector<DraftAttribute> attributes;
    std::vector<const YamlNode*> identity;
    std::vector<DraftReference> references;
    bool broken = false;  // it has faults: what is said of it cannot be judged

    [[nodiscard]] const DraftAttribute* Find(std::string_view name) const;
  };

  // entity_reader.cc
  void ReadEntities(const YamlNode& node);
  void ReadNames(const YamlNode& node);
  void ReadShape(EntityId id);
  void ReadReferences(EntityId id, const YamlNode& node);
  void ReadReference(EntityId id, const YamlNode& to, std::vector<const YamlNode*> by);
  void ReadTypes(EntityId id);
  void Assemble(EntityId id);
  void AddAttribute(EntityId id, const YamlNode& name);
  [[nodiscard]] const DraftAttribute* Origin(EntityId id, std::string_view name) const;
  void ResolveReferences(EntityId id);
  void ReadExtent(EntityId id);
  void ReadFamily(EntityId id, const YamlNode& node);
  void CountRows();
  std::vector<AttributeId> Attributes(EntityId id, const YamlNode& node, std::string_view what);

  // attribute_reader.cc
  void ReadAttribute(const YamlNode& node, Attribute& attribute);
  void ReadBounds(const YamlNode& node, Attribute& attribute);
  void ReadValues(const YamlNode& node, Attribute& attribute);
  void ReadShares(const YamlNode& node, Attribute& attribute);
  void ReadScale(const YamlNode& node, Attribute& attribute);
  std::optional<Value> ReadValue(const YamlNode& node, const Attribute& attribute,
                                 std::string_view what);

  // question_reader.cc
  void ReadQuestion(const YamlMember& member);
  void ReadCollection(const YamlNode& entities, const YamlNode* by, Question& question);
  void ReadSql(const YamlNode& sql, Question& question);
  void ReadSelect(const YamlNode& sql, const SqlSelect& parsed, Question& question);
  void ReadJoin(const YamlNode& sql, const SqlSelect& parsed, EntityId id, Question& question);
  bool ReadJoinFilter(const YamlNode& sql, const SqlSelect& parsed, const Collection& collection);
  Columns ReadColumns(const YamlNode& sql, const SqlSelect& parsed, EntityId id);
  std::optional<Aggregate> ReadAggregate(const YamlNode& sql, const SqlAggregate& parsed,
                                         EntityId id);
  void ReadTerm(const YamlNode& sql, const SqlTerm& term, Select& select);
  void ReadEquality(const YamlNode& sql, const SqlTerm& term, AttributeId attribute,
                    Select& select);
  void ReadRange(const YamlNode& sql, const SqlTerm& term, AttributeId attribute, Select& select);
  void ReadOrder(const YamlNode& sql, const SqlSelect& parsed, Select& select);
  bool Bounds(const YamlNode& sql, const SqlTerm& term, const Attribute& attribute,
              Between& between);

  // change_reader.cc
  void ReadChange(const YamlMember& member);
  void ReadStatement(const YamlNode& sql, Change& change);
  void ReadSets(const YamlNode& sql, const SqlStatement& parsed, Statement& statement);
  void ReadRow(const YamlNode& sql, const SqlStatement& parsed, Statement& statement);

  // sql_names.cc: what SQL names, looked up
  std::optional<EntityId> FindEntity(const YamlNode& sql, const SqlName& name);
  std::optional<AttributeId> FindColumn(const YamlNode& sql, const SqlColumn& column, EntityId id);
  std::optional<AttributeId> FindAttribute(const YamlNode& sql, const SqlName& name, EntityId id);
  std::optional<Operand> ReadOperand(const YamlNode& sql, const SqlOperand& operand,
                                     const Attribute& attribute, Bucket bucket);

  // model_reader.cc
  bool ReadName(const YamlNode& key, std::string_view what, bool hyphens);
  std::optional<Ratio> ReadRate(const YamlNode& node, std::string_view what);
  template <class Described>
  void ReadRates(const YamlNode& node, Described& described);
  static std::string SuggestValue(const Attribute& attribute, const Value& value);
  void StateAssumptions();
  [[nodiscard]] std::optional<EntityId> Find(std::string_view entity) const;
  [[nodiscard]] std::vector<std::string_view> EntityNames() const;
  [[nodiscard]] std::vector<std::string_view> AttributeNames(EntityId id) const;
  std::optional<EntityId> ReadEntityName(const YamlNode& node);

  const YamlDocument& document_;
  YamlReader reader_;
  Model model_;
  std::vector<Draft> drafts_;  // one for each entity
};

}  // namespace kw::modeller
