// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "modeller/interop/bridge.h"
#include "modeller/interop/infer.h"
#include "modeller/model/yaml.h"

namespace kw::modeller {
namespace {

constexpr std::size_t kNameMax = 60;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Names that a model may have, each once whatever its case.
class Names {
 public:
  explicit Names(bool hyphens = false) : hyphens_(hyphens) {}

  std::string Take(std::string_view wanted) {
    std::string name;
    for (const char c : wanted.substr(0, kNameMax)) {
      name += IsLetter(c) || IsDigit(c) || (hyphens_ && c == '-') ? c : (hyphens_ ? '-' : '_');
    }
    if (name.empty() || !IsLetter(name.front())) name.insert(0, "x");
    const auto stem = name;
    for (int i = 2; !taken_.insert(Folded(name)).second; ++i) name = fmt::format("{}{}", stem, i);
    return name;
  }

 private:
  static std::string Folded(std::string name) {
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return name;
  }
  bool hyphens_;
  std::set<std::string> taken_;
};

FieldType FieldTypeOf(KeyType type) { return SuggestedType(AttributeTypeOf(type)); }

std::string Joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string Quoted(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const auto& name : names) quoted.push_back(QuoteYaml(name));
  return "[" + Joined(quoted) + "]";
}

class ModelMaker {
 public:
  ModelMaker(Blueprint blueprint, Notes& notes) : blueprint_(std::move(blueprint)), notes_(notes) {}

  Expected<ModelFiles, std::string> Make() {
    AddEntities();
    if (blueprint_.entities.empty()) return Unexpected(std::string("It has no table to model."));
    for (auto& entity : blueprint_.entities) Complete(entity);
    texts_.resize(blueprint_.tables.size());
    for (std::size_t i = 0; i < blueprint_.tables.size(); ++i) SettleKeys(i);
    expires_.resize(blueprint_.entities.size());
    for (std::size_t i = 0; i < blueprint_.tables.size(); ++i) Expire(i);
    for (auto& entity : blueprint_.entities) Identify(entity);
    Rename();
    for (auto& entity : blueprint_.entities) CheckReferences(entity);
    TRY_ASSIGN(const Model model, MakeModel());
    files_.design = DesignText();
    if (files_.design.empty()) return std::move(files_);
    const auto design = Design::Parse(files_.design, model);
    if (design) {
      files_.design = design->ToYaml(model);
      return std::move(files_);
    }
    for (const Fault& fault : design.error()) notes_.Lost("design", fault.message);
    files_.design.clear();
    return std::move(files_);
  }

 private:
  PhysicalTable* TableOf(const EntityDraft& entity) {
    return entity.table < blueprint_.tables.size() ? &blueprint_.tables[entity.table] : nullptr;
  }

  void AddEntities() {
    std::vector<bool> filled(blueprint_.tables.size());
    for (const auto& entity : blueprint_.entities) {
      if (entity.table < filled.size()) filled[entity.table] = true;
    }
    for (std::size_t i = 0; i < filled.size(); ++i) {
      auto& table = blueprint_.tables[i];
      if (table.name.empty()) table.name = blueprint_.name.empty() ? "Table" : blueprint_.name;
      if (filled[i]) continue;
      for (auto& entity : InferEntities(table, i, notes_)) {
        blueprint_.entities.push_back(std::move(entity));
      }
    }
  }

  static void Require(EntityDraft& entity, const std::string& name, FieldType type) {
    for (auto& attribute : entity.attributes) {
      if (attribute.name != name) continue;
      attribute.required = true;
      return;
    }
    entity.attributes.push_back({.name = name, .type = type, .required = true, .values = {}});
  }

  // Digits of a fixed width are those of a whole number.
  static void MakeInteger(EntityDraft& entity, std::string_view name) {
    for (auto& attribute : entity.attributes) {
      if (attribute.name == name && StoredType(attribute.type) == AttributeType::kNumber) {
        attribute.type = FieldType::kInteger;
      }
    }
  }

