// SPDX-License-Identifier: Apache-2.0
// The words that cannot stand for an attribute in an expression.
#pragma once

#include <span>
#include <string_view>

namespace kw {

// Whether `name` is reserved, in any case of letters.
// Source: AWS Developer Guide, "Reserved words in DynamoDB".
bool IsReservedWord(std::string_view name);

// All of them, upper case, sorted.
std::span<const std::string_view> ReservedWords();

}  // namespace kw
