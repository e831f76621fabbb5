// SPDX-License-Identifier: Apache-2.0
// Money in whole billionths of a dollar: prices and sums are exact, and rounded once, when shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/int128.h"
#include "base/quantity.h"

namespace kw::modeller {

using NanoDollars = Quantity<struct NanoDollarsUnit>;

// Reads "0.00065": digits with at most nine behind the point. Nothing if it is none, or too large.
std::optional<NanoDollars> ParseDollars(std::string_view text);

// "$1,234.50"; below ten cents with up to four significant digits: "$0.000125".
std::string FormatDollars(NanoDollars amount);
// "$0.125", every digit: for a price, which is multiplied.
std::string FormatPrice(NanoDollars price);

// `count` times `price` for each `per`, to the nearest; saturates. `count` is not negative.
NanoDollars Price(Int128 count, NanoDollars price, std::int64_t per);

}  // namespace kw::modeller
