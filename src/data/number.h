// SPDX-License-Identifier: Apache-2.0
// DynamoDB's number: 38 significant decimal digits, magnitude 1e-130 to 9.99...e+125, exact.
// Held as sign, 128-bit coefficient without trailing zeros, and exponent; never a double.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/int128.h"
#include "base/quantity.h"
#include "data/error.h"

namespace kw {

class Number {
 public:
  constexpr Number() = default;  // zero
  static Number FromInteger(std::int64_t value);

  // Reads the service's number syntax (sign, digits, point, exponent).
  // Errors: Validation, with the service's own sentence for a wrong form, too many digits, overflow
  // and underflow.
  static Result<Number> Parse(std::string_view text);

  // Plain digits as the service prints them, never an exponent. Returns how many characters.
  static constexpr std::size_t kTextMax = 176;
  std::size_t Print(std::span<char, kTextMax> out) const;
  void AppendTo(std::string& out) const;
  [[nodiscard]] std::string ToString() const;

  // Exact. Errors: Validation, if the exact result needs more than 38 digits or is out of range.
  static Result<Number> Add(const Number& a, const Number& b);
  static Result<Number> Subtract(const Number& a, const Number& b);
  [[nodiscard]] Number Negated() const;

  // 1 to 21 bytes whose memcmp order is numeric order; self-delimiting; equal numbers, equal bytes.
  void AppendKey(std::string& out) const;
  // Takes one key off the front of `bytes`; nothing if they are no key.
  static std::optional<Number> TakeKey(std::string_view& bytes);

  // As DynamoDB bills it.
  // observed: 1 + ceil(integer digits / 2) + ceil(fraction digits / 2), + 1 if
  // negative.
  [[nodiscard]] ByteCount Size() const;

  [[nodiscard]] bool negative() const { return negative_; }
  [[nodiscard]] bool zero() const { return high_ == 0 && low_ == 0; }

  friend std::strong_ordering operator<=>(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) = default;

 private:
  Number(bool negative, Uint128 coefficient, int exponent);
  static Result<Number> Make(bool negative, Uint128 coefficient, std::int64_t exponent);
  [[nodiscard]] Uint128 coefficient() const { return Uint128{high_} << 64 | low_; }

  // Two halves keep the alignment at 8: an AttributeValue stays small.
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
  std::int16_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace kw
