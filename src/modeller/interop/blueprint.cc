// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/blueprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kw::modeller {
namespace {

constexpr auto kAttributeTypes = std::to_array<AttributeType>(
    {AttributeType::kString, AttributeType::kNumber, AttributeType::kBinary, AttributeType::kBool,
     AttributeType::kNull, AttributeType::kStringSet, AttributeType::kNumberSet,
     AttributeType::kBinarySet, AttributeType::kList, AttributeType::kMap});

// Takes out of a blueprint what a format does not hold, one content at a time.
class Reducer {
 public:
  Reducer(const Contents& holds, Notes& notes) : holds_(holds), notes_(notes) {}

  void Reduce(Blueprint& blueprint) {
    if (Drops(Content::kName)) blueprint.name.clear();
    if (Drops(Content::kSeveralTables)) KeepOneTable(blueprint);
    if (Drops(Content::kQuestions)) {
      for (const auto& question : blueprint.questions) {
        notes_.Lost(question.name, "Questions are not part of the format.");
      }
      blueprint.questions.clear();
    }
    if (Drops(Content::kEntities) && !blueprint.entities.empty()) {
      for (const auto& entity : blueprint.entities) {
        notes_.Lost(entity.name,
                    "Entities and the texts of their keys are not part of the format.");
      }
      blueprint.entities.clear();
    }
    if (Drops(Content::kBareTables)) DropBareTables(blueprint);
    for (auto& table : blueprint.tables) ReduceTable(table);
    for (auto& entity : blueprint.entities) {
      ReduceEntity(entity);
      if (Drops(Content::kIndexTexts) && entity.table < blueprint.tables.size()) {
        DropIndexTexts(blueprint.tables[entity.table], entity);
      }
    }
  }

 private:
  [[nodiscard]] bool Drops(Content content) const { return !holds_.contains(content); }

  template <class Part>
  void Clear(Content content, std::string_view where, std::string_view what, Part& part) {
    if (!Drops(content) || part == Part{}) return;
    notes_.Lost(where, fmt::format("{} not part of the format.", what));
    part = Part{};
  }

  void KeepOneTable(Blueprint& blueprint) {
    for (std::size_t i = 1; i < blueprint.tables.size(); ++i) {
      notes_.Lost(blueprint.tables[i].name, "The format holds one table: this one is left out.");
    }
    if (blueprint.tables.size() > 1) blueprint.tables.resize(1);
    std::erase_if(blueprint.entities, [&](const EntityDraft& entity) {
      return entity.table >= std::max<std::size_t>(blueprint.tables.size(), 1);
    });
  }

  void DropBareTables(Blueprint& blueprint) {
    std::vector<PhysicalTable> kept;
    for (std::size_t i = 0; i < blueprint.tables.size(); ++i) {
      auto& table = blueprint.tables[i];
      std::erase_if(table.indexes, [&](const PhysicalIndex& index) {
        const bool filled = std::ranges::any_of(blueprint.entities, [&](const auto& entity) {
          return entity.table == i && entity.Fills(index.key);
        });
        if (!filled) {
          notes_.Lost(fmt::format("{}.{}", table.name, index.name),
                      "No entity is in the index, and only theirs are part of the format.");
        }
        return !filled;
      });
      if (std::ranges::find(blueprint.entities, i, &EntityDraft::table) ==
          blueprint.entities.end()) {
        notes_.Lost(table.name,
                    "No entity is in the table, and only theirs are part of the format.");
        continue;
      }
      for (auto& entity : blueprint.entities) {
        if (entity.table == i) entity.table = kept.size();
      }
      kept.push_back(std::move(table));
    }
    blueprint.tables = std::move(kept);
  }

