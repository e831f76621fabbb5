// SPDX-License-Identifier: Apache-2.0
// The embedded, durable store: RocksDB, one applier, one fsync for many updates.
#pragma once

#include <memory>
#include <string_view>

#include "storage/open.h"
#include "storage/store.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace kw::storage {

// `env` is where RocksDB's files live: null for the real disk; tests give one that fails on demand,
// which must outlive the store.
Expected<std::unique_ptr<Store>, OpenError> OpenRocksDb(std::string_view path,
                                                        const OpenOptions& options,
                                                        rocksdb::Env* env = nullptr);

}  // namespace kw::storage