  // Every attribute that a key speaks of is one of the entity, of a type that fits.
  void Complete(EntityDraft& entity) {
    const auto* table = TableOf(entity);
    if (table == nullptr) return;
    for (const auto& part : KeyAttributesOf(*table)) {
      const bool base = table->key.Has(part.name);
      const auto found = entity.keys.find(part.name);
      if (found == entity.keys.end()) {
        if (base) Require(entity, part.name, FieldTypeOf(part.type));
        for (auto& attribute : entity.attributes) {
          if (attribute.name == part.name &&
              StoredType(attribute.type) != AttributeTypeOf(part.type)) {
            attribute.type = FieldTypeOf(part.type);
          }
        }
        continue;
      }
      const auto fields = FieldsOf(found->second);
      for (const auto& field : fields) {
        const bool whole = found->second.size() == 1;
        const auto type = whole ? FieldTypeOf(part.type) : FieldType::kString;
        if (base || entity.Find(field) == nullptr) Require(entity, field, type);
      }
      for (const auto& piece : found->second) {
        const auto* field = std::get_if<KeyField>(&piece);
        if (field != nullptr && PaddedWidth(*field)) MakeInteger(entity, field->attribute);
      }
      const bool itself = fields.size() == 1 && fields.front() == part.name;
      if (itself && found->second.size() == 1) entity.keys.erase(found);
      if (std::ranges::find(fields, part.name) == fields.end()) {
        std::erase_if(entity.attributes,
                      [&](const auto& attribute) { return attribute.name == part.name; });
      }
    }
  }

  // A key attribute is text for all entities of a table, or for none.
  void SettleKeys(std::size_t number) {
    const auto& table = blueprint_.tables[number];
    for (const auto& part : KeyAttributesOf(table)) {
      bool text = Names().Take(part.name) != part.name;
      bool own = false;
      ForEach(number, [&](EntityDraft& entity) {
        text = text || entity.keys.contains(part.name);
        own = own || entity.Find(part.name) != nullptr;
      });
      if (text) {
        texts_[number].insert(part.name);
        ForEach(number, [&](EntityDraft& entity) { MakeText(entity, part); });
      } else if (!own) {
        notes_.Guessed(table.name,
                       fmt::format("Nothing fills {}: every entity may have it.", part.name));
        ForEach(number, [&](EntityDraft& entity) {
          entity.attributes.push_back(
              {.name = part.name, .type = FieldTypeOf(part.type), .required = false, .values = {}});
        });
      }
    }
  }

  // A time to live is a time or whole seconds; where no entity has the attribute, all may.
  void Expire(std::size_t number) {
    const auto& ttl = blueprint_.tables[number].ttl;
    if (!ttl) return;
    bool found = false;
    ForEach(number, [&](EntityDraft& entity) { found = found || entity.Find(*ttl) != nullptr; });
    ForEach(number, [&](EntityDraft& entity) {
      if (!found) {
        entity.attributes.push_back(
            {.name = *ttl, .type = FieldType::kInteger, .required = false, .values = {}});
      }
      const auto attribute = std::ranges::find(entity.attributes, *ttl, &EntityAttribute::name);
      if (attribute == entity.attributes.end()) return;
      if (attribute->type != FieldType::kTimestamp) attribute->type = FieldType::kInteger;
      expires_[static_cast<std::size_t>(&entity - blueprint_.entities.data())] =
          static_cast<std::size_t>(attribute - entity.attributes.begin());
    });
  }

  template <class Visit>
  void ForEach(std::size_t table, const Visit& visit) {
    for (auto& entity : blueprint_.entities) {
      if (entity.table == table) visit(entity);
    }
  }

