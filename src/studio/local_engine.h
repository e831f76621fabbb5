// SPDX-License-Identifier: Apache-2.0
// A database of its own in this process, in memory, for commands that need one for a while. It is
// asked over the API's own JSON: what is proved here is what a client would meet.
#pragma once

#include <memory>

#include "base/expected.h"
#include "modeller/prove/database.h"

namespace kw::studio {

class LocalEngine {
 public:
  // Errors: why there is none, in a sentence.
  static Expected<LocalEngine, std::string> Open();
  ~LocalEngine();
  LocalEngine(LocalEngine&&) noexcept;
  LocalEngine& operator=(LocalEngine&&) noexcept;

  // Waits for the answer. The engine outlives what is returned.
  [[nodiscard]] modeller::Database::Send sender() const;

 private:
  struct Impl;
  explicit LocalEngine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw::studio
