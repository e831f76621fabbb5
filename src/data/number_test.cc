// SPDX-License-Identifier: Apache-2.0
#include "data/number.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kw {
namespace {

constexpr const char* kTooManyDigits =
    "Attempting to store more than 38 significant digits in a Number";
constexpr const char* kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr const char* kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr const char* kNotANumber = "The parameter cannot be converted to a numeric value: ";

Number Parsed(std::string_view text) {
  const auto number = Number::Parse(text);
  EXPECT_TRUE(number) << text << ": " << number.error().message;
  return number.value_or(Number());
}

std::string FaultOf(const Result<Number>& number) {
  if (number) return "no fault: " + number->ToString();
  EXPECT_EQ(number.error().code, ErrorCode::kValidation);
  return number.error().message;
}

std::string KeyOf(const Number& number) {
  std::string key;
  number.AppendKey(key);
  return key;
}

std::string Digits(std::size_t count, char digit) { return std::string(count, digit); }
std::string Zeros(std::size_t count) { return Digits(count, '0'); }

TEST(NumberParse, PrintsPlainDigits) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"0", "0"},
      {"-0", "0"},
      {"0.000", "0"},
      {"000", "0"},
      {"0e999999999999", "0"},
      {"-0e-999999999999", "0"},
      {"1", "1"},
      {"-1", "-1"},
      {"007", "7"},
      {"1.0", "1"},
      {"1.50", "1.5"},
      {"0.5", "0.5"},
      {"-0.05", "-0.05"},
      {"100", "100"},
      {"1e3", "1000"},
      {"1E+3", "1000"},
      {"12.5e-4", "0.00125"},
      {"0.0001e4", "1"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {Digits(38, '9'), Digits(38, '9')},
      {Digits(38, '9') + "e88", Digits(38, '9') + Zeros(88)},
      {"1e125", "1" + Zeros(125)},
      {"1e-130", "0." + Zeros(129) + "1"},
      {"-1e-130", "-0." + Zeros(129) + "1"},
      {Zeros(1000) + "1" + Zeros(100), "1" + Zeros(100)},  // zeros at both ends are no digits
      {"0." + Zeros(100) + "1" + Zeros(1000), "0." + Zeros(100) + "1"},
      {"1." + Zeros(100), "1"},
      {"0." + Zeros(1000) + "1e1000", "0.1"},
      // assumed: the forms that Java's BigDecimal takes.
      {"+1", "1"},
      {"1.", "1"},
      {".5", "0.5"},
  };
  for (const auto& [text, printed] : cases) EXPECT_EQ(Parsed(text).ToString(), printed) << text;
}

TEST(NumberParse, RefusesWhatIsNoNumber) {
  // observed: the sentence, with colon and blank where the text is empty. assumed: which forms.
  for (const char* text :
       {"",   "abc", " 1",  "1 ",  "1,5",   "--1",  "+-1", "1.2.3",    ".",     "-",    "+",
        "e5", "1e",  "1e+", "1e-", "1e5.5", "0x10", "NaN", "Infinity", "1_000", "1e5e5"}) {
    EXPECT_EQ(FaultOf(Number::Parse(text)), std::string(kNotANumber) + text);
  }
  EXPECT_EQ(FaultOf(Number::Parse(std::string_view("1\0", 2))),
            kNotANumber + std::string("1\0", 2));
}

TEST(NumberParse, KeepsToTheRange) {
  // aws-doc: "Supported data types": 38 digits, 1E-130 to 9.99...E+125. assumed: the sentences.
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1e126", kOverflow},
      {"-1e126", kOverflow},
      {"1" + Zeros(126), kOverflow},
      {"1e2147483647", kOverflow},  // observed
      {"1e99999999999999999999", kOverflow},
      {"1e-131", kUnderflow},
      {"-1e-131", kUnderflow},
      {"1e-99999999999999999999", kUnderflow},
      {"1" + Zeros(37) + "1", kTooManyDigits},
      {Digits(39, '9'), kTooManyDigits},
      {"0." + Digits(39, '1'), kTooManyDigits},
      {Digits(1000, '1'), kTooManyDigits},
  };
  for (const auto& [text, fault] : cases) EXPECT_EQ(FaultOf(Number::Parse(text)), fault) << text;
}

TEST(NumberOrder, IsThatOfTheValues) {
  const std::vector<std::string> ascending = {
      "-9.9999999999999999999999999999999999999e125",
      "-1e125",
      "-12345678901234567890123456789012345678",
      "-100",
      "-99.99",
      "-10",
      "-1.1",
      "-1.01",
      "-1",
      "-0.99",
      "-1.00001e-130",
      "-1e-130",
      "0",
      "1e-130",
      "1.00001e-130",
      "0.1",
      "0.11",
      "0.12",
      "0.9",
      "1",
      "1.0000000000000000000000000000000000001",
      "1.1",
      "2",
      "9.99",
      "10",
      "10.0000001",
      "11",
      "99",
      "100",
      "101",
      "12345678901234567890123456789012345678",
      "1e125",
      "9.9999999999999999999999999999999999999e125",
  };
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      const Number a = Parsed(ascending[i]);
      const Number b = Parsed(ascending[j]);
      EXPECT_EQ(a <=> b, i <=> j) << ascending[i] << " " << ascending[j];
      EXPECT_EQ(a == b, i == j);
      EXPECT_EQ(KeyOf(a) <=> KeyOf(b), i <=> j) << ascending[i] << " " << ascending[j];
    }
  }
}