  // The entity's own attribute under a key's name gets another name, and the key's text holds it.
  void MakeText(EntityDraft& entity, const KeyAttribute& part) {
    const bool own = entity.Find(part.name) != nullptr;
    if (!own) return;
    auto name = part.name + "Value";
    while (entity.Find(name) != nullptr) name += "_";
    const auto rename = [&](std::string& old) {
      if (old == part.name) old = name;
    };
    RenameIn(entity, rename);
    notes_.Guessed(entity.name, fmt::format("{} is a key of several meanings: its value here is "
                                            "called {}.",
                                            part.name, name));
    if (!entity.keys.contains(part.name)) {
      entity.keys.emplace(part.name, KeyPattern{KeyField{.attribute = name, .format = ""}});
    }
  }

  template <class RenameOne>
  static void RenameIn(EntityDraft& entity, const RenameOne& rename) {
    for (auto& attribute : entity.attributes) rename(attribute.name);
    for (auto* names : {&entity.identity, &entity.unique}) {
      for (auto& name : *names) rename(name);
    }
    for (auto& reference : entity.references) {
      for (auto& name : reference.by) rename(name);
    }
    for (auto& [key, pattern] : entity.keys) {
      for (auto& piece : pattern) {
        if (auto* field = std::get_if<KeyField>(&piece)) rename(field->attribute);
      }
    }
  }

  void Identify(EntityDraft& entity) {
    const auto* table = TableOf(entity);
    if (entity.identity.empty() && table != nullptr) {
      for (const auto* parts : {&table->key.partition, &table->key.sort}) {
        for (const auto& part : *parts) {
          const auto pattern = entity.keys.find(part.name);
          auto names = pattern == entity.keys.end() ? std::vector<std::string>{part.name}
                                                    : FieldsOf(pattern->second);
          for (auto& name : names) {
            if (std::ranges::find(entity.identity, name) == entity.identity.end()) {
              entity.identity.push_back(std::move(name));
            }
          }
        }
      }
    }
    std::erase_if(entity.identity, [&](const auto& name) { return entity.Find(name) == nullptr; });
    if (entity.identity.empty()) {
      if (entity.attributes.empty()) {
        entity.attributes.push_back(
            {.name = "id", .type = FieldType::kString, .required = true, .values = {}});
      }
      entity.identity = {entity.attributes.front().name};
      notes_.Guessed(entity.name, fmt::format("Nothing tells its rows apart: {} is taken.",
                                              entity.identity.front()));
    }
    for (auto& attribute : entity.attributes) {
      if (std::ranges::find(entity.identity, attribute.name) == entity.identity.end()) continue;
      attribute.required = true;
      if (!IsKeyable(attribute.type)) attribute.type = FieldType::kString;
    }
  }

  void Rename() {
    Names entities;
    std::map<std::string, std::string> renamed;
    for (auto& entity : blueprint_.entities) {
      auto name = entities.Take(entity.name);
      Tell(entity.name, name);
      renamed.emplace(entity.name, name);
      entity.name = std::move(name);
      Names attributes;
      std::map<std::string, std::string> own;
      for (const auto& attribute : entity.attributes) {
        auto taken = attributes.Take(attribute.name);
        Tell(fmt::format("{}.{}", entity.name, attribute.name), taken, attribute.name);
        own.emplace(attribute.name, std::move(taken));
      }
      RenameIn(entity, [&](std::string& old) {
        if (const auto found = own.find(old); found != own.end()) old = found->second;
      });
    }
    for (auto& entity : blueprint_.entities) {
      for (auto& reference : entity.references) {
        if (const auto found = renamed.find(reference.to); found != renamed.end()) {
          reference.to = found->second;
        }
      }
    }
    Names questions(true);
    for (auto& question : blueprint_.questions) question.name = questions.Take(question.name);
    blueprint_.name = Names(true).Take(blueprint_.name.empty() ? "imported" : blueprint_.name);
  }

  void Tell(std::string_view where, std::string_view name, std::string_view old = {}) {
    if (name != (old.empty() ? where : old)) {
      notes_.Guessed(where, fmt::format("It is called {} in the model.", name));
    }
  }

