// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "modeller/model/yaml.h"

namespace kw::modeller {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// `keys` without a mapping for them yet: {a: {b: value}} for what is inside the outermost.
std::string Nested(std::span<const std::string_view> keys, std::string_view value) {
  std::string text(value);
  for (std::size_t i = keys.size(); i > 1; --i) {
    text = fmt::format("{{{}: {}}}", QuoteYaml(keys[i - 1]), text);
  }
  return fmt::format("{}: {}", QuoteYaml(keys.front()), text);
}

std::string Replaced(std::string_view text, const YamlNode& node, std::string_view value) {
  const std::string_view before = text.substr(0, node.begin);
  // Behind a bare `key:` there is no blank yet.
  const bool glued = node.begin == node.end && !before.empty() && !IsBlank(before.back());
  return fmt::format("{}{}{}{}", before, glued ? " " : "", value, text.substr(node.end));
}

std::string AddedToFlow(std::string_view text, const YamlNode& node, std::string_view member) {
  const std::size_t at = node.members.empty() ? node.begin + 1 : node.members.back().value.end;
  return fmt::format("{}{}{}{}", text.substr(0, at), node.members.empty() ? "" : ", ", member,
                     text.substr(at));
}

// A line of its own behind the mapping's last one, as far in as its members are.
std::string AddedToBlock(std::string_view text, const YamlNode& node, std::string_view member) {
  const std::size_t line = text.substr(0, node.begin).find_last_of("\r\n") + 1;
  const std::size_t indentation = node.begin - line;
  // The last line may end with a comment.
  std::size_t at = text.find_first_of("\r\n", node.end);
  std::string_view end_of_line = "\n";
  if (node.end > 0 && text[node.end - 1] == '\n') at = node.end - 1;  // of a block scalar
  if (at == text.npos) at = text.size();
  if (text.substr(at).starts_with("\r\n")) end_of_line = "\r\n";
  return fmt::format("{}{}{}{}{}", text.substr(0, at), end_of_line, std::string(indentation, ' '),
                     member, text.substr(at));
}

// A character that YAML takes for a line break, or refuses, unless it is escaped.
struct Special {
  std::size_t bytes = 0;  // 0: none
  std::uint32_t code_point = 0;
};
Special SpecialAt(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  if (byte(0) == 0xC2 && byte(1) < 0xA0) return {2, byte(1)};
  if (byte(0) < 0xE0 || byte(0) > 0xEF || text.size() < 3) return {};
  const std::uint32_t c = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  if (c == 0x2028 || c == 0x2029 || c == 0xFEFF || c >= 0xFFFE) return {3, c};
  return {};
}

}  // namespace

std::string QuoteYaml(std::string_view text) {
  const bool simple = !text.empty() && text.front() != '-' && text.front() != ' ' &&
                      text.back() != ' ' && std::all_of(text.begin(), text.end(), [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                               (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
                               c == '/' || c == ' ';
                      });
  YamlNode plain;
  plain.text = text;
  if (simple && plain.is_text()) return std::string(text);
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (const auto special = SpecialAt(text.substr(i)); special.bytes > 0) {
      quoted += fmt::format("\\u{:04x}", special.code_point);
      i += special.bytes - 1;
      continue;
    }
    switch (c) {
      case '"': quoted += "\\\""; break;
      case '\\': quoted += "\\\\"; break;
      case '\n': quoted += "\\n"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
          quoted += c;
        }
    }
  }
  return quoted + '"';
}

Parsed<std::string> SetYamlValue(std::string_view text, std::span<const std::string_view> path,
                                 std::string_view value) {
  TRY_ASSIGN(const YamlDocument document, YamlDocument::Parse(text));
  const YamlNode* node = &document.root();
  while (!path.empty() && node->kind == YamlKind::kMapping) {
    const YamlMember* member = node->Find(path.front());
    if (member == nullptr) break;
    node = &member->value;
    path = path.subspan(1);
  }
  std::string edited;
  if (path.empty()) {
    edited = Replaced(text, *node, value);
  } else if (node->kind != YamlKind::kMapping) {
    if (!node->is_null()) {
      return Unexpected(std::vector<Fault>{
          {.at = node->at,
           .message =
               fmt::format("'{}' cannot be set inside a value that is no mapping.", path.front()),
           .suggestion = ""}});
    }
    edited = Replaced(text, *node, fmt::format("{{{}}}", Nested(path, value)));
  } else if (node->style == YamlStyle::kFlow) {
    edited = AddedToFlow(text, *node, Nested(path, value));
  } else {
    edited = AddedToBlock(text, *node, Nested(path, value));
  }
  TRY(YamlDocument::Parse(edited));
  return edited;
}

}  // namespace kw::modeller
