// SPDX-License-Identifier: Apache-2.0
// A quantity has a unit: numbers and other units do not become one by themselves.
#include "base/quantity.h"
#include "data/metering.h"

kw::ByteCount Sum() { return kw::ByteCount(1) + kw::ByteCount(2) * 3; }

#if BREAK == 1
kw::ByteCount from_a_number = 1;
#elif BREAK == 2
std::int64_t to_a_number = kw::ByteCount(1);
#elif BREAK == 3
auto of_two_units = kw::ByteCount(1) + kw::HalfUnits(1);
#elif BREAK == 4
bool compared = kw::ByteCount(1) < kw::HalfUnits(1);
#elif BREAK == 5
auto multiplied = kw::ByteCount(2) * kw::ByteCount(2);
#endif
