// SPDX-License-Identifier: Apache-2.0
// The Condition element: operators over the keys of a call. Hides the operators, their quantifiers
// ForAllValues: and ForAnyValue:, IfExists, and the forms of their values.
// Source: aws-doc, IAM User Guide, "IAM JSON policy elements: Condition operators".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "access/facts.h"
#include "access/pattern.h"
#include "base/clock.h"
#include "base/expected.h"

namespace kw::access {

enum class Effect : std::uint8_t { kAllow, kDeny };
enum class Order : std::uint8_t { kEqual, kLess, kLessEqual, kGreater, kGreaterEqual };

// The operator's part of a condition that compares one key with values.
class Condition {
 public:
  // "ForAllValues:StringEquals", "dynamodb:LeadingKeys" and its values as text. The keys that it
  // needs are added to `keys`. Errors: a few words.
  static Expected<Condition, std::string> Parse(std::string_view op, std::string_view key,
                                                const std::vector<std::string>& values,
                                                PatternStyle::Variables variables, KeySet& keys);

  // Of a key with several values but no quantifier, an allowance wants all to fit and a denial any
  // (assumed: the service says to use a quantifier).
  [[nodiscard]] bool Holds(const Facts& facts, Effect effect) const;

 private:
  enum class Quantifier : std::uint8_t { kNone, kAll, kAny };
  struct Texts {
    std::vector<Pattern> patterns;
  };
  struct Numbers {
    Order order;
    std::vector<double> values;
  };
  struct Times {
    Order order;
    std::vector<TimePoint> values;
  };
  struct Address {
    std::string bytes;  // 4 or 16
    unsigned prefix = 0;
  };
  struct Addresses {
    std::vector<Address> networks;
  };
  struct Absence {
    bool wanted;
  };
  using Test = std::variant<Texts, Numbers, Times, Addresses, Absence>;

  static Expected<Test, std::string> ParseTest(std::string_view op,
                                               const std::vector<std::string>& values,
                                               PatternStyle::Variables variables, KeySet& keys);
  [[nodiscard]] bool Fits(std::string_view value, const Facts& facts) const;
  static std::optional<Address> ParseAddress(std::string_view text);
  static bool Contains(const Address& network, const Address& address);

  Key key_ = Key::kOther;
  Quantifier quantifier_ = Quantifier::kNone;
  bool if_exists_ = false;
  bool negated_ = false;
  Test test_ = Absence{};
};

// "2026-11-30", "2026-11-30T20:15:00Z", with an offset, or seconds since 1970.
std::optional<TimePoint> ParseTime(std::string_view text);

}  // namespace kw::access
