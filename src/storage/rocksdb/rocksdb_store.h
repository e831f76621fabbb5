// SPDX-License-Identifier: Apache-2.0
// The embedded, durable store: RocksDB, one applier, one fsync for many updates.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "storage/open.h"
#include "storage/store.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace kw::storage {

// What tests replace.
struct RocksDbParts {
  rocksdb::Env* env =
      nullptr;  // where RocksDB's files live; must outlive the store; null: the disk
  std::size_t memtable_bytes = std::size_t{64} << 20;
};

Expected<std::unique_ptr<Store>, OpenError> OpenRocksDb(std::string_view path,
                                                        const OpenOptions& options,
                                                        const RocksDbParts& parts = {});

}  // namespace kw::storage
