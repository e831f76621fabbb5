// SPDX-License-Identifier: Apache-2.0
// Expression text to tokens. Any bytes are tokens of some kind: what has no meaning is kUnknown,
// one character (UTF-8) at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kw {

enum class TokenKind : std::uint8_t {
  kEnd,
  kName,              // an attribute or a function
  kNamePlaceholder,   // #a
  kValuePlaceholder,  // :a
  kNumber,            // digits
  kUnknown,
  // Symbols.
  kDot,
  kComma,
  kOpenBracket,
  kCloseBracket,
  kOpenParenthesis,
  kCloseParenthesis,
  kPlus,
  kMinus,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  // Keywords, in any case of letters.
  kAnd,
  kOr,
  kNot,
  kBetween,
  kIn,
  kSet,
  kRemove,
  kAdd,
  kDelete,
};

// Where a token lies in the text.
struct Token {
  TokenKind kind;
  std::size_t begin;
  std::size_t end;
};

struct Keyword {
  std::string_view upper;
  TokenKind kind;
};

class Lexer {
 public:
  // The grammars differ in their keywords: "add" is a name in a condition.
  Lexer(std::string_view text, std::span<const Keyword> keywords)
      : text_(text), keywords_(keywords) {}

  // The first token at or after `position`; kEnd for ever at the end.
  [[nodiscard]] Token TokenAt(std::size_t position) const;

  [[nodiscard]] std::string_view TextOf(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

 private:
  [[nodiscard]] TokenKind KindOfName(std::string_view name) const;

  std::string_view text_;
  std::span<const Keyword> keywords_;
};

}  // namespace kw
