// SPDX-License-Identifier: Apache-2.0
// What the server counts. Each loop counts for itself, without shared cache lines; the sums are
// made when somebody asks for them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace kw::server {

// Written by one thread, read by any.
class Counter {
 public:
  void Add(std::int64_t n = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

// Upper bounds of the latency buckets, microseconds.
inline constexpr std::array<std::int64_t, 16> kLatencyBounds = {
    25,     50,     100,    250,     500,     1'000,     2'500,     5'000,
    10'000, 25'000, 50'000, 100'000, 250'000, 1'000'000, 2'500'000, 10'000'000};

struct OperationCounters {
  Counter succeeded;
  Counter refused;  // 4xx
  Counter failed;   // 5xx
  Counter micros;   // sum of latencies
  std::array<Counter, kLatencyBounds.size() + 1> latencies;
};

struct alignas(64) LoopMetrics {
  explicit LoopMetrics(std::size_t operations) : by_operation(operations + 1) {}

  // `operation` is its place in the list; the place behind the last one is for all that are
  // unknown.
  void Record(std::size_t operation, int status, std::chrono::microseconds latency);

  std::vector<OperationCounters> by_operation;
  Counter connections_accepted;
  Counter connections_closed;
  Counter connections_refused;  // over the limit
  Counter connections_shed;     // too slow
  Counter bytes_read;
  Counter bytes_written;
  Counter malformed;      // answered below the API: bad HTTP, too long, refused by the guard
  Counter calls_started;  // of the API
  Counter calls_finished;
  Counter calls_on_pool;  // of these, the ones that waited for the disk
  Counter waiting;        // requests held back, now
  Counter large_bytes;    // set aside for large requests and answers, now
};

// The text format of Prometheus. `operations` names the places of by_operation.
std::string RenderMetrics(std::span<const LoopMetrics* const> loops,
                          std::span<const std::string_view> operations,
                          std::span<const storage::Gauge> store);

}  // namespace kw::server
