// SPDX-License-Identifier: Apache-2.0
// Compiled without RTTI, as RocksDB is: its classes have no typeinfo to derive from.
#include "storage/rocksdb/forgetful_env.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace kw::storage {
namespace {

namespace fs = std::filesystem;
using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

struct FileState {
  std::uint64_t size = 0;
  std::uint64_t synced = 0;
  bool sync_failed = false;  // the page cache has dropped the bytes: no later sync brings them back
};

// A change of a folder's entries that its next sync makes durable.
struct EntryChange {
  std::string name;
  std::string renamed_from;                // empty: the file was created
  std::optional<std::string> overwritten;  // what a rename replaced
};

std::string ReadWhole(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string FolderOf(const std::string& name) { return fs::path(name).parent_path(); }

void Undo(const EntryChange& change) {
  std::error_code ignored;
  if (change.renamed_from.empty()) {
    fs::remove(change.name, ignored);
    return;
  }
  fs::rename(change.name, change.renamed_from, ignored);
  if (change.overwritten) std::ofstream(change.name, std::ios::binary) << *change.overwritten;
}

}  // namespace

struct ForgetfulEnv::Disk {
  explicit Disk(std::uint64_t seed) : rng(seed) {}

  std::mutex mutex;  // guards all that is not atomic
  Rng rng;
  std::map<std::string, FileState> files;
  std::map<std::string, std::vector<EntryChange>> entries;  // by folder, oldest first
  std::uint64_t changes_left = kNever;
  std::uint64_t bytes_left = kNever;
  std::atomic<bool> stopped = false;
  std::atomic<bool> syncs_fail = false;
  std::atomic<bool> reads_fail = false;
  std::optional<std::uint64_t> free_bytes;

  // Every change asks first, holding the lock.
  IOStatus Allow() {
    if (changes_left == 0) stopped = true;
    if (stopped) return IOStatus::IOError("the process is no more");
    if (changes_left != kNever) --changes_left;
    return IOStatus::OK();
  }

  IOStatus Sync(const std::string& name) {
    std::lock_guard lock(mutex);
    auto status = Allow();
    if (!status.ok()) return status;
    auto& file = files[name];
    if (syncs_fail) {
      file.sync_failed = true;
      return IOStatus::IOError("sync failed");
    }
    if (!file.sync_failed) file.synced = file.size;
    return status;
  }

  void ForgetBytes(const std::string& name, const FileState& file) {
    std::error_code ignored;
    if (file.size <= file.synced || !fs::exists(name, ignored)) return;
    const auto kept = rng.Below(file.size - file.synced + 1);
    fs::resize_file(name, file.synced + kept, ignored);
    // The file had grown, but a page within never reached the disk. Common file systems grow a
    // file only once its bytes are written; RocksDB's manifest needs that, its log does not.
    if (kept == 0 || !name.ends_with(".log") || rng.Below(2) == 0) return;
    const auto hole = file.synced + rng.Below(kept);
    const auto hole_end = std::min(file.synced + kept, (hole / kPage + 1) * kPage);
    std::fstream out(name, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(static_cast<std::streamoff>(hole));
    out << std::string(hole_end - hole, '\0');
  }
};

class ForgetfulEnv::ForgetfulFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  ForgetfulFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::string name,
                std::shared_ptr<Disk> disk)
      : FSWritableFileOwnerWrapper(std::move(file)),
        name_(std::move(name)),
        disk_(std::move(disk)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    std::lock_guard lock(disk_->mutex);
    auto status = disk_->Allow();
    if (!status.ok()) return status;
    const auto fits = std::min<std::uint64_t>(data.size(), disk_->bytes_left);
    status = target()->Append(Slice(data.data(), fits), options, debug);
    if (!status.ok()) return status;
    disk_->files[name_].size += fits;
    if (disk_->bytes_left != kNever) disk_->bytes_left -= fits;
    return fits == data.size() ? status : IOStatus::NoSpace("no space left on device");
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*verification*/,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    std::lock_guard lock(disk_->mutex);
    auto status = disk_->Allow();
    if (!status.ok()) return status;
    auto& file = disk_->files[name_];
    file.size = std::min(file.size, size);
    file.synced = std::min(file.synced, size);
    return target()->Truncate(size, options, debug);
  }
  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return disk_->Sync(name_);
  }
  IOStatus Fsync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return disk_->Sync(name_);
  }
  // Starts writing back; promises nothing.
  IOStatus RangeSync(std::uint64_t /*offset*/, std::uint64_t /*size*/, const IOOptions& /*options*/,
                     IODebugContext* /*debug*/) override {
    return IOStatus::OK();
  }
  IOStatus Allocate(std::uint64_t /*offset*/, std::uint64_t /*size*/, const IOOptions& /*options*/,
                    IODebugContext* /*debug*/) override {
    return IOStatus::OK();
  }

 private:
  const std::string name_;
  const std::shared_ptr<Disk> disk_;
};

