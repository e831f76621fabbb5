// SPDX-License-Identifier: Apache-2.0
// The ten attribute types as a regular value, and the sorted map that is both a Map and an item.
// Maps are sorted by name and sets by value, so that equality is member by member and nothing about
// an item depends on the order in which a client sent it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/quantity.h"
#include "data/number.h"

namespace kw {

// The order is that of AttributeValue's variant.
enum class AttributeType : std::uint8_t {
  kString,
  kNumber,
  kBinary,
  kBool,
  kNull,
  kStringSet,
  kNumberSet,
  kBinarySet,
  kList,
  kMap
};

// "S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M".
std::string_view WireName(AttributeType type);

class AttributeValue;

struct Binary {
  std::string bytes;
  friend auto operator<=>(const Binary&, const Binary&) = default;
};
struct Null {
  friend bool operator==(const Null&, const Null&) = default;
};
// Sorted, without duplicates, never empty where an item holds them.
struct StringSet {
  std::vector<std::string> values;
  friend bool operator==(const StringSet&, const StringSet&) = default;
};
struct NumberSet {
  std::vector<Number> values;
  friend bool operator==(const NumberSet&, const NumberSet&) = default;
};
struct BinarySet {
  std::vector<Binary> values;
  friend bool operator==(const BinarySet&, const BinarySet&) = default;
};
struct List {
  std::vector<AttributeValue> values;
  friend bool operator==(const List& a, const List& b);
};

// A Map, and an item's attributes: names unique, kept sorted by bytes.
class AttributeMap {
 public:
  using Entry = std::pair<std::string, AttributeValue>;

  AttributeMap();
  ~AttributeMap();
  AttributeMap(const AttributeMap&);
  AttributeMap(AttributeMap&&) noexcept;
  AttributeMap& operator=(const AttributeMap&);
  AttributeMap& operator=(AttributeMap&&) noexcept;

  // Sorts once; on a double name the later entry wins and `duplicate`, if given, is set.
  static AttributeMap FromEntries(std::vector<Entry> entries, bool* duplicate = nullptr);

  [[nodiscard]] const AttributeValue* Find(std::string_view name) const;
  [[nodiscard]] AttributeValue* Find(std::string_view name);
  void Set(std::string name, AttributeValue value);  // inserts or replaces
  // Names that are not there yet, sorted: in one pass, however many.
  void Insert(std::vector<Entry> sorted);
  bool Remove(std::string_view name);  // false if it was not there
  // In one pass; the names are sorted, and some may not be there.
  void RemoveAll(std::span<const std::string_view> sorted);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const;

  friend bool operator==(const AttributeMap& a, const AttributeMap& b);

 private:
  std::vector<Entry> entries_;
};

class AttributeValue {
 public:
  using Value = std::variant<std::string, Number, Binary, bool, Null, StringSet, NumberSet,
                             BinarySet, List, AttributeMap>;

  AttributeValue() : value_(Null{}) {}
  template <class T>
    requires(!std::same_as<std::decay_t<T>, AttributeValue>) && std::constructible_from<Value, T>
  AttributeValue(T&& value)
      : value_(std::forward<T>(value)) {}  // NOLINT: a value of any type is one
  AttributeValue(const char*) = delete;    // would be a bool

  [[nodiscard]] AttributeType type() const { return static_cast<AttributeType>(value_.index()); }
  [[nodiscard]] const Value& value() const { return value_; }
  template <class T>
  [[nodiscard]] const T* As() const {
    return std::get_if<T>(&value_);
  }
  template <class T>
  [[nodiscard]] T* As() {
    return std::get_if<T>(&value_);
  }

  friend bool operator==(const AttributeValue&, const AttributeValue&) = default;

 private:
  Value value_;
};

// An item is a map whose names, sets, depth and size have been checked (data/item.h).
using Item = AttributeMap;

// Size as DynamoDB bills it, in bytes.
// Source: AWS Developer Guide, "DynamoDB item sizes and formats".
ByteCount SizeOf(const AttributeValue& value);
ByteCount SizeOf(const Item& item);

// How many lists and maps lie inside one another: 0 for a scalar, 1 for a list of scalars. An
// attribute may have limits::kNestingMax.
int NestingOf(const AttributeValue& value);

}  // namespace kw
