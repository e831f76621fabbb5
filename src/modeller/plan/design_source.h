// SPDX-License-Identifier: Apache-2.0
// What the readers of a design file share: the model its names are looked up in, and the faults.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "modeller/model/yaml.h"
#include "modeller/model/yaml_reader.h"
#include "modeller/plan/design.h"

namespace kw::modeller {

struct DesignSource {
  const Model& model;
  YamlReader reader;

  void Fail(Position at, std::string message, std::string suggestion = {}) {
    reader.Report(at, std::move(message), std::move(suggestion));
  }
  template <class T>
  std::optional<T> Keep(Parsed<T> parsed) {
    if (parsed) return std::move(*parsed);
    for (auto& fault : parsed.error()) {
      Fail(fault.at, std::move(fault.message), std::move(fault.suggestion));
    }
    return std::nullopt;
  }

  const YamlNode* Member(const YamlNode& node, std::string_view key) {
    const auto* member = node.Find(key);
    if (member != nullptr) return &member->value;
    Fail(node.at, fmt::format("`{}` is missing.", key), fmt::format("Write {}: …", key));
    return nullptr;
  }
  std::string Text(const YamlNode& node) {
    if (node.kind == YamlKind::kScalar && !node.text.empty()) return node.text;
    Fail(node.at, "Here stands a text.");
    return {};
  }
  std::optional<AttributeId> AttributeOf(const Entity& entity, const YamlNode& node) {
    const auto found = entity.Find(node.text);
    if (!found) {
      std::vector<std::string_view> names;
      for (const auto& attribute : entity.attributes) names.push_back(attribute.name);
      Fail(node.at, fmt::format("{} has no attribute `{}`.", entity.name, node.text),
           SuggestName(node.text, names));
    }
    return found;
  }
  std::optional<EntityId> EntityOf(const YamlNode& node) {
    const auto found = model.FindEntity(node.text);
    if (!found) {
      std::vector<std::string_view> names;
      for (const auto& entity : model.entities()) names.push_back(entity.name);
      Fail(node.at, fmt::format("The model has no entity `{}`.", node.text),
           SuggestName(node.text, names));
    }
    return found;
  }
};

// Reads one entity of a table whose keys and indexes have been read.
EntityLayout ReadLayout(DesignSource& source, EntityId id, const YamlMember& member,
                        const DesignTable& table);

}  // namespace kw::modeller
