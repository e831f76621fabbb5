// SPDX-License-Identifier: Apache-2.0
#include "data/number.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.h"
#include "data/limits.h"

namespace kw {
namespace {

constexpr int kDigitsMax = limits::kNumberDigitsMax;
// Exponent of the first digit.
constexpr int kMagnitudeMin = -130;
constexpr int kMagnitudeMax = 125;

constexpr auto kPowersOfTen = [] {
  std::array<Uint128, kDigitsMax + 1> powers{};
  Uint128 power = 1;
  for (auto& entry : powers) {
    entry = power;
    power *= 10;
  }
  return powers;
}();

Uint128 PowerOfTen(int exponent) { return kPowersOfTen[static_cast<std::size_t>(exponent)]; }

// Of zero: 0.
int DigitCount(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  const int bits = static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
  // 1233 / 4096 is log10(2), close enough that only one comparison is left.
  const int guess = bits * 1233 >> 12;
  if (guess > kDigitsMax) return guess;
  return guess + (value >= PowerOfTen(guess) ? 1 : 0);
}

// Writes exactly `count` digits, with leading zeros.
void PrintDigits(std::uint64_t value, int count, char* out) {
  for (int i = count; i > 0; --i) {
    out[i - 1] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
}

// 128-bit division is slow: the value is split once where 64 bits do not hold it.
void PrintCoefficient(Uint128 value, int count, char* out) {
  constexpr int kChunk = 19;
  if (count > kChunk) {
    const Uint128 chunk = PowerOfTen(kChunk);
    PrintDigits(static_cast<std::uint64_t>(value / chunk), count - kChunk, out);
    PrintDigits(static_cast<std::uint64_t>(value % chunk), kChunk, out + (count - kChunk));
  } else {
    PrintDigits(static_cast<std::uint64_t>(value), count, out);
  }
}

// aws-doc: API_TransactWriteItems, of overflow. assumed: the other two sentences, and which wins.
// observed: 1e2147483647 is an overflow.
tl::unexpected<Error> TooManyDigits() {
  return Invalid("Attempting to store more than 38 significant digits in a Number");
}
tl::unexpected<Error> Overflow() {
  return Invalid(
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
}
tl::unexpected<Error> Underflow() {
  return Invalid(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range");
}
tl::unexpected<Error> NotANumber(std::string_view text) {
  return Invalid("The parameter cannot be converted to a numeric value: " + std::string(text));
}

// A number as written, read left to right: digits after the 38th may only be zeros.
struct Significand {
  Uint128 wide = 0;
  std::uint64_t narrow = 0;  // holds the digits while they fit: most numbers never need `wide`
  int digits = 0;
  std::int64_t exponent = 0;
  bool too_long = false;

  static constexpr int kNarrowDigits = 19;

  void Add(unsigned digit, bool fraction) {
    if (digits == 0 && digit == 0) {
      exponent -= fraction ? 1 : 0;
    } else if (digits < kDigitsMax) {
      if (digits < kNarrowDigits) {
        narrow = narrow * 10 + digit;
      } else {
        wide = (digits == kNarrowDigits ? Uint128{narrow} : wide) * 10 + digit;
      }
      ++digits;
      exponent -= fraction ? 1 : 0;
    } else {
      too_long = too_long || digit != 0;
      exponent += fraction ? 0 : 1;
    }
  }
  [[nodiscard]] Uint128 coefficient() const { return digits > kNarrowDigits ? wide : narrow; }
};

unsigned DigitAt(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) - unsigned{'0'} : 10U;
}

// [eE][+-]?digits to the end of the text; nothing if it is something else. Saturates.
std::optional<std::int64_t> ParseExponent(std::string_view text) {
  constexpr std::int64_t kSaturated = 100'000'000'000;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  std::size_t at = 1;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  if (at == text.size()) return std::nullopt;
  std::int64_t value = 0;
  for (; at < text.size(); ++at) {
    const unsigned digit = DigitAt(text, at);
    if (digit > 9) return std::nullopt;
    value = std::min(kSaturated, value * 10 + digit);
  }
  return negative ? -value : value;
}

// Bytes of a key: the marker gives the sign, the rest of a negative key is complemented.
constexpr unsigned char kZeroKey = 0x80;
constexpr unsigned char kPositiveKey = 0x81;
constexpr unsigned char kNegativeKey = 0x7F;
constexpr std::size_t kPairsMax = kDigitsMax / 2;

}  // namespace

Number::Number(bool negative, Uint128 coefficient, int exponent)
    : high_(static_cast<std::uint64_t>(coefficient >> 64)),
      low_(static_cast<std::uint64_t>(coefficient)),
      exponent_(static_cast<std::int16_t>(exponent)),
      negative_(negative) {}

Result<Number> Number::Make(bool negative, Uint128 coefficient, std::int64_t exponent) {
  if (coefficient == 0) return Number();
  if (coefficient >> 64 == 0) {
    auto narrow = static_cast<std::uint64_t>(coefficient);
    for (; narrow % 10 == 0; narrow /= 10) ++exponent;
    coefficient = narrow;
  } else {
    for (; coefficient % 10 == 0; coefficient /= 10) ++exponent;
  }
  const int digits = DigitCount(coefficient);
  if (digits > kDigitsMax) return TooManyDigits();
  const std::int64_t magnitude = exponent + digits - 1;
  if (magnitude > kMagnitudeMax) return Overflow();
  if (magnitude < kMagnitudeMin) return Underflow();
  return Number(negative, coefficient, static_cast<int>(exponent));
}

Number Number::FromInteger(std::int64_t value) {
  const bool negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  const auto made = Make(negative, negative ? 0 - bits : bits, 0);
  Check(made.has_value(), "a 64-bit integer is a number");
  return *made;
}

// assumed: the grammar is that of Java's BigDecimal, which the service's words for wrong forms
// suggest: an optional sign, digits with at most one point and at least one digit, an exponent; no
// blanks.
Result<Number> Number::Parse(std::string_view text) {
  std::size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++at;

  Significand significand;
  const std::size_t integer_begin = at;
  for (; DigitAt(text, at) <= 9; ++at) significand.Add(DigitAt(text, at), false);
  std::size_t digits = at - integer_begin;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction_begin = ++at;
    for (; DigitAt(text, at) <= 9; ++at) significand.Add(DigitAt(text, at), true);
    digits += at - fraction_begin;
  }
  if (digits == 0) return NotANumber(text);
  if (at < text.size()) {
    const auto exponent = ParseExponent(text.substr(at));
    if (!exponent) return NotANumber(text);
    significand.exponent += *exponent;
  }
  if (significand.too_long) return TooManyDigits();
  return Make(negative, significand.coefficient(), significand.exponent);
}

std::size_t Number::Print(std::span<char, kTextMax> out) const {
  char* end = out.data();
  if (zero()) {
    *end = '0';
    return 1;
  }
  const int digits = DigitCount(coefficient());
  const int point = digits + exponent_;  // how many digits stand before the point
  if (negative_) *end++ = '-';
  if (point <= 0) {
    *end++ = '0';
    *end++ = '.';
    end = std::fill_n(end, -point, '0');
  }
  PrintCoefficient(coefficient(), digits, end);
  if (point > 0 && point < digits) {
    std::copy_backward(end + point, end + digits, end + digits + 1);
    end[point] = '.';
    end += 1;
  }
  end += digits;
  if (exponent_ > 0) end = std::fill_n(end, int{exponent_}, '0');
  return static_cast<std::size_t>(end - out.data());
}

void Number::AppendTo(std::string& out) const {
  std::array<char, kTextMax> text;
  out.append(text.data(), Print(text));
}

std::string Number::ToString() const {
  std::string text;
  AppendTo(text);
  return text;
}

Result<Number> Number::Add(const Number& a, const Number& b) {
  if (a.zero()) return b;
  if (b.zero()) return a;
  const int low = std::min(a.exponent_, b.exponent_);
  const int top = std::max(a.exponent_ + DigitCount(a.coefficient()),
                           b.exponent_ + DigitCount(b.coefficient()));
  // Over a span of more than 39 digits even a borrow leaves 39 of them. Within it, what does not
  // fit into 128 bits has 39 digits with a last one that is not zero.
  if (top - low > kDigitsMax + 1) return TooManyDigits();
  Uint128 x = 0;
  Uint128 y = 0;
  if (__builtin_mul_overflow(a.coefficient(), PowerOfTen(a.exponent_ - low), &x) ||
      __builtin_mul_overflow(b.coefficient(), PowerOfTen(b.exponent_ - low), &y)) {
    return TooManyDigits();
  }
  if (a.negative_ != b.negative_) {
    return x >= y ? Make(a.negative_, x - y, low) : Make(b.negative_, y - x, low);
  }
  Uint128 sum = 0;
  if (__builtin_add_overflow(x, y, &sum)) return TooManyDigits();
  return Make(a.negative_, sum, low);
}

Result<Number> Number::Subtract(const Number& a, const Number& b) { return Add(a, b.Negated()); }

Number Number::Negated() const {
  Number negated = *this;
  negated.negative_ = !negative_ && !zero();
  return negated;
}

void Number::AppendKey(std::string& out) const {
  if (zero()) {
    out += static_cast<char>(kZeroKey);
    return;
  }
  Uint128 rest = coefficient();
  const int digits = DigitCount(rest);
  if (digits % 2 != 0) rest *= 10;
  const std::size_t pairs = static_cast<std::size_t>(digits + 1) / 2;

  const unsigned flip = negative_ ? 0xFFU : 0U;
  std::array<char, kPairsMax + 2> key;
  key[0] = static_cast<char>(negative_ ? kNegativeKey : kPositiveKey);
  key[1] = static_cast<char>(static_cast<unsigned>(exponent_ + digits - 1 - kMagnitudeMin) ^ flip);
  unsigned more = 0;  // the last pair is even, the others are odd
  std::size_t at = pairs + 2;
  const auto put = [&](auto pair) {
    key[--at] = static_cast<char>((2 * static_cast<unsigned>(pair) + more) ^ flip);
    more = 1;
  };
  for (; rest >> 64 != 0; rest /= 100) put(rest % 100);
  auto narrow = static_cast<std::uint64_t>(rest);
  while (at > 2) {
    put(narrow % 100);
    narrow /= 100;
  }
  out.append(key.data(), pairs + 2);
}

std::optional<Number> Number::TakeKey(std::string_view& bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto marker = static_cast<unsigned char>(bytes[0]);
  if (marker == kZeroKey) {
    bytes.remove_prefix(1);
    return Number();
  }
  if (marker != kPositiveKey && marker != kNegativeKey) return std::nullopt;
  const unsigned flip = marker == kNegativeKey ? 0xFFU : 0U;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]) ^ flip; };

  Significand significand;
  for (std::size_t pair = 0; pair < kPairsMax; ++pair) {
    const std::size_t at = pair + 2;
    if (at >= bytes.size()) return std::nullopt;
    const unsigned value = byte(at) / 2;
    const bool last = byte(at) % 2 == 0;
    // Canonical: a first digit and a last one that are not zero.
    if (value > 99 || (pair == 0 && value < 10) || (last && value == 0)) return std::nullopt;
    significand.Add(value / 10, false);
    if (!last || value % 10 != 0) significand.Add(value % 10, false);
    if (last) {
      const int magnitude = static_cast<int>(byte(1)) + kMagnitudeMin;
      bytes.remove_prefix(at + 1);
      return Number(flip != 0, significand.coefficient(), magnitude + 1 - significand.digits);
    }
  }
  return std::nullopt;
}

ByteCount Number::Size() const {
  if (zero()) return ByteCount(1);
  const int digits = DigitCount(coefficient());
  const int fraction = std::clamp(-int{exponent_}, 0, digits);
  const int integer = digits - fraction;
  return ByteCount(1 + (integer + 1) / 2 + (fraction + 1) / 2 + (negative_ ? 1 : 0));
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  if (a.negative_ != b.negative_) {
    return a.negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  const Number& x = a.negative_ ? b : a;
  const Number& y = a.negative_ ? a : b;
  if (x.zero() || y.zero()) return !x.zero() <=> !y.zero();
  const int x_digits = DigitCount(x.coefficient());
  const int y_digits = DigitCount(y.coefficient());
  if (const auto order = x.exponent_ + x_digits <=> y.exponent_ + y_digits; order != 0)
    return order;
  // Equal first places: the shorter one, given zeros, is as long as the other.
  const int shift = x_digits - y_digits;
  const Uint128 left = x.coefficient() * PowerOfTen(std::max(0, -shift));
  const Uint128 right = y.coefficient() * PowerOfTen(std::max(0, shift));
  return left <=> right;
}

}  // namespace kw
