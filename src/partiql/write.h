// SPDX-License-Identifier: Apache-2.0
// Statements that write, as the engine's actions.
#pragma once

#include "partiql/partiql.h"

namespace kw::partiql {

// The statement is no SELECT. Errors: ResourceNotFound; Validation, if its WHERE clause does not
// give the key.
Result<engine::TransactWriteAction> ActionOf(const engine::Engine& engine, Command command);

// Carries one out by itself. Errors also: Validation for EXISTS, DuplicateItem for an INSERT.
void Write(engine::Engine& engine, const engine::CallContext& call, Command command,
           engine::Done<Outcome> done);

// What an INSERT's failed condition is called.
inline constexpr std::string_view kDuplicateItemMessage = "Duplicate primary key exists in table";

}  // namespace kw::partiql
