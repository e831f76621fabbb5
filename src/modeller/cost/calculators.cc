// SPDX-License-Identifier: Apache-2.0
#include "modeller/cost/calculators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/limits.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kMicro = 1'000'000;
constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;
// aws-doc: pricing, "DynamoDB Streams": the first 2.5 million read requests of a month are free.
constexpr std::int64_t kStreamReadsFree = 2'500'000;

// "1234.5" of millionths, without zeros at the end.
std::string FormatMicro(Int128 micro) {
  std::string text = fmt::format("{}.{:06}", static_cast<std::int64_t>(micro / kMicro),
                                 static_cast<std::int64_t>(micro % kMicro));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string FormatGigabytes(ByteCount size) {
  return fmt::format("{} GB", FormatMicro(Int128{size.value()} * kMicro / kGigabyte));
}

Addend GigabyteMonths(std::string_view name, ByteCount size, NanoDollars price) {
  return {.name = std::string(name),
          .basis = fmt::format("{} × {}", FormatGigabytes(size), FormatPrice(price)),
          .monthly = Price(size.value(), price, kGigabyte)};
}

Addend OnDemand(std::string_view name, MicroUnits a_second, NanoDollars million) {
  const Int128 month = Int128{a_second.value()} * kSecondsOfMonth;  // in millionths
  return {.name = std::string(name),
          .basis = fmt::format("{} units × {} a million", static_cast<std::int64_t>(month / kMicro),
                               FormatPrice(million)),
          .monthly = Price(month, million, kMicro * kMicro)};
}

// Whole units to provision so that the peak takes no more than the wished share of them.
std::int64_t Provision(MicroUnits average, MicroUnits peak, std::int64_t utilization_percent) {
  const Int128 most = std::max(average, peak).value();
  const Int128 per = Int128{kMicro} * utilization_percent;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>((most * 100 + per - 1) / per));
}

Addend Provisioned(std::string_view name, std::int64_t units, NanoDollars hour) {
  return {.name = std::string(name),
          .basis = fmt::format("{} units × {} hours × {}", units, kHoursOfMonth, FormatPrice(hour)),
          .monthly = Price(Int128{units} * kHoursOfMonth, hour, 1)};
}

// Whole hundreds are reserved, the rest is provisioned.
void Reserved(std::string_view name, std::int64_t units, const Reservation& price, NanoDollars hour,
              std::int64_t months, std::vector<Addend>& out) {
  const std::int64_t blocks = units / 100;
  if (blocks > 0) {
    const NanoDollars upfront = Price(blocks, price.upfront, months);
    const NanoDollars hours = Price(Int128{blocks} * kHoursOfMonth, price.hour, 1);
    out.push_back(
        {.name = fmt::format("{}, reserved", name),
         .basis = fmt::format("{} × 100 units: {} upfront over {} months, {} an hour", blocks,
                              FormatPrice(price.upfront), months, FormatPrice(price.hour)),
         .monthly = upfront + hours});
  }
  if (units % 100 > 0) out.push_back(Provisioned(name, units % 100, hour));
}

void AddCapacity(const MonthDemand& demand, Billing billing, const CapacityPrices& prices,
                 const RegionPrices& region, std::vector<Addend>& out) {
  const std::int64_t reads = Provision(demand.reads, demand.reads_peak, demand.utilization_percent);
  const std::int64_t writes =
      Provision(demand.writes, demand.writes_peak, demand.utilization_percent);
  switch (billing) {
    case Billing::kOnDemand:
      out.push_back(OnDemand("reads", demand.reads, prices.read_million));
      out.push_back(OnDemand("writes", demand.writes, prices.write_million));
      return;
    case Billing::kProvisioned:
      out.push_back(Provisioned("reads", reads, prices.read_hour));
      out.push_back(Provisioned("writes", writes, prices.write_hour));
      return;
    case Billing::kReservedOneYear:
      Reserved("reads", reads, region.one_year->read, prices.read_hour, 12, out);
      Reserved("writes", writes, region.one_year->write, prices.write_hour, 12, out);
      return;
    case Billing::kReservedThreeYears:
      Reserved("reads", reads, region.three_years->read, prices.read_hour, 36, out);
      Reserved("writes", writes, region.three_years->write, prices.write_hour, 36, out);
      return;
  }
}

