// SPDX-License-Identifier: Apache-2.0
// A text of a policy that values are held against: with wildcards * and ?, and with variables such
// as ${aws:username}, whose values are taken as they are.
// Source: aws-doc, IAM User Guide, "IAM policy elements: Variables and tags".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/facts.h"

namespace kw::access {

bool EqualIgnoringCase(std::string_view a, std::string_view b);  // of ASCII letters

struct PatternStyle {
  enum class Wildcards : std::uint8_t { kNone, kAny };
  enum class Variables : std::uint8_t { kNone, kAny };  // none before version 2012-10-17
  enum class Case : std::uint8_t { kExact, kIgnored };
  Wildcards wildcards = Wildcards::kAny;
  Variables variables = Variables::kNone;
  Case letters = Case::kExact;
};

class Pattern {
 public:
  // The keys of its variables are added to `keys`. Nothing: a variable is not closed, or empty.
  static std::optional<Pattern> Parse(std::string_view text, PatternStyle style, KeySet& keys);

  // A variable that the call lacks matches nothing. Time: at most the product of the lengths.
  [[nodiscard]] bool Matches(std::string_view text, const Facts& facts) const;

 private:
  enum class Kind : std::uint8_t { kText, kOneCharacter, kManyCharacters, kVariable };
  struct Piece {
    Kind kind;
    std::string text;  // of kText, and what a variable falls back to
    Key key = Key::kOther;
    bool has_default = false;
  };
  // The form that is matched: texts by reference, no variables.
  struct Step {
    Kind kind;
    std::string_view text;
  };

  bool AddVariable(std::string_view inside, KeySet& keys);
  void AddText(std::string_view text);
  [[nodiscard]] bool StartsWith(std::string_view text, std::string_view start) const;
  [[nodiscard]] bool MatchesSteps(const std::vector<Step>& steps, std::string_view text) const;

  std::vector<Piece> pieces_;
  PatternStyle::Case letters_ = PatternStyle::Case::kExact;
  bool has_variables_ = false;
};

}  // namespace kw::access
