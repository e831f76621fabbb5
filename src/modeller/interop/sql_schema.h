// SPDX-License-Identifier: Apache-2.0
// CREATE TABLE of PostgreSQL, MySQL and SQLite, with the SELECTs that are asked of the tables.
#pragma once

#include "modeller/interop/formats.h"

namespace kw::modeller {

bool LooksLikeSqlSchema(std::string_view text);
Expected<Blueprint, std::string> ReadSqlSchema(std::string_view text, Notes& notes);

}  // namespace kw::modeller
