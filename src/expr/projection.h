// SPDX-License-Identifier: Apache-2.0
// Projection expressions and AttributesToGet: which parts of an item to return.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/path.h"
#include "expr/placeholders.h"

namespace kw {

class Projection {
 public:
  // Errors: Validation, "Invalid ProjectionExpression: ...".
  static Result<Projection> Parse(std::string_view text, Placeholders& placeholders);
  // AttributesToGet: whole top-level attributes. Errors: Validation, for a double name.
  static Result<Projection> OfAttributes(std::vector<std::string> names);

  [[nodiscard]] Item Apply(const Item& item) const;
  // Sorted, not in the order written.
  [[nodiscard]] const std::vector<Path>& paths() const { return paths_; }

 private:
  explicit Projection(std::vector<Path> paths) : paths_(std::move(paths)) {}
  std::vector<Path> paths_;
};

}  // namespace kw
