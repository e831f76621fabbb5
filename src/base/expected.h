// SPDX-License-Identifier: Apache-2.0
// A value or an error that cannot be dropped in silence, and the two macros that pass errors on.
#pragma once

#include <tl/expected.hpp>
#include <utility>

namespace kw {

template <class T, class E>
class [[nodiscard]] Expected : public tl::expected<T, E> {
 public:
  using tl::expected<T, E>::expected;
};

template <class E>
auto Unexpected(E&& error) {
  return tl::unexpected<std::decay_t<E>>(std::forward<E>(error));
}

}  // namespace kw

// Leaves the function with the error of `expr`, if it has one.
#define TRY(expr)                                                                          \
  do {                                                                                     \
    if (auto kw_try = (expr); !kw_try) return ::kw::Unexpected(std::move(kw_try).error()); \
  } while (false)

#define KW_CONCAT_INNER(a, b) a##b
#define KW_CONCAT(a, b) KW_CONCAT_INNER(a, b)
// Declares or assigns `lhs` from `expr`, or leaves the function with its error.
#define TRY_ASSIGN(lhs, expr) TRY_ASSIGN_AS(KW_CONCAT(kw_try_, __LINE__), lhs, expr)
#define TRY_ASSIGN_AS(name, lhs, expr)                         \
  auto name = (expr);                                          \
  if (!name) return ::kw::Unexpected(std::move(name).error()); \
  lhs = std::move(*name)
