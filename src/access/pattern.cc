// SPDX-License-Identifier: Apache-2.0
#include "access/pattern.h"

#include <algorithm>

namespace kw::access {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The bytes of the UTF-8 character that begins here.
std::size_t CharacterBytes(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return end - at;
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, Lower, Lower);
}

std::optional<Pattern> Pattern::Parse(std::string_view text, PatternStyle style, KeySet& keys) {
  Pattern pattern;
  pattern.letters_ = style.letters;
  const bool wild = style.wildcards == PatternStyle::Wildcards::kAny;
  const bool variable = style.variables == PatternStyle::Variables::kAny;
  std::string_view special = variable ? "$" : "";
  if (wild) special = variable ? "*?$" : "*?";
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of(special), text.size());
    if (plain > 0) {
      pattern.AddText(text.substr(0, plain));
      text.remove_prefix(plain);
    } else if (text.starts_with("${")) {
      const std::size_t end = text.find('}');
      if (end == text.npos || !pattern.AddVariable(text.substr(2, end - 2), keys)) {
        return std::nullopt;
      }
      text.remove_prefix(end + 1);
    } else {
      if (text.front() == '$') {
        pattern.AddText("$");
      } else if (text.front() == '?') {
        pattern.pieces_.push_back({.kind = Kind::kOneCharacter, .text = {}});
      } else if (pattern.pieces_.empty() || pattern.pieces_.back().kind != Kind::kManyCharacters) {
        pattern.pieces_.push_back({.kind = Kind::kManyCharacters, .text = {}});
      }
      text.remove_prefix(1);
    }
  }
  return pattern;
}

void Pattern::AddText(std::string_view text) {
  if (pieces_.empty() || pieces_.back().kind != Kind::kText) {
    pieces_.push_back({.kind = Kind::kText, .text = {}});
  }
  pieces_.back().text += text;
}

// `aws:username`, `aws:username, 'nobody'`, and the three characters that would mean something.
bool Pattern::AddVariable(std::string_view inside, KeySet& keys) {
  if (inside == "*" || inside == "?" || inside == "$") {
    AddText(inside);
    return true;
  }
  Piece piece{.kind = Kind::kVariable, .text = {}};
  const std::size_t comma = inside.find(',');
  if (comma != inside.npos) {
    const std::string_view fallback = Trim(inside.substr(comma + 1));
    if (fallback.size() < 2 || !fallback.starts_with('\'') || !fallback.ends_with('\'')) {
      return false;
    }
    piece.text = fallback.substr(1, fallback.size() - 2);
    piece.has_default = true;
  }
  const std::string_view name = Trim(inside.substr(0, comma));
  if (name.empty()) return false;
  piece.key = FindKey(name);
  keys.Add(piece.key);
  pieces_.push_back(std::move(piece));
  has_variables_ = true;
  return true;
}

bool Pattern::Matches(std::string_view text, const Facts& facts) const {
  if (pieces_.size() == 1) {
    const Piece& only = pieces_.front();
    if (only.kind == Kind::kManyCharacters) return true;
    if (only.kind == Kind::kText) {
      return only.text.size() == text.size() && StartsWith(text, only.text);
    }
  }
  std::vector<Step> steps;
  steps.reserve(pieces_.size());
  for (const Piece& piece : pieces_) {
    if (piece.kind != Kind::kVariable) {
      steps.push_back({.kind = piece.kind, .text = piece.text});
      continue;
    }
    const auto value = facts.Single(piece.key);
    if (!value && !piece.has_default) return false;
    steps.push_back({.kind = Kind::kText, .text = value.value_or(piece.text)});
  }
  return MatchesSteps(steps, text);
}

bool Pattern::StartsWith(std::string_view text, std::string_view start) const {
  if (letters_ == PatternStyle::Case::kExact) return text.starts_with(start);
  return text.size() >= start.size() && EqualIgnoringCase(text.substr(0, start.size()), start);
}

// What stands between two stars is taken where it first fits, so that only the last star is ever
// tried again.
bool Pattern::MatchesSteps(const std::vector<Step>& steps, std::string_view text) const {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t step = 0;
  std::size_t at = 0;
  std::size_t retry_step = kNone;
  std::size_t retry_at = 0;
  while (true) {
    bool fits = false;
    if (step == steps.size()) {
      if (at == text.size()) return true;
    } else if (steps[step].kind == Kind::kManyCharacters) {
      if (step + 1 == steps.size()) return true;
      retry_step = ++step;
      retry_at = at;
      fits = true;
    } else if (steps[step].kind == Kind::kOneCharacter) {
      fits = at < text.size();
      if (fits) at += CharacterBytes(text, at);
      if (fits) ++step;
    } else {
      fits = StartsWith(text.substr(at), steps[step].text);
      if (fits) at += steps[step].text.size();
      if (fits) ++step;
    }
    if (fits) continue;
    if (retry_step == kNone || retry_at >= text.size()) return false;
    step = retry_step;
    at = ++retry_at;
  }
}

}  // namespace kw::access
