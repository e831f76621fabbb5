// SPDX-License-Identifier: Apache-2.0
#include "api/ops/consumed.h"

#include <map>
#include <string>

#include "data/item.h"

namespace kw::api {
namespace {

// Always with one decimal, as the service prints its doubles: 1.0, 0.5.
void WriteHalves(std::int64_t halves, JsonWriter& out) {
  out.Raw(std::to_string(halves / 2).append(halves % 2 == 0 ? ".0" : ".5"));
}

void WriteUnits(HalfUnits read, HalfUnits write, CapacityForm form, JsonWriter& out) {
  out.Key("CapacityUnits");
  WriteHalves((read + write).value(), out);
  if (form == CapacityForm::kPlain) return;
  if (read.value() != 0) {
    out.Key("ReadCapacityUnits");
    WriteHalves(read.value(), out);
  }
  if (write.value() != 0) {
    out.Key("WriteCapacityUnits");
    WriteHalves(write.value(), out);
  }
}

void WriteIndexes(std::string_view name,
                  const std::map<std::string, Capacity::Index, std::less<>>& indexes,
                  CapacityForm form, JsonWriter& out) {
  if (indexes.empty()) return;
  out.Key(name);
  out.BeginObject();
  for (const auto& [index, units] : indexes) {
    out.Key(index);
    out.BeginObject();
    WriteUnits(units.read, units.write, form, out);
    out.EndObject();
  }
  out.EndObject();
}

}  // namespace

ReturnConsumed ParseReturnConsumed(std::optional<std::string_view> value) {
  if (value == "TOTAL") return ReturnConsumed::kTotal;
  return value == "INDEXES" ? ReturnConsumed::kIndexes : ReturnConsumed::kNone;
}

ReturnMetrics ParseReturnMetrics(std::optional<std::string_view> value) {
  return value == "SIZE" ? ReturnMetrics::kSize : ReturnMetrics::kNone;
}

void WriteConsumedCapacity(std::string_view table_name, const Capacity& capacity,
                           ReturnConsumed consumed, CapacityForm form, JsonWriter& out) {
  out.BeginObject();
  out.Member("TableName", table_name);
  WriteUnits(capacity.read_total(), capacity.write_total(), form, out);
  if (consumed == ReturnConsumed::kIndexes) {
    out.Key("Table");
    out.BeginObject();
    WriteUnits(capacity.table_read, capacity.table_write, form, out);
    out.EndObject();
    WriteIndexes("LocalSecondaryIndexes", capacity.local, form, out);
    WriteIndexes("GlobalSecondaryIndexes", capacity.global, form, out);
  }
  out.EndObject();
}

void WriteCollectionMetrics(const engine::ItemCollection& collection, JsonWriter& out) {
  constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;
  const std::int64_t whole = collection.size.value() / kGigabyte;
  out.BeginObject();
  out.Key("ItemCollectionKey");
  WriteJson(collection.key, out);
  out.Key("SizeEstimateRangeGB");
  out.BeginArray();
  WriteHalves(whole * 2, out);
  WriteHalves(whole * 2 + 2, out);
  out.EndArray();
  out.EndObject();
}

}  // namespace kw::api
