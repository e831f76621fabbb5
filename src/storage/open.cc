// SPDX-License-Identifier: Apache-2.0
#include "storage/open.h"

#include <array>

#include "storage/memory/memory_store.h"
#include "storage/rocksdb/rocksdb_store.h"

namespace kw::storage {
namespace {

using OpenResult = Expected<std::unique_ptr<Store>, OpenError>;

struct Backend {
  std::string_view scheme;
  std::string_view form;  // as the user writes it
  OpenResult (*open)(std::string_view rest, const OpenOptions& options);
};

// A new storage engine is one line here.
constexpr std::array kBackends = {
    Backend{"memory", "memory:",
            [](std::string_view /*rest*/, const OpenOptions& options) -> OpenResult {
              return OpenMemory(options);
            }},
    Backend{"rocksdb", "rocksdb:FOLDER",
            [](std::string_view rest, const OpenOptions& options) -> OpenResult {
              return OpenRocksDb(rest, options);
            }},
};

std::string Forms() {
  std::string forms;
  for (const auto& backend : kBackends) {
    if (!forms.empty()) forms += ", ";
    forms += backend.form;
  }
  return forms;
}

}  // namespace

OpenResult Open(std::string_view url, const OpenOptions& options) {
  const auto colon = url.find(':');
  if (colon != std::string_view::npos) {
    for (const auto& backend : kBackends) {
      if (url.substr(0, colon) == backend.scheme) {
        return backend.open(url.substr(colon + 1), options);
      }
    }
  }
  return Unexpected(OpenError{"\"" + std::string(url) +
                              "\" names no storage engine. Write one of: " + Forms() + "."});
}

}  // namespace kw::storage