class ForgetfulEnv::ForgetfulDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  ForgetfulDirectory(std::unique_ptr<rocksdb::FSDirectory> directory, std::string name,
                     std::shared_ptr<Disk> disk)
      : FSDirectoryWrapper(std::move(directory)), name_(std::move(name)), disk_(std::move(disk)) {}

  IOStatus Fsync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    std::lock_guard lock(disk_->mutex);
    auto status = disk_->Allow();
    if (!status.ok()) return status;
    if (disk_->syncs_fail) return IOStatus::IOError("sync failed");
    disk_->entries.erase(name_);
    return status;
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& /*directory_options*/) override {
    return Fsync(options, debug);
  }

 private:
  const std::string name_;
  const std::shared_ptr<Disk> disk_;
};

class ForgetfulEnv::FailingReads final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  FailingReads(std::unique_ptr<rocksdb::FSRandomAccessFile> file, std::shared_ptr<Disk> disk)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), disk_(std::move(disk)) {}

  IOStatus Read(std::uint64_t offset, std::size_t size, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* debug) const override {
    if (disk_->reads_fail) return IOStatus::IOError("read failed");
    return target()->Read(offset, size, options, result, scratch, debug);
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    if (disk_->reads_fail) return IOStatus::IOError("read failed");
    return target()->MultiRead(requests, count, options, debug);
  }

 private:
  const std::shared_ptr<Disk> disk_;
};

class ForgetfulEnv::ForgetfulFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit ForgetfulFileSystem(std::shared_ptr<Disk> disk)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), disk_(std::move(disk)) {}

  const char* Name() const override { return "ForgetfulFileSystem"; }

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* debug) override {
    std::lock_guard lock(disk_->mutex);
    auto status = disk_->Allow();
    if (!status.ok()) return status;
    std::error_code ignored;
    const bool existed = fs::exists(name, ignored);
    std::unique_ptr<rocksdb::FSWritableFile> file;
    status = target()->NewWritableFile(name, options, &file, debug);
    if (!status.ok()) return status;
    disk_->files[name] = {};
    if (!existed) disk_->entries[FolderOf(name)].push_back({name, {}, {}});
    *result = std::make_unique<ForgetfulFile>(std::move(file), name, disk_);
    return status;
  }
  // RocksDB uses these for files that this store's options do not make.
  IOStatus ReopenWritableFile(const std::string& /*name*/, const FileOptions& /*options*/,
                              std::unique_ptr<rocksdb::FSWritableFile>* /*result*/,
                              IODebugContext* /*debug*/) override {
    return IOStatus::NotSupported("ReopenWritableFile");
  }
  IOStatus ReuseWritableFile(const std::string& /*name*/, const std::string& /*old_name*/,
                             const FileOptions& /*options*/,
                             std::unique_ptr<rocksdb::FSWritableFile>* /*result*/,
                             IODebugContext* /*debug*/) override {
    return IOStatus::NotSupported("ReuseWritableFile");
  }
  IOStatus NewRandomAccessFile(const std::string& name, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSRandomAccessFile> file;
    auto status = target()->NewRandomAccessFile(name, options, &file, debug);
    if (status.ok()) *result = std::make_unique<FailingReads>(std::move(file), disk_);
    return status;
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result,
                        IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    auto status = target()->NewDirectory(name, options, &directory, debug);
    if (status.ok()) {
      *result = std::make_unique<ForgetfulDirectory>(std::move(directory),
                                                     fs::path(name + "/").parent_path(), disk_);
    }
    return status;
  }
  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* debug) override {
    std::lock_guard lock(disk_->mutex);
    auto status = disk_->Allow();
    if (!status.ok()) return status;
    status = target()->DeleteFile(name, options, debug);
    if (!status.ok()) return status;
    disk_->files.erase(name);
    std::erase_if(disk_->entries[FolderOf(name)],
                  [&](const EntryChange& change) { return change.name == name; });
    return status;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    std::lock_guard lock(disk_->mutex);
    auto status = disk_->Allow();
    if (!status.ok()) return status;
    EntryChange change{to, from, {}};
    std::error_code ignored;
    if (fs::exists(to, ignored)) change.overwritten = ReadWhole(to);
    status = target()->RenameFile(from, to, options, debug);
    if (!status.ok()) return status;
    disk_->entries[FolderOf(to)].push_back(std::move(change));
    if (auto file = disk_->files.extract(from)) {
      file.key() = to;
      disk_->files.erase(to);
      disk_->files.insert(std::move(file));
    }
    return status;
  }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options, std::uint64_t* bytes,
                        IODebugContext* debug) override {
    {
      std::lock_guard lock(disk_->mutex);
      if (disk_->free_bytes) {
        *bytes = *disk_->free_bytes;
        return IOStatus::OK();
      }
    }
    return target()->GetFreeSpace(path, options, bytes, debug);
  }

 private:
  const std::shared_ptr<Disk> disk_;
};

