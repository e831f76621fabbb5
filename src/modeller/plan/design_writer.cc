// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "modeller/model/yaml.h"
#include "modeller/plan/design.h"

namespace kw::modeller {
namespace {

std::string TypeWord(KeyType type) {
  switch (type) {
    case KeyType::kString: return "";
    case KeyType::kNumber: return " number";
    case KeyType::kBinary: return " binary";
  }
  return "";
}

std::string PartsText(const std::vector<KeyPart>& parts) {
  const auto native = [](const KeyPart& part) {
    return fmt::format("{{attribute: {}}}", QuoteYaml(part.name));
  };
  const auto text = [](const KeyPart& part) { return QuoteYaml(part.name + TypeWord(part.type)); };
  if (parts.size() == 1) return parts.front().native ? native(parts.front()) : text(parts.front());
  std::string list;
  for (const auto& part : parts) {
    list += list.empty() ? "" : ", ";
    list += part.native ? QuoteYaml(part.name) : fmt::format("{{text: {}}}", text(part));
  }
  return "[" + list + "]";
}

std::string KeyMembers(const DesignKey& key) {
  auto members = "partition: " + PartsText(key.partition);
  if (!key.sort.empty()) members += ", sort: " + PartsText(key.sort);
  return members;
}

std::string Names(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + QuoteYaml(name);
  return "[" + list + "]";
}

std::string ProjectionText(const Projected& projected) {
  if (std::holds_alternative<ProjectAll>(projected)) return "all";
  const auto* include = std::get_if<ProjectInclude>(&projected);
  return include != nullptr ? Names(include->attributes) : "keys";
}

std::string LiteralText(const Attribute& attribute, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    std::string literal = "'";
    for (const char c : *text) literal.append(c == '\'' ? 2 : 1, c);
    return literal + "'";
  }
  const auto text = ValueText(attribute, value);
  return KeyTypeOf(attribute) == KeyType::kString ? "'" + text + "'" : text;
}

std::string KeyTextOf(const Entity& entity, const KeyText& key) {
  auto text = QuoteYaml(key.text.ToText(entity));
  if (!key.when && !key.shards) return text;
  text = "{text: " + text;
  if (key.when) {
    const auto& attribute = entity.attributes[key.when->attribute];
    text +=
        ", when: " + QuoteYaml(attribute.name + " = " + LiteralText(attribute, key.when->equals));
  }
  if (key.shards) {
    text += fmt::format(", shards: {}", key.shards->count);
    if (key.shards->by) text += ", by: " + QuoteYaml(entity.attributes[*key.shards->by].name);
  }
  return text + "}";
}

std::string CounterText(const Model& model, EntityId parent, const Counter& counter) {
  const auto& child = model.entity(counter.child);
  const auto references = std::ranges::count(child.references, parent, &Reference::to);
  if (!counter.sum && references == 1) return QuoteYaml(child.name);
  auto text = "{of: " + QuoteYaml(child.name);
  if (counter.sum) text += ", sum: " + QuoteYaml(child.attributes[*counter.sum].name);
  if (references > 1) {
    const auto by = child.references[counter.reference].by.back();
    text += ", by: " + QuoteYaml(child.attributes[by].name);
  }
  return text + "}";
}

void WriteGuards(const Entity& entity, const EntityLayout& layout, std::string& out) {
  if (layout.guards.empty()) return;
  out += "        guards:\n";
  for (const auto& guard : layout.guards) {
    std::string members;
    for (const auto& [name, text] : guard.key) {
      members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", QuoteYaml(name),
                             QuoteYaml(text.ToText(entity)));
    }
    out += "          - {" + members + "}\n";
  }
}

void WriteCopies(const Entity& entity, const EntityLayout& layout, std::string& out) {
  if (layout.copies.empty()) return;
  out += "        copy:\n";
  for (const auto& copy : layout.copies) {
    std::string members;
    for (const auto& [name, key] : copy.keys) {
      members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", QuoteYaml(name),
                             KeyTextOf(entity, key));
    }
    if (!copy.attributes.empty()) {
      std::vector<std::string> names;
      for (const auto id : copy.attributes) names.push_back(entity.attributes[id].name);
      members += ", attributes: " + Names(names);
    }
    out += "          - {" + members + "}\n";
  }
}

void WriteLayout(const Model& model, const EntityLayout& layout, std::string& out) {
  const auto& entity = model.entity(layout.entity);
  out += fmt::format("      {}:", QuoteYaml(entity.name));
  if (layout.keys.empty() && layout.guards.empty() && layout.copies.empty() &&
      layout.counters.empty()) {
    out += " {}\n";
    return;
  }
  out += "\n";
  for (const auto& [name, key] : layout.keys) {
    out += fmt::format("        {}: {}\n", QuoteYaml(name), KeyTextOf(entity, key));
  }
  WriteGuards(entity, layout, out);
  WriteCopies(entity, layout, out);
  if (layout.counters.empty()) return;
  std::string counters;
  for (const auto& counter : layout.counters) {
    counters += fmt::format("{}{}: {}", counters.empty() ? "" : ", ", QuoteYaml(counter.name),
                            CounterText(model, layout.entity, counter));
  }
  out += "        counts: {" + counters + "}\n";
}

std::string AnswerText(const WrittenAnswer& answer) {
  constexpr std::array<std::string_view, 3> kWords = {"get", "query", "scan"};
  auto text = fmt::format("{{{}: {}", kWords[static_cast<std::size_t>(answer.kind)],
                          QuoteYaml(answer.table));
  if (answer.index) text += ", index: " + QuoteYaml(*answer.index);
  if (answer.where) text += ", where: " + QuoteYaml(*answer.where);
  if (answer.descending) text += *answer.descending ? ", order: descending" : ", order: ascending";
  if (answer.limit) text += fmt::format(", limit: {}", *answer.limit);
  return text + "}";
}

}  // namespace

std::string Design::ToYaml(const Model& model) const {
  std::string out = fmt::format("design: {}\ntables:\n", QuoteYaml(name));
  for (const auto& table : tables) {
    out += fmt::format("  {}:\n    key: {{{}}}\n", QuoteYaml(table.name), KeyMembers(table.key));
    if (!table.indexes.empty()) out += "    indexes:\n";
    for (const auto& index : table.indexes) {
      out += fmt::format("      {}: {{{}, project: {}{}}}\n", QuoteYaml(index.name),
                         KeyMembers(index.key), ProjectionText(index.projected),
                         index.scope == IndexScope::kLocal ? ", local: true" : "");
    }
    out += table.entities.empty() ? "    entities: {}\n" : "    entities:\n";
    for (const auto& layout : table.entities) WriteLayout(model, layout, out);
  }
  if (!answers.empty()) out += "answers:\n";
  for (const auto& answer : answers) {
    out += fmt::format("  {}: {}\n", QuoteYaml(answer.question), AnswerText(answer));
  }
  return out;
}

}  // namespace kw::modeller
