// SPDX-License-Identifier: Apache-2.0
// IAM policy documents: parsed strictly, compiled once, evaluated without allocation unless a
// condition or variable asks for more. Hides the elements of the language.
// Source: aws-doc, IAM User Guide, "IAM JSON policy elements reference".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/actions.h"
#include "access/condition.h"
#include "access/facts.h"
#include "access/pattern.h"
#include "base/expected.h"
#include "base/json.h"

namespace kw::access {

// Who calls, as far as a policy can tell callers apart.
enum class CallerKind : std::uint8_t { kUser, kRoot };
struct Caller {
  CallerKind kind = CallerKind::kRoot;
  std::string account;
  std::string arn;
};

// Whether the account and region of ARNs mean anything: not where all callers share one set of
// tables.
enum class Places : std::uint8_t { kTold, kIgnored };

// What is asked of a policy.
struct Question {
  const Caller& caller;
  Action action;
  std::string_view resource;  // ARN
  Places places = Places::kTold;
  const Facts& facts;
};

// Ordered: the highest answer of several statements and policies counts.
enum class Answer : std::uint8_t {
  kNothing,
  kDelegated,  // allowed to the caller's account, which must allow it in turn
  kAllowed,
  kDenied
};

enum class PolicyKind : std::uint8_t { kIdentity, kResource };

struct PolicyError {
  std::string message;  // "Invalid policy document: ..." or "Invalid principal in policy document."
};

class Policy {
 public:
  // Errors: whatever is no policy of this kind. A resource's policy may only name actions that
  // resources have.
  static Expected<Policy, PolicyError> Parse(std::string_view json, PolicyKind kind);
  static Expected<Policy, PolicyError> Parse(JsonValue document, PolicyKind kind);

  [[nodiscard]] Answer Ask(const Question& question) const;

  // What of the call its conditions and variables look at.
  [[nodiscard]] const KeySet& keys() const { return keys_; }

 private:
  enum class Listed : std::uint8_t { kThese, kAllOthers };  // Action or NotAction, and its kin
  enum class Match : std::uint8_t { kNone, kAccount, kCaller };

  struct Principals {
    bool everyone = false;
    std::vector<std::string> accounts;
    std::vector<std::string> arns;
    [[nodiscard]] Match Find(const Caller& caller) const;
  };
  struct ResourcePattern {
    Pattern exact;
    Pattern anywhere;  // the same with any region and account
  };
  struct Statement {
    Effect effect = Effect::kDeny;
    ActionSet actions;
    Listed resources_listed = Listed::kThese;
    std::vector<ResourcePattern> resources;
    std::optional<Principals> principals;  // of a resource's policy
    Listed principals_listed = Listed::kThese;
    std::vector<Condition> conditions;

    [[nodiscard]] Match Concerns(const Caller& caller) const;
    [[nodiscard]] Answer Ask(const Question& question) const;
  };
  class Parser;

  std::vector<Statement> statements_;
  KeySet keys_;
};

}  // namespace kw::access
