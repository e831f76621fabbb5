// SPDX-License-Identifier: Apache-2.0
// One entity in a design file: its key texts, guards, copies and counters.
#include <algorithm>
#include <initializer_list>

#include "modeller/plan/design_source.h"

namespace kw::modeller {
namespace {

// A read asks every shard.
constexpr std::int64_t kShardsMax = 1000;

class LayoutReader {
 public:
  LayoutReader(DesignSource& source, const DesignTable& table) : source_(source), table_(table) {}

  EntityLayout Read(EntityId id, const YamlMember& member) {
    EntityLayout layout{
        .entity = id, .keys = {}, .guards = {}, .copies = {}, .counters = {}, .at = member.key.at};
    const auto& entity = source_.model.entity(id);
    if (member.value.is_null()) return layout;
    if (!source_.reader.ExpectMapping(member.value, "An entity", "{pk: \"PLAYER#{playerId}\"}"))
      return layout;
    for (const auto& entry : member.value.members) {
      const auto& name = entry.key.text;
      if (name == "guards") {
        for (const auto& item : Items(entry.value)) ReadGuard(entity, *item, layout);
      } else if (name == "copy") {
        for (const auto& item : Items(entry.value)) ReadCopy(entity, *item, layout);
      } else if (name == "counts") {
        ReadCounters(entry.value, layout);
      } else if (name.find('{') != std::string::npos) {
        ReadShortGuard(entity, entry, layout);
      } else if (auto text = ReadKeyText(entity, entry)) {
        layout.keys.emplace(name, std::move(*text));
      }
    }
    return layout;
  }

 private:
  // A list's members, or the one that stands in its place.
  static std::vector<const YamlNode*> Items(const YamlNode& node) {
    std::vector<const YamlNode*> items;
    if (node.kind != YamlKind::kSequence) return {&node};
    for (const auto& item : node.items) items.push_back(&item);
    return items;
  }

  // Calls `visit` with each part of the table's key and its indexes', and whether it partitions.
  template <class Visit>
  void ForEachPart(const Visit& visit) const {
    const auto visit_key = [&](const DesignKey& key) {
      for (const auto& part : key.partition) visit(part, true);
      for (const auto& part : key.sort) visit(part, false);
    };
    visit_key(table_.key);
    for (const auto& index : table_.indexes) visit_key(index.key);
  }

  // Finds a key attribute that templates fill.
  const KeyPart* FilledPart(const YamlNode& name) {
    const KeyPart* found = nullptr;
    ForEachPart([&](const KeyPart& part, bool /*partitions*/) {
      if (part.name == name.text && found == nullptr) found = &part;
    });
    if (found == nullptr) {
      source_.Fail(name.at,
                   fmt::format("`{}` is no key attribute of `{}`.", name.text, table_.name),
                   "Name one of the table's or of its indexes' partition and sort attributes.");
      return nullptr;
    }
    if (found->native) {
      source_.Fail(name.at,
                   fmt::format("`{}` is an attribute itself and takes no text.", name.text));
      return nullptr;
    }
    return found;
  }

  // Whether a key attribute of text is in no sort key.
  bool MayBeSpread(const KeyPart& part) const {
    bool may = part.type == KeyType::kString;
    ForEachPart([&](const KeyPart& other, bool partitions) {
      if (other.name == part.name && !partitions) may = false;
    });
    return may;
  }

  std::optional<KeyText> ReadKeyText(const Entity& entity, const YamlMember& entry) {
    const auto* part = FilledPart(entry.key);
    if (part == nullptr) return std::nullopt;
    KeyText key;
    const auto* text = &entry.value;
    if (entry.value.kind == YamlKind::kMapping) {
      source_.reader.ExpectFields(entry.value, "A key's text", "{text: …}",
                                  {"text", "when", "shards", "by"});
      text = source_.Member(entry.value, "text");
      if (text == nullptr) return std::nullopt;
      if (const auto* when = entry.value.Find("when")) key.when = ReadWhen(entity, when->value);
      key.shards = ReadShards(entity, entry.value);
      if (key.shards && !MayBeSpread(*part)) {
        source_.Fail(entry.key.at, "Shards spread a partition whose key is text.");
      }
    }
    auto parsed = ReadTemplate(entity, *text);
    if (!parsed) return std::nullopt;
    key.text = std::move(*parsed);
    CheckTyped(entity, *part, key.text, text->at);
    return key;
  }

  std::optional<Template> ReadTemplate(const Entity& entity, const YamlNode& node) {
    if (node.kind != YamlKind::kScalar) {
      source_.Fail(node.at, "Here stands a text with attributes.", "Write \"PLAYER#{playerId}\"");
      return std::nullopt;
    }
    return source_.Keep(Template::Parse(node.text, entity, node.at));
  }

