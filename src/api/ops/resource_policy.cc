// SPDX-License-Identifier: Apache-2.0
#include "api/ops/resource_policy.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "api/ops/table_settings.h"
#include "api/ops/tags.h"
#include "data/limits.h"

namespace kw::api {

Result<engine::PolicyTarget> ParsePolicyTarget(std::string_view arn,
                                               const engine::CallContext& call) {
  engine::PolicyTarget target;
  TRY_ASSIGN(target.table, ParseTaggedResource(arn, call));
  target.arn = arn;
  if (arn.find("/stream/") != std::string_view::npos) target.stream_arn = arn;
  return target;
}

Result<engine::ResourcePolicyPtr> ParseResourcePolicy(std::string_view text) {
  if (text.size() > limits::kResourcePolicyBytesMax) {
    // assumed: the wording; the limit is documented.
    return Invalid(fmt::format("{}Policy document size exceeds the limit of {} bytes",
                               kInvalidParameter, limits::kResourcePolicyBytesMax));
  }
  auto policy = access::Policy::Parse(text, access::PolicyKind::kResource);
  if (!policy) return Invalid(fmt::format("{}{}", kInvalidParameter, policy.error().message));
  return std::make_shared<const engine::ResourcePolicy>(engine::ResourcePolicy{
      .text = std::string(text), .revision = {}, .policy = std::move(*policy)});
}

}  // namespace kw::api