  void CheckReferences(EntityDraft& entity) {
    std::erase_if(entity.references, [&](const EntityReference& reference) {
      const auto target = std::ranges::find(blueprint_.entities, reference.to, &EntityDraft::name);
      bool good = target != blueprint_.entities.end() &&
                  target->identity.size() == reference.by.size() && !reference.by.empty();
      for (std::size_t i = 0; good && i < reference.by.size(); ++i) {
        const auto* own = entity.Find(reference.by[i]);
        const auto* other = target->Find(target->identity[i]);
        good = own != nullptr && other != nullptr && own->type == other->type;
      }
      if (!good) {
        notes_.Lost(entity.name,
                    fmt::format("The reference by {} does not lead to the identity of {}.",
                                Joined(reference.by), reference.to));
      }
      return !good;
    });
    std::erase_if(entity.unique, [&](const std::string& name) {
      const bool identity = entity.identity.size() == 1 && entity.identity.front() == name;
      return identity || entity.Find(name) == nullptr;
    });
  }

  // ---- texts ----

  std::string EntityText(const EntityDraft& entity) {
    auto text =
        fmt::format("  {}:\n    identity: {}\n", QuoteYaml(entity.name), Quoted(entity.identity));
    if (!entity.unique.empty()) text += fmt::format("    unique: {}\n", Quoted(entity.unique));
    if (!entity.references.empty()) {
      std::vector<std::string> references;
      for (const auto& reference : entity.references) {
        references.push_back(
            fmt::format("{{to: {}, by: {}}}", QuoteYaml(reference.to), Quoted(reference.by)));
      }
      text += fmt::format("    references: [{}]\n", Joined(references));
    }
    const auto number = static_cast<std::size_t>(&entity - blueprint_.entities.data());
    if (const auto expires = expires_[number]) {
      text += fmt::format("    expires: {}\n", QuoteYaml(entity.attributes[*expires].name));
    }
    text += "    attributes:\n";
    std::vector<std::string> optional;
    for (const auto& attribute : entity.attributes) {
      text +=
          fmt::format("      {}: {{type: {}", QuoteYaml(attribute.name), TypeName(attribute.type));
      if (!attribute.required) {
        optional.push_back(attribute.name);
        text += ", optional: 0.5";
      }
      if (!attribute.values.empty() && attribute.type == FieldType::kString) {
        text += ", values: " + Quoted(attribute.values);
      }
      text += "}\n";
    }
    if (!optional.empty()) {
      notes_.Guessed(entity.name, fmt::format("Not every row has {}: half of them is a guess.",
                                              Joined(optional)));
    }
    return text;
  }

  Expected<Model, std::string> MakeModel() {
    auto head = fmt::format("model: {}\nentities:\n", QuoteYaml(blueprint_.name));
    for (const auto& entity : blueprint_.entities) head += EntityText(entity);
    const auto first =
        static_cast<std::size_t>(std::ranges::count(head, '\n')) + 2;  // the first question's line
    auto& questions = blueprint_.questions;
    for (;;) {
      files_.model = head;
      if (!questions.empty()) files_.model += "questions:\n";
      for (const auto& question : questions) {
        files_.model +=
            fmt::format("  {}: {{sql: {}}}\n", QuoteYaml(question.name), QuoteYaml(question.sql));
      }
      auto model = Model::Parse(files_.model);
      if (model) return std::move(*model);
      std::set<std::size_t> refused;
      for (const Fault& fault : model.error()) {
        if (fault.at.line < first || fault.at.line - first >= questions.size()) {
          return Unexpected(fmt::format("What it says makes no model: {}", fault.message));
        }
        const auto number = fault.at.line - first;
        if (!refused.insert(number).second) continue;
        notes_.Lost(questions[number].name, fmt::format("{} {} Asked was: {}", fault.message,
                                                        fault.suggestion, questions[number].sql));
      }
      std::size_t number = 0;
      std::erase_if(questions, [&](const auto&) { return refused.contains(number++); });
    }
  }

