// SPDX-License-Identifier: Apache-2.0
// A disk under RocksDB that forgets at a crash what was not synced, and that fails on demand. Files
// are real, in a temporary folder; what is synced is kept in books here, so that a crash is
// simulated within the process and many fit in a second. For tests.
//   a file's bytes     beyond the last sync: a part of them stays, perhaps with pages of zeros in
//   it a new file, a name beyond the folder's last sync: undone or not
// A deletion always stands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace kw::storage {

class ForgetfulEnv {
 public:
  explicit ForgetfulEnv(std::uint64_t seed);
  ~ForgetfulEnv();

  [[nodiscard]] rocksdb::Env* env() const;

  // After so many more changes (appends, syncs, new files, …) every one fails, as it would for a
  // process that is no more; the store is then to be destroyed, and Crash() called.
  void StopAfter(std::uint64_t changes);
  [[nodiscard]] bool stopped() const;
  // Forgets, and works again without faults.
  void Crash();

  // Faults, until Crash.
  void FillUpAfter(std::uint64_t bytes);  // then ENOSPC, in the middle of an append
  void FailSyncs();           // EIO; what was to be synced is lost even if a later sync passes
  void FailReads(bool fail);  // EIO
  void ReportFreeBytes(std::optional<std::uint64_t> bytes);

 private:
  struct Disk;
  class ForgetfulFileSystem;
  class ForgetfulFile;
  class ForgetfulDirectory;
  class FailingReads;
  class ShortSleeps;
  class Impatient;

  const std::shared_ptr<Disk> disk_;
  std::unique_ptr<rocksdb::Env> env_;
};

}  // namespace kw::storage
