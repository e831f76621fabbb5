// SPDX-License-Identifier: Apache-2.0
// YAML 1.2 as the modeller's files use it: one document of mappings, sequences and scalars, each
// with its place in the text. Hides libyaml. No anchors, aliases or tags; a key stands once.
// A plain scalar means what the core schema says: null, a boolean, a number or text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/number.h"
#include "modeller/model/source.h"

namespace kw::modeller {

inline constexpr std::size_t kYamlBytesMax = std::size_t{1} << 20;
inline constexpr int kYamlDepthMax = 32;

enum class YamlKind : std::uint8_t { kScalar, kSequence, kMapping };
enum class YamlStyle : std::uint8_t {
  kPlain,  // scalars
  kSingleQuoted,
  kDoubleQuoted,
  kLiteral,
  kFolded,
  kFlow,  // sequences and mappings
  kBlock
};

struct YamlMember;

struct YamlNode {
  YamlKind kind = YamlKind::kScalar;
  YamlStyle style = YamlStyle::kPlain;
  Position at;
  std::size_t begin = 0;  // bytes of the document's text
  std::size_t end = 0;
  std::string text;                 // of a scalar, decoded
  std::vector<YamlNode> items;      // of a sequence
  std::vector<YamlMember> members;  // of a mapping, as written

  [[nodiscard]] const YamlMember* Find(std::string_view key) const;
  // What a plain scalar means. Nothing for any other node.
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] std::optional<bool> boolean() const;
  [[nodiscard]] std::optional<Number> number() const;  // decimal, of 38 digits at most
  // Text as opposed to null, a boolean or a number: quoted, or plain and none of these.
  [[nodiscard]] bool is_text() const;
};

struct YamlMember {
  YamlNode key;  // a scalar
  YamlNode value;
};

class YamlDocument {
 public:
  // Errors: the first fault of the text's form; every duplicate key.
  static Parsed<YamlDocument> Parse(std::string_view text);

  [[nodiscard]] const YamlNode& root() const { return root_; }
  // Where a byte of a scalar's decoded text stands in the document.
  [[nodiscard]] Position PositionIn(const YamlNode& scalar, std::size_t offset) const;

 private:
  friend class YamlBuilder;
  YamlDocument() = default;
  std::string text_;
  YamlNode root_;
};

// The text with the value at a path of keys replaced by `value` (YAML of one line), or added where
// the path ends; comments and layout stay. Errors: faults of the text, or of the result.
Parsed<std::string> SetYamlValue(std::string_view text, std::span<const std::string_view> path,
                                 std::string_view value);

// The text as a scalar that reads back as this text: plain where that is so, else quoted.
std::string QuoteYaml(std::string_view text);

}  // namespace kw::modeller
