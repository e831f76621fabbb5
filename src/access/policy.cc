// SPDX-License-Identifier: Apache-2.0
#include "access/policy.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kw::access {

Policy::Match Policy::Principals::Find(const Caller& caller) const {
  if (everyone || std::ranges::find(arns, caller.arn) != arns.end()) return Match::kCaller;
  if (std::ranges::find(accounts, caller.account) == accounts.end()) return Match::kNone;
  // An account is its root.
  return caller.kind == CallerKind::kRoot ? Match::kCaller : Match::kAccount;
}

Policy::Match Policy::Statement::Concerns(const Caller& caller) const {
  if (!principals) return Match::kCaller;
  const Match match = principals->Find(caller);
  switch (principals_listed) {
    case Listed::kThese: return match;
    case Listed::kAllOthers: break;
  }
  // aws-doc: NotPrincipal. A denial spares a user only where the user's account is named as well.
  const bool spared =
      match == Match::kCaller &&
      (principals->everyone || caller.kind == CallerKind::kRoot ||
       std::ranges::find(principals->accounts, caller.account) != principals->accounts.end());
  const bool named = match != Match::kNone;
  return (effect == Effect::kDeny ? spared : named) ? Match::kNone : Match::kCaller;
}

Answer Policy::Statement::Ask(const Question& question) const {
  if (!actions.test(question.action.place())) return Answer::kNothing;
  const bool found = std::ranges::any_of(resources, [&](const ResourcePattern& pattern) {
    const Pattern& text = question.places == Places::kTold ? pattern.exact : pattern.anywhere;
    return text.Matches(question.resource, question.facts);
  });
  if (found != (resources_listed == Listed::kThese)) return Answer::kNothing;
  const Match match = Concerns(question.caller);
  if (match == Match::kNone) return Answer::kNothing;
  const bool holds = std::ranges::all_of(conditions, [&](const Condition& condition) {
    return condition.Holds(question.facts, effect);
  });
  if (!holds) return Answer::kNothing;
  if (effect == Effect::kDeny) return Answer::kDenied;
  return match == Match::kCaller ? Answer::kAllowed : Answer::kDelegated;
}

Answer Policy::Ask(const Question& question) const {
  Answer answer = Answer::kNothing;
  for (const Statement& statement : statements_) {
    answer = std::max(answer, statement.Ask(question));
    if (answer == Answer::kDenied) break;
  }
  return answer;
}

}  // namespace kw::access
