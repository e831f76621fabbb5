// SPDX-License-Identifier: Apache-2.0
// What RocksDB tells on its own account: its warnings, for our log, and that it stopped accepting
// writes after a background error.
#pragma once

#include <atomic>
#include <memory>

namespace rocksdb {
class EventListener;
class Logger;
}  // namespace rocksdb

namespace kw::storage {

// Forwards warnings and errors to Log().
std::shared_ptr<rocksdb::Logger> MakeRocksDbLogger();

// Sets `writes_stopped` while a background error forbids writes; RocksDB ends some of them itself,
// such as a full disk.
std::shared_ptr<rocksdb::EventListener> MakeWriteStopListener(
    std::shared_ptr<std::atomic<bool>> writes_stopped);

}  // namespace kw::storage
