// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

namespace kw {

TimePoint SystemClock::Now() const {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace kw