  void ReduceTable(PhysicalTable& table) {
    const std::string where = table.name;
    for (auto& index : table.indexes) {
      if (Drops(Content::kThroughput)) index.throughput.reset();  // said once, of the table
      ReduceIndex(where + "." + index.name, index);
    }
    if (Drops(Content::kLocalIndexes)) {
      std::erase_if(table.indexes, [&](const PhysicalIndex& index) {
        if (index.scope != IndexScope::kLocal) return false;
        notes_.Lost(where + "." + index.name, "Local indexes are not part of the format.");
        return true;
      });
    }
    if (Drops(Content::kSeveralKeyAttributes)) {
      std::erase_if(table.indexes, [&](const PhysicalIndex& index) {
        if (index.key.partition.size() < 2 && index.key.sort.size() < 2) return false;
        notes_.Lost(where + "." + index.name,
                    "Keys of several attributes are not part of the format.");
        return true;
      });
    }
    Clear(Content::kThroughput, where, "Provisioned throughput is", table.throughput);
    ReduceScaling(where, table.throughput);
    Clear(Content::kTimeToLive, where, "Time to live is", table.ttl);
    Clear(Content::kStreams, where, "Streams are", table.stream);
    if (Drops(Content::kPointInTime) && table.options.erase(TableOption::kPointInTime) > 0) {
      notes_.Lost(where, "Point-in-time recovery is not part of the format.");
    }
    Clear(Content::kOptions, where, "Deletion protection and the table class are", table.options);
    Clear(Content::kItems, where, "Sample items are", table.items);
    if (Drops(Content::kItems)) table.attributes.clear();  // they describe the items
    if (Drops(Content::kTableNames)) table.name.clear();
  }

  void ReduceIndex(const std::string& where, PhysicalIndex& index) {
    Clear(Content::kIndexThroughput, where, "Throughput of an index is", index.throughput);
    ReduceScaling(where, index.throughput);
    if (Drops(Content::kProjections) && !std::holds_alternative<ProjectAll>(index.projected)) {
      notes_.Lost(where, "Projections are not part of the format: all attributes are.");
      index.projected = ProjectAll{};
    }
  }

  void ReduceScaling(const std::string& where, std::optional<Throughput>& throughput) {
    if (!throughput) return;
    Clear(Content::kScaling, where, "Scaling of reads is", throughput->read.scaling);
    Clear(Content::kScaling, where, "Scaling of writes is", throughput->write.scaling);
  }

  void ReduceEntity(EntityDraft& entity) {
    const std::string& where = entity.name;
    Clear(Content::kUnique, where, "Uniqueness is", entity.unique);
    Clear(Content::kReferences, where, "References are", entity.references);
    Clear(Content::kItems, where, "Sample items are", entity.items);
    if (Drops(Content::kIdentity)) entity.identity.clear();
    for (auto& attribute : entity.attributes) {
      const auto at = fmt::format("{}.{}", where, attribute.name);
      Clear(Content::kValues, at, "The list of values is", attribute.values);
      if (Drops(Content::kRequired)) attribute.required = true;
      auto plain = SuggestedType(StoredType(attribute.type));
      if (plain == FieldType::kBinary && Drops(Content::kBinaries)) plain = FieldType::kString;
      const bool time = attribute.type == FieldType::kTimestamp && !Drops(Content::kTimes);
      if (Drops(Content::kFieldTypes) && attribute.type != plain && !time) {
        notes_.Lost(at, fmt::format("That it is {} is not part of the format.",
                                    TypePhrase(attribute.type)));
        attribute.type = plain;
      }
    }
    if (!Drops(Content::kKeyFormats)) return;
    for (auto& [name, pattern] : entity.keys) {
      for (auto& piece : pattern) {
        auto* field = std::get_if<KeyField>(&piece);
        if (field == nullptr || field->format.empty()) continue;
        if (!Drops(Content::kPadding) && PaddedWidth(*field)) continue;
        notes_.Lost(fmt::format("{}.{}", where, name),
                    fmt::format("The format '{}' of {} is not part of the format: the order of "
                                "its texts is another.",
                                field->format, field->attribute));
        field->format.clear();
      }
    }
  }