  std::string PartsText(std::size_t table, const std::vector<KeyAttribute>& parts) {
    std::vector<std::string> texts;
    for (const auto& part : parts) {
      if (!texts_[table].contains(part.name)) {
        texts.push_back(fmt::format("{{attribute: {}}}", QuoteYaml(part.name)));
        continue;
      }
      const std::string_view word = part.type == KeyType::kString   ? ""
                                    : part.type == KeyType::kNumber ? " number"
                                                                    : " binary";
      texts.push_back(fmt::format("{{text: {}}}", QuoteYaml(part.name + std::string(word))));
    }
    return texts.size() == 1 ? texts.front() : "[" + Joined(texts) + "]";
  }

  std::string KeyText(std::size_t table, const KeySchema& key) {
    auto text = "partition: " + PartsText(table, key.partition);
    if (!key.sort.empty()) text += ", sort: " + PartsText(table, key.sort);
    return text;
  }

  std::string DesignText() {
    if (blueprint_.tables.empty()) return "";
    auto text = fmt::format("design: {}\ntables:\n", QuoteYaml(blueprint_.name));
    std::set<std::string> names;
    for (std::size_t i = 0; i < blueprint_.tables.size(); ++i) {
      auto& table = blueprint_.tables[i];
      while (!names.insert(table.name).second) table.name += "2";
      text += fmt::format("  {}:\n    key: {{{}}}\n", QuoteYaml(table.name), KeyText(i, table.key));
      if (!table.indexes.empty()) text += "    indexes:\n";
      for (const auto& index : table.indexes) {
        const auto* include = std::get_if<ProjectInclude>(&index.projected);
        const auto project = std::holds_alternative<ProjectAll>(index.projected) ? "all"
                             : include == nullptr                                ? "keys"
                                                  : Quoted(include->attributes);
        text += fmt::format("      {}: {{{}, project: {}{}}}\n", QuoteYaml(index.name),
                            KeyText(i, index.key), project,
                            index.scope == IndexScope::kLocal ? ", local: true" : "");
      }
      text += "    entities:\n";
      ForEach(i, [&](EntityDraft& entity) { text += LayoutText(entity); });
      NotePhysical(table);
    }
    return text;
  }

  static std::string LayoutText(const EntityDraft& entity) {
    if (entity.keys.empty()) return fmt::format("      {}: {{}}\n", QuoteYaml(entity.name));
    auto text = fmt::format("      {}:\n", QuoteYaml(entity.name));
    for (const auto& [name, pattern] : entity.keys) {
      text += fmt::format("        {}: {}\n", QuoteYaml(name), QuoteYaml(PatternText(pattern)));
    }
    return text;
  }

  // What a design does not say of a table.
  void NotePhysical(const PhysicalTable& table) {
    if (table.throughput) notes_.Lost(table.name, "A design has no provisioned throughput.");
    if (table.stream) notes_.Lost(table.name, "A design has no streams.");
    if (!table.options.empty()) {
      notes_.Lost(table.name,
                  "A design has no deletion protection, table class or point-in-time recovery.");
    }
    std::size_t items = table.items.size();
    ForEach(static_cast<std::size_t>(&table - blueprint_.tables.data()),
            [&](EntityDraft& entity) { items += entity.items.size(); });
    if (items > 0) notes_.Lost(table.name, "Sample items are not part of a model.");
  }

  Blueprint blueprint_;
  Notes& notes_;
  std::vector<std::set<std::string, std::less<>>> texts_;  // key attributes that hold text
  std::vector<std::optional<std::size_t>> expires_;        // of each entity: the attribute
  ModelFiles files_;
};

}  // namespace

Expected<ModelFiles, std::string> ToModel(Blueprint blueprint, Notes& notes) {
  return ModelMaker(std::move(blueprint), notes).Make();
}

}  // namespace kw::modeller
