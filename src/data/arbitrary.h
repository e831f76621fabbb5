// SPDX-License-Identifier: Apache-2.0
// Any number, value and item, for property tests (RapidCheck). Small alphabets, so that names,
// members and digits meet and collide.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "data/attribute_value.h"

namespace kw::arbitrary {

inline rc::Gen<Number> AnyNumber() {
  return rc::gen::exec([] {
    const int digits = *rc::gen::inRange(1, 39);
    std::string text = *rc::gen::arbitrary<bool>() ? "-" : "";
    text += *rc::gen::container<std::string>(static_cast<std::size_t>(digits),
                                             rc::gen::elementOf(std::string("0019")));
    // The first of 38 digits is at most at 125, at 38 - 130 at least.
    text += "e" + std::to_string(*rc::gen::inRange(-130, 126 - digits));
    return Number::Parse(text).value();
  });
}

inline rc::Gen<std::string> AnyText() {
  return rc::gen::container<std::string>(rc::gen::elementOf(std::string("aab\"\\\n\x01 /")));
}

inline rc::Gen<std::string> AnyBytes() {
  return rc::gen::container<std::string>(rc::gen::elementOf(std::string("\0\0\x01\xFE\xFF", 5)));
}

inline rc::Gen<Binary> AnyBinary() {
  return rc::gen::map(AnyBytes(), [](std::string bytes) { return Binary{std::move(bytes)}; });
}

template <class Set, class T>
rc::Gen<AttributeValue> AnySet(rc::Gen<T> element) {
  const auto canonical = [](std::vector<T> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return AttributeValue(Set{std::move(values)});
  };
  return rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::vector<T>>(std::move(element))),
                      canonical);
}

inline AttributeMap MapOf(std::vector<AttributeMap::Entry> entries) {
  return AttributeMap::FromEntries(std::move(entries));
}

// With at most `depth` lists and maps inside one another.
inline rc::Gen<AttributeValue> AnyValue(int depth) {
  const int kinds = depth > 0 ? 10 : 8;
  return rc::gen::mapcat(rc::gen::inRange(0, kinds), [depth](int kind) -> rc::Gen<AttributeValue> {
    const auto as_value = [](auto value) { return AttributeValue(std::move(value)); };
    switch (static_cast<AttributeType>(kind)) {
      case AttributeType::kString: return rc::gen::map(AnyText(), as_value);
      case AttributeType::kNumber: return rc::gen::map(AnyNumber(), as_value);
      case AttributeType::kBinary: return rc::gen::map(AnyBinary(), as_value);
      case AttributeType::kBool: return rc::gen::map(rc::gen::arbitrary<bool>(), as_value);
      case AttributeType::kNull: return rc::gen::just(AttributeValue());
      case AttributeType::kStringSet: return AnySet<StringSet>(AnyText());
      case AttributeType::kNumberSet: return AnySet<NumberSet>(AnyNumber());
      case AttributeType::kBinarySet: return AnySet<BinarySet>(AnyBinary());
      case AttributeType::kList:
        return rc::gen::map(rc::gen::resize(4, rc::gen::container<std::vector<AttributeValue>>(
                                                   AnyValue(depth - 1))),
                            [](std::vector<AttributeValue> values) {
                              return AttributeValue(List{std::move(values)});
                            });
      case AttributeType::kMap:
        return rc::gen::map(rc::gen::resize(4, rc::gen::container<std::vector<AttributeMap::Entry>>(
                                                   rc::gen::pair(AnyText(), AnyValue(depth - 1)))),
                            [](std::vector<AttributeMap::Entry> entries) {
                              return AttributeValue(MapOf(std::move(entries)));
                            });
    }
    return rc::gen::just(AttributeValue());
  });
}

inline rc::Gen<Item> AnyItem() {
  return rc::gen::map(rc::gen::resize(8, rc::gen::container<std::vector<AttributeMap::Entry>>(
                                             rc::gen::pair(AnyText(), AnyValue(3)))),
                      MapOf);
}

}  // namespace kw::arbitrary
