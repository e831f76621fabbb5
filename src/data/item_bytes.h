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

#include <optional>
#include <string>
#include <string_view>

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

// For fuzzing and for data from outside: whether the bytes are a whole, canonical stored item.
[[nodiscard]] bool IsStoredItem(std::string_view bytes);

}  // namespace kw
