// SPDX-License-Identifier: Apache-2.0
// The calculators over JSON: the list, and how each one's input is read and its answer written.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "data/limits.h"
#include "modeller/cost/calculators.h"

namespace kw::modeller {
namespace {

template <class T>
using Read = Expected<T, std::string>;

constexpr double kMost = 1e12;

// The named number, or `otherwise` where it is absent; 0 to 10¹².
Read<double> Number(JsonObject input, std::string_view name, double otherwise) {
  const auto found = input.Find(name);
  if (!found) return otherwise;
  const bool is_number = found->is(JsonType::kInteger) || found->is(JsonType::kDouble);
  if (!is_number || found->number() < 0 || found->number() > kMost) {
    return Unexpected(fmt::format("{} must be a number from 0 to {:.0f}.", name, kMost));
  }
  return found->number();
}

Read<std::int64_t> Whole(JsonObject input, std::string_view name, std::int64_t otherwise) {
  TRY_ASSIGN(const double number, Number(input, name, static_cast<double>(otherwise)));
  if (number != std::floor(number)) return Unexpected(fmt::format("{} must be whole.", name));
  return static_cast<std::int64_t>(number);
}

template <class Value>
struct Word {
  std::string_view word;
  Value value;
};

template <class Value, std::size_t n>
Read<Value> OneOf(JsonObject input, std::string_view name, const Word<Value> (&words)[n]) {
  const auto found = input.Find(name);
  if (!found) return words[0].value;
  std::string all;
  for (const Word<Value>& word : words) {
    if (found->is(JsonType::kString) && found->string() == word.word) return word.value;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", word.word);
  }
  return Unexpected(fmt::format("{} must be one of: {}.", name, all));
}

constexpr Word<ReadMode> kModes[] = {{"eventual", ReadMode::kEventual},
                                     {"strong", ReadMode::kStrong},
                                     {"transactional", ReadMode::kTransactional}};
constexpr Word<ReadKind> kKinds[] = {{"get", ReadKind::kGet}, {"query", ReadKind::kQuery}};
constexpr Word<WriteMode> kWriteModes[] = {{"standard", WriteMode::kStandard},
                                           {"transactional", WriteMode::kTransactional}};
constexpr Word<bool> kSwitch[] = {{"no", false}, {"yes", true}};

void WriteUnitsMember(JsonWriter& out, std::string_view name, HalfUnits units) {
  out.Key(name);
  out.Double(static_cast<double>(units.value()) / 2);
}

Read<void> Weigh(JsonObject input, JsonWriter& out) {
  const auto json = input.Find("item");
  if (!json || !json->is(JsonType::kObject)) {
    return Unexpected(
        std::string("item must be an item in DynamoDB JSON: {\"id\": {\"S\": \"a\"}}."));
  }
  const auto item = ParseAttributeMap(*json);
  if (!item) return Unexpected(item.error().message);
  const ItemWeight weight = WeighItem(*item);
  out.BeginObject();
  out.Key("attributes");
  out.BeginArray();
  for (const AttributeWeight& attribute : weight.attributes) {
    out.BeginObject();
    out.Member("name", attribute.name);
    out.Member("type", WireName(attribute.type));
    out.Member("nameBytes", attribute.name_bytes.value());
    out.Member("valueBytes", attribute.value_bytes.value());
    out.EndObject();
  }
  out.EndArray();
  out.Member("bytes", weight.size.value());
  out.Member("storedBytes", weight.stored.value());
  out.Member("bytesMax", limits::kItemBytesMax);
  out.Member("fits", weight.fits);
  WriteUnitsMember(out, "readEventual", ReadUnits(weight.size, ReadMode::kEventual));
  WriteUnitsMember(out, "readStrong", ReadUnits(weight.size, ReadMode::kStrong));
  WriteUnitsMember(out, "readTransactional", ReadUnits(weight.size, ReadMode::kTransactional));
  WriteUnitsMember(out, "write", WriteUnits(weight.size, WriteMode::kStandard));
  WriteUnitsMember(out, "writeTransactional", WriteUnits(weight.size, WriteMode::kTransactional));
  out.EndObject();
  return {};
}

Read<void> CountReads(JsonObject input, JsonWriter& out) {
  ReadDemand demand;
  TRY_ASSIGN(demand.items, Whole(input, "items", 1));
  TRY_ASSIGN(const std::int64_t bytes, Whole(input, "bytes", limits::kReadUnitBytes));
  demand.size = ByteCount(bytes);
  if (bytes > limits::kItemBytesMax) {
    return Unexpected(
        fmt::format("bytes must be at most {}: no item is larger.", limits::kItemBytesMax));
  }
  TRY_ASSIGN(demand.kind, OneOf(input, "kind", kKinds));
  TRY_ASSIGN(demand.mode, OneOf(input, "consistency", kModes));
  if (demand.kind == ReadKind::kQuery && demand.mode == ReadMode::kTransactional) {
    return Unexpected(std::string("A Query is never transactional: choose eventual or strong."));
  }
  const ReadBill bill = BillRead(demand);
  out.BeginObject();
  WriteUnitsMember(out, "units", bill.units);
  out.Member("calls", bill.calls);
  out.EndObject();
  return {};
}

Read<void> CountWrites(JsonObject input, JsonWriter& out) {
  TRY_ASSIGN(const std::int64_t items, Whole(input, "items", 1));
  TRY_ASSIGN(const std::int64_t bytes, Whole(input, "bytes", limits::kWriteUnitBytes));
  TRY_ASSIGN(const WriteMode mode, OneOf(input, "mode", kWriteModes));
  out.BeginObject();
  WriteUnitsMember(out, "units", WriteUnits(ByteCount(bytes), mode) * items);
  out.EndObject();
  return {};
}

Read<MicroUnits> ReadRate(JsonObject input, std::string_view name) {
  TRY_ASSIGN(const double rate, Number(input, name, 0));
  constexpr double kRateMost = 1e8;
  if (rate > kRateMost) {
    return Unexpected(fmt::format("{} must be at most {:.0f} a second.", name, kRateMost));
  }
  return MicroUnits(std::llround(rate * 1e6));
}

Read<ByteCount> ReadGigabytes(JsonObject input, std::string_view name) {
  TRY_ASSIGN(const double gigabytes, Number(input, name, 0));
  constexpr double kGigabytesMost = 1e9;
  if (gigabytes > kGigabytesMost) {
    return Unexpected(fmt::format("{} must be at most {:.0f}.", name, kGigabytesMost));
  }
  return ByteCount(std::llround(gigabytes * static_cast<double>(std::int64_t{1} << 30)));
}

Read<void> PriceMonth(JsonObject input, JsonWriter& out) {
  MonthDemand demand;
  if (const auto region = input.Find("region")) {
    if (!region->is(JsonType::kString)) return Unexpected(std::string("region must be a name."));
    demand.region = region->string();
  }
  TRY_ASSIGN(demand.reads, ReadRate(input, "readUnits"));
  TRY_ASSIGN(demand.writes, ReadRate(input, "writeUnits"));
  TRY_ASSIGN(demand.reads_peak, ReadRate(input, "readUnitsPeak"));
  TRY_ASSIGN(demand.writes_peak, ReadRate(input, "writeUnitsPeak"));
  TRY_ASSIGN(demand.stored, ReadGigabytes(input, "storageGb"));
  TRY_ASSIGN(demand.backups, ReadGigabytes(input, "backupGb"));
  TRY_ASSIGN(demand.replicas, Whole(input, "replicas", 0));
  TRY_ASSIGN(demand.stream_reads, Whole(input, "streamReads", 0));
  TRY_ASSIGN(demand.restore_point, OneOf(input, "pointInTimeRecovery", kSwitch));
  TRY_ASSIGN(demand.utilization_percent, Whole(input, "utilizationPercent", 70));
  if (demand.utilization_percent < 1 || demand.utilization_percent > 100) {
    return Unexpected(std::string("utilizationPercent must be from 1 to 100."));
  }
  if (demand.replicas > 50) return Unexpected(std::string("replicas must be at most 50."));
  TRY_ASSIGN(const MonthBill bill, BillMonth(demand, PriceBook::Current()));
  out.BeginObject();
  out.Member("region", bill.region);
  out.Member("priceDate", bill.price_date);
  out.Key("prices");
  out.BeginArray();
  for (const MonthPrice& price : bill.prices) {
    out.BeginObject();
    out.Member("billing", NameOf(price.billing));
    out.Member("tableClass", NameOf(price.table_class));
    out.Member("total", FormatDollars(price.total));
    out.Member("totalNano", price.total.value());
    out.Key("addends");
    out.BeginArray();
    for (const Addend& addend : price.addends) {
      out.BeginObject();
      out.Member("name", addend.name);
      out.Member("basis", addend.basis);
      out.Member("monthly", FormatDollars(addend.monthly));
      out.Member("monthlyNano", addend.monthly.value());
      out.EndObject();
    }
    out.EndArray();
    out.EndObject();
  }
  out.EndArray();
  out.Member("breakEvenReadPpm", bill.break_even_read_ppm);
  out.Member("breakEvenWritePpm", bill.break_even_write_ppm);
  out.Key("unverified");
  out.BeginArray();
  for (const std::string& path : bill.unverified) out.String(path);
  out.EndArray();
  out.EndObject();
  return {};
}

// One a line.
constexpr std::array<Calculator, 4> kCalculators = {{
    {"item", "What an item weighs, by attribute, and what reading and writing it consumes", Weigh},
    {"read", "Units of reading items one by one, or side by side by a Query or Scan", CountReads},
    {"write", "Units of writing items", CountWrites},
    {"month", "What a month costs, on demand, provisioned and reserved", PriceMonth},
}};

}  // namespace

std::span<const Calculator> Calculators() { return kCalculators; }

}  // namespace kw::modeller
