// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/int128.h"
#include "modeller/model/model_reader.h"

namespace kw::modeller {
namespace {

constexpr std::size_t kEntitiesMax = 1'000;
constexpr std::size_t kAttributesMax = 1'000;
constexpr std::int64_t kRowsMax = 1'000'000'000'000'000;

constexpr std::string_view kAttributesForm = "attributes: {playerId: {type: string}}";
constexpr std::string_view kIdentityForm = "identity: [playerId]";
constexpr std::string_view kReferencesForm =
    "references: {playerId: Player}, or [{to: Account, by: [tenantId, accountId]}]";
constexpr std::string_view kFamilyForm = "per: {Player: {average: 50, max: 20000}}";

constexpr auto kTypes =
    std::to_array<FieldType>({FieldType::kString, FieldType::kInteger, FieldType::kDecimal,
                              FieldType::kBoolean, FieldType::kTimestamp, FieldType::kDate,
                              FieldType::kBinary, FieldType::kList, FieldType::kMap});

std::optional<FieldType> FindType(std::string_view name) {
  const auto* const found = std::find_if(kTypes.begin(), kTypes.end(),
                                         [&](FieldType type) { return TypeName(type) == name; });
  if (found == kTypes.end()) return std::nullopt;
  return *found;
}

// "2KB" in bytes.
std::optional<std::int64_t> ParseSize(std::string_view text) {
  std::int64_t unit = 0;
  if (text.ends_with("KB")) {
    unit = 1024;
  } else if (text.ends_with('B')) {
    unit = 1;
  } else {
    return std::nullopt;
  }
  text.remove_suffix(unit == 1 ? 1 : 2);
  const auto size = ParseAverage(text);
  if (!size || size->count * unit % size->per != 0) return std::nullopt;
  return size->count * unit / size->per;
}

std::string Joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", word);
  return text;
}

}  // namespace

