// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"

namespace kw::modeller {

void YamlReader::Report(Position at, std::string message, std::string suggestion) {
  if (faults_.size() >= kFaultsMax) return;
  faults_.push_back({.at = at, .message = std::move(message), .suggestion = std::move(suggestion)});
}

void YamlReader::ReportIn(const YamlNode& scalar, std::size_t offset, std::string message,
                          std::string suggestion) {
  if (faults_.size() >= kFaultsMax) return;
  Report(document_.PositionIn(scalar, offset), std::move(message), std::move(suggestion));
}

std::vector<Fault> YamlReader::TakeFaults() {
  std::stable_sort(faults_.begin(), faults_.end(),
                   [](const Fault& a, const Fault& b) { return a.at < b.at; });
  return std::move(faults_);
}

bool YamlReader::ExpectMapping(const YamlNode& node, std::string_view what, std::string_view form) {
  if (node.kind == YamlKind::kMapping) return true;
  Report(node.at, fmt::format("{} is a mapping.", what), fmt::format("Write {}.", form));
  return false;
}

bool YamlReader::ExpectFields(const YamlNode& node, std::string_view what, std::string_view form,
                              std::initializer_list<std::string_view> known) {
  if (!ExpectMapping(node, what, form)) return false;
  for (const YamlMember& member : node.members) {
    if (std::find(known.begin(), known.end(), member.key.text) != known.end()) continue;
    std::string suggestion = SuggestName(member.key.text, known);
    if (suggestion.empty()) {
      suggestion =
          fmt::format("It may have {}.", Alternatives(std::span(known.begin(), known.end())));
    }
    Report(member.key.at, fmt::format("{} has no '{}'.", what, member.key.text),
           std::move(suggestion));
  }
  return true;
}

bool YamlReader::ExpectText(const YamlNode& node, std::string_view what, std::string_view form) {
  if (node.is_text()) return true;
  Report(node.at, fmt::format("{} is a text.", what), fmt::format("Write {}.", form));
  return false;
}

std::optional<std::int64_t> YamlReader::WholeNumber(const YamlNode& node, std::string_view what,
                                                    std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const std::string& text = node.text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (node.number() && error == std::errc() && end == text.data() + text.size() &&
      number >= least && number <= most) {
    return number;
  }
  Report(node.at, fmt::format("{} is a whole number from {} to {}.", what, least, most));
  return std::nullopt;
}

std::vector<const YamlNode*> YamlReader::Texts(const YamlNode& node, std::string_view what,
                                               std::string_view form) {
  std::vector<const YamlNode*> texts;
  if (node.kind == YamlKind::kSequence) {
    for (const YamlNode& item : node.items) {
      if (ExpectText(item, what, form)) texts.push_back(&item);
    }
    if (node.items.empty()) {
      Report(node.at, fmt::format("{} names nothing.", what), fmt::format("Write {}.", form));
    }
  } else if (node.is_text()) {
    texts.push_back(&node);
  } else {
    Report(node.at, fmt::format("{} is a list of names.", what), fmt::format("Write {}.", form));
  }
  return texts;
}

std::string SuggestName(std::string_view word, const std::vector<std::string_view>& names) {
  constexpr std::size_t kNamesMax = 500;
  const std::string_view nearest =
      Nearest(word, std::span(names).first(std::min(names.size(), kNamesMax)));
  return nearest.empty() ? "" : fmt::format("Did you mean {}?", nearest);
}

std::string Alternatives(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace kw::modeller
