// SPDX-License-Identifier: Apache-2.0
#include "storage/rocksdb/data_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace kw::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormatFile = "KEYWRIGHT";
constexpr std::string_view kFormatFileDraft = "KEYWRIGHT.new";
constexpr std::string_view kLockFile = "LOCK";
constexpr std::string_view kFormat = "keywright data 2";

OpenError Cannot(std::string_view what, const fs::path& path, int error) {
  return {fmt::format(
      "Cannot {} {}: {}. Check the folder's permissions and disk, or choose another with --data.",
      what, path.string(), std::generic_category().message(error))};
}

// What a folder that was never used may hold: a volume's own folder, what a crash left of Open.
bool IsNothing(const fs::path& name) {
  return name == "lost+found" || name == kLockFile || name == kFormatFileDraft;
}

// The first entry that is not ours in a folder without a format file.
Expected<std::optional<std::string>, OpenError> ForeignEntry(const fs::path& path) {
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto name = entry->path().filename();
    if (!IsNothing(name)) return std::optional(name.string());
  }
  if (error) return Unexpected(Cannot("read", path, error.value()));
  return std::optional<std::string>();
}

Expected<int, OpenError> Lock(const fs::path& folder) {
  const auto path = folder / kLockFile;
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return Unexpected(Cannot("open", path, errno));
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    std::array<char, 32> owner{};
    const auto size = ::pread(file, owner.data(), owner.size(), 0);
    ::close(file);
    if (reason != EWOULDBLOCK) return Unexpected(Cannot("lock", path, reason));
    return Unexpected(OpenError{fmt::format(
        "The data folder {} is in use by another process ({}); stop it or choose another with "
        "--data.",
        folder.string(),
        size > 0 ? std::string_view(owner.data(), static_cast<std::size_t>(size)) : "starting")});
  }
  // Only tells the user whom to stop; the lock itself needs no content.
  const auto owner = fmt::format("process {}", ::getpid());
  if (::ftruncate(file, 0) != 0 ||
      ::pwrite(file, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size())) {
    const int reason = errno;
    ::close(file);
    return Unexpected(Cannot("write", path, reason));
  }
  return file;
}

// Written whole or not at all, so that a folder with a format file always has its content.
Expected<void, OpenError> WriteFormatFile(const fs::path& folder) {
  const auto draft = folder / kFormatFileDraft;
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return Unexpected(Cannot("create", draft, errno));
  const auto line = std::string(kFormat) + "\n";
  const bool written =
      ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(file) == 0;
  const int reason = errno;
  ::close(file);
  if (!written) return Unexpected(Cannot("write", draft, reason));
  if (::rename(draft.c_str(), (folder / kFormatFile).c_str()) != 0) {
    return Unexpected(Cannot("create", folder / kFormatFile, errno));
  }
  return {};
}

// Makes the entries of a folder durable, such as a file's new name.
Expected<void, OpenError> SyncFolder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return Unexpected(Cannot("open", folder, errno));
  const bool synced = ::fsync(file) == 0;
  const int reason = errno;
  ::close(file);
  if (!synced) return Unexpected(Cannot("write", folder, reason));
  return {};
}

Expected<void, OpenError> CheckFormat(const fs::path& folder) {
  std::ifstream file(folder / kFormatFile);
  std::string line;
  std::getline(file, line);
  if (line == kFormat) return {};
  return Unexpected(OpenError{fmt::format(
      "The data folder {} was written by another version of Keywright (its format is \"{}\", this "
      "version reads \"{}\"). Use that version, or choose another folder with --data.",
      folder.string(), line.substr(0, 64), kFormat)});
}

}  // namespace

Expected<DataFolder, OpenError> DataFolder::Open(std::string_view name) {
  if (name.empty()) {
    return Unexpected(OpenError{"\"rocksdb:\" needs a folder, for example rocksdb:./data."});
  }
  fs::path path = fs::path(name).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "data/"
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return Unexpected(Cannot("create the data folder", path, error.value()));
  const bool known = fs::exists(path / kFormatFile, error);
  if (error) return Unexpected(Cannot("read", path, error.value()));
  if (!known) {
    TRY_ASSIGN(const auto foreign, ForeignEntry(path));
    if (foreign) {
      return Unexpected(OpenError{fmt::format(
          "The folder {} is not a Keywright data folder: it holds other files ({}). Choose an "
          "empty or a new folder with --data.",
          path.string(), *foreign)});
    }
  }
  TRY_ASSIGN(const int lock, Lock(path));
  DataFolder folder(std::move(path), lock);
  if (known) {
    TRY(CheckFormat(folder.path()));
  } else {
    TRY(WriteFormatFile(folder.path()));
  }
  fs::create_directories(folder.database(), error);
  if (error) return Unexpected(Cannot("create", folder.database(), error.value()));
  // RocksDB syncs its own folder; that folder and this one must be found again too.
  TRY(SyncFolder(folder.path()));
  TRY(SyncFolder(fs::absolute(folder.path()).parent_path()));
  return folder;
}

DataFolder::DataFolder(DataFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

DataFolder::~DataFolder() {
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace kw::storage