TEST(NumberKey, IsCanonicalAndShort) {
  EXPECT_EQ(KeyOf(Parsed("0")), "\x80");
  EXPECT_EQ(KeyOf(Parsed("1")), KeyOf(Parsed("10e-1")));
  EXPECT_EQ(KeyOf(Parsed("1")), "\x81\x82\x14");        // E = 0, the pair 10 and the last
  EXPECT_EQ(KeyOf(Parsed("123")), "\x81\x84\x19\x3C");  // E = 2, the pairs 12 and 30
  EXPECT_EQ(KeyOf(Parsed("-123")), "\x7F\x7B\xE6\xC3");
  EXPECT_EQ(KeyOf(Parsed(Digits(38, '9'))).size(), 21U);
}

TEST(NumberKey, TakesOnlyKeys) {
  const std::vector<std::string> wrong = {
      "",
      "\x20",
      "\x81",
      "\x81\x82",
      "\x81\x82\x15",
      "\x81\x82\x12",                         // 09: a first digit that is zero
      "\x81\x82\x15" + std::string(1, '\0'),  // 00: a last pair that is zero
      "\x81\x82\xC8",                         // 100
      "\x7F\x82",
      "\x81\x82" + std::string(19, '\x15') + "\x14",  // 40 digits
  };
  for (const std::string& bytes : wrong) {
    std::string_view view = bytes;
    EXPECT_FALSE(Number::TakeKey(view)) << testing::PrintToString(bytes);
    EXPECT_EQ(view, bytes);
  }
  std::string_view two = "\x81\x82\x14\x80rest";
  EXPECT_EQ(Number::TakeKey(two)->ToString(), "1");
  EXPECT_EQ(Number::TakeKey(two)->ToString(), "0");
  EXPECT_EQ(two, "rest");
}

TEST(NumberArithmetic, IsExact) {
  struct Case {
    std::string a, b, sum;
  };
  const std::vector<Case> cases = {
      {"1", "2", "3"},
      {"0.1", "0.2", "0.3"},
      {"1", "-1", "0"},
      {"-5", "3", "-2"},
      {"3", "-5", "-2"},
      {"-3", "-5", "-8"},
      {"0", "-7", "-7"},
      {"99", "1", "100"},
      {"1e125", "-1e125", "0"},
      {"5e37", "5e37", "1" + Zeros(38)},
      {Digits(38, '9'), "1", "1" + Zeros(38)},
      {"1" + Zeros(38), "-1", Digits(38, '9')},  // a span of 39 digits that leaves 38
      {"1e38", "1", kTooManyDigits},
      {"2e38", "-1", kTooManyDigits},
      {"9e38", "-1", kTooManyDigits},
      {"1e39", "-1", kTooManyDigits},
      {"3.4e38", "9e37", "430000000000000000000000000000000000000"},
      {"1e125", "1e-130", kTooManyDigits},
      {"9e125", "1e125", kOverflow},
      {"-9e125", "-1e125", kOverflow},
      {"1.1e-130", "-1e-130", kUnderflow},
  };
  for (const auto& [a, b, sum] : cases) {
    const auto added = Number::Add(Parsed(a), Parsed(b));
    EXPECT_EQ(added ? added->ToString() : FaultOf(added), sum) << a << " + " << b;
    const auto swapped = Number::Add(Parsed(b), Parsed(a));
    EXPECT_EQ(swapped ? swapped->ToString() : FaultOf(swapped), sum) << b << " + " << a;
    const auto subtracted = Number::Subtract(Parsed(a), Parsed(b).Negated());
    EXPECT_EQ(subtracted ? subtracted->ToString() : FaultOf(subtracted), sum);
  }
}

TEST(NumberSize, FollowsTheRule) {
  // observed: 1 + ceil(integer digits / 2) + ceil(fraction digits / 2) without outer zeros, and 1
  // more if negative. assumed: zero is 1.
  const std::vector<std::pair<std::string, int>> cases = {
      {"0", 1},    {"1", 2},       {"-1", 3},     {"12", 2},    {"123", 3},
      {"100", 2},  {"12300", 3},   {"0.5", 2},    {"0.005", 2}, {"1.5", 3},
      {"-1.5", 4}, {"123.456", 5}, {"1000.5", 4}, {"1.005", 4}, {Digits(38, '9'), 20},
  };
  for (const auto& [text, size] : cases) EXPECT_EQ(Parsed(text).Size().value(), size) << text;
}

TEST(NumberFromInteger, TakesTheWholeRange) {
  EXPECT_EQ(Number::FromInteger(0), Number());
  EXPECT_EQ(Number::FromInteger(-1200).ToString(), "-1200");
  EXPECT_EQ(Number::FromInteger(INT64_MAX).ToString(), "9223372036854775807");
  EXPECT_EQ(Number::FromInteger(INT64_MIN).ToString(), "-9223372036854775808");
}

}  // namespace
}  // namespace kw
