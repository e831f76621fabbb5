// SPDX-License-Identifier: Apache-2.0
#include "expr/lexer.h"

#include <algorithm>

namespace kw {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsNamePart(char c) { return IsLetter(c) || IsDigit(c); }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

bool EqualsUpper(std::string_view name, std::string_view upper) {
  return std::ranges::equal(name, upper, [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

struct Symbol {
  TokenKind kind;
  std::size_t length;
};

Symbol SymbolAt(char first, char second) {
  switch (first) {
    case '.': return {TokenKind::kDot, 1};
    case ',': return {TokenKind::kComma, 1};
    case '[': return {TokenKind::kOpenBracket, 1};
    case ']': return {TokenKind::kCloseBracket, 1};
    case '(': return {TokenKind::kOpenParenthesis, 1};
    case ')': return {TokenKind::kCloseParenthesis, 1};
    case '+': return {TokenKind::kPlus, 1};
    case '-': return {TokenKind::kMinus, 1};
    case '=': return {TokenKind::kEqual, 1};
    case '<':
      if (second == '>') return {TokenKind::kNotEqual, 2};
      if (second == '=') return {TokenKind::kLessEqual, 2};
      return {TokenKind::kLess, 1};
    case '>':
      if (second == '=') return {TokenKind::kGreaterEqual, 2};
      return {TokenKind::kGreater, 1};
    default: return {TokenKind::kUnknown, 1};
  }
}

}  // namespace

TokenKind Lexer::KindOfName(std::string_view name) const {
  for (const Keyword& keyword : keywords_) {
    if (EqualsUpper(name, keyword.upper)) return keyword.kind;
  }
  return TokenKind::kName;
}

Token Lexer::TokenAt(std::size_t position) const {
  const std::size_t size = text_.size();
  while (position < size && IsSpace(text_[position])) ++position;
  if (position >= size) return {TokenKind::kEnd, size, size};

  const std::size_t begin = position;
  const auto end_while = [&](std::size_t from, auto holds) {
    while (from < size && holds(text_[from])) ++from;
    return from;
  };
  const char first = text_[begin];
  if (IsLetter(first)) {
    const std::size_t end = end_while(begin + 1, IsNamePart);
    return {KindOfName(text_.substr(begin, end - begin)), begin, end};
  }
  if (IsDigit(first)) return {TokenKind::kNumber, begin, end_while(begin + 1, IsDigit)};
  if (first == '#' || first == ':') {
    const std::size_t end = end_while(begin + 1, IsNamePart);
    if (end == begin + 1) return {TokenKind::kUnknown, begin, end};
    return {first == '#' ? TokenKind::kNamePlaceholder : TokenKind::kValuePlaceholder, begin, end};
  }
  const Symbol symbol = SymbolAt(first, begin + 1 < size ? text_[begin + 1] : '\0');
  if (symbol.kind == TokenKind::kUnknown) {
    return {symbol.kind, begin, end_while(begin + 1, IsContinuation)};
  }
  return {symbol.kind, begin, begin + symbol.length};
}

}  // namespace kw
