// SPDX-License-Identifier: Apache-2.0
// Keys as bytes whose memcmp order is DynamoDB's: numbers by value, strings by UTF-8, binaries by
// unsigned bytes. Each part delimits itself, so that parts can be joined and no two keys collide.
//
//   S, B part := bytes with 00 written 00 FF, then 00 01;  N part := Number::AppendKey
//   row key   := hash(8 bytes, big-endian, of the partition parts) partition-part+ sort-part*
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/attribute_value.h"
#include "data/table_schema.h"

namespace kw {

// Appends one part. The value has a key type (S, N, B).
void AppendKeyPart(std::string& out, const AttributeValue& value);
// Takes one part of that type off the front; nothing if the bytes are none.
std::optional<AttributeValue> TakeKeyPart(std::string_view& bytes, KeyType type);

// hash | parts: the prefix under which one partition (item collection) lies.
std::string PartitionPrefix(const std::vector<const AttributeValue*>& partition_values);

// The row key of an item (or of a key map) under a key schema, behind a prefix; its attributes are
// present and typed.
std::string RowKeyOf(const KeySchema& key, const AttributeMap& item, std::string_view prefix = {});

// The smallest byte string above every string that starts with `prefix`; empty: there is none.
std::string PrefixEnd(std::string prefix);

inline constexpr std::size_t kRowHashBytes = 8;

// Errors: Validation, in the service's words: wrong number of key attributes, wrong type, missing,
// empty string or binary, over the size limit.
// For GetItem, DeleteItem, UpdateItem keys: the map must hold exactly the key attributes.
Result<void> CheckKey(const KeySchema& key, const AttributeMap& map);
// For items to put: key attributes present and of the right type; others are free.
Result<void> CheckItemKey(const KeySchema& key, const Item& item);
// Index key attributes, where present, must be of the index's type, not empty, not too long.
Result<void> CheckIndexKeys(const TableSchema& schema, const Item& item);

}  // namespace kw
