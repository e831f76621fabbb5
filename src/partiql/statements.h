// SPDX-License-Identifier: Apache-2.0
// The statements, and the text of one made into one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "partiql/delete.h"
#include "partiql/exists.h"
#include "partiql/insert.h"
#include "partiql/select.h"
#include "partiql/update.h"

namespace kw::partiql {

struct Statement {
  std::variant<SelectStatement, InsertStatement, UpdateStatement, DeleteStatement, ExistsStatement>
      what;
  std::uint64_t fingerprint = 0;  // of the text: binds a NextToken to it

  [[nodiscard]] bool reads() const { return std::holds_alternative<SelectStatement>(what); }
  // As written: a table's name or its ARN.
  [[nodiscard]] const std::string& table() const;
};

// Whether a statement's text begins as that of a read: without parsing the rest of it.
bool BeginsAsRead(std::string_view text);

// Parameters take the places of question marks, in order.
// Errors: Validation, "Statement wasn't well formed, can't be processed: ...", a wrong number of
// parameters, operands that can never work.
Result<Statement> Parse(std::string_view text, std::vector<AttributeValue> parameters);

}  // namespace kw::partiql