  // A number or binary key holds one attribute's value and no text.
  void CheckTyped(const Entity& entity, const KeyPart& part, const Template& text, Position at) {
    if (part.type == KeyType::kString) return;
    const auto* field =
        text.parts.size() == 1 ? std::get_if<TemplateField>(&text.parts.front()) : nullptr;
    if (field != nullptr && std::holds_alternative<PlainFormat>(field->format) &&
        !field->descending && KeyTypeOf(entity.attributes[field->attribute]) == part.type) {
      return;
    }
    source_.Fail(at, fmt::format("`{}` is no text: it takes one attribute of its type.", part.name),
                 "Write \"{attribute}\" alone.");
  }

  std::optional<Shards> ReadShards(const Entity& entity, const YamlNode& node) {
    const auto* count = node.Find("shards");
    const auto* by = node.Find("by");
    if (count == nullptr) {
      if (by != nullptr)
        source_.Fail(by->key.at, "`by` chooses among shards.", "Write shards: 10, by: …");
      return std::nullopt;
    }
    Shards shards;
    shards.count = source_.reader.WholeNumber(count->value, "Shards", 1, kShardsMax).value_or(1);
    if (by != nullptr && by->value.text != "random") {
      shards.by = source_.AttributeOf(entity, by->value);
      if (shards.by && entity.attributes[*shards.by].present.value() < 1'000'000) {
        source_.Fail(by->value.at, "An attribute that may be absent cannot choose a shard.");
      }
    }
    return shards;
  }

  // attribute = literal, as SQL writes it.
  std::optional<When> ReadWhen(const Entity& entity, const YamlNode& node) {
    const auto wrong = [&] {
      source_.Fail(node.at, "A condition is an attribute that equals a literal.",
                   "Write \"status = 'open'\"");
      return std::nullopt;
    };
    std::string_view text = node.text;
    const auto trim = [](std::string_view from) {
      while (from.starts_with(' ')) from.remove_prefix(1);
      while (from.ends_with(' ')) from.remove_suffix(1);
      return from;
    };
    const auto equals = text.find('=');
    if (node.kind != YamlKind::kScalar || equals == std::string_view::npos) return wrong();
    const auto name = trim(text.substr(0, equals));
    auto literal = trim(text.substr(equals + 1));
    const auto found = entity.Find(name);
    if (!found) {
      source_.Fail(node.at, fmt::format("{} has no attribute `{}`.", entity.name, name));
      return std::nullopt;
    }
    const auto& attribute = entity.attributes[*found];
    if (!IsKeyable(attribute.type) && attribute.type != FieldType::kBoolean) return wrong();
    const bool quoted = literal.size() >= 2 && literal.starts_with('\'') && literal.ends_with('\'');
    if (quoted) literal = literal.substr(1, literal.size() - 2);
    const bool is_text = KeyTypeOf(attribute) == KeyType::kString;
    if (quoted != is_text) return wrong();
    std::string plain;
    for (std::size_t i = 0; i < literal.size(); ++i) {
      plain.push_back(literal[i]);
      if (quoted && literal.substr(i, 2) == "''") ++i;
    }
    auto value = ParseValue(attribute, plain);
    if (!value) return wrong();
    return When{.attribute = *found, .equals = std::move(*value)};
  }

  void ReadShortGuard(const Entity& entity, const YamlMember& entry, EntityLayout& layout) {
    if (entry.value.kind != YamlKind::kScalar || entry.value.text != "guard") {
      source_.Fail(entry.key.at, "A text in place of a key attribute's name lists a guard.",
                   fmt::format("Write \"{}\": guard", entry.key.text));
      return;
    }
    auto text = ReadTemplate(entity, entry.key);
    if (!text) return;
    GuardItem guard;
    for (const auto* parts : {&table_.key.partition, &table_.key.sort}) {
      for (const auto& part : *parts) {
        if (part.native) {
          source_.Fail(entry.key.at, "A guard cannot stand in a table whose key is an attribute.",
                       "Keep guards in a table of their own.");
          return;
        }
        CheckTyped(entity, part, *text, entry.key.at);
        guard.key.emplace(part.name, *text);
      }
    }
    AddGuard(entity, std::move(guard), entry.key.at, layout);
  }

  void ReadGuard(const Entity& entity, const YamlNode& node, EntityLayout& layout) {
    if (!source_.reader.ExpectMapping(node, "A guard",
                                      "guards: [{pk: \"EMAIL#{email}\", sk: GUARD}]"))
      return;
    GuardItem guard;
    for (const auto& member : node.members) {
      const auto* part = FilledPart(member.key);
      if (part == nullptr) continue;
      if (auto text = ReadTemplate(entity, member.value)) {
        CheckTyped(entity, *part, *text, member.value.at);
        guard.key.emplace(part->name, std::move(*text));
      }
    }
    AddGuard(entity, std::move(guard), node.at, layout);
  }