  void DropIndexTexts(const PhysicalTable& table, EntityDraft& entity) {
    for (const auto& part : KeyAttributesOf(table)) {
      if (table.key.Has(part.name) || entity.keys.erase(part.name) == 0) continue;
      notes_.Lost(fmt::format("{}.{}", entity.name, part.name),
                  "The texts of an index's key are not part of the format.");
      if (entity.Find(part.name) != nullptr) continue;
      entity.attributes.push_back({.name = part.name,
                                   .type = SuggestedType(AttributeTypeOf(part.type)),
                                   .required = true,
                                   .values = {}});
    }
  }

  const Contents& holds_;
  Notes& notes_;
};

}  // namespace

std::vector<KeyAttribute> KeyAttributesOf(const PhysicalTable& table) {
  std::vector<KeyAttribute> attributes;
  std::set<std::string_view> known;
  const auto add = [&](const KeySchema& key) {
    for (const auto* parts : {&key.partition, &key.sort}) {
      for (const auto& part : *parts) {
        if (known.insert(part.name).second) attributes.push_back(part);
      }
    }
  };
  add(table.key);
  for (const auto& index : table.indexes) add(index.key);
  return attributes;
}

void AppendText(KeyPattern& pattern, std::string_view text) {
  if (text.empty()) return;
  if (!pattern.empty() && std::holds_alternative<std::string>(pattern.back())) {
    std::get<std::string>(pattern.back()).append(text);
  } else {
    pattern.emplace_back(std::string(text));
  }
}

std::optional<KeyPattern> ParsePattern(std::string_view text) {
  KeyPattern pattern;
  while (!text.empty()) {
    const auto brace = text.find_first_of("{}");
    AppendText(pattern, text.substr(0, brace));
    if (brace == text.npos) break;
    text.remove_prefix(brace);
    if (text.size() > 1 && text[1] == text[0]) {
      AppendText(pattern, text.substr(0, 1));
      text.remove_prefix(2);
      continue;
    }
    const auto close = text.find('}');
    if (text[0] == '}' || close == text.npos) return std::nullopt;
    const auto field = text.substr(1, close - 1);
    const auto colon = std::min(field.find(':'), field.size());
    if (colon == 0) return std::nullopt;
    pattern.emplace_back(
        KeyField{.attribute = std::string(field.substr(0, colon)),
                 .format = std::string(field.substr(std::min(colon + 1, field.size())))});
    text.remove_prefix(close + 1);
  }
  return pattern;
}

std::string PatternText(const KeyPattern& pattern) {
  std::string text;
  for (const auto& piece : pattern) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      for (const char c : *literal) text.append(c == '{' || c == '}' ? 2 : 1, c);
      continue;
    }
    const auto& field = std::get<KeyField>(piece);
    text += '{' + field.attribute;
    if (!field.format.empty()) text += ':' + field.format;
    text += '}';
  }
  return text;
}

