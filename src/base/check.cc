// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace kw {

void CheckFailed(std::string_view claim, const std::source_location& where) {
  std::fprintf(stderr, "keywright: %s:%u: this must hold and does not: %.*s\n", where.file_name(),
               static_cast<unsigned>(where.line()), static_cast<int>(claim.size()), claim.data());
  std::abort();
}

}  // namespace kw
