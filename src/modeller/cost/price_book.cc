// SPDX-License-Identifier: Apache-2.0
#include "modeller/cost/price_book.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/json.h"
#include "modeller/cost/price_book_json.h"

namespace kw::modeller {
namespace {

template <class T>
using Read = Expected<T, std::string>;

// One object of the book, and its path for messages.
struct Node {
  JsonObject object;
  std::string path;

  [[nodiscard]] Read<JsonValue> Member(std::string_view name, JsonType type) const {
    const auto found = object.Find(name);
    if (!found || !found->is(type)) return Unexpected(fmt::format("{}.{} is missing", path, name));
    return *found;
  }
  [[nodiscard]] Read<Node> Child(std::string_view name) const {
    TRY_ASSIGN(const JsonValue value, Member(name, JsonType::kObject));
    return Node{value.object(), fmt::format("{}.{}", path, name)};
  }
  [[nodiscard]] Read<NanoDollars> Dollars(std::string_view name) const {
    TRY_ASSIGN(const JsonValue value, Member(name, JsonType::kString));
    const auto amount = ParseDollars(value.string());
    if (!amount) return Unexpected(fmt::format("{}.{} is no price", path, name));
    return *amount;
  }
};

template <class Prices>
struct Field {
  std::string_view name;
  NanoDollars Prices::* member;
};

template <class Prices, std::size_t n>
Read<Prices> ReadPrices(const Node& node, const Field<Prices> (&fields)[n]) {
  Prices prices;
  for (const Field<Prices>& field : fields) {
    TRY_ASSIGN(prices.*field.member, node.Dollars(field.name));
  }
  return prices;
}

constexpr Field<CapacityPrices> kCapacity[] = {
    {"read_million", &CapacityPrices::read_million},
    {"write_million", &CapacityPrices::write_million},
    {"storage_gb", &CapacityPrices::storage_gb},
    {"read_hour", &CapacityPrices::read_hour},
    {"write_hour", &CapacityPrices::write_hour},
};
constexpr Field<Reservation> kReservation[] = {
    {"upfront", &Reservation::upfront},
    {"hour", &Reservation::hour},
};
constexpr Field<ServicePrices> kServices[] = {
    {"restore_point_gb", &ServicePrices::restore_point_gb},
    {"backup_gb", &ServicePrices::backup_gb},
    {"cold_backup_gb", &ServicePrices::cold_backup_gb},
    {"restore_gb", &ServicePrices::restore_gb},
    {"export_gb", &ServicePrices::export_gb},
    {"import_gb", &ServicePrices::import_gb},
    {"stream_reads_100k", &ServicePrices::stream_reads_100k},
    {"kinesis_million", &ServicePrices::kinesis_million},
};

Read<std::optional<ReservedPrices>> ReadReserved(const Node& region, std::string_view term) {
  if (!region.object.Find(term)) return std::optional<ReservedPrices>();
  TRY_ASSIGN(const Node node, region.Child(term));
  TRY_ASSIGN(const Node read, node.Child("read"));
  TRY_ASSIGN(const Node write, node.Child("write"));
  ReservedPrices prices;
  TRY_ASSIGN(prices.read, ReadPrices(read, kReservation));
  TRY_ASSIGN(prices.write, ReadPrices(write, kReservation));
  return std::optional(prices);
}

Read<RegionPrices> ReadRegion(std::string_view name, const Node& node) {
  RegionPrices region{.region = std::string(name)};
  TRY_ASSIGN(const Node standard, node.Child("standard"));
  TRY_ASSIGN(region.standard, ReadPrices(standard, kCapacity));
  TRY_ASSIGN(const Node infrequent, node.Child("infrequent_access"));
  TRY_ASSIGN(region.infrequent_access, ReadPrices(infrequent, kCapacity));
  TRY_ASSIGN(region.one_year, ReadReserved(node, "reserved_one_year"));
  TRY_ASSIGN(region.three_years, ReadReserved(node, "reserved_three_years"));
  TRY_ASSIGN(const Node services, node.Child("services"));
  TRY_ASSIGN(region.services, ReadPrices(services, kServices));
  TRY_ASSIGN(const JsonValue unverified, node.Member("unverified", JsonType::kArray));
  for (const JsonValue path : unverified.array()) {
    if (!path.is(JsonType::kString))
      return Unexpected(node.path + ".unverified is no list of paths");
    region.unverified.emplace_back(path.string());
  }
  return region;
}

}  // namespace

Expected<PriceBook, std::string> PriceBook::Parse(std::string_view json) {
  JsonParser parser;
  const auto root = parser.Parse(json);
  if (!root) return Unexpected(root.error().message);
  if (!root->is(JsonType::kObject)) return Unexpected(std::string("the book is no object"));
  const Node book{root->object(), "book"};
  PriceBook result;
  TRY_ASSIGN(const JsonValue date, book.Member("date", JsonType::kString));
  result.date = date.string();
  TRY_ASSIGN(const Node regions, book.Child("regions"));
  for (const auto& [name, value] : regions.object) {
    TRY_ASSIGN(const Node node, regions.Child(name));
    TRY_ASSIGN(RegionPrices region, ReadRegion(name, node));
    result.regions.push_back(std::move(region));
  }
  return result;
}

const PriceBook& PriceBook::Current() {
  static const PriceBook book = [] {
    auto parsed = Parse(kPriceBookJson);
    Check(parsed.has_value(), "the program's own price book is whole");
    return std::move(*parsed);
  }();
  return book;
}

const RegionPrices* PriceBook::Find(std::string_view region) const {
  const auto found = std::ranges::find(regions, region, &RegionPrices::region);
  return found == regions.end() ? nullptr : &*found;
}

}  // namespace kw::modeller
