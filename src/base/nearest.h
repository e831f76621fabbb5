// SPDX-License-Identifier: Apache-2.0
// "Did you mean …?": the known word that a wrong one was meant to be.
#pragma once

#include <span>
#include <string_view>

namespace kw {

// The candidate that is fewest edits away, if that is near enough to be meant; else empty.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace kw
