// SPDX-License-Identifier: Apache-2.0
#include "access/condition.h"

#include <gtest/gtest.h>

namespace kw::access {
namespace {

using Values = std::vector<std::string>;

std::optional<bool> Holds(std::string_view op, std::string_view key, const Values& values,
                          const Facts& facts, Effect effect = Effect::kAllow) {
  KeySet keys;
  const auto condition = Condition::Parse(op, key, values, PatternStyle::Variables::kAny, keys);
  if (!condition) return std::nullopt;
  return condition->Holds(facts, effect);
}

TEST(Condition, OneValueIsComparedWithAny) {
  Facts facts;
  facts.Say(Key::kLeadingKeys, std::string("b"));
  facts.Say(Key::kUsername, std::string("Bob"));
  facts.Say(Key::kCurrentTime, std::string("2026-11-30T12:00:00Z"));
  facts.Say(Key::kSourceIp, std::string("10.1.2.3"));
  facts.Say(Key::kSecureTransport, std::string("true"));
  facts.Say(Key::kFirstPartitionKeyValues, std::string("42"));
  const struct {
    std::string_view op;
    std::string_view key;
    Values values;
    bool holds;
  } kCases[] = {
      {"StringEquals", "dynamodb:LeadingKeys", {"a", "b"}, true},
      {"stringequals", "DynamoDB:leadingkeys", {"b"}, true},
      {"StringEquals", "dynamodb:LeadingKeys", {"B"}, false},
      {"StringEquals", "dynamodb:LeadingKeys", {"*"}, false},
      {"StringNotEquals", "dynamodb:LeadingKeys", {"a", "b"}, false},
      {"StringNotEquals", "dynamodb:LeadingKeys", {"a", "c"}, true},
      {"StringEqualsIgnoreCase", "aws:username", {"BOB"}, true},
      {"StringNotEqualsIgnoreCase", "aws:username", {"BOB"}, false},
      {"StringLike", "aws:username", {"B*"}, true},
      {"StringNotLike", "aws:username", {"B?b"}, false},
      {"StringEquals", "aws:username", {"${aws:username}"}, true},
      {"NumericEquals", "dynamodb:FirstPartitionKeyValues", {"42.0"}, true},
      {"NumericNotEquals", "dynamodb:FirstPartitionKeyValues", {"42"}, false},
      {"NumericLessThan", "dynamodb:FirstPartitionKeyValues", {"42"}, false},
      {"NumericLessThanEquals", "dynamodb:FirstPartitionKeyValues", {"42"}, true},
      {"NumericGreaterThan", "dynamodb:FirstPartitionKeyValues", {"41"}, true},
      {"NumericGreaterThanEquals", "dynamodb:FirstPartitionKeyValues", {"43"}, false},
      {"NumericEquals", "aws:username", {"1"}, false},  // no number
      {"DateLessThan", "aws:CurrentTime", {"2026-12-01"}, true},
      {"DateGreaterThan", "aws:CurrentTime", {"2026-12-01T00:00:00Z"}, false},
      {"DateEquals", "aws:CurrentTime", {"2026-11-30T13:00:00+01:00"}, true},
      {"DateGreaterThanEquals", "aws:CurrentTime", {"1700000000"}, true},
      {"DateLessThanEquals", "aws:CurrentTime", {"1700000000"}, false},
      {"DateNotEquals", "aws:CurrentTime", {"2026-11-30T12:00:00.000Z"}, false},
      {"IpAddress", "aws:SourceIp", {"192.168.0.0/16", "10.1.0.0/16"}, true},
      {"IpAddress", "aws:SourceIp", {"10.1.2.2/31"}, true},
      {"IpAddress", "aws:SourceIp", {"10.1.2.4/31"}, false},
      {"IpAddress", "aws:SourceIp", {"::/0"}, false},
      {"NotIpAddress", "aws:SourceIp", {"10.0.0.0/8"}, false},
      {"Bool", "aws:SecureTransport", {"true"}, true},
      {"Bool", "aws:SecureTransport", {"False"}, false},
      {"Null", "aws:username", {"false"}, true},
      {"Null", "aws:username", {"true"}, false},
      {"Null", "dynamodb:Select", {"true"}, true},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Holds(test.op, test.key, test.values, facts), test.holds)
        << test.op << " " << test.key << " " << test.values.front();
  }
}

// aws-doc: IAM User Guide, "Condition operators" and "Multivalued context keys".
TEST(Condition, AKeyThatIsMissing) {
  const Facts facts;
  const auto holds = [&](std::string_view op) {
    return Holds(op, "dynamodb:Select", {"COUNT"}, facts);
  };
  EXPECT_EQ(holds("StringEquals"), false);
  EXPECT_EQ(holds("StringEqualsIfExists"), true);
  EXPECT_EQ(holds("StringNotEquals"), true);
  EXPECT_EQ(holds("ForAllValues:StringEquals"), true);
  EXPECT_EQ(holds("ForAnyValue:StringEquals"), false);
  EXPECT_EQ(holds("ForAnyValue:StringNotEquals"), false);
  EXPECT_EQ(holds("ForAnyValue:StringEqualsIfExists"), true);
}

TEST(Condition, SeveralValues) {
  Facts facts;
  facts.Say(Key::kLeadingKeys, Values{"a", "b"});
  const auto holds = [&](std::string_view op, const Values& values,
                         Effect effect = Effect::kAllow) {
    return Holds(op, "dynamodb:LeadingKeys", values, facts, effect);
  };
  EXPECT_EQ(holds("ForAllValues:StringEquals", {"a", "b", "c"}), true);
  EXPECT_EQ(holds("ForAllValues:StringEquals", {"a"}), false);
  EXPECT_EQ(holds("ForAnyValue:StringEquals", {"a"}), true);
  EXPECT_EQ(holds("ForAnyValue:StringEquals", {"c"}), false);
  EXPECT_EQ(holds("ForAllValues:StringNotEquals", {"c"}), true);
  EXPECT_EQ(holds("ForAllValues:StringNotEquals", {"b"}), false);
  EXPECT_EQ(holds("ForAnyValue:StringNotEquals", {"b"}), true);
  // assumed: without a quantifier the safe reading counts.
  EXPECT_EQ(holds("StringEquals", {"a"}), false);
  EXPECT_EQ(holds("StringEquals", {"a"}, Effect::kDeny), true);
  EXPECT_EQ(holds("StringEquals", {"a", "b"}), true);
}

TEST(Condition, FaultsAreRefused) {
  const struct {
    std::string_view op;
    Values values;
  } kCases[] = {
      {"", {"a"}},
      {"StringIs", {"a"}},
      {"ForSomeValues:StringEquals", {"a"}},
      {"NullIfExists", {"true"}},
      {"ForAllValues:Null", {"true"}},
      {"Null", {"perhaps"}},
      {"Bool", {"1"}},
      {"NumericEquals", {"1x"}},
      {"NumericEquals", {"inf"}},
      {"NumericEquals", {""}},
      {"DateEquals", {"yesterday"}},
      {"DateEquals", {"2026-02-30"}},
      {"DateEquals", {"2026-11-30T25:00:00Z"}},
      {"DateEquals", {"2026-11-30T20:00:00+1"}},
      {"DateEquals", {"99999999999999999"}},
      {"IpAddress", {"10.0.0.0/33"}},
      {"IpAddress", {"10.0.0"}},
      {"IpAddress", {"10.0.0.0/"}},
      {"StringEquals", {"${aws:username"}},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Holds(test.op, "aws:username", test.values, Facts()), std::nullopt)
        << test.op << " " << test.values.front();
  }
}

}  // namespace
}  // namespace kw::access
