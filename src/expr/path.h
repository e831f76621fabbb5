// SPDX-License-Identifier: Apache-2.0
// A document path: a top-level attribute, then map members and list elements. Placeholders are
// already replaced.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "data/attribute_value.h"

namespace kw {

using PathStep = std::variant<std::string, std::uint64_t>;

struct Path {
  std::string attribute;
  std::vector<PathStep> steps;
  friend bool operator==(const Path&, const Path&) = default;
};

// The value at the path; null if any step is missing or of another type.
const AttributeValue* FindPath(const AttributeMap& item, const Path& path);

}  // namespace kw
