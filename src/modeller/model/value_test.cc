// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/value.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace kw::modeller {
namespace {

TEST(TimestampTest, TextsHaveAFixedWidth) {
  const Timestamp time{1'782'223'200'012'345};
  EXPECT_EQ(FormatTimestamp(time, TimePrecision::kSecond), "2026-06-23T14:00:00Z");
  EXPECT_EQ(FormatTimestamp(time, TimePrecision::kMillisecond), "2026-06-23T14:00:00.012Z");
  EXPECT_EQ(FormatTimestamp(time, TimePrecision::kMicrosecond), "2026-06-23T14:00:00.012345Z");
  EXPECT_EQ(FormatTimestamp(Timestamp{-1}, TimePrecision::kMicrosecond),
            "1969-12-31T23:59:59.999999Z");
}

TEST(TimestampTest, ReadsTheWholeRange) {
  for (const char* text : {"0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
                           "2000-02-29T12:34:56Z", "9999-12-31T23:59:59Z"}) {
    const auto time = ParseTimestamp(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(FormatTimestamp(*time, TimePrecision::kSecond), text);
  }
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.5Z"), Timestamp{500'000});
}

TEST(TimestampTest, RefusesWhatIsNone) {
  for (const char* text :
       {"", "2026-06-23", "2026-06-23T14:00:00", "2026-06-23T14:00:00+02:00",
        "2026-06-23 14:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-06-23T24:00:00Z", "2026-06-23T14:60:00Z", "2026-06-23T14:00:60Z",
        "2026-06-23T14:00:00.Z", "2026-06-23T14:00:00.1234567Z", "0000-01-01T00:00:00Z",
        "2026-06-23T14:00:00Zx", "02026-06-23T14:00:00Z", "2026-6-23T14:00:00Z"}) {
    EXPECT_FALSE(ParseTimestamp(text)) << text;
  }
}

TEST(TimestampTest, TheOrderOfTextsIsThatOfTimes) {
  Rng rng(20261130);
  const std::int64_t least = ParseTimestamp("0001-01-01T00:00:00Z")->micros;
  const std::int64_t most = ParseTimestamp("9999-12-31T23:59:59.999999Z")->micros;
  const auto any = [&] {
    return Timestamp{
        least + static_cast<std::int64_t>(rng.Below(static_cast<std::uint64_t>(most - least) + 1))};
  };
  for (int i = 0; i < 2'000; ++i) {
    const Timestamp a = any();
    const Timestamp b = any();
    const std::string text = FormatTimestamp(a, TimePrecision::kMicrosecond);
    EXPECT_EQ(ParseTimestamp(text), a) << text;
    EXPECT_EQ(text < FormatTimestamp(b, TimePrecision::kMicrosecond), a < b);
  }
}

TEST(DateTest, RoundTrips) {
  EXPECT_EQ(FormatDate(Date{0}), "1970-01-01");
  EXPECT_EQ(ParseDate("2024-02-29"), Date{19'782});
  EXPECT_EQ(FormatDate(Date{19'782}), "2024-02-29");
  for (const char* text : {"", "2026-02-30", "2026-1-1", "2026-01-01T", "0000-01-01"}) {
    EXPECT_FALSE(ParseDate(text)) << text;
  }
}

TEST(BucketTest, NamesTheStartOfTheText) {
  const Timestamp time = *ParseTimestamp("2026-06-30T23:59:59Z");
  EXPECT_EQ(FormatBucket(time, Bucket::kMonth), "2026-06");
  EXPECT_EQ(FormatBucket(time, Bucket::kDate), "2026-06-30");
  EXPECT_EQ(FormatBucket(time, Bucket::kHour), "2026-06-30T23");
  EXPECT_EQ(ParseBucket("2026-06", Bucket::kMonth), ParseTimestamp("2026-06-01T00:00:00Z"));
  EXPECT_EQ(ParseBucket("2026-06-30", Bucket::kDate), ParseTimestamp("2026-06-30T00:00:00Z"));
  EXPECT_EQ(ParseBucket("2026-06-30T23", Bucket::kHour), ParseTimestamp("2026-06-30T23:00:00Z"));
  EXPECT_FALSE(ParseBucket("2026-06-30", Bucket::kMonth));
  EXPECT_FALSE(ParseBucket("2026-06", Bucket::kDate));
  EXPECT_FALSE(ParseBucket("2026-06-30T24", Bucket::kHour));
}

TEST(DecimalTest, HasExactlyItsScale) {
  EXPECT_EQ(FormatDecimal(*Number::Parse("12.5"), 2), "12.50");
  EXPECT_EQ(FormatDecimal(*Number::Parse("-0.05"), 2), "-0.05");
  EXPECT_EQ(FormatDecimal(*Number::Parse("7"), 0), "7");
  EXPECT_EQ(FormatDecimal(*Number::Parse("700"), 3), "700.000");
  EXPECT_EQ(PlacesOf(*Number::Parse("1.250")), 2);
  EXPECT_EQ(PlacesOf(*Number::Parse("1e3")), 0);
}

}  // namespace
}  // namespace kw::modeller
