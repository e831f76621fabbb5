// SPDX-License-Identifier: Apache-2.0
// The reference model of the storage contract: ordered maps in memory, nothing on disk.
#pragma once

#include <memory>

#include "storage/open.h"
#include "storage/store.h"

namespace kw::storage {

std::unique_ptr<Store> OpenMemory(const OpenOptions& options);

}  // namespace kw::storage
