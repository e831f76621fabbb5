// SPDX-License-Identifier: Apache-2.0
// What a SELECT shows of an item: all of it, attributes, or what paths and sums find in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/operand.h"
#include "expr/projection.h"
#include "partiql/parser.h"

namespace kw::partiql {

class Columns {
 public:
  // "*" | sum { "," sum }
  static Result<Columns> Parse(Parser& parser);

  // The attributes that they need; nothing where all are shown.
  [[nodiscard]] std::optional<Projection> Needed() const;
  // Whether an item cut to the needed attributes is already what they show.
  [[nodiscard]] bool AreAttributes() const { return are_attributes_; }
  // What they show of a stored item, stored.
  [[nodiscard]] std::string Show(std::string stored) const;

 private:
  struct Column {
    Operand value;
    std::string name;
  };
  std::vector<Column> columns_;  // none: all of the item
  bool are_attributes_ = true;
};

}  // namespace kw::partiql