MonthPrice PriceOf(const MonthDemand& demand, Billing billing, TableClass table_class,
                   const RegionPrices& region) {
  const CapacityPrices& prices =
      table_class == TableClass::kStandard ? region.standard : region.infrequent_access;
  MonthPrice price{.billing = billing, .table_class = table_class, .addends = {}, .total = {}};
  AddCapacity(demand, billing, prices, region, price.addends);
  price.addends.push_back(GigabyteMonths("storage", demand.stored, prices.storage_gb));
  if (demand.replicas > 0) {
    // A replica takes every write and keeps every item; its own reads are not known here.
    NanoDollars each;
    for (const Addend& addend : price.addends) {
      if (!addend.name.starts_with("reads")) each += addend.monthly;
    }
    price.addends.push_back({.name = "replicas",
                             .basis = fmt::format("{} × {}, their writes and storage",
                                                  demand.replicas, FormatDollars(each)),
                             .monthly = each * demand.replicas});
  }
  if (demand.restore_point) {
    price.addends.push_back(
        GigabyteMonths("point-in-time recovery", demand.stored, region.services.restore_point_gb));
  }
  if (demand.backups.value() > 0) {
    price.addends.push_back(GigabyteMonths("backups", demand.backups, region.services.backup_gb));
  }
  if (const std::int64_t paid = demand.stream_reads - kStreamReadsFree; paid > 0) {
    price.addends.push_back(
        {.name = "stream reads",
         .basis = fmt::format("{} above {} × {} for 100,000", paid, kStreamReadsFree,
                              FormatPrice(region.services.stream_reads_100k)),
         .monthly = Price(paid, region.services.stream_reads_100k, 100'000)});
  }
  for (const Addend& addend : price.addends) price.total += addend.monthly;
  return price;
}

// The share of an hour's capacity at which both ways cost the same.
std::int64_t BreakEven(NanoDollars hour, NanoDollars million) {
  const Int128 on_demand = Int128{3600} * million.value();  // of a unit in use all the hour, × 10⁶
  return static_cast<std::int64_t>(Int128{hour.value()} * kMicro * kMicro / on_demand);
}

}  // namespace

ItemWeight WeighItem(const Item& item) {
  ItemWeight weight;
  for (const auto& [name, value] : item.entries()) {
    weight.attributes.push_back({.name = name,
                                 .type = value.type(),
                                 .name_bytes = ByteCount(static_cast<std::int64_t>(name.size())),
                                 .value_bytes = SizeOf(value)});
  }
  std::ranges::stable_sort(weight.attributes, std::greater(),
                           [](const AttributeWeight& a) { return a.name_bytes + a.value_bytes; });
  weight.size = SizeOf(item);
  weight.stored = weight.size + ByteCount(limits::kStorageOverheadBytes);
  weight.fits = weight.size.value() <= limits::kItemBytesMax;
  return weight;
}

ReadBill BillRead(const ReadDemand& demand) {
  if (demand.kind == ReadKind::kGet) {
    return {.units = ReadUnits(demand.size, demand.mode) * demand.items, .calls = demand.items};
  }
  if (demand.items == 0 || demand.size.value() == 0) {
    return {.units = ReadUnits(ByteCount(), demand.mode), .calls = 1};
  }
  const std::int64_t on_page = std::min(
      demand.items, (limits::kPageBytesMax + demand.size.value() - 1) / demand.size.value());
  const std::int64_t full = demand.items / on_page;
  const std::int64_t rest = demand.items % on_page;
  ReadBill bill{.units = ReadUnits(demand.size * on_page, demand.mode) * full, .calls = full};
  if (rest > 0) {
    bill.units += ReadUnits(demand.size * rest, demand.mode);
    ++bill.calls;
  }
  return bill;
}

Expected<MonthBill, std::string> BillMonth(const MonthDemand& demand, const PriceBook& book) {
  const RegionPrices* region = book.Find(demand.region);
  if (region == nullptr) {
    std::string known;
    for (const RegionPrices& each : book.regions) known += " " + each.region;
    return Unexpected(
        fmt::format("The price book has no region '{}'. It has:{}.", demand.region, known));
  }
  MonthBill bill{
      .region = region->region,
      .price_date = book.date,
      .break_even_read_ppm = BreakEven(region->standard.read_hour, region->standard.read_million),
      .break_even_write_ppm =
          BreakEven(region->standard.write_hour, region->standard.write_million),
      .unverified = region->unverified};
  const auto add = [&](Billing billing, TableClass table_class) {
    bill.prices.push_back(PriceOf(demand, billing, table_class, *region));
  };
  add(Billing::kOnDemand, TableClass::kStandard);
  add(Billing::kProvisioned, TableClass::kStandard);
  // aws-doc: reserved capacity is for the standard class only.
  if (region->one_year) add(Billing::kReservedOneYear, TableClass::kStandard);
  if (region->three_years) add(Billing::kReservedThreeYears, TableClass::kStandard);
  add(Billing::kOnDemand, TableClass::kInfrequentAccess);
  add(Billing::kProvisioned, TableClass::kInfrequentAccess);
  std::ranges::stable_sort(bill.prices, {}, &MonthPrice::total);
  return bill;
}

std::string_view NameOf(Billing billing) {
  switch (billing) {
    case Billing::kOnDemand: return "on demand";
    case Billing::kProvisioned: return "provisioned";
    case Billing::kReservedOneYear: return "reserved for a year";
    case Billing::kReservedThreeYears: return "reserved for three years";
  }
  return {};
}

std::string_view NameOf(TableClass table_class) {
  switch (table_class) {
    case TableClass::kStandard: return "Standard";
    case TableClass::kInfrequentAccess: return "Standard-IA";
  }
  return {};
}

std::string FormatUnits(HalfUnits units) {
  return fmt::format("{}{}", units.value() / 2, units.value() % 2 == 0 ? "" : ".5");
}

}  // namespace kw::modeller
