// SPDX-License-Identifier: Apache-2.0
// The stored form of an item: one self-contained byte string, attributes sorted by name, its billed
// size in front. Reads are answered from these bytes without building an Item.
//
//   item      := version(1 byte, 1) size(varint, billed bytes) attributes
//   attributes:= count(varint) { name(length-prefixed) value }*
//   value     := tag(1 byte, AttributeType) body
//   body      := S, B length-prefixed; N its key bytes, length-prefixed; BOOL one byte; NULL
//                nothing; sets, L, M length(4 bytes, big-endian) content, so that skipping is one
//                step. Content: sets count(varint) and bodies, L count and values, M attributes
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "data/attribute_value.h"

namespace kw {

[[nodiscard]] std::string StoreItem(const Item& item);

// Our own bytes, checked by the store's checksums: broken bytes are a Check, not an error.
[[nodiscard]] Item LoadItem(std::string_view stored);

// Billed size, read off the front.
[[nodiscard]] ByteCount StoredItemSize(std::string_view stored);

// One top-level attribute, without decoding the others; nothing if absent.
[[nodiscard]] std::optional<AttributeValue> LoadAttribute(std::string_view stored,
                                                          std::string_view name);

// {"name":{"S":"a"},...} straight from the bytes.
void WriteStoredItem(std::string_view stored, JsonWriter& out);

// Stored items one behind the other in one block of memory: a page of them is a few allocations.
class StoredItems {
 public:
  class Iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    std::string_view operator*() const { return (*items_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      auto before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    friend class StoredItems;
    Iterator(const StoredItems& items, std::size_t at) : items_(&items), at_(at) {}
    const StoredItems* items_ = nullptr;
    std::size_t at_ = 0;
  };

  void Add(std::string_view stored) {
    if (empty()) {
      ends_.reserve(kAtOnce);
      bytes_.reserve(kAtOnce * stored.size());
    }
    bytes_ += stored;
    ends_.push_back(bytes_.size());
  }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  // Valid until the next Add.
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size()}; }

 private:
  static constexpr std::size_t kAtOnce = 16;  // the first of this number makes room for the others
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

// The same for several, as a JSON array.
void WriteStoredItems(const StoredItems& items, JsonWriter& out);

// For fuzzing and for data from outside: whether the bytes are a whole, canonical stored item.
[[nodiscard]] bool IsStoredItem(std::string_view bytes);

}  // namespace kw