const ModelReader::DraftAttribute* ModelReader::Draft::Find(std::string_view name) const {
  const auto found = std::find_if(
      attributes.begin(), attributes.end(),
      [&](const DraftAttribute& attribute) { return attribute.attribute.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

void ModelReader::ReadEntities(const YamlNode& node) {
  if (!reader_.ExpectMapping(node, "entities",
                             "entities: {Player: {identity: [playerId], attributes: {…}}}")) {
    return;
  }
  ReadNames(node);
  const auto for_each = [&](void (ModelReader::*step)(EntityId)) {
    for (EntityId id = 0; id < drafts_.size(); ++id) {
      const std::size_t before = reader_.fault_count();
      if (!drafts_[id].broken) (this->*step)(id);
      if (reader_.fault_count() != before) drafts_[id].broken = true;
    }
  };
  for_each(&ModelReader::ReadShape);
  for_each(&ModelReader::ReadTypes);
  for_each(&ModelReader::Assemble);
  for_each(&ModelReader::ResolveReferences);
  for_each(&ModelReader::ReadExtent);
  CountRows();
}

void ModelReader::ReadNames(const YamlNode& node) {
  for (const YamlMember& member : node.members) {
    if (drafts_.size() == kEntitiesMax) {
      reader_.Report(member.key.at, fmt::format("There are more than {} entities.", kEntitiesMax));
      return;
    }
    const bool good = ReadName(member.key, "An entity's name", false);
    for (const Entity& other : model_.entities_) {
      if (other.name != member.key.text && SameInSql(other.name, member.key.text)) {
        reader_.Report(member.key.at,
                       fmt::format("SQL does not tell {} from {}.", member.key.text, other.name),
                       "Rename one of them.");
      }
    }
    Entity& entity = model_.entities_.emplace_back();
    entity.name = member.key.text;
    entity.at = member.key.at;
    drafts_.push_back({.node = &member.value,
                       .attributes = {},
                       .identity = {},
                       .references = {},
                       .broken = !good});
  }
}

// What the entity declares, before any type is known.
void ModelReader::ReadShape(EntityId id) {
  Draft& draft = drafts_[id];
  const YamlNode& node = *draft.node;
  const std::string& name = model_.entities_[id].name;
  if (!reader_.ExpectFields(
          node, name, "{identity: [playerId], attributes: {…}}",
          {"identity", "attributes", "references", "per", "count", "size", "unique", "expires"})) {
    return;
  }
  const YamlMember* attributes = node.Find("attributes");
  if (attributes != nullptr &&
      reader_.ExpectMapping(attributes->value, "attributes", kAttributesForm)) {
    for (const YamlMember& member : attributes->value.members) {
      if (draft.attributes.size() == kAttributesMax) {
        reader_.Report(member.key.at,
                       fmt::format("There are more than {} attributes.", kAttributesMax));
        break;
      }
      ReadName(member.key, "An attribute's name", false);
      Attribute attribute;
      attribute.name = member.key.text;
      attribute.at = member.key.at;
      draft.attributes.push_back(
          {.member = &member, .attribute = std::move(attribute), .typed = false});
    }
  }
  if (const YamlMember* identity = node.Find("identity")) {
    draft.identity = reader_.Texts(identity->value, "identity", kIdentityForm);
  } else {
    reader_.Report(model_.entities_[id].at, fmt::format("{} has no identity.", name),
                   fmt::format("Add the attributes that tell its rows apart: {}.", kIdentityForm));
  }
  if (const YamlMember* references = node.Find("references")) {
    ReadReferences(id, references->value);
  }
}

void ModelReader::ReadReferences(EntityId id, const YamlNode& node) {
  if (node.kind == YamlKind::kMapping) {
    for (const YamlMember& member : node.members) ReadReference(id, member.value, {&member.key});
    return;
  }
  if (node.kind != YamlKind::kSequence) {
    reader_.Report(node.at, "references says which attributes name which entity.",
                   fmt::format("Write {}.", kReferencesForm));
    return;
  }
  for (const YamlNode& item : node.items) {
    constexpr std::string_view kForm = "{to: Account, by: [tenantId, accountId]}";
    if (!reader_.ExpectFields(item, "A reference", kForm, {"to", "by"})) continue;
    const YamlMember* to = item.Find("to");
    const YamlMember* by = item.Find("by");
    if (to == nullptr || by == nullptr) {
      reader_.Report(item.at, "A reference says to which entity and by which attributes.",
                     fmt::format("Write {}.", kForm));
      continue;
    }
    auto names = reader_.Texts(by->value, "by", kForm);
    if (!names.empty()) ReadReference(id, to->value, std::move(names));
  }
}

void ModelReader::ReadReference(EntityId id, const YamlNode& to, std::vector<const YamlNode*> by) {
  const auto target = ReadEntityName(to);
  if (!target) return;
  for (const YamlNode* name : by) ReadName(*name, "An attribute's name", false);
  drafts_[id].references.push_back({.by = std::move(by), .to = *target});
}

// The types that the entity writes itself.
void ModelReader::ReadTypes(EntityId id) {
  Draft& draft = drafts_[id];
  for (const DraftReference& reference : draft.references) {
    const Draft& target = drafts_[reference.to];
    if (target.broken || reference.by.size() == target.identity.size()) continue;
    std::vector<std::string_view> names;
    for (const YamlNode* name : target.identity) names.push_back(name->text);
    const std::string& to = model_.entities_[reference.to].name;
    reader_.Report(reference.by.front()->at,
                   fmt::format("{} is identified by {}, not by {} attribute{}.", to, Joined(names),
                               reference.by.size(), reference.by.size() == 1 ? "" : "s"),
                   fmt::format("Write references: [{{to: {}, by: [{}]}}].", to, Joined(names)));
  }
  for (DraftAttribute& attribute : draft.attributes) {
    const YamlNode& node = attribute.member->value;
    if (!reader_.ExpectFields(node, attribute.attribute.name, "{type: string}",
                              {"type", "values", "shares", "optional", "min", "max", "length",
                               "precision", "scale", "example"})) {
      continue;
    }
    const YamlMember* type = node.Find("type");
    if (type == nullptr) continue;
    const auto found = FindType(type->value.text);
    if (!found) {
      std::vector<std::string_view> names;
      for (const FieldType known : kTypes) names.push_back(TypeName(known));
      std::string suggestion = SuggestName(type->value.text, names);
      if (suggestion.empty()) suggestion = fmt::format("Write {}.", Alternatives(names));
      reader_.Report(type->value.at, fmt::format("There is no type '{}'.", type->value.text),
                     std::move(suggestion));
      continue;
    }
    attribute.attribute.type = *found;
    attribute.typed = true;
    ReadAttribute(node, attribute.attribute);
  }
}

// The attribute that gives `name` its type: its own, or the one at the end of its references.
const ModelReader::DraftAttribute* ModelReader::Origin(EntityId id, std::string_view name) const {
  for (std::size_t steps = 0; steps <= drafts_.size(); ++steps) {
    const DraftAttribute* declared = drafts_[id].Find(name);
    if (declared != nullptr && declared->typed) return declared;
    const DraftReference* through = nullptr;
    std::size_t place = 0;
    for (const DraftReference& reference : drafts_[id].references) {
      const auto found = std::find_if(reference.by.begin(), reference.by.end(),
                                      [&](const YamlNode* by) { return by->text == name; });
      if (found == reference.by.end()) continue;
      through = &reference;
      place = static_cast<std::size_t>(found - reference.by.begin());
      break;
    }
    if (through == nullptr || place >= drafts_[through->to].identity.size()) return nullptr;
    name = drafts_[through->to].identity[place]->text;
    id = through->to;
  }
  return nullptr;  // references in a circle
}

void ModelReader::Assemble(EntityId id) {
  const Draft& draft = drafts_[id];
  Entity& entity = model_.entities_[id];
  const std::size_t before = reader_.fault_count();
  for (const YamlNode* name : draft.identity) {
    if (entity.Find(name->text)) {
      reader_.Report(name->at, fmt::format("'{}' stands in the identity twice.", name->text),
                     "Keep one of the two.");
      continue;
    }
    AddAttribute(id, *name);
    const auto added = entity.Find(name->text);
    if (!added) continue;
    entity.identity.push_back(*added);
    const Attribute& attribute = entity.attributes[*added];
    if (!IsKeyable(attribute.type)) {
      reader_.Report(name->at, fmt::format("A {} cannot identify a row.", TypeName(attribute.type)),
                     "Choose attributes that are strings, numbers, times or bytes.");
    } else if (attribute.present.value() != 1'000'000) {
      reader_.Report(name->at, "An attribute of the identity is in every row.",
                     fmt::format("Leave optional out of {}.", name->text));
    }
  }
  if (reader_.fault_count() != before) return;
  for (const DraftReference& reference : draft.references) {
    for (const YamlNode* name : reference.by) {
      if (draft.Find(name->text) == nullptr && !entity.Find(name->text)) AddAttribute(id, *name);
    }
  }
  for (const DraftAttribute& declared : draft.attributes) {
    if (!entity.Find(declared.attribute.name)) AddAttribute(id, declared.member->key);
  }
}

void ModelReader::AddAttribute(EntityId id, const YamlNode& name) {
  Entity& entity = model_.entities_[id];
  const Draft& draft = drafts_[id];
  for (const Attribute& other : entity.attributes) {
    if (SameInSql(other.name, name.text)) {
      reader_.Report(name.at, fmt::format("SQL does not tell {} from {}.", name.text, other.name),
                     "Rename one of them.");
      return;
    }
  }
  const DraftAttribute* declared = draft.Find(name.text);
  if (declared != nullptr && declared->typed) {
    entity.attributes.push_back(declared->attribute);
    return;
  }
  const DraftAttribute* origin = Origin(id, name.text);
  if (origin == nullptr) {
    const bool referring =
        std::any_of(draft.references.begin(), draft.references.end(), [&](const auto& reference) {
          return std::any_of(reference.by.begin(), reference.by.end(),
                             [&](const YamlNode* by) { return by->text == name.text; });
        });
    if (referring) {
      // Where the target is broken, that is the fault to mend.
      const bool excused = std::any_of(draft.references.begin(), draft.references.end(),
                                       [&](const auto& r) { return drafts_[r.to].broken; });
      if (excused) {
        drafts_[id].broken = true;
        return;
      }
      reader_.Report(
          name.at, fmt::format("No type is said for '{}', here or where it refers to.", name.text),
          fmt::format("Add {}: {{type: string}} to the attributes of one of them.", name.text));
      return;
    }
    std::vector<std::string_view> names;
    for (const DraftAttribute& attribute : draft.attributes)
      names.push_back(attribute.attribute.name);
    std::string suggestion = declared != nullptr ? "" : SuggestName(name.text, names);
    if (suggestion.empty()) {
      suggestion = declared != nullptr
                       ? fmt::format("Write {}: {{type: string}}.", name.text)
                       : fmt::format("Add {}: {{type: string}} to its attributes.", name.text);
    }
    reader_.Report(name.at,
                   declared != nullptr
                       ? fmt::format("'{}' has no type.", name.text)
                       : fmt::format("{} has no attribute '{}'.", entity.name, name.text),
                   std::move(suggestion));
    return;
  }
  // As where it comes from, with what is said here on top.
  Attribute attribute = origin->attribute;
  attribute.name = name.text;
  attribute.at = name.at;
  attribute.present = PartsPerMillion(1'000'000);
  attribute.shares.clear();
  if (declared != nullptr) {
    attribute.at = declared->attribute.at;
    ReadAttribute(declared->member->value, attribute);
  }
  entity.attributes.push_back(std::move(attribute));
}

void ModelReader::ResolveReferences(EntityId id) {
  Entity& entity = model_.entities_[id];
  for (const DraftReference& draft : drafts_[id].references) {
    const Entity& target = model_.entities_[draft.to];
    if (drafts_[draft.to].broken) continue;
    Reference reference{.by = {}, .to = draft.to};
    for (std::size_t i = 0; i < draft.by.size(); ++i) {
      const AttributeId by = *entity.Find(draft.by[i]->text);
      const Attribute& own = entity.attributes[by];
      const Attribute& other = target.attributes[target.identity[i]];
      if (own.type != other.type) {
        reader_.Report(draft.by[i]->at,
                       fmt::format("{} is {}, and {} of {} is {}.", own.name, TypePhrase(own.type),
                                   other.name, target.name, TypePhrase(other.type)),
                       fmt::format("Leave the type of {} out: it follows.", own.name));
      }
      reference.by.push_back(by);
    }
    entity.references.push_back(std::move(reference));
  }
}

std::vector<AttributeId> ModelReader::Attributes(EntityId id, const YamlNode& node,
                                                 std::string_view what) {
  std::vector<AttributeId> ids;
  const Entity& entity = model_.entities_[id];
  for (const YamlNode* name : reader_.Texts(node, what, fmt::format("{}: [attribute]", what))) {
    if (const auto found = entity.Find(name->text)) {
      ids.push_back(*found);
    } else {
      reader_.Report(name->at, fmt::format("{} has no attribute '{}'.", entity.name, name->text),
                     SuggestName(name->text, AttributeNames(id)));
    }
  }
  return ids;
}

// How many rows, how large, which of them unique and until when.
void ModelReader::ReadExtent(EntityId id) {
  Entity& entity = model_.entities_[id];
  const YamlNode& node = *drafts_[id].node;
  if (const YamlMember* unique = node.Find("unique")) {
    for (const AttributeId attribute : Attributes(id, unique->value, "unique")) {
      if (!IsKeyable(entity.attributes[attribute].type)) {
        reader_.Report(
            unique->value.at,
            fmt::format("A {} cannot be unique.", TypeName(entity.attributes[attribute].type)),
            "Choose attributes that are strings, numbers, times or bytes.");
      } else if (entity.identity == std::vector<AttributeId>{attribute}) {
        reader_.Report(unique->value.at, "The identity is unique as it is.", "Leave it out.");
      } else {
        entity.unique.push_back(attribute);
      }
    }
  }
  if (const YamlMember* expires = node.Find("expires")) {
    const auto attributes = Attributes(id, expires->value, "expires");
    if (attributes.size() == 1) {
      entity.expires = attributes.front();
      const FieldType type = entity.attributes[attributes.front()].type;
      if (type != FieldType::kTimestamp && type != FieldType::kInteger) {
        reader_.Report(expires->value.at, fmt::format("A {} says no time.", TypeName(type)),
                       "Name a timestamp, or an integer of seconds since 1970.");
      }
    } else if (attributes.size() > 1) {
      reader_.Report(expires->value.at, "expires names one attribute.", "Keep one of them.");
    }
  }
  if (const YamlMember* size = node.Find("size")) {
    constexpr std::int64_t kItemBytesMax = std::int64_t{400} * 1024;
    const auto bytes = ParseSize(size->value.text);
    if (!bytes || *bytes < 1) {
      reader_.Report(size->value.at, "size is a number of bytes.",
                     "Write size: 2KB or size: 300B.");
    } else if (*bytes > kItemBytesMax) {
      reader_.Report(size->value.at, "An item has at most 400KB.",
                     "Split the row, or keep the large part elsewhere.");
    } else {
      entity.size = ByteCount(*bytes);
    }
  }
  if (const YamlMember* count = node.Find("count")) {
    entity.rows = reader_.WholeNumber(count->value, "count", 1, kRowsMax).value_or(0);
  }
  if (const YamlMember* per = node.Find("per")) ReadFamily(id, per->value);
}

void ModelReader::ReadFamily(EntityId id, const YamlNode& node) {
  Entity& entity = model_.entities_[id];
  if (!reader_.ExpectMapping(node, "per", kFamilyForm)) return;
  if (node.members.size() != 1) {
    reader_.Report(node.at, "per names one parent.", fmt::format("Write {}.", kFamilyForm));
    return;
  }
  const YamlMember& member = node.members.front();
  const auto parent = ReadEntityName(member.key);
  if (!parent) return;
  const bool refers =
      std::any_of(drafts_[id].references.begin(), drafts_[id].references.end(),
                  [&](const DraftReference& reference) { return reference.to == *parent; });
  if (!refers) {
    reader_.Report(member.key.at,
                   fmt::format("{} has no reference to {}.", entity.name, member.key.text),
                   fmt::format("Add references: {{attribute: {}}}.", member.key.text));
    return;
  }
  if (!reader_.ExpectFields(member.value, "per", kFamilyForm, {"average", "max"})) return;
  Family family{.parent = *parent, .average = {}, .max = std::nullopt};
  if (const YamlMember* average = member.value.Find("average")) {
    const auto ratio = ParseAverage(average->value.text);
    if (!average->value.number() || !ratio || ratio->count < 1) {
      reader_.Report(average->value.at, "average is a number of rows for each of the parent's.",
                     "Write average: 50 or average: 0.2.");
      return;
    }
    family.average = *ratio;
    if (entity.rows > 0) {
      reader_.Report(member.key.at, "The number of rows is said twice: by count and by average.",
                     "Leave one of the two out.");
    }
  } else {
    reader_.Report(member.key.at, "per says how many rows each of the parent's has.",
                   fmt::format("Write {}.", kFamilyForm));
    return;
  }
  if (const YamlMember* max = member.value.Find("max")) {
    family.max = reader_.WholeNumber(max->value, "max", 1, kRowsMax);
    if (family.max && Int128{*family.max} * family.average.per < family.average.count) {
      reader_.Report(max->value.at, "max is less than average.", "Swap them.");
    }
  }
  entity.family = family;
}

// Rows that follow from a parent's: from the top of each family down.
void ModelReader::CountRows() {
  std::vector<Entity>& entities = model_.entities_;
  for (EntityId id = 0; id < entities.size(); ++id) {
    std::vector<EntityId> path;  // from here up to rows that are known
    for (EntityId at = id; entities[at].family && entities[at].rows == 0;
         at = entities[at].family->parent) {
      if (path.size() > entities.size()) {
        reader_.Report(entities[id].at, fmt::format("{} is counted per itself.", entities[id].name),
                       "Say count for one of the entities in the circle.");
        return;
      }
      path.push_back(at);
    }
    for (; !path.empty(); path.pop_back()) {
      Entity& entity = entities[path.back()];
      const Family& family = *entity.family;
      const Int128 rows =
          Int128{entities[family.parent].rows} * family.average.count / family.average.per;
      if (rows > kRowsMax) {
        reader_.Report(entity.at, fmt::format("{} has more than {} rows.", entity.name, kRowsMax),
                       "Lower the average.");
        return;
      }
      entity.rows = static_cast<std::int64_t>(rows);
    }
  }
}

}  // namespace kw::modeller
