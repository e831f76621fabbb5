// SPDX-License-Identifier: Apache-2.0
#include "expr/path.h"

namespace kw {

const AttributeValue* FindPath(const AttributeMap& item, const Path& path) {
  const AttributeValue* value = item.Find(path.attribute);
  for (const PathStep& step : path.steps) {
    if (value == nullptr) return nullptr;
    if (const auto* name = std::get_if<std::string>(&step)) {
      const auto* map = value->As<AttributeMap>();
      value = map == nullptr ? nullptr : map->Find(*name);
    } else {
      const auto* list = value->As<List>();
      const std::uint64_t index = std::get<std::uint64_t>(step);
      value = list == nullptr || index >= list->values.size() ? nullptr : &list->values[index];
    }
  }
  return value;
}

}  // namespace kw
