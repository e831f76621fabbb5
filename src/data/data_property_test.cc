// SPDX-License-Identifier: Apache-2.0
// Laws of the data module over arbitrary values. CTest fixes the seed; RC_PARAMS sets another.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/arbitrary.h"
#include "data/item.h"
#include "data/item_bytes.h"
#include "data/key.h"

namespace kw {
namespace {

std::string PartOf(const AttributeValue& value) {
  std::string part;
  AppendKeyPart(part, value);
  return part;
}

std::string JsonOf(const Item& item) {
  std::string json;
  JsonWriter writer(json);
  WriteJson(item, writer);
  return json;
}

RC_GTEST_PROP(NumberLaw, TextAndKeyReadBack, ()) {
  const Number number = *arbitrary::AnyNumber();
  RC_ASSERT(Number::Parse(number.ToString()).value() == number);
  const std::string key = PartOf(number);
  std::string_view rest = key;
  RC_ASSERT(Number::TakeKey(rest).value() == number);
  RC_ASSERT(rest.empty() && key.size() <= 21);
}

RC_GTEST_PROP(NumberLaw, KeysSortAsNumbers, ()) {
  const Number a = *arbitrary::AnyNumber();
  const Number b = *arbitrary::AnyNumber();
  RC_ASSERT((PartOf(a) <=> PartOf(b)) == (a <=> b));
  RC_ASSERT((b.Negated() <=> a.Negated()) == (a <=> b));
}

RC_GTEST_PROP(NumberLaw, AdditionIsExact, ()) {
  const Number a = *arbitrary::AnyNumber();
  const Number b = *arbitrary::AnyNumber();
  const auto sum = Number::Add(a, b);
  const auto swapped = Number::Add(b, a);
  RC_ASSERT(sum.has_value() == swapped.has_value());
  if (!sum) return;
  RC_ASSERT(*sum == *swapped);
  // Where the sum is representable, taking away one addend leaves the other.
  RC_ASSERT(Number::Subtract(*sum, b).value() == a);
  RC_ASSERT((*sum <=> a) == (b <=> Number()));
}

RC_GTEST_PROP(KeyLaw, PartsSortAsTheirBytes, ()) {
  const Binary a = *arbitrary::AnyBinary();
  const Binary b = *arbitrary::AnyBinary();
  RC_ASSERT((PartOf(a) <=> PartOf(b)) == (a <=> b));
  const std::string joined = PartOf(a) + PartOf(b);
  std::string_view rest = joined;
  RC_ASSERT(TakeKeyPart(rest, KeyType::kBinary) == AttributeValue(a));
  RC_ASSERT(TakeKeyPart(rest, KeyType::kBinary) == AttributeValue(b));
  RC_ASSERT(rest.empty());
}

RC_GTEST_PROP(KeyLaw, PrefixEndIsTight, ()) {
  const std::string prefix = *arbitrary::AnyBytes();
  const std::string other = *arbitrary::AnyBytes();
  const std::string end = PrefixEnd(prefix);
  const bool inside = other >= prefix && (end.empty() || other < end);
  RC_ASSERT(inside == other.starts_with(prefix));
}

RC_GTEST_PROP(ItemLaw, JsonAndStoredBytesReadBack, ()) {
  const Item item = *arbitrary::AnyItem();
  const std::string json = JsonOf(item);
  JsonParser parser;
  RC_ASSERT(ParseAttributeMap(*parser.Parse(json)).value() == item);

  const std::string stored = StoreItem(item);
  RC_ASSERT(IsStoredItem(stored));
  RC_ASSERT(LoadItem(stored) == item);
  RC_ASSERT(StoredItemSize(stored) == SizeOf(item));
  for (const auto& [name, value] : item.entries()) {
    RC_ASSERT(LoadAttribute(stored, name) == value);
  }
  std::string written;
  JsonWriter writer(written);
  WriteStoredItem(stored, writer);
  RC_ASSERT(written == json);
}

RC_GTEST_PROP(ItemLaw, DamagedBytesAreRefusedOrCanonical, ()) {
  std::string stored = StoreItem(*arbitrary::AnyItem());
  const auto at = *rc::gen::inRange<std::size_t>(0, stored.size());
  stored[at] = *rc::gen::arbitrary<char>();
  if (IsStoredItem(stored)) {
    RC_ASSERT(StoreItem(LoadItem(stored)) == stored);
  }
}

}  // namespace
}  // namespace kw
