// SPDX-License-Identifier: Apache-2.0
#include "partiql/lexer.h"

#include <algorithm>

namespace kw::partiql {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool StartsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool IsWord(char c) { return StartsWord(c) || IsDigit(c); }

// Over white space, -- lines and /* blocks */. A block that does not end is no comment.
std::size_t SkipBlanks(std::string_view text, std::size_t position) {
  while (position < text.size()) {
    const std::string_view rest = text.substr(position);
    if (IsSpace(rest.front())) {
      ++position;
    } else if (rest.starts_with("--")) {
      const std::size_t line = rest.find('\n');
      position = line == std::string_view::npos ? text.size() : position + line + 1;
    } else if (rest.starts_with("/*")) {
      const std::size_t close = rest.find("*/", 2);
      if (close == std::string_view::npos) return position;
      position += close + 2;
    } else {
      return position;
    }
  }
  return position;
}

template <class Holds>
std::size_t EndOfRun(std::string_view text, std::size_t position, Holds holds) {
  while (position < text.size() && holds(text[position])) ++position;
  return position;
}

Token Quoted(std::string_view text, std::size_t begin, TokenKind kind) {
  const char quote = text[begin];
  std::size_t position = begin + 1;
  while (true) {
    const std::size_t close = text.find(quote, position);
    if (close == std::string_view::npos) return {TokenKind::kUnknown, begin, text.size()};
    position = close + 1;
    if (position >= text.size() || text[position] != quote) return {kind, begin, position};
    ++position;
  }
}

// digits [ "." digits ] [ "e" [ sign ] digits ], or "." digits
Token Numeral(std::string_view text, std::size_t begin) {
  std::size_t end = EndOfRun(text, begin, IsDigit);
  if (end < text.size() && text[end] == '.') end = EndOfRun(text, end + 1, IsDigit);
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t digits = end + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    const std::size_t last = EndOfRun(text, digits, IsDigit);
    if (last > digits) end = last;
  }
  return {TokenKind::kNumber, begin, end};
}

TokenKind PairOf(char first, char second) {
  switch (first) {
    case '<':
      if (second == '<') return TokenKind::kOpenSet;
      if (second == '>') return TokenKind::kNotEqual;
      return second == '=' ? TokenKind::kLessEqual : TokenKind::kUnknown;
    case '>':
      if (second == '>') return TokenKind::kCloseSet;
      return second == '=' ? TokenKind::kGreaterEqual : TokenKind::kUnknown;
    case '!': return second == '=' ? TokenKind::kNotEqual : TokenKind::kUnknown;
    default: return TokenKind::kUnknown;
  }
}

TokenKind SymbolOf(char c) {
  switch (c) {
    case '?': return TokenKind::kParameter;
    case '.': return TokenKind::kDot;
    case ',': return TokenKind::kComma;
    case ':': return TokenKind::kColon;
    case ';': return TokenKind::kSemicolon;
    case '*': return TokenKind::kStar;
    case '+': return TokenKind::kPlus;
    case '-': return TokenKind::kMinus;
    case '(': return TokenKind::kOpenParenthesis;
    case ')': return TokenKind::kCloseParenthesis;
    case '[': return TokenKind::kOpenBracket;
    case ']': return TokenKind::kCloseBracket;
    case '{': return TokenKind::kOpenBrace;
    case '}': return TokenKind::kCloseBrace;
    case '=': return TokenKind::kEqual;
    case '<': return TokenKind::kLess;
    case '>': return TokenKind::kGreater;
    default: return TokenKind::kUnknown;
  }
}

}  // namespace

Token TokenAt(std::string_view text, std::size_t position) {
  const std::size_t begin = SkipBlanks(text, position);
  if (begin >= text.size()) return {TokenKind::kEnd, text.size(), text.size()};
  const char first = text[begin];
  const char second = begin + 1 < text.size() ? text[begin + 1] : '\0';
  if (StartsWord(first)) return {TokenKind::kWord, begin, EndOfRun(text, begin, IsWord)};
  if (first == '"') return Quoted(text, begin, TokenKind::kQuoted);
  if (first == '\'') return Quoted(text, begin, TokenKind::kString);
  if (IsDigit(first) || (first == '.' && IsDigit(second))) return Numeral(text, begin);
  if (const TokenKind pair = PairOf(first, second); pair != TokenKind::kUnknown) {
    return {pair, begin, begin + 2};
  }
  return {SymbolOf(first), begin, begin + 1};
}

std::string Unquoted(std::string_view token) {
  const char quote = token.front();
  const std::string_view inner = token.substr(1, token.size() - 2);
  std::string text;
  text.reserve(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) {
    text.push_back(inner[i]);
    if (inner[i] == quote) ++i;
  }
  return text;
}

bool SameWord(std::string_view a, std::string_view b) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
  return std::ranges::equal(a, b, {}, upper, upper);
}

}  // namespace kw::partiql
