// SPDX-License-Identifier: Apache-2.0
// What a reader of a text says when the text is wrong: where, what, and what to write instead.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace kw::modeller {

// Counted from 1, columns in characters (code points).
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Fault {
  Position at;
  std::string message;     // a sentence
  std::string suggestion;  // what to write instead, or empty
  friend bool operator==(const Fault&, const Fault&) = default;
};

// Every fault of a text, in the text's order, never none.
template <class T>
using Parsed = Expected<T, std::vector<Fault>>;

// "orders.kw.yaml:12:7: message\n    suggestion\n" for each.
std::string Describe(const std::vector<Fault>& faults, std::string_view file);

}  // namespace kw::modeller
