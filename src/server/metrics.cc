// SPDX-License-Identifier: Apache-2.0
#include "server/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace kw::server {
namespace {

class Page {
 public:
  explicit Page(std::span<const LoopMetrics* const> loops) : loops_(loops) {}

  void Head(std::string_view name, std::string_view type, std::string_view help) {
    Append("# HELP keywright_{} {}\n# TYPE keywright_{} {}\n", name, help, name, type);
  }
  void Single(std::string_view name, std::string_view type, std::string_view help,
              std::int64_t value) {
    Head(name, type, help);
    Append("keywright_{} {}\n", name, value);
  }
  void Sum(std::string_view name, std::string_view type, std::string_view help,
           Counter LoopMetrics::* counter) {
    Single(name, type, help, Total(counter));
  }
  [[nodiscard]] std::int64_t Total(Counter LoopMetrics::* counter) const {
    std::int64_t sum = 0;
    for (const LoopMetrics* loop : loops_) sum += (loop->*counter).value();
    return sum;
  }
  template <class Read>
  [[nodiscard]] std::int64_t Total(std::size_t operation, const Read& read) const {
    std::int64_t sum = 0;
    for (const LoopMetrics* loop : loops_) sum += read(loop->by_operation[operation]).value();
    return sum;
  }
  template <class... Args>
  void Append(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::span<const LoopMetrics* const> loops_;
  std::string text_;
};

std::int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  statm >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

void Requests(Page& page, std::span<const std::string_view> operations) {
  page.Head("requests_total", "counter", "Requests of the API by operation and result.");
  for (std::size_t i = 0; i <= operations.size(); ++i) {
    const std::string_view name = i < operations.size() ? operations[i] : "unknown";
    const auto line = [&](std::string_view result, Counter OperationCounters::* counter) {
      const std::int64_t count =
          page.Total(i, [&](const OperationCounters& c) -> const Counter& { return c.*counter; });
      if (count == 0) return;
      page.Append("keywright_requests_total{{operation=\"{}\",result=\"{}\"}} {}\n", name, result,
                  count);
    };
    line("success", &OperationCounters::succeeded);
    line("client_error", &OperationCounters::refused);
    line("server_error", &OperationCounters::failed);
  }
}

void Latencies(Page& page, std::span<const std::string_view> operations) {
  page.Head("request_seconds", "histogram",
            "From the last byte of a request to its answer, by operation.");
  for (std::size_t i = 0; i <= operations.size(); ++i) {
    const std::string_view name = i < operations.size() ? operations[i] : "unknown";
    std::array<std::int64_t, kLatencyBounds.size() + 1> counts{};
    std::int64_t all = 0;
    for (std::size_t bucket = 0; bucket < counts.size(); ++bucket) {
      counts[bucket] = page.Total(
          i, [&](const OperationCounters& c) -> const Counter& { return c.latencies[bucket]; });
      all += counts[bucket];
    }
    if (all == 0) continue;
    std::int64_t below = 0;
    for (std::size_t bucket = 0; bucket < kLatencyBounds.size(); ++bucket) {
      below += counts[bucket];
      page.Append("keywright_request_seconds_bucket{{operation=\"{}\",le=\"{}\"}} {}\n", name,
                  static_cast<double>(kLatencyBounds[bucket]) / 1e6, below);
    }
    page.Append("keywright_request_seconds_bucket{{operation=\"{}\",le=\"+Inf\"}} {}\n", name, all);
    const std::int64_t micros =
        page.Total(i, [](const OperationCounters& c) -> const Counter& { return c.micros; });
    page.Append("keywright_request_seconds_sum{{operation=\"{}\"}} {}\n", name,
                static_cast<double>(micros) / 1e6);
    page.Append("keywright_request_seconds_count{{operation=\"{}\"}} {}\n", name, all);
  }
}

}  // namespace

void LoopMetrics::Record(std::size_t operation, int status, std::chrono::microseconds latency) {
  OperationCounters& counters = by_operation[std::min(operation, by_operation.size() - 1)];
  if (status < 400) {
    counters.succeeded.Add();
  } else if (status < 500) {
    counters.refused.Add();
  } else {
    counters.failed.Add();
  }
  counters.micros.Add(latency.count());
  const auto bound =
      std::lower_bound(kLatencyBounds.begin(), kLatencyBounds.end(), latency.count());
  counters.latencies[static_cast<std::size_t>(bound - kLatencyBounds.begin())].Add();
}

std::string RenderMetrics(std::span<const LoopMetrics* const> loops,
                          std::span<const std::string_view> operations,
                          std::span<const storage::Gauge> store) {
  Page page(loops);
  Requests(page, operations);
  Latencies(page, operations);
  page.Single("connections", "gauge", "Open connections.",
              page.Total(&LoopMetrics::connections_accepted) -
                  page.Total(&LoopMetrics::connections_closed));
  page.Sum("connections_total", "counter", "Connections accepted.",
           &LoopMetrics::connections_accepted);
  page.Sum("connections_refused_total", "counter", "Connections closed at the limit.",
           &LoopMetrics::connections_refused);
  page.Sum("connections_shed_total", "counter", "Connections closed because they were too slow.",
           &LoopMetrics::connections_shed);
  page.Sum("received_bytes_total", "counter", "Bytes read.", &LoopMetrics::bytes_read);
  page.Sum("sent_bytes_total", "counter", "Bytes written.", &LoopMetrics::bytes_written);
  page.Sum("malformed_requests_total", "counter", "Requests refused before they reached the API.",
           &LoopMetrics::malformed);
  page.Single("calls_in_flight", "gauge", "Calls of the API under way.",
              page.Total(&LoopMetrics::calls_started) - page.Total(&LoopMetrics::calls_finished));
  page.Sum("calls_on_pool_total", "counter", "Calls that had to wait for the disk.",
           &LoopMetrics::calls_on_pool);
  page.Sum("requests_waiting", "gauge", "Requests held back until others are done.",
           &LoopMetrics::waiting);
  page.Sum("large_body_bytes", "gauge", "Bytes set aside for large requests and answers.",
           &LoopMetrics::large_bytes);
  page.Single("resident_bytes", "gauge", "Memory of the process.", ResidentBytes());
  for (const storage::Gauge& gauge : store) {
    page.Single(fmt::format("store_{}", gauge.name), "gauge", gauge.help, gauge.value);
  }
  return page.Take();
}

}  // namespace kw::server
