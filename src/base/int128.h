// SPDX-License-Identifier: Apache-2.0
// 128-bit integers, which both compilers have and the standard does not name.
#pragma once

namespace kw {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

}  // namespace kw