// RocksDB sleeps for a second after a failed flush or compaction; a stopped one need not.
class ForgetfulEnv::ShortSleeps final : public rocksdb::SystemClockWrapper {
 public:
  ShortSleeps() : SystemClockWrapper(rocksdb::SystemClock::Default()) {}
  const char* Name() const override { return "ShortSleeps"; }
  void SleepForMicroseconds(int micros) override {
    SystemClockWrapper::SleepForMicroseconds(std::min(micros, 1000));
  }
};

class ForgetfulEnv::Impatient final : public rocksdb::EnvWrapper {
 public:
  explicit Impatient(std::unique_ptr<rocksdb::Env> env) : EnvWrapper(std::move(env)) {
    system_clock_ = std::make_shared<ShortSleeps>();
  }
  const char* Name() const override { return "ForgetfulEnv"; }
};

ForgetfulEnv::ForgetfulEnv(std::uint64_t seed)
    : disk_(std::make_shared<Disk>(seed)),
      env_(std::make_unique<Impatient>(
          rocksdb::NewCompositeEnv(std::make_shared<ForgetfulFileSystem>(disk_)))) {}

ForgetfulEnv::~ForgetfulEnv() = default;

rocksdb::Env* ForgetfulEnv::env() const { return env_.get(); }

void ForgetfulEnv::StopAfter(std::uint64_t changes) {
  std::lock_guard lock(disk_->mutex);
  disk_->changes_left = changes;
}

bool ForgetfulEnv::stopped() const { return disk_->stopped; }

void ForgetfulEnv::Crash() {
  std::lock_guard lock(disk_->mutex);
  for (const auto& [name, file] : disk_->files) disk_->ForgetBytes(name, file);
  for (const auto& [folder, changes] : disk_->entries) {
    // Of the changes that no sync covers, the newest are undone: some, all or none.
    auto undone = disk_->rng.Below(changes.size() + 1);
    for (auto change = changes.rbegin(); undone > 0; ++change, --undone) Undo(*change);
  }
  disk_->files.clear();
  disk_->entries.clear();
  disk_->changes_left = kNever;
  disk_->bytes_left = kNever;
  disk_->stopped = false;
  disk_->syncs_fail = false;
  disk_->reads_fail = false;
  disk_->free_bytes.reset();
}

void ForgetfulEnv::FillUpAfter(std::uint64_t bytes) {
  std::lock_guard lock(disk_->mutex);
  disk_->bytes_left = bytes;
}

void ForgetfulEnv::FailSyncs() { disk_->syncs_fail = true; }

void ForgetfulEnv::FailReads(bool fail) { disk_->reads_fail = fail; }

void ForgetfulEnv::ReportFreeBytes(std::optional<std::uint64_t> bytes) {
  std::lock_guard lock(disk_->mutex);
  disk_->free_bytes = bytes;
}

}  // namespace kw::storage
