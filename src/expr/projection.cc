// SPDX-License-Identifier: Apache-2.0
#include "expr/projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "expr/parser.h"
#include "expr/path_set.h"

namespace kw {

Result<Projection> Projection::Parse(std::string_view text, Placeholders& placeholders) {
  TRY_ASSIGN(std::vector<Path> paths, ParsePaths(text, placeholders));
  return Projection(std::move(paths));
}

Result<Projection> Projection::OfAttributes(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) {
    return Invalid(
        fmt::format("One or more parameter values were invalid: Duplicate value in attribute "
                    "name: {}",
                    *twice));
  }
  std::vector<Path> paths;
  paths.reserve(names.size());
  for (std::string& name : names) paths.push_back({std::move(name), {}});
  return Projection(std::move(paths));
}

Item Projection::Apply(const Item& item) const { return Pick(item, paths_); }

}  // namespace kw
