// SPDX-License-Identifier: Apache-2.0
// Reads a YAML tree into typed values and gathers every fault on the way: wrong kinds, unknown
// names with the nearest known one, numbers out of range.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "modeller/model/yaml.h"

namespace kw::modeller {

// No text has more faults reported than these.
inline constexpr std::size_t kFaultsMax = 100;

class YamlReader {
 public:
  explicit YamlReader(const YamlDocument& document) : document_(document) {}

  void Report(Position at, std::string message, std::string suggestion = "");
  // The same at a byte of a scalar's text.
  void ReportIn(const YamlNode& scalar, std::size_t offset, std::string message,
                std::string suggestion = "");
  [[nodiscard]] std::size_t fault_count() const { return faults_.size(); }
  // In the text's order.
  std::vector<Fault> TakeFaults();

  // Each of these reports what the node should be, unless it is that. `form` says what to write.
  bool ExpectMapping(const YamlNode& node, std::string_view what, std::string_view form);
  // Also reports each member whose name is none of `known`.
  bool ExpectFields(const YamlNode& node, std::string_view what, std::string_view form,
                    std::initializer_list<std::string_view> known);
  bool ExpectText(const YamlNode& node, std::string_view what, std::string_view form);
  std::optional<std::int64_t> WholeNumber(const YamlNode& node, std::string_view what,
                                          std::int64_t least, std::int64_t most);
  // One text or a sequence of them: [a, b].
  std::vector<const YamlNode*> Texts(const YamlNode& node, std::string_view what,
                                     std::string_view form);

 private:
  const YamlDocument& document_;
  std::vector<Fault> faults_;
};

// "Did you mean rating?", or empty where no name is near.
std::string SuggestName(std::string_view word, const std::vector<std::string_view>& names);

// "a, b or c".
std::string Alternatives(std::span<const std::string_view> words);

}  // namespace kw::modeller
