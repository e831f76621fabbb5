// SPDX-License-Identifier: Apache-2.0
#include "data/key.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/check.h"
#include "data/limits.h"

namespace kw {
namespace {

constexpr std::string_view kEscapedZero("\x00\xFF", 2);
constexpr std::string_view kPartEnd("\x00\x01", 2);

void AppendEscaped(std::string& out, std::string_view bytes) {
  for (std::size_t zero = bytes.find('\0'); zero != bytes.npos; zero = bytes.find('\0')) {
    out.append(bytes, 0, zero);
    out += kEscapedZero;
    bytes.remove_prefix(zero + 1);
  }
  out += bytes;
  out += kPartEnd;
}

std::optional<std::string> TakeEscaped(std::string_view& bytes) {
  std::string out;
  std::size_t begin = 0;
  while (true) {
    const std::size_t zero = bytes.find('\0', begin);
    if (zero == bytes.npos) return std::nullopt;
    out.append(bytes, begin, zero - begin);
    begin = zero + kPartEnd.size();
    const auto mark = bytes.substr(zero, kPartEnd.size());
    if (mark == kPartEnd) break;
    if (mark != kEscapedZero) return std::nullopt;
    out += '\0';
  }
  bytes.remove_prefix(begin);
  return out;
}

// Appends a hash and then what `append` adds, of which it is the hash.
template <class AppendParts>
void AppendHashed(std::string& out, const AppendParts& append) {
  const std::size_t hash_at = out.size();
  out.append(kRowHashBytes, '\0');
  append();
  const auto hash = StableHash(std::string_view(out).substr(hash_at + kRowHashBytes));
  for (std::size_t i = 0; i < kRowHashBytes; ++i) {
    out[hash_at + i] = static_cast<char>(hash >> (8 * (kRowHashBytes - 1 - i)) & 0xFFU);
  }
}

enum class KeyPart : std::uint8_t { kPartition, kSort };

// Of an item's or a key's attribute, which must be there.
const AttributeValue& ValueOf(const AttributeMap& item, const KeyAttribute& attribute) {
  const AttributeValue* value = item.Find(attribute.name);
  Check(value != nullptr, "a checked key is complete");
  return *value;
}

bool HasType(const AttributeValue& value, KeyType type) {
  return value.type() == AttributeTypeOf(type);
}

// "string" or "binary", if the value is an empty one.
std::optional<std::string_view> EmptyKind(const AttributeValue& value) {
  if (const auto* text = value.As<std::string>(); text != nullptr && text->empty()) return "string";
  if (const auto* binary = value.As<Binary>(); binary != nullptr && binary->bytes.empty()) {
    return "binary";
  }
  return std::nullopt;
}

// observed: the sentence, for a string. assumed: the same for a binary.
Result<void> CheckNotEmpty(const std::vector<KeyAttribute>& attributes, const AttributeMap& item) {
  for (const KeyAttribute& attribute : attributes) {
    if (const auto kind = EmptyKind(ValueOf(item, attribute))) {
      return Invalid(
          fmt::format("One or more parameter values are not valid. The AttributeValue for a key "
                      "attribute cannot contain an empty {} value. Key: {}",
                      *kind, attribute.name));
    }
  }
  return {};
}

// assumed: that the sizes of several attributes of one part add up, as "aggregated" says; what is
// absent counts nothing.
Result<void> CheckSize(const std::vector<KeyAttribute>& attributes, const AttributeMap& item,
                       KeyPart part) {
  ByteCount size;
  for (const KeyAttribute& attribute : attributes) {
    if (const AttributeValue* value = item.Find(attribute.name)) size += SizeOf(*value);
  }
  switch (part) {
    case KeyPart::kPartition:
      if (size.value() <= limits::kPartitionKeyBytesMax) return {};
      return Invalid(
          "One or more parameter values were invalid: Size of hashkey has exceeded the maximum "
          "size limit of2048 bytes");
    case KeyPart::kSort:
      if (size.value() <= limits::kSortKeyBytesMax) return {};
      return Invalid(
          "One or more parameter values were invalid: Aggregated size of all range keys has "
          "exceeded the size limit of 1024 bytes");
  }
  return {};
}

Result<void> CheckSizes(const KeySchema& key, const AttributeMap& item) {
  TRY(CheckSize(key.partition, item, KeyPart::kPartition));
  return CheckSize(key.sort, item, KeyPart::kSort);
}

// Source: wellcomecollection/platform issue 2285. Of several attributes it names the one with which
// their sum is too large (assumed).
Result<void> CheckIndexSize(const IndexSchema& index, const std::vector<KeyAttribute>& attributes,
                            std::int64_t bytes_max, const Item& item) {
  ByteCount size;
  for (const auto& [name, type] : attributes) {
    if (const AttributeValue* value = item.Find(name)) size += SizeOf(*value);
    if (size.value() <= bytes_max) continue;
    return Invalid(
        fmt::format("One or more parameter values were invalid: Size limit exceeded for Index Key "
                    "{} Actual Size: {} bytes Max Size: {} bytes IndexName: {}",
                    name, size.value(), bytes_max, index.name));
  }
  return {};
}

Result<void> CheckPresence(const std::vector<KeyAttribute>& attributes, const Item& item) {
  for (const auto& [name, type] : attributes) {
    const AttributeValue* value = item.Find(name);
    if (value == nullptr) {
      return Invalid(fmt::format(
          "One or more parameter values were invalid: Missing the key {} in the item", name));
    }
    if (!HasType(*value, type)) {
      // observed:
      // tecracer.com/blog/2024/09/how-to-accidentally-create-read-only-dynamodb-items.html
      return Invalid(
          fmt::format("One or more parameter values were invalid: Type mismatch for key {} "
                      "expected: {} actual: {}",
                      name, WireName(type), WireName(value->type())));
    }
  }
  return {};
}

bool AllTyped(const std::vector<KeyAttribute>& attributes, const AttributeMap& map) {
  for (const auto& [name, type] : attributes) {
    const AttributeValue* value = map.Find(name);
    if (value == nullptr || !HasType(*value, type)) return false;
  }
  return true;
}

Result<void> CheckIndexAttributes(const IndexSchema& index,
                                  const std::vector<KeyAttribute>& attributes, const Item& item) {
  for (const auto& [name, type] : attributes) {
    const AttributeValue* value = item.Find(name);
    if (value == nullptr) continue;
    if (!HasType(*value, type)) {
      return Invalid(
          fmt::format("One or more parameter values were invalid: Type mismatch for Index Key {} "
                      "Expected: {} Actual: {} IndexName: {}",
                      name, WireName(type), WireName(value->type()), index.name));
    }
    if (const auto kind = EmptyKind(*value)) {
      // observed: github.com/danishi/dynamodb-csv/issues/41, aws-amplify/amplify-js/issues/6759.
      return Invalid(
          fmt::format("One or more parameter values are not valid. A value specified for a "
                      "secondary index key is not supported. The AttributeValue for a key "
                      "attribute cannot contain an empty {} value. IndexName: {}, IndexKey: {}",
                      *kind, index.name, name));
    }
  }
  return {};
}

}  // namespace

void AppendKeyPart(std::string& out, const AttributeValue& value) {
  if (const auto* text = value.As<std::string>()) return AppendEscaped(out, *text);
  if (const auto* number = value.As<Number>()) return number->AppendKey(out);
  const auto* binary = value.As<Binary>();
  Check(binary != nullptr, "a key is a string, a number or a binary");
  AppendEscaped(out, binary->bytes);
}

std::optional<AttributeValue> TakeKeyPart(std::string_view& bytes, KeyType type) {
  switch (type) {
    case KeyType::kString: {
      auto text = TakeEscaped(bytes);
      if (!text) return std::nullopt;
      return std::move(*text);
    }
    case KeyType::kNumber: return Number::TakeKey(bytes);
    case KeyType::kBinary: {
      auto content = TakeEscaped(bytes);
      if (!content) return std::nullopt;
      return Binary{std::move(*content)};
    }
  }
  return std::nullopt;
}

std::string PartitionPrefix(const std::vector<const AttributeValue*>& partition_values) {
  std::string out;
  AppendHashed(out, [&] {
    for (const AttributeValue* value : partition_values) AppendKeyPart(out, *value);
  });
  return out;
}

std::string RowKeyOf(const KeySchema& key, const AttributeMap& item, std::string_view prefix) {
  constexpr std::size_t kMost = 64;  // of keys are shorter
  std::string out;
  out.reserve(kMost);
  out += prefix;
  AppendHashed(out, [&] {
    for (const auto& attribute : key.partition) AppendKeyPart(out, ValueOf(item, attribute));
  });
  for (const auto& attribute : key.sort) AppendKeyPart(out, ValueOf(item, attribute));
  return out;
}

std::string PrefixEnd(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xFF) prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

Result<void> CheckKey(const KeySchema& key, const AttributeMap& map) {
  if (map.size() != key.partition.size() + key.sort.size() || !AllTyped(key.partition, map) ||
      !AllTyped(key.sort, map)) {
    return Invalid("The provided key element does not match the schema");
  }
  TRY(CheckNotEmpty(key.partition, map));
  TRY(CheckNotEmpty(key.sort, map));
  return CheckSizes(key, map);
}

// assumed: that presence and types of the whole key come before empty values, and those before
// sizes.
Result<void> CheckItemKey(const KeySchema& key, const Item& item) {
  TRY(CheckPresence(key.partition, item));
  TRY(CheckPresence(key.sort, item));
  TRY(CheckNotEmpty(key.partition, item));
  TRY(CheckNotEmpty(key.sort, item));
  return CheckSizes(key, item);
}

Result<void> CheckIndexKeys(const TableSchema& schema, const Item& item) {
  for (const IndexSchema& index : schema.indexes()) {
    TRY(CheckIndexAttributes(index, index.key.partition, item));
    TRY(CheckIndexAttributes(index, index.key.sort, item));
    TRY(CheckIndexSize(index, index.key.partition, limits::kPartitionKeyBytesMax, item));
    TRY(CheckIndexSize(index, index.key.sort, limits::kSortKeyBytesMax, item));
  }
  return {};
}

}  // namespace kw
