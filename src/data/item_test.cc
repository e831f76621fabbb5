// SPDX-License-Identifier: Apache-2.0
#include "data/item.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kw {
namespace {

// The value as it is written back, or the message of its fault.
std::string RoundTrip(const std::string& text) {
  JsonParser parser;
  const auto json = parser.Parse(text);
  if (!json) return "not JSON: " + json.error().message;
  const auto value = ParseAttributeValue(*json);
  if (!value) return value.error().message;
  std::string out;
  JsonWriter writer(out);
  WriteJson(*value, writer);
  return out;
}

std::string Nested(int lists, const std::string& inner) {
  std::string text;
  for (int i = 0; i < lists; ++i) text += R"({"L":[)";
  text += inner;
  for (int i = 0; i < lists; ++i) text += "]}";
  return text;
}

TEST(ParseAttributeValue, ReadsBackEveryType) {
  for (const char* text : {
           R"({"S":""})",
           R"({"S":"a\"\u0001é😀"})",
           R"({"N":"-12.5"})",
           R"({"B":""})",
           R"({"B":"AP8="})",
           R"({"BOOL":true})",
           R"({"BOOL":false})",
           R"({"NULL":true})",
           R"({"SS":["","a","b"]})",
           R"({"NS":["-1","2","10"]})",
           R"({"BS":["","AA==","/w=="]})",
           R"({"L":[]})",
           R"({"M":{}})",
           R"({"L":[{"S":"a"},{"L":[{"M":{"":{"N":"0"}}}]}]})",
           R"({"M":{"a":{"NULL":true},"b":{"M":{"c":{"SS":["x"]}}}}})",
       }) {
    EXPECT_EQ(RoundTrip(text), text);
  }
}

TEST(ParseAttributeValue, MakesCanonical) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"N":"1e2"})", R"({"N":"100"})"},
      {R"({"SS":["b","a"]})", R"({"SS":["a","b"]})"},
      {R"({"NS":["10","9.0"]})", R"({"NS":["9","10"]})"},
      {R"({"BS":["/w==","AA=="]})", R"({"BS":["AA==","/w=="]})"},
      {R"({"M":{"b":{"NULL":true},"a":{"NULL":true}}})",
       R"({"M":{"a":{"NULL":true},"b":{"NULL":true}}})"},
      // assumed: unknown and null members are dropped; of a name sent twice the last counts.
      {R"({"S":"a","N":null,"X":1})", R"({"S":"a"})"},
      {R"({"M":{"a":{"S":"x"},"a":{"S":"y"}}})", R"({"M":{"a":{"S":"y"}}})"},
  };
  for (const auto& [text, canonical] : cases) EXPECT_EQ(RoundTrip(text), canonical);
}

TEST(ParseAttributeValue, RefusesInTheServicesWords) {
  const std::string empty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  const std::string several =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
      "supported datatypes";
  const std::string invalid = "One or more parameter values were invalid: ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      // assumed, but where it says observed.
      {R"({})", empty},  // observed: aws/aws-sdk-js issue 381
      {R"(null)", empty},
      {R"({"X":1})", empty},
      {R"({"S":null})", empty},
      {R"({"L":[{"S":"a"},{}]})", empty},
      {R"({"M":{"a":null}})", empty},
      {R"({"S":"a","N":"1"})", several},  // observed: aws/aws-sdk-net issue 428
      {R"({"S":"a","N":"abc"})", several},
      {R"({"NULL":false})", invalid + "Null attribute value types must have the value of true"},
      {R"({"N":"abc"})", "The parameter cannot be converted to a numeric value: abc"},
      {R"({"N":""})", "The parameter cannot be converted to a numeric value: "},  // observed
      {R"({"NS":["1",""]})", "The parameter cannot be converted to a numeric value: "},
      {R"({"SS":[]})", invalid + "An string set  may not be empty"},
      {R"({"NS":[]})", invalid + "An number set  may not be empty"},
      {R"({"BS":[]})", invalid + "Binary sets should not be empty"},
      {R"({"SS":["a","b","b"]})",
       invalid + R"(Input collection ["a", "b", "b"] contains duplicates.)"},  // observed
      {R"({"SS":["b","a","c","b"]})",
       invalid + R"(Input collection ["a", "b", "b"] contains duplicates.)"},  // observed
      {R"({"BS":["AA==","/w==","AA=="]})",
       invalid + R"(Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.)"},
      {R"({"NS":["1","2","1.0"]})", "Input collection contains duplicates"},
      {Nested(33, R"({"S":"a"})"),
       "Nesting Levels have exceeded supported limits: Attributes nested deeper than 32 levels"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(RoundTrip(text), message) << text;
  EXPECT_EQ(RoundTrip(Nested(32, R"({"S":"a"})")), Nested(32, R"({"S":"a"})"));
}

TEST(ParseAttributeValue, SurvivesWrongShapes) {
  JsonParser parser;
  for (const char* text :
       {"1", "[]", "\"a\"", R"({"S":1})", R"({"N":1})", R"({"B":"!"})", R"({"B":"A"})",
        R"({"BOOL":"true"})", R"({"NULL":1})", R"({"SS":"a"})", R"({"SS":[1]})", R"({"SS":[null]})",
        R"({"BS":["!"]})", R"({"L":{}})", R"({"L":[1]})", R"({"M":[]})", R"({"M":{"a":1}})"}) {
    const auto value = ParseAttributeValue(*parser.Parse(text));
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().code, ErrorCode::kSerialization) << text;
  }
}

TEST(ParseAttributeMap, ReportsTheFirstFaultInTheOrderSent) {
  JsonParser parser;
  const auto map = ParseAttributeMap(*parser.Parse(R"({"b":{"N":"x"},"a":{"N":"y"}})"));
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().message, "The parameter cannot be converted to a numeric value: x");
}

}  // namespace
}  // namespace kw
