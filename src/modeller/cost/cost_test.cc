// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modeller/cost/calculators.h"

namespace kw::modeller {
namespace {

TEST(Money, ReadsExactDollars) {
  struct Case {
    std::string_view text;
    std::optional<std::int64_t> nano;
  };
  for (const Case& c : std::vector<Case>{{"0.00065", 650'000},
                                         {"150", 150'000'000'000},
                                         {"0.000000001", 1},
                                         {"0.0000000001", std::nullopt},
                                         {"", std::nullopt},
                                         {"1.", std::nullopt},
                                         {".5", std::nullopt},
                                         {"1.2.3", std::nullopt},
                                         {"-1", std::nullopt},
                                         {"99999999999", std::nullopt}}) {
    const auto amount = ParseDollars(c.text);
    EXPECT_EQ(amount ? std::optional(amount->value()) : std::nullopt, c.nano) << c.text;
  }
}

TEST(Money, ShowsCentsAndSmallPrices) {
  EXPECT_EQ(FormatDollars(NanoDollars(0)), "$0.00");
  EXPECT_EQ(FormatDollars(NanoDollars(1'234'567'890'000)), "$1,234.57");
  EXPECT_EQ(FormatDollars(NanoDollars(1'000'000'000'000'000)), "$1,000,000.00");
  EXPECT_EQ(FormatDollars(NanoDollars(650'000)), "$0.00065");
  EXPECT_EQ(FormatDollars(NanoDollars(140'980)), "$0.000141");
  EXPECT_EQ(FormatDollars(NanoDollars(99'999'999)), "$0.10");
  EXPECT_EQ(FormatDollars(NanoDollars(-2'500'000'000)), "-$2.50");
}

TEST(Money, ShowsAPriceWhole) {
  EXPECT_EQ(FormatPrice(NanoDollars(125'000'000)), "$0.125");
  EXPECT_EQ(FormatPrice(NanoDollars(150'000'000'000)), "$150.00");
  EXPECT_EQ(FormatPrice(NanoDollars(140'980)), "$0.00014098");
}

// AWS's own price list of us-east-1, 2026-08: a price that changes shows here.
TEST(PriceBook, HoldsTheNewerOnDemandPrices) {
  const RegionPrices* region = PriceBook::Current().Find("us-east-1");
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(region->standard.read_million, NanoDollars(125'000'000));   // observed: $0.125
  EXPECT_EQ(region->standard.write_million, NanoDollars(625'000'000));  // observed: $0.625
  EXPECT_EQ(region->standard.storage_gb, NanoDollars(250'000'000));     // observed: $0.25
  EXPECT_EQ(PriceBook::Current().regions.size(), 18U);
}

TEST(PriceBook, EveryRegionMarksWhatIsUnverified) {
  for (const RegionPrices& region : PriceBook::Current().regions) {
    EXPECT_THAT(region.unverified, ::testing::Contains("services")) << region.region;
    EXPECT_GT(region.standard.write_hour, region.standard.read_hour) << region.region;
    EXPECT_GT(region.standard.storage_gb, region.infrequent_access.storage_gb) << region.region;
  }
}

TEST(PriceBook, SaysWhatIsMissing) {
  EXPECT_EQ(
      PriceBook::Parse("{\"date\": \"2026-09\", \"regions\": {\"x\": {\"standard\": {}}}}").error(),
      "book.regions.x.standard.read_million is missing");
  EXPECT_EQ(PriceBook::Parse("[]").error(), "the book is no object");
}

// aws-doc: HowItWorks.ReadWriteCapacityMode: a Query adds up sizes and rounds once to 4 KB.
TEST(Reads, TwoHundredItemsOfTwoKilobytes) {
  ReadDemand demand{.items = 200, .size = ByteCount(2048), .kind = ReadKind::kQuery};
  EXPECT_EQ(FormatUnits(BillRead(demand).units), "50");
  demand.mode = ReadMode::kStrong;
  EXPECT_EQ(FormatUnits(BillRead(demand).units), "100");
  demand.kind = ReadKind::kGet;  // each rounded by itself
  EXPECT_EQ(FormatUnits(BillRead(demand).units), "200");
}

TEST(Reads, PagesEndAtOneMegabyte) {
  const ReadBill bill = BillRead({.items = 6,
                                  .size = ByteCount(300 * 1024),
                                  .kind = ReadKind::kQuery,
                                  .mode = ReadMode::kStrong});
  EXPECT_EQ(bill.calls, 2);  // four items take the first page over 1 MB
  EXPECT_EQ(FormatUnits(bill.units), "450");
  EXPECT_EQ(
      FormatUnits(BillRead({.items = 0, .size = ByteCount(10), .kind = ReadKind::kQuery}).units),
      "0.5");
}

TEST(Items, WeighEveryAttribute) {
  Item item;
  item.Set("id", AttributeValue(std::string("abc")));
  item.Set("n", AttributeValue(Number::FromInteger(-12)));
  const ItemWeight weight = WeighItem(item);
  ASSERT_EQ(weight.attributes.size(), 2U);
  EXPECT_EQ(weight.attributes[0].name, "id");
  EXPECT_EQ(weight.attributes[0].value_bytes, ByteCount(3));
  EXPECT_EQ(weight.attributes[1].value_bytes, ByteCount(3));  // 1 + one byte of digits + a sign
  EXPECT_EQ(weight.size, ByteCount(9));
  EXPECT_EQ(weight.stored, ByteCount(109));
}

TEST(Months, AddUpToTheCent) {
  const MonthDemand demand{.reads = MicroUnits(100'000'000),
                           .writes = MicroUnits(10'000'000),
                           .stored = ByteCount(std::int64_t{10} << 30)};
  const auto bill = BillMonth(demand, PriceBook::Current());
  ASSERT_TRUE(bill);
  for (const MonthPrice& price : bill->prices) {
    NanoDollars sum;
    for (const Addend& addend : price.addends) sum += addend.monthly;
    EXPECT_EQ(sum, price.total);
    if (price.table_class != TableClass::kStandard) continue;
    // By hand, us-east-1: 2,628,000 s × 100 × $0.125/10⁶ + 2,628,000 × 10 × $0.625/10⁶ + 10 ×
    // $0.25.
    if (price.billing == Billing::kOnDemand) {
      EXPECT_EQ(FormatDollars(price.total), "$51.78");
    }
    // By hand: 143 × 730 × $0.00013 + 15 × 730 × $0.00065 + $2.50 at 70 %.
    if (price.billing == Billing::kProvisioned) {
      EXPECT_EQ(FormatDollars(price.total), "$23.19");
    }
  }
  EXPECT_TRUE(std::ranges::is_sorted(bill->prices, {}, &MonthPrice::total));
  // $0.00065 an hour against 3,600 × $0.625/10⁶: 28.9 %.
  EXPECT_EQ(bill->break_even_write_ppm, 288'888);
  EXPECT_EQ(bill->break_even_read_ppm, 288'888);
}

TEST(Months, AReplicaTakesEveryWriteAndKeepsEveryItem) {
  MonthDemand demand{.reads = MicroUnits(1'000'000),
                     .writes = MicroUnits(1'000'000),
                     .stored = ByteCount(std::int64_t{1} << 30)};
  const auto one = BillMonth(demand, PriceBook::Current());
  demand.replicas = 2;
  const auto three = BillMonth(demand, PriceBook::Current());
  ASSERT_TRUE(one && three);
  const auto on_demand = [](const MonthBill& bill) {
    return *std::ranges::find_if(bill.prices, [](const MonthPrice& price) {
      return price.billing == Billing::kOnDemand && price.table_class == TableClass::kStandard;
    });
  };
  const MonthPrice before = on_demand(*one);
  const NanoDollars writes_and_storage = before.addends[1].monthly + before.addends[2].monthly;
  EXPECT_EQ(on_demand(*three).total, before.total + writes_and_storage * 2);
}

TEST(Months, AnUnknownRegionNamesTheKnown) {
  const auto bill = BillMonth({.region = "mars-1"}, PriceBook::Current());
  ASSERT_FALSE(bill);
  EXPECT_THAT(bill.error(), ::testing::HasSubstr("no region 'mars-1'. It has: us-east-1"));
}

std::string Ask(std::string_view name, std::string_view json) {
  for (const Calculator& calculator : Calculators()) {
    if (calculator.name != name) continue;
    JsonParser parser;
    const auto input = parser.Parse(json);
    std::string text;
    JsonWriter out(text);
    const auto done = calculator.run(input->object(), out);
    return done ? text : done.error();
  }
  return "no such calculator";
}

TEST(Calculators, AnswerOverJson) {
  EXPECT_EQ(Ask("read", R"({"items": 200, "bytes": 2048, "kind": "query"})"),
            R"({"units":50,"calls":1})");
  EXPECT_EQ(Ask("write", R"({"items": 3, "bytes": 1025, "mode": "transactional"})"),
            R"({"units":12})");
  EXPECT_EQ(Ask("item", R"({"item": {"id": {"S": "abc"}}})"),
            R"({"attributes":[{"name":"id","type":"S","nameBytes":2,"valueBytes":3}],"bytes":5,)"
            R"("storedBytes":105,"bytesMax":409600,"fits":true,"readEventual":0.5,"readStrong":1,)"
            R"("readTransactional":2,"write":1,"writeTransactional":2})");
}

TEST(Calculators, SayWhatIsWrong) {
  EXPECT_EQ(Ask("read", R"({"kind": "look"})"), "kind must be one of: get, query.");
  EXPECT_EQ(Ask("read", R"({"items": 1.5})"), "items must be whole.");
  EXPECT_EQ(Ask("read", R"({"items": -1})"), "items must be a number from 0 to 1000000000000.");
  EXPECT_EQ(Ask("read", R"({"kind": "query", "consistency": "transactional"})"),
            "A Query is never transactional: choose eventual or strong.");
  EXPECT_EQ(Ask("month", R"({"utilizationPercent": 0})"),
            "utilizationPercent must be from 1 to 100.");
  EXPECT_EQ(Ask("item", R"({"item": {"id": {"N": "x"}}})"),
            "The parameter cannot be converted to a numeric value: x");  // observed
}

}  // namespace
}  // namespace kw::modeller
