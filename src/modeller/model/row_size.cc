// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/int128.h"
#include "modeller/model/model.h"
#include "modeller/model/row_size.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

// Stored bytes of a value, in the form an item holds it.
std::int64_t StoredBytes(const Attribute& attribute, const Value& value) {
  struct Visitor {
    const Attribute& attribute;
    std::int64_t operator()(const Number& number) const { return number.Size().value(); }
    std::int64_t operator()(bool /*value*/) const { return 1; }
    std::int64_t operator()(const Bytes& bytes) const { return std::ssize(bytes.bytes); }
    std::int64_t operator()(const AttributeValue& value) const { return SizeOf(value).value(); }
    std::int64_t operator()(std::monostate /*absent*/) const { return 0; }
    std::int64_t operator()(const std::string& text) const { return std::ssize(text); }
    std::int64_t operator()(Timestamp time) const {
      return std::ssize(FormatTimestamp(time, attribute.precision));
    }
    std::int64_t operator()(Date /*date*/) const { return 10; }
  };
  return std::visit(Visitor{attribute}, value);
}

// Of listed values, by their shares. Units: millionths of a byte.
Int128 AverageOfListed(const Attribute& attribute) {
  Int128 sum = 0;
  for (std::size_t i = 0; i < attribute.values.size(); ++i) {
    const Int128 bytes = StoredBytes(attribute, attribute.values[i]);
    sum += bytes * (attribute.shares.empty() ? kMillion : attribute.shares[i].value());
  }
  return attribute.shares.empty() ? sum / std::ssize(attribute.values) : sum;
}

std::int64_t TypicalBytes(const Attribute& attribute) {
  const Value example = attribute.example.value_or(Value());
  switch (attribute.type) {
    case FieldType::kString:
    case FieldType::kBinary:
      if (attribute.length) return *attribute.length;
      return attribute.example ? StoredBytes(attribute, example) : kAssumedTextBytes;
    case FieldType::kInteger:
    case FieldType::kDecimal: {
      // Most numbers of a range have as many digits as its ends.
      std::int64_t bytes = 0;
      for (const auto& bound : {attribute.min, attribute.max}) {
        if (bound) bytes = std::max(bytes, bound->Size().value());
      }
      if (bytes > 0) return bytes;
      return attribute.example ? StoredBytes(attribute, example) : kAssumedNumberBytes;
    }
    case FieldType::kBoolean: return 1;
    case FieldType::kTimestamp: return StoredBytes(attribute, Timestamp{});
    case FieldType::kDate: return StoredBytes(attribute, Date{});
    case FieldType::kList:
    case FieldType::kMap:
      return attribute.example ? StoredBytes(attribute, example) : kAssumedDocumentBytes;
  }
  return 0;
}

}  // namespace

bool HasAssumedSize(const Attribute& attribute) {
  if (!attribute.values.empty() || attribute.example) return false;
  switch (attribute.type) {
    case FieldType::kString:
    case FieldType::kBinary: return !attribute.length;
    case FieldType::kInteger:
    case FieldType::kDecimal: return !attribute.min && !attribute.max;
    case FieldType::kList:
    case FieldType::kMap: return true;
    case FieldType::kBoolean:
    case FieldType::kTimestamp:
    case FieldType::kDate: break;
  }
  return false;
}

std::int64_t AssumedBytes(const Attribute& attribute) { return TypicalBytes(attribute); }

std::int64_t AverageValueSize(const Attribute& attribute) {
  return static_cast<std::int64_t>(attribute.values.empty()
                                       ? Int128{TypicalBytes(attribute)} * kMillion
                                       : AverageOfListed(attribute));
}

ByteCount RowSize(const Model& model, EntityId entity) {
  const Entity& described = model.entity(entity);
  if (described.size) return *described.size;
  Int128 total = 0;  // of bytes, in millionths of a millionth
  for (const Attribute& attribute : described.attributes) {
    total += (Int128{AverageValueSize(attribute)} + Int128{std::ssize(attribute.name)} * kMillion) *
             attribute.present.value();
  }
  constexpr Int128 kUnit = Int128{kMillion} * kMillion;
  return ByteCount(static_cast<std::int64_t>((total + kUnit - 1) / kUnit));
}

}  // namespace kw::modeller
