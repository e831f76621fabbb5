// SPDX-License-Identifier: Apache-2.0
// Single values of an attribute, for rows and for parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "modeller/model/model.h"

namespace kw::modeller {

inline bool IsAbsent(const Value& value) { return std::holds_alternative<std::monostate>(value); }

// How many distinct values AnyValue keeps coming back to.
std::size_t EdgeCount(const Attribute& attribute);

// The attribute's example or initial with a number behind it.
Value SerialText(const Attribute& attribute, std::uint64_t serial);

// Another value for each serial number, where the type has so many; nothing where it has not.
std::optional<Value> SerialValue(const Attribute& attribute, std::uint64_t serial);

}  // namespace kw::modeller
