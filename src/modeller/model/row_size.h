// SPDX-License-Identifier: Apache-2.0
// What is taken for the size of a value about which the model says nothing.
#pragma once

#include <cstdint>

#include "modeller/model/model.h"

namespace kw::modeller {

inline constexpr std::int64_t kAssumedTextBytes = 16;
inline constexpr std::int64_t kAssumedNumberBytes = 6;  // ten digits
inline constexpr std::int64_t kAssumedDocumentBytes = 200;

bool HasAssumedSize(const Attribute& attribute);
std::int64_t AssumedBytes(const Attribute& attribute);

}  // namespace kw::modeller
