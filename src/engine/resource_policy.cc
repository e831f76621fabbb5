// SPDX-License-Identifier: Apache-2.0
#include "engine/resource_policy.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/streams.h"
#include "engine/tables.h"

namespace kw::engine {
namespace {

// assumed: the sentence.
Error PolicyNotFound(const PolicyTarget& target) {
  return {
      ErrorCode::kPolicyNotFound,
      fmt::format("Resource-based policy not found for the provided ResourceArn: {}", target.arn),
      {}};
}

Error StreamNotFound(const PolicyTarget& target) {
  return {ErrorCode::kResourceNotFound,
          fmt::format("Requested resource not found: Stream: {} not found", target.arn),
          {}};
}

// Where a snapshot keeps the target's policy; null: it has no such stream.
ResourcePolicyPtr* PlaceOf(Table& table, const PolicyTarget& target) {
  if (target.stream_arn.empty()) return &table.policy;
  const auto found = std::ranges::find_if(table.streams, [&](const Stream& stream) {
    return StreamArn(table, stream) == target.stream_arn;
  });
  return found == table.streams.end() ? nullptr : &found->policy;
}

using Change = std::function<Result<ResourcePolicyPtr>(const ResourcePolicyPtr& now)>;

Result<void> ChangePolicy(Engine& engine, const PolicyTarget& target, const Change& change) {
  const auto applied =
      engine.catalog.Apply(target.table, [&](const TablePtr& now) -> Result<Catalog::Next> {
        if (!now) return Unexpected(TableNotFound(target.table));
        auto next = std::make_unique<Table>(*now);
        ResourcePolicyPtr* place = PlaceOf(*next, target);
        if (place == nullptr) return Unexpected(StreamNotFound(target));
        TRY_ASSIGN(*place, change(*place));
        return Catalog::Next{std::move(next), {}};
      });
  TRY(applied);
  return {};
}

// aws-doc: API_PutResourcePolicy, API_DeleteResourcePolicy.
bool IsExpected(const std::optional<std::string>& expected, const ResourcePolicyPtr& now) {
  if (!expected) return true;
  return now ? now->revision == *expected : *expected == kNoPolicy;
}

}  // namespace

// Revisions are milliseconds, as the service's look in its documentation.
ResourcePolicyPtr WithRevision(const ResourcePolicy& policy, const ResourcePolicyPtr& before,
                               TimePoint now) {
  if (before && before->text == policy.text) return before;
  std::int64_t revision = now.time_since_epoch().count();
  if (before) {
    std::int64_t last = 0;
    const std::string& text = before->revision;
    std::from_chars(text.data(), text.data() + text.size(), last);
    revision = std::max(revision, last + 1);
  }
  auto next = std::make_shared<ResourcePolicy>(policy);
  next->revision = fmt::format("{}", revision);
  return next;
}

Result<ResourcePolicyPtr> PutResourcePolicy(Engine& engine, const PutPolicyRequest& request) {
  ResourcePolicyPtr put;
  TRY(ChangePolicy(engine, request.target,
                   [&](const ResourcePolicyPtr& now) -> Result<ResourcePolicyPtr> {
                     if (!IsExpected(request.expected, now)) {
                       return Unexpected(PolicyNotFound(request.target));
                     }
                     put = WithRevision(*request.policy, now, engine.clock.Now());
                     return put;
                   }));
  return put;
}

Result<ResourcePolicyPtr> DeleteResourcePolicy(Engine& engine, const DeletePolicyRequest& request) {
  ResourcePolicyPtr before;
  TRY(ChangePolicy(
      engine, request.target, [&](const ResourcePolicyPtr& now) -> Result<ResourcePolicyPtr> {
        const bool expected = !request.expected || (now && now->revision == *request.expected);
        if (!expected) return Unexpected(PolicyNotFound(request.target));
        before = now;
        return ResourcePolicyPtr();
      }));
  return before;
}

Result<ResourcePolicyPtr> GetResourcePolicy(const Engine& engine, const CallContext& call,
                                            const PolicyTarget& target) {
  ResourcePolicyPtr policy;
  if (target.stream_arn.empty()) {
    TRY_ASSIGN(const TablePtr table, FindTable(engine, target.table));
    policy = table->policy;
  } else {
    TRY_ASSIGN(const FoundStream found, FindStream(engine, call, target.stream_arn));
    policy = found.stream().policy;
  }
  if (!policy) return Unexpected(PolicyNotFound(target));
  return policy;
}

}  // namespace kw::engine
