// SPDX-License-Identifier: Apache-2.0
// How deep statements may nest. Private to the parser.
#pragma once

#include <cstddef>

#include "partiql/parser.h"

namespace kw::partiql {

// Values may lie in 32 lists and maps; the rest is room for parentheses.
inline constexpr std::size_t kNestingMax = 64;

// Restores the depth at the end of a construct, however that ends.
class Parser::Nesting {
 public:
  explicit Nesting(std::size_t& depth) : depth_(depth), before_(depth) {}
  ~Nesting() { depth_ = before_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  std::size_t& depth_;
  const std::size_t before_;
};

}  // namespace kw::partiql
