// SPDX-License-Identifier: Apache-2.0
#include "access/decision.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace kw::access {
namespace {

Answer AskIdentity(const Principal& principal, const Question& question) {
  if (!principal.policies) return Answer::kAllowed;
  Answer answer = Answer::kNothing;
  for (const Policy& policy : *principal.policies) answer = std::max(answer, policy.Ask(question));
  return answer;
}

}  // namespace

Principal RootOf(std::string_view account) {
  return {.caller = {.kind = CallerKind::kRoot,
                     .account = std::string(account),
                     .arn = fmt::format("arn:aws:iam::{}:root", account)},
          .name = {},
          .id = std::string(account),
          .policies = std::nullopt,
          .keys = {}};
}

Principal UserOf(std::string_view account, std::string_view path, std::string_view name,
                 std::string_view id, std::optional<std::vector<Policy>> policies) {
  Principal user{.caller = {.kind = CallerKind::kUser,
                            .account = std::string(account),
                            .arn = fmt::format("arn:aws:iam::{}:user{}{}", account, path, name)},
                 .name = std::string(name),
                 .id = std::string(id),
                 .policies = std::move(policies),
                 .keys = {}};
  if (user.policies) {
    for (const Policy& policy : *user.policies) user.keys.Add(policy.keys());
  }
  return user;
}

Verdict Decide(const Attempt& attempt) {
  const Caller& caller = attempt.principal.caller;
  const bool own = attempt.places == Places::kIgnored || caller.account == attempt.resource_account;
  // aws-doc: API_DeleteResourcePolicy. The root cannot lock itself out.
  if (own && caller.kind == CallerKind::kRoot && attempt.action == Action("DeleteResourcePolicy")) {
    return Verdict::kAllowed;
  }
  const Question question{.caller = caller,
                          .action = attempt.action,
                          .resource = attempt.resource,
                          .places = attempt.places,
                          .facts = attempt.facts};
  const Answer identity = AskIdentity(attempt.principal, question);
  if (identity == Answer::kDenied) return Verdict::kDeniedByIdentity;
  const Answer resource = attempt.resource_policy == nullptr
                              ? Answer::kNothing
                              : attempt.resource_policy->Ask(question);
  if (resource == Answer::kDenied) return Verdict::kDeniedByResource;
  const bool by_identity = identity == Answer::kAllowed;
  if (own) {
    return by_identity || resource == Answer::kAllowed ? Verdict::kAllowed
                                                       : Verdict::kNotAllowedByIdentity;
  }
  if (resource == Answer::kNothing) return Verdict::kNotAllowedByResource;
  return by_identity ? Verdict::kAllowed : Verdict::kNotAllowedByIdentity;
}

// aws-doc: IAM User Guide, "Troubleshoot access denied error messages".
std::string Sentence(const Attempt& attempt, Verdict verdict) {
  const auto why = [&]() -> std::string {
    switch (verdict) {
      case Verdict::kDeniedByIdentity: return "with an explicit deny in an identity-based policy";
      case Verdict::kDeniedByResource: return "with an explicit deny in a resource-based policy";
      case Verdict::kNotAllowedByIdentity:
        return fmt::format("because no identity-based policy allows the dynamodb:{} action",
                           attempt.action.name());
      case Verdict::kNotAllowedByResource:
        return fmt::format("because no resource-based policy allows the dynamodb:{} action",
                           attempt.action.name());
      case Verdict::kAllowed: break;
    }
    return {};
  };
  return fmt::format("User: {} is not authorized to perform: dynamodb:{} on resource: {} {}",
                     attempt.principal.caller.arn, attempt.action.name(), attempt.resource, why());
}

}  // namespace kw::access
