// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "modeller/plan/plan_test_support.h"

namespace kw::modeller {
namespace {

using namespace std::literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Model& Things() {
  static const Model model = [] {
    auto parsed = Model::Parse(R"(
model: things
entities:
  Thing:
    identity: [id]
    count: 100
    attributes:
      id:       {type: string}
      name:     {type: string}
      rating:   {type: integer, min: 0, max: 99999}
      delta:    {type: integer, min: -50, max: 50}
      amount:   {type: decimal, scale: 2, min: -60, max: 90}
      at:       {type: timestamp}
      fine:     {type: timestamp, precision: microsecond}
      day:      {type: date}
      good:     {type: boolean}
      bytes:    {type: binary}
      tags:     {type: list}
questions:
  thing: {sql: "SELECT * FROM Thing WHERE id = :id"}
)");
    EXPECT_TRUE(parsed) << Describe(parsed.error(), "model");
    return std::move(*parsed);
  }();
  return model;
}
const Entity& Thing() { return Things().entity(0); }

Template Read(std::string_view text) {
  auto parsed = Template::Parse(text, Thing(), {});
  EXPECT_TRUE(parsed) << Describe(parsed.error(), text);
  return parsed ? std::move(*parsed) : Template();
}

std::string FaultOf(std::string_view text) {
  const auto parsed = Template::Parse(text, Thing(), {.line = 3, .column = 7});
  if (parsed) return "none";
  EXPECT_EQ(parsed.error().front().at, (Position{.line = 3, .column = 7}));
  return parsed.error().front().message + "|" + parsed.error().front().suggestion;
}

Row RowWith(std::initializer_list<std::pair<const char*, Value>> values) {
  Row row(Thing().attributes.size());
  for (const auto& [name, value] : values) row[Thing().Find(name).value()] = value;
  return row;
}
Number N(const char* text) { return Number::Parse(text).value(); }

TEST(TemplateTest, Renders) {
  const auto row = RowWith({{"name", "ada"s},
                            {"rating", N("1842")},
                            {"delta", N("-50")},
                            {"amount", N("-59.5")},
                            {"at", Time("2026-06-23T14:05:06Z")},
                            {"fine", Time("2026-06-23T14:05:06.000007Z")},
                            {"day", Date{0}},
                            {"good", true},
                            {"bytes", Bytes{"\x01\xFF"}}});
  const std::pair<const char*, const char*> cases[] = {
      {"PLAYER", "PLAYER"},
      {"P#{name}", "P#ada"},
      {"{{{name}}}", "{ada}"},
      {"{rating}", "1842"},
      {"{rating:05}", "01842"},
      {"{rating:07:desc}", "9998157"},
      {"{rating:desc:07}", "9998157"},
      {"{delta:03}", "000"},
      {"{amount:06.2}", "000.50"},
      {"{amount:06.2:desc}", "999.49"},
      {"{at}", "2026-06-23T14:05:06Z"},
      {"{at:month}#{at:date}#{at:hour}", "2026-06#2026-06-23#2026-06-23T14"},
      {"{at:date:desc}", "7973-93-76"},
      {"{fine}", "2026-06-23T14:05:06.000007Z"},
      {"{day}{day:month}", "1970-01-011970-01"},
      {"{good}", "true"},
      {"{bytes}", "01ff"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(Read(text).Render(Thing(), row), expected) << text;
  }
  EXPECT_EQ(Read("{name}#{id}").Render(Thing(), row), std::nullopt);
  EXPECT_EQ(Read("{rating:05}").Render(Thing(), RowWith({{"rating", N("100000")}})), std::nullopt);
}

TEST(TemplateTest, PrintsWhatItRead) {
  for (const auto* text : {"PLAYER#{name}", "{{x}}#{rating:05:desc}", "{amount:09.3}", "{at:hour}",
                           "{at:month:desc}#{delta:04}"}) {
    EXPECT_EQ(Read(text).ToText(Thing()), text);
  }
}

TEST(TemplateTest, SaysWhatIsWrong) {
  EXPECT_EQ(FaultOf("{nam}").substr(0, 30), "Thing has no attribute `nam`.|");
  EXPECT_THAT(FaultOf("{name"), HasSubstr("does not close it"));
  EXPECT_THAT(FaultOf("name}"), HasSubstr("not open"));
  EXPECT_THAT(FaultOf(""), HasSubstr("never empty"));
  EXPECT_THAT(FaultOf("{tags}"), HasSubstr("list or a map"));
  EXPECT_THAT(FaultOf("{name}{id}"), HasSubstr("Nothing parts"));
  EXPECT_THAT(FaultOf("{rating:03}"), HasSubstr("Write {rating:05}"));
  EXPECT_THAT(FaultOf("{amount:06}"), HasSubstr("Write {amount:06.2}"));
  EXPECT_THAT(FaultOf("{name:05}"), HasSubstr("no number"));
  EXPECT_THAT(FaultOf("{rating:month}"), HasSubstr("has no month"));
  EXPECT_THAT(FaultOf("{day:hour}"), HasSubstr("has no hour"));
  EXPECT_THAT(FaultOf("{rating:desc}"), HasSubstr("{rating:05:desc}"));
  EXPECT_THAT(FaultOf("{name:desc}"), HasSubstr("cannot be inverted"));
  EXPECT_THAT(FaultOf("{rating:05:06}"), HasSubstr("more than one format"));
  EXPECT_THAT(FaultOf("{rating:0999999999999999999999}"), HasSubstr("no padding"));
  EXPECT_THAT(FaultOf("{rating:week}"), HasSubstr("no format"));
}

TEST(TemplateTest, NamesTheFieldsThatADelimiterParts) {
  const AttributeId name = Thing().Find("name").value();
  EXPECT_THAT(Read("X#{name}#{id}").delimited_fields(Thing()),
              ElementsAre(DelimitedField{.attribute = name, .delimiter = '#'}));
  EXPECT_TRUE(Read("{at}#{id}").delimited_fields(Thing()).empty());
}

TEST(TemplateTest, TextsMeetOrDoNot) {
  const auto meet = [](std::string_view a, std::string_view b) {
    const bool one = MayMeet(Read(a), Read(b));
    EXPECT_EQ(one, MayMeet(Read(b), Read(a)));
    return one;
  };
  EXPECT_TRUE(meet("USER#{id}", "USER#{name}"));
  EXPECT_FALSE(meet("USER#{id}", "USERGROUP#{id}"));
  EXPECT_FALSE(meet("PROFILE", "MATCH#{at}"));
  EXPECT_TRUE(meet("USER#x", "USER#{id}"));
  EXPECT_FALSE(meet("USER#", "USER#{id}#x"));
  EXPECT_FALSE(meet("{id}#a", "{id}#b"));
  EXPECT_FALSE(meet("A", "B"));
  EXPECT_TRUE(MayStartWith(Read("USERGROUP#{id}"), "USER"));
  EXPECT_FALSE(MayStartWith(Read("USER"), "USER#"));
}

// ---- order ----

// Whether the texts of two values compare as the values do.
void ExpectOrder(const char* text, const char* attribute, const Value& a, const Value& b,
                 std::weak_ordering order) {
  const auto one = Read(text).Render(Thing(), RowWith({{attribute, a}}));
  const auto other = Read(text).Render(Thing(), RowWith({{attribute, b}}));
  RC_ASSERT(one.has_value() && other.has_value());
  const bool inverted = std::string_view(text).ends_with("desc}");
  RC_ASSERT((*one <=> *other) == (inverted ? 0 <=> order : order));
  RC_ASSERT(!inverted || one->size() == other->size());
}

RC_GTEST_PROP(TemplateOrderTest, Numbers, ()) {
  const auto a = *rc::gen::inRange<std::int64_t>(-50, 51);
  const auto b = *rc::gen::inRange<std::int64_t>(-50, 51);
  for (const auto* text : {"{delta:03}", "{delta:05}", "{delta:06.1}", "{delta:03:desc}"}) {
    ExpectOrder(text, "delta", Number::FromInteger(a), Number::FromInteger(b), a <=> b);
  }
}

RC_GTEST_PROP(TemplateOrderTest, Decimals, ()) {
  const auto number = [](std::int64_t cents) { return N((std::to_string(cents) + "e-2").c_str()); };
  const auto a = *rc::gen::inRange<std::int64_t>(-6000, 9001);
  const auto b = *rc::gen::inRange<std::int64_t>(-6000, 9001);
  for (const auto* text : {"{amount:06.2}", "{amount:010.4}", "{amount:06.2:desc}"}) {
    ExpectOrder(text, "amount", number(a), number(b), a <=> b);
  }
}

RC_GTEST_PROP(TemplateOrderTest, Times, ()) {
  // Years 1 to 9999.
  const auto any = rc::gen::inRange<std::int64_t>(-62135596800, 253402300800);
  const auto a = *any;
  const auto b = *rc::gen::oneOf(any, rc::gen::inRange<std::int64_t>(a - 3600, a + 3600));
  RC_PRE(b >= -62135596800 && b < 253402300800);
  const Timestamp one{a * 1'000'000};
  const Timestamp other{b * 1'000'000};
  for (const auto* text : {"{at}", "{at:desc}"}) ExpectOrder(text, "at", one, other, a <=> b);
  for (const auto* text : {"{fine}", "{fine:desc}"}) ExpectOrder(text, "fine", one, other, a <=> b);
  const auto day = [](std::int64_t seconds) {
    return Date{static_cast<std::int32_t>(seconds / 86400 - (seconds % 86400 < 0 ? 1 : 0))};
  };
  for (const auto* text : {"{day}", "{day:desc}", "{day:date}"}) {
    ExpectOrder(text, "day", day(a), day(b), day(a) <=> day(b));
  }
}

RC_GTEST_PROP(TemplateOrderTest, BytesAndTexts, ()) {
  const auto a = *rc::gen::string<std::string>();
  const auto b = *rc::gen::string<std::string>();
  const auto compare = [](const std::string& x, const std::string& y) {
    return x.compare(y) <=> 0;
  };
  ExpectOrder("{bytes}", "bytes", Bytes{a}, Bytes{b}, compare(a, b));
  ExpectOrder("{name}", "name", a, b, compare(a, b));
}

// While the delimiter and what lies below it stay out of the values.
RC_GTEST_PROP(TemplateOrderTest, DelimitedTexts, ()) {
  const auto texts = rc::gen::container<std::string>(rc::gen::elementOf(std::string("$ab~")));
  const std::pair<std::string, std::string> a(*texts, *texts);
  const std::pair<std::string, std::string> b(*texts, *texts);
  const auto render = [](const auto& of) {
    return Read("{name}#{id}").Render(Thing(), RowWith({{"name", of.first}, {"id", of.second}}));
  };
  RC_ASSERT((*render(a) <=> *render(b)) == (a <=> b));
}

}  // namespace
}  // namespace kw::modeller
