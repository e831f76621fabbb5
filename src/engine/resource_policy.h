// SPDX-License-Identifier: Apache-2.0
// Resource-based policies of tables and streams: kept in the catalog beside what they are about,
// and gone with it. Asked by api/authorize.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"

namespace kw::engine {

// What ExpectedRevisionId says where there must be no policy yet. aws-doc: API_PutResourcePolicy.
inline constexpr std::string_view kNoPolicy = "NO_POLICY";

struct PolicyTarget {
  TableKey table;
  std::string stream_arn = {};  // empty: the table itself
  std::string arn = {};         // as sent, for messages
};

struct PutPolicyRequest {
  PolicyTarget target;
  ResourcePolicyPtr policy;  // its revision is still to be given
  std::optional<std::string> expected = std::nullopt;
  bool may_lock_out = false;  // ConfirmRemoveSelfResourceAccess, for who authorizes
};
struct DeletePolicyRequest {
  PolicyTarget target;
  std::optional<std::string> expected = std::nullopt;
};

// The policy with a revision that `before` (null: none) did not have, or with its revision if it is
// the same policy.
ResourcePolicyPtr WithRevision(const ResourcePolicy& policy, const ResourcePolicyPtr& before,
                               TimePoint now);

// All errors: ResourceNotFound; PolicyNotFound, if the expected revision is not the policy's.
// The first two answer with the policy that stands, or stood until now (null: there was none); they
// block until durable.
Result<ResourcePolicyPtr> PutResourcePolicy(Engine& engine, const PutPolicyRequest& request);
Result<ResourcePolicyPtr> DeleteResourcePolicy(Engine& engine, const DeletePolicyRequest& request);
// Errors also: PolicyNotFound, if there is none.
Result<ResourcePolicyPtr> GetResourcePolicy(const Engine& engine, const CallContext& call,
                                            const PolicyTarget& target);

}  // namespace kw::engine
