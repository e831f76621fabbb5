// SPDX-License-Identifier: Apache-2.0
// What the process says to the shell when it ends.
#pragma once

namespace kw::cli {

enum class ExitCode : int {
  kDone = 0,
  kNo = 1,  // the answer is no
  kWrongUsage = 2,
  kWorldFailed = 3,  // files, ports, disks
};

}  // namespace kw::cli
