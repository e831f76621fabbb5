// SPDX-License-Identifier: Apache-2.0
// What a request takes of one structure at one key: what layout finds, the capacity ledger charges
// and key insights count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "data/metering.h"

namespace kw::engine {

enum class Flow : std::uint8_t { kRead, kWrite };

// How much of the key a request named.
enum class KeyExtent : std::uint8_t { kItem, kPartition, kNone };

struct Draw {
  // A global index's position in schema.indexes(); absent: the table with its local indexes.
  std::optional<std::size_t> index = std::nullopt;
  Flow flow = Flow::kRead;
  std::string key = {};  // a row key (data/key.h) or the beginning of one
  HalfUnits units = {};
  KeyExtent extent = KeyExtent::kItem;
};

}  // namespace kw::engine
