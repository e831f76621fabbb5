// SPDX-License-Identifier: Apache-2.0
// Where a read goes on: an opaque text that belongs to one statement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/attribute_value.h"
#include "data/error.h"

namespace kw::partiql {

struct ReadPosition {
  std::uint64_t part = 0;                    // of the reads that the statement is made of
  std::optional<Item> start = std::nullopt;  // the last key of that part's last page
};

std::string EncodeToken(const ReadPosition& position, std::uint64_t statement);
// Errors: Validation, for what is no token and for another statement's.
Result<ReadPosition> DecodeToken(std::string_view token, std::uint64_t statement);

}  // namespace kw::partiql
