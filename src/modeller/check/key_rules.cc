// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "modeller/check/rules.h"

namespace kw::modeller {
namespace {

// Every key text of the design: of rows, copies and guards.
template <class Look>
void ForEachText(const Subject& subject, Look look) {
  if (subject.plan == nullptr) return;
  for (const DesignTable& table : subject.plan->design().tables) {
    for (const EntityLayout& layout : table.entities) {
      for (const auto& [name, key] : layout.keys) look(table, layout, name, key.text);
      for (const CopyItem& copy : layout.copies) {
        for (const auto& [name, key] : copy.keys) look(table, layout, name, key.text);
      }
      for (const GuardItem& guard : layout.guards) {
        for (const auto& [name, text] : guard.key) look(table, layout, name, text);
      }
    }
  }
}

bool IsSortKey(const DesignTable& table, std::string_view name) {
  const auto has = [&](const DesignKey& key) {
    return std::ranges::find(key.sort, name, &KeyPart::name) != key.sort.end();
  };
  return has(table.key) || std::ranges::any_of(table.indexes, [&](const DesignIndex& index) {
           return has(index.key);
         });
}

bool IsBaseKey(const DesignTable& table, std::string_view name) {
  const auto has = [&](const std::vector<KeyPart>& parts) {
    return std::ranges::find(parts, name, &KeyPart::name) != parts.end();
  };
  return has(table.key.partition) || has(table.key.sort);
}

KeyType TypeOf(const DesignTable& table, std::string_view name) {
  const auto find = [&](const DesignKey& key) -> const KeyPart* {
    for (const auto* parts : {&key.partition, &key.sort}) {
      const auto found = std::ranges::find(*parts, name, &KeyPart::name);
      if (found != parts->end()) return &*found;
    }
    return nullptr;
  };
  if (const KeyPart* part = find(table.key)) return part->type;
  for (const DesignIndex& index : table.indexes) {
    if (const KeyPart* part = find(index.key)) return part->type;
  }
  return KeyType::kString;
}

constexpr std::string_view kDelimiters = "#:|/";

}  // namespace

void LookAtPadding(const Subject& subject, Findings& findings) {
  ForEachText(subject, [&](const DesignTable& table, const EntityLayout& layout,
                           const std::string& name, const Template& text) {
    if (!IsSortKey(table, name) || TypeOf(table, name) != KeyType::kString) return;
    const Entity& entity = subject.model.entity(layout.entity);
    for (const TemplatePart& part : text.parts) {
      const auto* field = std::get_if<TemplateField>(&part);
      if (field == nullptr || !std::holds_alternative<PlainFormat>(field->format)) continue;
      const Attribute& attribute = entity.attributes[field->attribute];
      if (attribute.type != FieldType::kInteger && attribute.type != FieldType::kDecimal) continue;
      findings.push_back(
          {.file = SourceFile::kDesign,
           .at = layout.at,
           .message = fmt::format("{}.{} writes {} without padding: 9 sorts after 1000.",
                                  entity.name, name, attribute.name),
           .example = fmt::format("'{0}9' > '{0}1000'", text.literal_prefix()),
           .fix = fmt::format("Write {{{}:05}}, as wide as the largest number.", attribute.name)});
    }
  });
}

void LookAtDelimiters(const Subject& subject, Findings& findings) {
  std::map<char, std::string> first;  // delimiter → where it stands
  Position at;
  ForEachText(subject, [&](const DesignTable&, const EntityLayout& layout, const std::string& name,
                           const Template& text) {
    for (const TemplatePart& part : text.parts) {
      const auto* literal = std::get_if<std::string>(&part);
      if (literal == nullptr) continue;
      for (const char c : *literal) {
        if (kDelimiters.find(c) == kDelimiters.npos) continue;
        const auto added = first.try_emplace(
            c, fmt::format("{}.{}", subject.model.entity(layout.entity).name, name));
        if (added.second) at = layout.at;
      }
    }
  });
  if (first.size() < 2) return;
  std::string places;
  for (const auto& [delimiter, place] : first) {
    places += fmt::format("{}`{}` in {}", places.empty() ? "" : ", ", delimiter, place);
  }
  findings.push_back({.file = SourceFile::kDesign,
                      .at = at,
                      .message = fmt::format("Keys are cut in several ways: {}.", places),
                      .example = "USER#7 and USER:7 are two keys, and both look right",
                      .fix = "Use one delimiter everywhere, and none that values hold."});
}

void LookAtCollidingPrefixes(const Subject& subject, Findings& findings) {
  if (subject.plan == nullptr) return;
  for (const DesignTable& table : subject.plan->design().tables) {
    // Sort texts that stand in one attribute, by their prefix.
    std::map<std::string, std::vector<std::pair<std::string, const EntityLayout*>>> prefixes;
    ForEachText(subject, [&](const DesignTable& of, const EntityLayout& layout,
                             const std::string& name, const Template& text) {
      // A text without fields is asked for as a whole, never by its beginning.
      const bool whole = text.parts.size() == 1;
      if (&of != &table || !IsSortKey(table, name) || text.literal_prefix().empty() || whole)
        return;
      prefixes[name].emplace_back(text.literal_prefix(), &layout);
    });
    for (const auto& [name, texts] : prefixes) {
      for (const auto& [shorter, layout] : texts) {
        for (const auto& [longer, other] : texts) {
          if (layout == other || shorter.size() >= longer.size() || !longer.starts_with(shorter)) {
            continue;
          }
          findings.push_back(
              {.file = SourceFile::kDesign,
               .at = layout->at,
               .message = fmt::format("begins_with({}, \"{}\") of {} also finds {}.", name, shorter,
                                      subject.model.entity(layout->entity).name,
                                      subject.model.entity(other->entity).name),
               .example = fmt::format("'{}…' begins with '{}'", longer, shorter),
               .fix = fmt::format("End the shorter prefix with its delimiter: \"{}#\".", shorter)});
        }
      }
    }
  }
}

// Two prefixes one letter apart are one prefix, mistyped: what asks for one never finds the other.
void LookAtMistypedPrefixes(const Subject& subject, Findings& findings) {
  std::map<std::string, Position> prefixes;
  ForEachText(subject, [&](const DesignTable&, const EntityLayout& layout, const std::string&,
                           const Template& text) {
    if (text.literal_prefix().size() >= 4) {
      prefixes.try_emplace(std::string(text.literal_prefix()), layout.at);
    }
  });
  const auto one_more = [](const std::string& longer, const std::string& shorter) {
    if (longer.size() != shorter.size() + 1) return false;
    const auto differ = std::ranges::mismatch(longer, shorter);
    const bool letter = std::isalpha(static_cast<unsigned char>(*differ.in1)) != 0;
    return letter && std::equal(differ.in1 + 1, longer.end(), differ.in2, shorter.end());
  };
  for (const auto& [one, at] : prefixes) {
    for (const auto& [other, other_at] : prefixes) {
      if (!one_more(one, other)) continue;
      findings.push_back(
          {.file = SourceFile::kDesign,
           .at = at,
           .message = fmt::format("\"{}\" and \"{}\" differ by one letter.", one, other),
           .example = fmt::format("a Query of \"{}\" finds nothing, and no error", one),
           .fix = "Write the prefix in one way; a registry of them helps."});
    }
  }
}

void LookAtMutableKeys(const Subject& subject, Findings& findings) {
  ForEachText(subject, [&](const DesignTable& table, const EntityLayout& layout,
                           const std::string& name, const Template& text) {
    if (!IsBaseKey(table, name)) return;
    const Entity& entity = subject.model.entity(layout.entity);
    for (const TemplatePart& part : text.parts) {
      const auto* field = std::get_if<TemplateField>(&part);
      if (field == nullptr || !entity.attributes[field->attribute].is_mutable) continue;
      findings.push_back(
          {.file = SourceFile::kDesign,
           .at = layout.at,
           .message = fmt::format(
               "{}.{} holds {}, which changes: each change deletes the item and puts another.",
               entity.name, name, entity.attributes[field->attribute].name),
           .example = "a 1 KB item: 4 units in a transaction; in an index's key, 3",
           .fix = "Keep the attribute out of the base key, and sort an index by it."});
    }
  });
}

}  // namespace kw::modeller
