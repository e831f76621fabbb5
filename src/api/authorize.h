// SPDX-License-Identifier: Apache-2.0
// Whether the caller may do what a parsed request asks: each action on each table, index and stream
// that it touches, asked of the policies. Hides what a call tells conditions.
// Errors of all: AccessDenied, in the service's words.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/actions.h"
#include "base/json.h"
#include "engine/operations.h"
#include "engine/resource_policy.h"
#include "engine/streams.h"
#include "engine/tables.h"
#include "partiql/partiql.h"

namespace kw::api {

// Of a call with a principal.
struct Asking {
  const engine::Engine& engine;
  const engine::CallContext& call;
  JsonValue body;  // checked; for the parameters that the engine does not see
};

Result<void> Authorize(const Asking& asking, const engine::GetRequest& request);
Result<void> Authorize(const Asking& asking, const engine::PutRequest& request);
Result<void> Authorize(const Asking& asking, const engine::UpdateRequest& request);
Result<void> Authorize(const Asking& asking, const engine::DeleteRequest& request);
Result<void> Authorize(const Asking& asking, const engine::QueryRequest& request);
Result<void> Authorize(const Asking& asking, const engine::ScanRequest& request);
Result<void> Authorize(const Asking& asking, const std::vector<engine::BatchGetTable>& request);
Result<void> Authorize(const Asking& asking, const std::vector<engine::BatchWriteTable>& request);
// Each item of a transaction counts as its own action.
Result<void> Authorize(const Asking& asking, const std::vector<engine::GetRequest>& request);
Result<void> Authorize(const Asking& asking, const engine::TransactWriteRequest& request);
Result<void> Authorize(const Asking& asking, const partiql::Command& command);
Result<void> Authorize(const Asking& asking, const partiql::TransactionRequest& request);
// Never fails: an entry that is refused takes part with its error.
Result<void> Authorize(const Asking& asking, std::vector<partiql::BatchEntry>& entries);
Result<void> Authorize(const Asking& asking, const engine::DescribeStreamRequest& request);
Result<void> Authorize(const Asking& asking, const engine::ShardIteratorRequest& request);
Result<void> Authorize(const Asking& asking, const engine::GetRecordsRequest& request);
Result<void> Authorize(const Asking& asking, const engine::CreateTableRequest& request);
Result<void> Authorize(const Asking& asking, const engine::PutPolicyRequest& request);
Result<void> Authorize(const Asking& asking, const engine::DeletePolicyRequest& request);
Result<void> Authorize(const Asking& asking, const engine::PolicyTarget& target);

// One action on a table or an index of it, and one on what an account has; `table`, if the request
// names one, says whose.
Result<void> AuthorizeTable(const Asking& asking, access::Action action,
                            const engine::TableKey& table,
                            const std::optional<std::string>& index = std::nullopt);
Result<void> AuthorizeAccount(const Asking& asking, access::Action action,
                              const std::optional<engine::TableKey>& table = std::nullopt);

// Picks the right one of them; an operation whose request says nothing of a table it does not
// compile for, unless the operation's action is one of accounts.
template <class Op>
Result<void> AuthorizeCall(const Asking& asking, typename Op::Request& request) {
  if constexpr (requires { Authorize(asking, request); }) {
    return Authorize(asking, request);
  } else if constexpr (requires { Authorize(asking, request.command); }) {
    return Authorize(asking, request.command);
  } else {
    constexpr access::Action kAction(Op::kName);
    if constexpr (kAction.subject() == access::Subject::kAccount) {
      if constexpr (requires { request.table; }) {
        return AuthorizeAccount(asking, kAction, request.table);
      } else {
        return AuthorizeAccount(asking, kAction);
      }
    } else if constexpr (std::same_as<typename Op::Request, engine::TableKey>) {
      return AuthorizeTable(asking, kAction, request);
    } else if constexpr (requires { request.table, request.index; }) {
      return AuthorizeTable(asking, kAction, request.table, request.index);
    } else if constexpr (requires { request.table; }) {
      return AuthorizeTable(asking, kAction, request.table);
    } else {
      return AuthorizeTable(asking, kAction, request.key);
    }
  }
}

}  // namespace kw::api
