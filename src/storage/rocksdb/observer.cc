// SPDX-License-Identifier: Apache-2.0
// Compiled without RTTI, as RocksDB is: its classes have no typeinfo to derive from.
#include "storage/rocksdb/observer.h"

#include <rocksdb/env.h>
#include <rocksdb/listener.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/log.h"

namespace kw::storage {
namespace {

class Forwarder final : public rocksdb::Logger {
 public:
  Forwarder() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}

  void Logv(const char* format, va_list arguments) override {
    Logv(rocksdb::InfoLogLevel::INFO_LEVEL, format, arguments);
  }
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < rocksdb::InfoLogLevel::WARN_LEVEL || level > rocksdb::InfoLogLevel::FATAL_LEVEL) {
      return;  // the header lines of its log come above the highest level
    }
    std::array<char, 1024> line{};
    const int size = std::vsnprintf(line.data(), line.size(), format, arguments);
    if (size <= 0) return;
    Log(level == rocksdb::InfoLogLevel::WARN_LEVEL ? LogLevel::kWarn : LogLevel::kError, "rocksdb",
        {{"message", std::string_view(line.data())}});
  }
};

class WriteStopListener final : public rocksdb::EventListener {
 public:
  explicit WriteStopListener(std::shared_ptr<std::atomic<bool>> writes_stopped)
      : writes_stopped_(std::move(writes_stopped)) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason /*reason*/,
                         rocksdb::Status* error) override {
    if (error->severity() < rocksdb::Status::Severity::kHardError) return;
    *writes_stopped_ = true;
  }
  void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) override {
    if (info.new_bg_error.ok()) *writes_stopped_ = false;
  }

 private:
  const std::shared_ptr<std::atomic<bool>> writes_stopped_;
};

}  // namespace

std::shared_ptr<rocksdb::Logger> MakeRocksDbLogger() { return std::make_shared<Forwarder>(); }

std::shared_ptr<rocksdb::EventListener> MakeWriteStopListener(
    std::shared_ptr<std::atomic<bool>> writes_stopped) {
  return std::make_shared<WriteStopListener>(std::move(writes_stopped));
}

}  // namespace kw::storage
