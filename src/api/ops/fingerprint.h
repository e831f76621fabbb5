// SPDX-License-Identifier: Apache-2.0
// What a request says, as one number: to tell the replay of a transaction from another one that
// misuses its token.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json.h"

namespace kw::api {

// Of the members of `object` without `excluded`. The order of members and white space do not count,
// the order of lists does. Stored for as long as the token lives, so it never changes.
std::uint64_t FingerprintOf(JsonValue object, std::string_view excluded);

}  // namespace kw::api
