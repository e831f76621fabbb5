// SPDX-License-Identifier: Apache-2.0
// What the module's tests and fuzzers share: items and placeholders from DynamoDB JSON.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "data/item.h"
#include "expr/placeholders.h"

namespace kw::testing {

inline AttributeMap MapOf(std::string_view json) {
  JsonParser parser;
  const auto document = parser.Parse(json);
  Check(document.has_value(), "the text is JSON");
  auto map = ParseAttributeMap(*document);
  Check(map.has_value(), "the text is a map of attributes");
  return std::move(*map);
}

inline AttributeValue ValueOf(std::string_view json) {
  return *MapOf(std::string(R"({"v":)") + std::string(json) + "}").Find("v");
}

inline std::string JsonOf(const AttributeMap& map) {
  std::string json;
  JsonWriter writer(json);
  WriteJson(map, writer);
  return json;
}

// The item on which most cases are evaluated.
inline const Item& SampleItem() {
  static const Item item = MapOf(R"({
    "s": {"S": "hello"}, "u": {"S": "h\u00e9\ud83d\ude00"}, "blank": {"S": ""},
    "n": {"N": "5"}, "n2": {"N": "5.0"}, "b": {"B": "AQID"}, "yes": {"BOOL": true},
    "nil": {"NULL": true}, "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]},
    "bs": {"BS": ["AQ==", "Ag=="]},
    "li": {"L": [{"S": "a"}, {"N": "1"}, {"M": {"x": {"N": "7"}}}, {"L": [{"S": "in"}]}]},
    "m": {"M": {"x": {"N": "1"}, "y": {"M": {"deep": {"S": "d"}}}, "l": {"L": [{"S": "p"}]},
                "a.b": {"S": "dotted"}}},
    "name": {"S": "reserved"}, "e": {"M": {}}
  })");
  return item;
}

// Placeholders that every case may use; most are unused in each.
inline Placeholders SamplePlaceholders() {
  Placeholders::Input input;
  input.has_names = true;
  input.has_values = true;
  input.names = {{"#s", "s"},  {"#n", "n"},           {"#name", "name"},
                 {"#m", "m"},  {"#x", "x"},           {"#dot", "a.b"},
                 {"#l", "li"}, {"#absent", "absent"}, {"#dashed", "a-b"}};
  input.values = MapOf(R"({
    ":s": {"S": "hello"}, ":he": {"S": "he"}, ":a": {"S": "a"}, ":z": {"S": "z"}, ":d": {"S": "d"},
    ":five_text": {"S": "5"}, ":none": {"S": ""},
    ":n0": {"N": "0"}, ":n1": {"N": "1"}, ":n2": {"N": "2"}, ":n3": {"N": "3"}, ":n5": {"N": "5"},
    ":n9": {"N": "9"}, ":big": {"N": "9.9E+125"},
    ":b": {"B": "AQID"}, ":b1": {"B": "AQ=="}, ":b23": {"B": "AgM="}, ":yes": {"BOOL": true},
    ":no": {"BOOL": false}, ":nil": {"NULL": true},
    ":ss": {"SS": ["b", "a"]}, ":sc": {"SS": ["c"]}, ":sa": {"SS": ["a"]}, ":ns": {"NS": ["1", "2"]},
    ":bs": {"BS": ["AQ=="]}, ":l": {"L": [{"S": "new"}]}, ":in": {"L": [{"S": "in"}]},
    ":m": {"M": {"x": {"N": "7"}}}, ":em": {"M": {}}, ":el": {"L": []},
    ":S": {"S": "S"}, ":N": {"S": "N"}, ":B": {"S": "B"}, ":BOOL": {"S": "BOOL"},
    ":NULL": {"S": "NULL"}, ":SS": {"S": "SS"}, ":NS": {"S": "NS"}, ":BS": {"S": "BS"},
    ":L": {"S": "L"}, ":M": {"S": "M"}, ":X": {"S": "X"}
  })");
  auto placeholders = Placeholders::Make(std::move(input));
  Check(placeholders.has_value(), "the placeholders are legal");
  return std::move(*placeholders);
}

}  // namespace kw::testing
