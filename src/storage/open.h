// SPDX-License-Identifier: Apache-2.0
// The list of storage engines, opened by URL: "memory:", "rocksdb:PATH".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "storage/store.h"

namespace kw::storage {

enum class Durability : std::uint8_t {
  kFull,     // answered means on disk
  kRelaxed,  // answered means in the operating system's hands; a crash of the machine may lose
             // seconds
};

struct OpenOptions {
  Durability durability = Durability::kFull;
  std::size_t cache_bytes = std::size_t{256} << 20;
  std::size_t queue_max = 4096;  // updates waiting for the applier
};

// What to tell the user when a store does not open: one or two sentences that say what to do.
struct OpenError {
  std::string message;
};

Expected<std::unique_ptr<Store>, OpenError> Open(std::string_view url, const OpenOptions& options);

}  // namespace kw::storage
