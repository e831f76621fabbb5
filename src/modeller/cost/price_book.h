// SPDX-License-Identifier: Apache-2.0
// AWS's prices by region, as dated data (price_book.json): never constants in code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "modeller/cost/money.h"

namespace kw::modeller {

struct CapacityPrices {
  NanoDollars read_million = {};  // a million read request units on demand
  NanoDollars write_million = {};
  NanoDollars storage_gb = {};  // a GB and month
  NanoDollars read_hour = {};   // a provisioned read capacity unit and hour
  NanoDollars write_hour = {};
};
struct Reservation {  // of 100 units
  NanoDollars upfront = {};
  NanoDollars hour = {};
};
struct ReservedPrices {
  Reservation read;
  Reservation write;
};
struct ServicePrices {
  NanoDollars restore_point_gb = {};  // point-in-time recovery, a GB and month
  NanoDollars backup_gb = {};         // a GB and month
  NanoDollars cold_backup_gb = {};
  NanoDollars restore_gb = {};
  NanoDollars export_gb = {};
  NanoDollars import_gb = {};
  NanoDollars stream_reads_100k = {};
  NanoDollars kinesis_million = {};
};

struct RegionPrices {
  std::string region = {};
  CapacityPrices standard = {};
  CapacityPrices infrequent_access = {};
  std::optional<ReservedPrices> one_year = {};
  std::optional<ReservedPrices> three_years = {};
  ServicePrices services = {};
  // Prices, by their path in the book, that no page of AWS confirms.
  std::vector<std::string> unverified = {};
};

struct PriceBook {
  std::string date = {};  // year and month
  std::vector<RegionPrices> regions = {};

  // Errors: what is missing or no price, with its path.
  static Expected<PriceBook, std::string> Parse(std::string_view json);
  // The book that the program carries.
  static const PriceBook& Current();

  [[nodiscard]] const RegionPrices* Find(std::string_view region) const;
};

}  // namespace kw::modeller
