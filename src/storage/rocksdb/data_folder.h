// SPDX-License-Identifier: Apache-2.0
// The data folder on disk: that it is ours, of this version, and used by this process alone.
//   KEYWRIGHT   one line: the format of the folder
//   LOCK        locked while in use; says which process uses it
//   rocksdb/    RocksDB's own files
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "storage/open.h"

namespace kw::storage {

class DataFolder {
 public:
  // Makes the folder if it is absent or empty, and locks it until the object ends.
  static Expected<DataFolder, OpenError> Open(std::string_view path);
  DataFolder(DataFolder&& other) noexcept;
  DataFolder& operator=(DataFolder&& other) = delete;
  ~DataFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string database() const { return path_ / "rocksdb"; }

 private:
  DataFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;  // file descriptor, -1 once moved from
};

}  // namespace kw::storage