  // The attribute that a guard keeps unique is the one in its texts.
  void AddGuard(const Entity& entity, GuardItem guard, Position at, EntityLayout& layout) {
    std::optional<AttributeId> unique;
    for (const auto& [name, text] : guard.key) {
      for (const auto& part : text.parts) {
        const auto* field = std::get_if<TemplateField>(&part);
        if (field == nullptr) continue;
        if ((unique && *unique != field->attribute) || field->bucket() != Bucket::kNone) {
          source_.Fail(at, "A guard keeps one attribute unique.", "Write \"EMAIL#{email}\": guard");
          return;
        }
        unique = field->attribute;
      }
    }
    if (!unique) {
      source_.Fail(
          at, "A guard's key names the attribute that is unique.",
          fmt::format("Write \"EMAIL#{{email}}\": guard, with an attribute of {}.", entity.name));
      return;
    }
    guard.unique = *unique;
    layout.guards.push_back(std::move(guard));
  }

  void ReadCopy(const Entity& entity, const YamlNode& node, EntityLayout& layout) {
    if (!source_.reader.ExpectMapping(
            node, "A copy", "copy: {pk: \"USER#{followedId}\", sk: \"FOLLOWER#{followerId}\"}"))
      return;
    CopyItem copy;
    for (const auto& member : node.members) {
      if (member.key.text != "attributes") {
        if (auto text = ReadKeyText(entity, member)) {
          copy.keys.emplace(member.key.text, std::move(*text));
        }
        continue;
      }
      for (const auto* item : Items(member.value)) {
        if (const auto found = source_.AttributeOf(entity, *item))
          copy.attributes.push_back(*found);
      }
    }
    layout.copies.push_back(std::move(copy));
  }

  // {orders: Purchase, spent: {sum: total, of: Purchase}, followers: {of: Follow, by: followedId}}
  void ReadCounters(const YamlNode& node, EntityLayout& layout) {
    if (!source_.reader.ExpectMapping(node, "Counts", "counts: {orders: Purchase}")) return;
    for (const auto& member : node.members) {
      const auto& value = member.value;
      const bool long_form = value.kind == YamlKind::kMapping;
      if (long_form)
        source_.reader.ExpectFields(value, "A counter", "{of: Purchase}", {"sum", "of", "by"});
      const auto* of = long_form ? source_.Member(value, "of") : &value;
      if (of == nullptr) continue;
      const auto child = source_.EntityOf(*of);
      if (!child) continue;
      Counter counter{
          .name = member.key.text, .child = *child, .reference = 0, .sum = std::nullopt};
      const auto& entity = source_.model.entity(*child);
      if (const auto* sum = value.Find("sum"); sum != nullptr) {
        counter.sum = SummedAttribute(entity, sum->value);
      }
      const auto* by = value.Find("by");
      const auto reference =
          FindReference(entity, layout.entity, by ? &by->value : nullptr, of->at);
      if (!reference) continue;
      counter.reference = *reference;
      layout.counters.push_back(std::move(counter));
    }
  }

  std::optional<AttributeId> SummedAttribute(const Entity& entity, const YamlNode& node) {
    const auto found = source_.AttributeOf(entity, node);
    if (!found) return std::nullopt;
    const auto type = entity.attributes[*found].type;
    if (type != FieldType::kInteger && type != FieldType::kDecimal) {
      source_.Fail(node.at, fmt::format("`{}` is no number.", node.text));
    }
    return found;
  }

  // The one reference from a child to its parent, or the one that begins with the attribute `by`.
  std::optional<std::size_t> FindReference(const Entity& child, EntityId parent, const YamlNode* by,
                                           Position at) {
    const auto wanted = by != nullptr ? source_.AttributeOf(child, *by) : std::nullopt;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < child.references.size(); ++i) {
      const auto& reference = child.references[i];
      if (reference.to == parent && (!wanted || reference.by.back() == *wanted)) found.push_back(i);
    }
    if (found.size() == 1) return found.front();
    source_.Fail(at,
                 fmt::format("{} has {} references to {}.", child.name,
                             found.empty() ? "no" : "several", source_.model.entity(parent).name),
                 "Name one: {of: Follow, by: followedId}");
    return std::nullopt;
  }

  DesignSource& source_;
  const DesignTable& table_;
};

}  // namespace

EntityLayout ReadLayout(DesignSource& source, EntityId id, const YamlMember& member,
                        const DesignTable& table) {
  return LayoutReader(source, table).Read(id, member);
}

}  // namespace kw::modeller
