// SPDX-License-Identifier: Apache-2.0
// The calculators: what an item weighs, what a read or a write consumes, what a month costs. Pure;
// all of them ask data/metering.h, so that none can disagree with the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "data/item.h"
#include "data/metering.h"
#include "modeller/cost/price_book.h"

namespace kw::modeller {

// ---- an item ----

struct AttributeWeight {
  std::string name = {};
  AttributeType type = {};
  ByteCount name_bytes = {};
  ByteCount value_bytes = {};
};
struct ItemWeight {
  std::vector<AttributeWeight> attributes = {};  // heaviest first
  ByteCount size = {};
  ByteCount stored = {};  // with the service's overhead for storage
  bool fits = true;       // into the limit of an item
};
ItemWeight WeighItem(const Item& item);

// ---- a read, a write ----

enum class ReadKind : std::uint8_t {
  kGet,    // each item by itself: GetItem, BatchGetItem, TransactGetItems
  kQuery,  // items side by side: Query, Scan
};
struct ReadDemand {
  std::int64_t items = 1;
  ByteCount size = {};  // of one
  ReadKind kind = ReadKind::kGet;
  ReadMode mode = ReadMode::kEventual;
};
struct ReadBill {
  HalfUnits units = {};
  std::int64_t calls = 1;  // pages of a Query
};
// A page ends with the item that takes it to 1 MB.
ReadBill BillRead(const ReadDemand& demand);

// ---- a month ----

inline constexpr std::int64_t kHoursOfMonth = 730;
inline constexpr std::int64_t kSecondsOfMonth = kHoursOfMonth * 3600;

using MicroUnits = Quantity<struct MicroUnitsUnit>;  // millionths of a capacity unit

struct MonthDemand {
  std::string region = "us-east-1";
  MicroUnits reads = {};  // a second, on average
  MicroUnits writes = {};
  MicroUnits reads_peak =
      {};  // a second; what provisioned capacity must serve; at least the average
  MicroUnits writes_peak = {};
  ByteCount stored = {};
  std::int64_t replicas = 0;  // further regions of a global table, at this region's price
  std::int64_t utilization_percent = 70;  // of provisioned capacity at the peak
  bool restore_point = false;             // point-in-time recovery
  ByteCount backups = {};
  std::int64_t stream_reads = 0;  // GetRecords units a month
};
enum class Billing : std::uint8_t {
  kOnDemand,
  kProvisioned,
  kReservedOneYear,
  kReservedThreeYears
};
enum class TableClass : std::uint8_t { kStandard, kInfrequentAccess };
struct Addend {
  std::string name = {};
  std::string basis = {};  // how much of what, at which price
  NanoDollars monthly = {};
};
struct MonthPrice {
  Billing billing = {};
  TableClass table_class = {};
  std::vector<Addend> addends = {};
  NanoDollars total = {};
};
struct MonthBill {
  std::string region = {};
  std::string price_date = {};
  std::vector<MonthPrice> prices = {};  // cheapest first
  // Provisioned capacity is cheaper where more than this share of it is used.
  std::int64_t break_even_read_ppm = 0;
  std::int64_t break_even_write_ppm = 0;
  std::vector<std::string> unverified = {};
};
// Errors: a region that the book lacks.
Expected<MonthBill, std::string> BillMonth(const MonthDemand& demand, const PriceBook& book);

std::string_view NameOf(Billing billing);
std::string_view NameOf(TableClass table_class);
// "12.5" of half-units.
std::string FormatUnits(HalfUnits units);

// ---- by name, over JSON ----

// One row a calculator: what the page and `--json` ask.
struct Calculator {
  std::string_view name;
  std::string_view summary;
  // Writes one JSON object. Errors: what is missing or wrong in the input, with its name.
  Expected<void, std::string> (*run)(JsonObject input, JsonWriter& out);
};
std::span<const Calculator> Calculators();

}  // namespace kw::modeller
