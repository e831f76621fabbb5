// SPDX-License-Identifier: Apache-2.0
// Capacity as the service grants it: token buckets for each table and global index, partitions with
// limits of their own that split under heat, on-demand tables that grow with their peaks. Hides
// all of them. It decides who is throttled and why, not how that is worded (traffic.h).
//
// Admission: a request passes while every bucket that it draws from holds something; what it really
// costs is taken afterwards, so that a bucket may fall below zero and the next wait for it.
// Nothing is persisted: after a restart all buckets hold one second's worth.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/catalog.h"
#include "engine/draw.h"

namespace kw::engine {

// Source of the numbers: aws-doc burst-adaptive-capacity, bp-partition-key-design,
// on-demand-capacity-mode, howitworks-partitions.
inline constexpr std::chrono::seconds kBurst{300};
inline constexpr std::int64_t kPartitionReadUnits = 3000;  // a second
inline constexpr std::int64_t kPartitionWriteUnits = 1000;
inline constexpr std::int64_t kPartitionBytes = std::int64_t{10} * 1024 * 1024 * 1024;
inline constexpr std::chrono::minutes kPeakWindow{30};
// assumed: the service says "minutes", and nothing of how it notices heat.
inline constexpr std::chrono::seconds kHeatBeforeSplit{60};
inline constexpr std::chrono::seconds kHeatGap{10};  // so long without a refusal ends the heat
inline constexpr std::size_t kPartitionsMax = 1024;  // of one structure; ours, to bound memory

enum class LimitType : std::uint8_t {
  kProvisionedThroughput,
  kMaxOnDemandThroughput,
  kAccountLimit,
  kKeyRangeThroughput,  // a partition, or an on-demand table that has not grown yet
};

struct Refusal {
  std::size_t draw = 0;  // the first one refused
  LimitType limit = LimitType::kProvisionedThroughput;
};

// How often requests were refused for each reason, since the start. Thread-safe.
class ThrottleCounts {
 public:
  void Add(bool of_index, Flow flow, LimitType limit) {
    counts_[PlaceOf(of_index, flow, limit)].fetch_add(1, std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t Of(bool of_index, Flow flow, LimitType limit) const {
    return counts_[PlaceOf(of_index, flow, limit)].load(std::memory_order_relaxed);
  }

 private:
  static std::size_t PlaceOf(bool of_index, Flow flow, LimitType limit) {
    return (of_index ? 8U : 0U) + (flow == Flow::kWrite ? 4U : 0U) +
           static_cast<std::size_t>(limit);
  }
  std::array<std::atomic<std::int64_t>, 16> counts_{};
};

// Thread-safe. All draws of one call are on the same table.
class CapacityLedger {
 public:
  explicit CapacityLedger(const Clock& clock);
  ~CapacityLedger();
  CapacityLedger(const CapacityLedger&) = delete;
  CapacityLedger& operator=(const CapacityLedger&) = delete;

  // Whether a request with these draws may begin.
  [[nodiscard]] std::optional<Refusal> Check(const Table& table, std::span<const Draw> draws);
  // Checks, and takes the units of all draws if none is refused.
  [[nodiscard]] std::optional<Refusal> Take(const Table& table, std::span<const Draw> draws);
  void Charge(const Table& table, std::span<const Draw> draws);
  void GiveBack(const Table& table, std::span<const Draw> draws);

  // As many partitions as so many bytes need, or more. Absent: the table itself.
  void Grow(const Table& table, std::optional<std::size_t> index, ByteCount size);
  [[nodiscard]] std::size_t Partitions(const Table& table, std::optional<std::size_t> index);
  [[nodiscard]] ThrottleCounts& throttles() { return throttles_; }
  // Forgets every other table.
  void KeepOnly(std::span<const TablePtr> tables);

 private:
  struct Meters;
  std::shared_ptr<Meters> MetersOf(const Table& table);

  struct Impl;
  std::unique_ptr<Impl> impl_;
  ThrottleCounts throttles_;
};

}  // namespace kw::engine
