// SPDX-License-Identifier: Apache-2.0
// Time as a parameter: the system's in the server, a hand-turned one in tests.
#pragma once

#include <atomic>
#include <chrono>

namespace kw {

// Milliseconds of Unix time, the resolution of the API's timestamps.
using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint Now() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint Now() const override;
};

// Stands still until it is told to move. Thread-safe.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(TimePoint start) : now_(start) {}
  [[nodiscard]] TimePoint Now() const override { return now_.load(); }
  void Advance(std::chrono::milliseconds by) { now_.store(now_.load() + by); }

 private:
  std::atomic<TimePoint> now_;
};

}  // namespace kw