KeyPattern PatternBetweenMarks(
    std::string_view text,
    const std::function<std::string(std::string_view part, std::string_view before)>& name) {
  KeyPattern pattern;
  std::string_view before;
  for (;;) {
    const auto mark = text.find('#');
    const auto part = text.substr(0, mark);
    const bool capitals = !part.empty() && std::ranges::all_of(part, [](char c) {
      return (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    });
    if (capitals || part.empty()) {
      AppendText(pattern, part);
      before = part;
    } else {
      pattern.emplace_back(KeyField{.attribute = name(part, before), .format = ""});
    }
    if (mark == text.npos) return pattern;
    AppendText(pattern, "#");
    text.remove_prefix(mark + 1);
  }
}

std::vector<std::string> FieldsOf(const KeyPattern& pattern) {
  std::vector<std::string> fields;
  for (const auto& piece : pattern) {
    if (const auto* field = std::get_if<KeyField>(&piece)) fields.push_back(field->attribute);
  }
  return fields;
}

std::optional<std::string_view> PaddedWidth(const KeyField& field) {
  const std::string_view format = field.format;
  const bool padded = format.size() > 1 && format[0] == '0' &&
                      std::ranges::all_of(format, [](char c) { return c >= '0' && c <= '9'; });
  if (!padded) return std::nullopt;
  return format.substr(1);
}

std::optional<KeyPattern> ParseDollarPattern(std::string_view text) {
  KeyPattern pattern;
  while (!text.empty()) {
    const auto start = text.find("${");
    AppendText(pattern, text.substr(0, start));
    if (start == text.npos) break;
    const auto end = text.find('}', start);
    if (end == text.npos) return std::nullopt;
    const auto inside = text.substr(start + 2, end - start - 2);
    const auto colon = std::min(inside.find(':'), inside.size());
    KeyField field{.attribute = std::string(inside.substr(0, colon)), .format = ""};
    if (field.attribute.empty()) return std::nullopt;
    if (colon < inside.size()) {
      const auto size = inside.substr(colon + 1);
      const auto pad = std::min(size.find(':'), size.size());
      field.format = "0" + std::string(size.substr(0, pad));
      const bool zeros = pad == size.size() || size.substr(pad + 1) == "0";
      if (!zeros || !PaddedWidth(field)) return std::nullopt;
    }
    pattern.emplace_back(std::move(field));
    text.remove_prefix(end + 1);
  }
  return pattern;
}

std::string DollarPatternText(const KeyPattern& pattern) {
  std::string text;
  for (const auto& piece : pattern) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      text += *literal;
      continue;
    }
    const auto& field = std::get<KeyField>(piece);
    text += "${" + field.attribute;
    if (const auto width = PaddedWidth(field)) text += fmt::format(":{}:0", *width);
    text += '}';
  }
  return text;
}

bool EntityDraft::Fills(const KeySchema& key) const {
  const auto fills = [&](const KeyAttribute& part) {
    return keys.contains(part.name) || Find(part.name) != nullptr;
  };
  return std::ranges::all_of(key.partition, fills) && std::ranges::all_of(key.sort, fills);
}

const EntityAttribute* EntityDraft::Find(std::string_view attribute) const {
  const auto found = std::ranges::find(attributes, attribute, &EntityAttribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

Blueprint Reduce(Blueprint blueprint, const Contents& holds, Notes& notes) {
  Reducer(holds, notes).Reduce(blueprint);
  return blueprint;
}

AttributeType StoredType(FieldType type) {
  switch (type) {
    case FieldType::kString:
    case FieldType::kTimestamp:
    case FieldType::kDate: return AttributeType::kString;
    case FieldType::kInteger:
    case FieldType::kDecimal: return AttributeType::kNumber;
    case FieldType::kBoolean: return AttributeType::kBool;
    case FieldType::kBinary: return AttributeType::kBinary;
    case FieldType::kList: return AttributeType::kList;
    case FieldType::kMap: return AttributeType::kMap;
  }
  return AttributeType::kString;
}

FieldType SuggestedType(AttributeType type) {
  switch (type) {
    case AttributeType::kString: return FieldType::kString;
    case AttributeType::kNumber: return FieldType::kDecimal;
    case AttributeType::kBinary: return FieldType::kBinary;
    case AttributeType::kBool:
    case AttributeType::kNull: return FieldType::kBoolean;
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet:
    case AttributeType::kList: return FieldType::kList;
    case AttributeType::kMap: return FieldType::kMap;
  }
  return FieldType::kString;
}

std::optional<AttributeType> ParseWireType(std::string_view name) {
  const auto* const found =
      std::ranges::find(kAttributeTypes, name, [](AttributeType type) { return WireName(type); });
  if (found == kAttributeTypes.end()) return std::nullopt;
  return *found;
}

std::optional<KeyType> ParseKeyType(std::string_view name) {
  for (const auto type : {KeyType::kString, KeyType::kNumber, KeyType::kBinary}) {
    if (WireName(type) == name) return type;
  }
  return std::nullopt;
}

}  // namespace kw::modeller
