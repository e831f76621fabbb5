// SPDX-License-Identifier: Apache-2.0
// Stops the process on our own faults, in every build. Never used on input.
#pragma once

#include <source_location>
#include <string_view>

namespace kw {

[[noreturn]] void CheckFailed(std::string_view claim, const std::source_location& where);

inline void Check(bool holds, std::string_view claim,
                  const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    CheckFailed(claim, where);
}

}  // namespace kw
