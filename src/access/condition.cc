// SPDX-License-Identifier: Apache-2.0
#include "access/condition.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace kw::access {

namespace {

enum class Form : std::uint8_t {
  kText,
  kTextIgnoringCase,
  kLike,
  kBool,
  kNumber,
  kTime,
  kAddress,
  kNull
};
enum class Sense : std::uint8_t { kPlain, kNegated };
struct OperatorRow {
  std::string_view name;
  Form form;
  Order order = Order::kEqual;
  Sense sense = Sense::kPlain;
};
constexpr Sense kNot = Sense::kNegated;

// The list of operators.
constexpr std::array kOperators = {
    OperatorRow{"StringEquals", Form::kText},
    OperatorRow{"StringNotEquals", Form::kText, Order::kEqual, kNot},
    OperatorRow{"StringEqualsIgnoreCase", Form::kTextIgnoringCase},
    OperatorRow{"StringNotEqualsIgnoreCase", Form::kTextIgnoringCase, Order::kEqual, kNot},
    OperatorRow{"StringLike", Form::kLike},
    OperatorRow{"StringNotLike", Form::kLike, Order::kEqual, kNot},
    OperatorRow{"BinaryEquals", Form::kText},
    OperatorRow{"ArnEquals", Form::kLike},
    OperatorRow{"ArnNotEquals", Form::kLike, Order::kEqual, kNot},
    OperatorRow{"ArnLike", Form::kLike},
    OperatorRow{"ArnNotLike", Form::kLike, Order::kEqual, kNot},
    OperatorRow{"Bool", Form::kBool},
    OperatorRow{"NumericEquals", Form::kNumber},
    OperatorRow{"NumericNotEquals", Form::kNumber, Order::kEqual, kNot},
    OperatorRow{"NumericLessThan", Form::kNumber, Order::kLess},
    OperatorRow{"NumericLessThanEquals", Form::kNumber, Order::kLessEqual},
    OperatorRow{"NumericGreaterThan", Form::kNumber, Order::kGreater},
    OperatorRow{"NumericGreaterThanEquals", Form::kNumber, Order::kGreaterEqual},
    OperatorRow{"DateEquals", Form::kTime},
    OperatorRow{"DateNotEquals", Form::kTime, Order::kEqual, kNot},
    OperatorRow{"DateLessThan", Form::kTime, Order::kLess},
    OperatorRow{"DateLessThanEquals", Form::kTime, Order::kLessEqual},
    OperatorRow{"DateGreaterThan", Form::kTime, Order::kGreater},
    OperatorRow{"DateGreaterThanEquals", Form::kTime, Order::kGreaterEqual},
    OperatorRow{"IpAddress", Form::kAddress},
    OperatorRow{"NotIpAddress", Form::kAddress, Order::kEqual, kNot},
    OperatorRow{"Null", Form::kNull},
};

const OperatorRow* FindOperator(std::string_view name) {
  const auto* row = std::ranges::find_if(kOperators, [&](const OperatorRow& candidate) {
    return EqualIgnoringCase(candidate.name, name);
  });
  return row == kOperators.end() ? nullptr : row;
}

template <class Value>
bool Ordered(Order order, const Value& value, const std::vector<Value>& limits) {
  return std::ranges::any_of(limits, [&](const Value& limit) {
    switch (order) {
      case Order::kEqual: return value == limit;
      case Order::kLess: return value < limit;
      case Order::kLessEqual: return value <= limit;
      case Order::kGreater: return value > limit;
      case Order::kGreaterEqual: return value >= limit;
    }
    return false;
  });
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!EqualIgnoringCase(text.substr(0, prefix.size()), prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}
bool TakeSuffix(std::string_view& text, std::string_view suffix) {
  if (text.size() < suffix.size()) return false;
  if (!EqualIgnoringCase(text.substr(text.size() - suffix.size()), suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

// A fixed count of digits off the front.
std::optional<int> TakeDigits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool TakeMark(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

// hh:mm[:ss[.fraction]] and Z or an offset, which may be absent.
std::optional<std::chrono::seconds> ParseClock(std::string_view text) {
  using std::chrono::hours;
  using std::chrono::minutes;
  using std::chrono::seconds;
  const auto hour = TakeDigits(text, 2);
  if (!hour || *hour > 23 || !TakeMark(text, ':')) return std::nullopt;
  const auto minute = TakeDigits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  seconds time = hours(*hour) + minutes(*minute);
  if (TakeMark(text, ':')) {
    const auto second = TakeDigits(text, 2);
    if (!second || *second > 59) return std::nullopt;
    time += seconds(*second);
    if (TakeMark(text, '.'))
      text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  }
  if (text.empty() || text == "Z") return time;
  const bool east = text.front() == '+';
  if (!east && text.front() != '-') return std::nullopt;
  text.remove_prefix(1);
  const auto offset_hour = TakeDigits(text, 2);
  TakeMark(text, ':');
  const auto offset_minute = TakeDigits(text, 2);
  if (!offset_hour || !offset_minute || !text.empty()) return std::nullopt;
  const seconds offset = hours(*offset_hour) + minutes(*offset_minute);
  return east ? time - offset : time + offset;
}

}  // namespace

std::optional<TimePoint> ParseTime(std::string_view text) {
  std::int64_t epoch = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), epoch);
  if (error == std::errc() && end == text.data() + text.size()) {
    constexpr std::int64_t kEpochMax = 253'402'300'799;  // the year 9999
    if (epoch < 0 || epoch > kEpochMax) return std::nullopt;
    return TimePoint(std::chrono::seconds(epoch));
  }
  const auto year = TakeDigits(text, 4);
  if (!year || !TakeMark(text, '-')) return std::nullopt;
  const auto month = TakeDigits(text, 2);
  if (!month || !TakeMark(text, '-')) return std::nullopt;
  const auto day = TakeDigits(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  TimePoint time = std::chrono::sys_days(date);
  if (text.empty()) return time;
  if (!TakeMark(text, 'T')) return std::nullopt;
  const auto clock = ParseClock(text);
  if (!clock) return std::nullopt;
  return time + *clock;
}

std::optional<Condition::Address> Condition::ParseAddress(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string host(text.substr(0, slash));
  Address address;
  std::array<char, 16> bytes{};
  if (inet_pton(AF_INET, host.c_str(), bytes.data()) == 1) {
    address.bytes.assign(bytes.data(), 4);
  } else if (inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1) {
    address.bytes.assign(bytes.data(), 16);
  } else {
    return std::nullopt;
  }
  const auto bits = static_cast<unsigned>(address.bytes.size() * 8);
  address.prefix = bits;
  if (slash == text.npos) return address;
  const std::string_view length = text.substr(slash + 1);
  const auto [end, error] =
      std::from_chars(length.data(), length.data() + length.size(), address.prefix);
  if (error != std::errc() || end != length.data() + length.size() || address.prefix > bits) {
    return std::nullopt;
  }
  return address;
}

bool Condition::Contains(const Address& network, const Address& address) {
  if (network.bytes.size() != address.bytes.size()) return false;
  const std::size_t whole = network.prefix / 8;
  if (network.bytes.compare(0, whole, address.bytes, 0, whole) != 0) return false;
  const unsigned rest = network.prefix % 8;
  if (rest == 0) return true;
  const auto byte = [&](const Address& of) {
    return static_cast<unsigned char>(of.bytes[whole]) >> (8 - rest);
  };
  return byte(network) == byte(address);
}

Expected<Condition::Test, std::string> Condition::ParseTest(std::string_view op,
                                                            const std::vector<std::string>& values,
                                                            PatternStyle::Variables variables,
                                                            KeySet& keys) {
  const OperatorRow* row = FindOperator(op);
  const auto wrong = [&](std::string_view value) {
    return Unexpected(fmt::format("{} cannot compare with {}", op, value));
  };
  const auto texts = [&](PatternStyle style) -> Expected<Test, std::string> {
    Texts found;
    for (const std::string& value : values) {
      auto pattern = Pattern::Parse(value, style, keys);
      if (!pattern) return wrong(value);
      found.patterns.push_back(std::move(*pattern));
    }
    return Test(std::move(found));
  };
  using Wildcards = PatternStyle::Wildcards;
  using Case = PatternStyle::Case;
  switch (row->form) {
    case Form::kText: return texts({Wildcards::kNone, variables, Case::kExact});
    case Form::kTextIgnoringCase: return texts({Wildcards::kNone, variables, Case::kIgnored});
    case Form::kLike: return texts({Wildcards::kAny, variables, Case::kExact});
    case Form::kBool:
      for (const std::string& value : values) {
        if (!EqualIgnoringCase(value, "true") && !EqualIgnoringCase(value, "false")) {
          return wrong(value);
        }
      }
      return texts({Wildcards::kNone, PatternStyle::Variables::kNone, Case::kIgnored});
    case Form::kNumber: {
      Numbers found{.order = row->order, .values = {}};
      for (const std::string& value : values) {
        const auto number = ParseNumber(value);
        if (!number) return wrong(value);
        found.values.push_back(*number);
      }
      return Test(std::move(found));
    }
    case Form::kTime: {
      Times found{.order = row->order, .values = {}};
      for (const std::string& value : values) {
        const auto time = ParseTime(value);
        if (!time) return wrong(value);
        found.values.push_back(*time);
      }
      return Test(std::move(found));
    }
    case Form::kAddress: {
      Addresses found;
      for (const std::string& value : values) {
        auto network = ParseAddress(value);
        if (!network) return wrong(value);
        found.networks.push_back(std::move(*network));
      }
      return Test(std::move(found));
    }
    case Form::kNull: break;
  }
  const bool wanted = values.size() == 1 && EqualIgnoringCase(values.front(), "true");
  if (!wanted && (values.size() != 1 || !EqualIgnoringCase(values.front(), "false"))) {
    return Unexpected(std::string("Null takes true or false"));
  }
  return Test(Absence{.wanted = wanted});
}

Expected<Condition, std::string> Condition::Parse(std::string_view op, std::string_view key,
                                                  const std::vector<std::string>& values,
                                                  PatternStyle::Variables variables, KeySet& keys) {
  Condition condition;
  std::string_view name = op;
  if (TakePrefix(name, "ForAllValues:")) {
    condition.quantifier_ = Quantifier::kAll;
  } else if (TakePrefix(name, "ForAnyValue:")) {
    condition.quantifier_ = Quantifier::kAny;
  }
  condition.if_exists_ = TakeSuffix(name, "IfExists");
  const OperatorRow* row = FindOperator(name);
  const bool is_null = row != nullptr && row->form == Form::kNull;
  if (row == nullptr ||
      (is_null && (condition.if_exists_ || condition.quantifier_ != Quantifier::kNone))) {
    return Unexpected(fmt::format("there is no operator {}", op));
  }
  if (key.empty()) return Unexpected(fmt::format("{} has no key", op));
  condition.negated_ = row->sense == Sense::kNegated;
  condition.key_ = FindKey(key);
  keys.Add(condition.key_);
  TRY_ASSIGN(condition.test_, ParseTest(name, values, variables, keys));
  return condition;
}

bool Condition::Fits(std::string_view value, const Facts& facts) const {
  const auto fits = [&](const auto& test) {
    using Kind = std::remove_cvref_t<decltype(test)>;
    if constexpr (std::is_same_v<Kind, Texts>) {
      return std::ranges::any_of(
          test.patterns, [&](const Pattern& pattern) { return pattern.Matches(value, facts); });
    } else if constexpr (std::is_same_v<Kind, Numbers>) {
      const auto number = ParseNumber(value);
      return number && Ordered(test.order, *number, test.values);
    } else if constexpr (std::is_same_v<Kind, Times>) {
      const auto time = ParseTime(value);
      return time && Ordered(test.order, *time, test.values);
    } else if constexpr (std::is_same_v<Kind, Addresses>) {
      const auto address = ParseAddress(value);
      return address && std::ranges::any_of(test.networks, [&](const Address& network) {
               return Contains(network, *address);
             });
    } else {
      return false;  // an Absence looks at no value
    }
  };
  return std::visit(fits, test_) != negated_;
}

bool Condition::Holds(const Facts& facts, Effect effect) const {
  const Facts::Values* values = facts.Find(key_);
  if (const auto* absence = std::get_if<Absence>(&test_)) {
    return (values == nullptr) == absence->wanted;
  }
  const auto fits = [&](const std::string& value) { return Fits(value, facts); };
  if (values == nullptr || values->empty()) {
    switch (quantifier_) {
      case Quantifier::kAll: return true;
      case Quantifier::kAny: return values == nullptr && if_exists_;
      case Quantifier::kNone: return if_exists_ || negated_;
    }
  }
  switch (quantifier_) {
    case Quantifier::kAll: return std::ranges::all_of(*values, fits);
    case Quantifier::kAny: return std::ranges::any_of(*values, fits);
    case Quantifier::kNone: break;
  }
  return effect == Effect::kAllow ? std::ranges::all_of(*values, fits)
                                  : std::ranges::any_of(*values, fits);
}

}  // namespace kw::access
