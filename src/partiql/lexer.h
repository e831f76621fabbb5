// SPDX-License-Identifier: Apache-2.0
// Statement text to tokens. Any bytes are tokens of some kind: what has no meaning is kUnknown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kw::partiql {

enum class TokenKind : std::uint8_t {
  kEnd,
  kWord,    // unquoted: a keyword, a function or a name
  kQuoted,  // "name"
  kString,  // 'text'
  kNumber,  // 1, 1.5, 1e10; without a sign
  kParameter,
  kUnknown,
  // Symbols.
  kDot,
  kComma,
  kColon,
  kSemicolon,
  kStar,
  kPlus,
  kMinus,
  kOpenParenthesis,
  kCloseParenthesis,
  kOpenBracket,
  kCloseBracket,
  kOpenBrace,
  kCloseBrace,
  kOpenSet,   // <<
  kCloseSet,  // >>
  kEqual,
  kNotEqual,  // <> or !=
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};

// A piece of the text, as bytes from `begin` to `end`.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The token that starts at or behind `position`, over white space and comments.
Token TokenAt(std::string_view text, std::size_t position);

// What a quoted name or a string says: without its quotes, doubled quotes as one.
std::string Unquoted(std::string_view token);

// Whether an unquoted word means something to the language and so cannot be a name, in any case of
// letters. Source: the keywords of PartiQL's reference parser; that the service has the same is
// assumed.
bool IsKeyword(std::string_view word);

// Whether two words are the same but for the case of ASCII letters.
bool SameWord(std::string_view a, std::string_view b);

}  // namespace kw::partiql
