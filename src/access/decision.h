// SPDX-License-Identifier: Apache-2.0
// Whether a call is allowed: a caller's policies and the resource's, weighed as IAM weighs them.
// Source: aws-doc, IAM User Guide, "Policy evaluation logic".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy.h"

namespace kw::access {

// Somebody with access keys: an account's root, or a user.
struct Principal {
  Caller caller;
  std::string name;  // of a user; empty for the root
  std::string id;    // aws:userid
  // Absent: everything in the caller's own account is allowed.
  std::optional<std::vector<Policy>> policies;
  KeySet keys;  // of all policies
};

Principal RootOf(std::string_view account);
// `path` begins and ends with a slash. Nothing allowed until there are policies.
Principal UserOf(std::string_view account, std::string_view path, std::string_view name,
                 std::string_view id, std::optional<std::vector<Policy>> policies);

// One action on one resource.
struct Attempt {
  const Principal& principal;
  Action action;
  std::string_view resource;          // ARN
  std::string_view resource_account;  // whose it is
  Places places = Places::kTold;
  const Policy* resource_policy = nullptr;
  const Facts& facts;
};

enum class Verdict : std::uint8_t {
  kAllowed,
  kDeniedByIdentity,
  kDeniedByResource,
  kNotAllowedByIdentity,
  kNotAllowedByResource,
};

// A denial anywhere wins. Within an account either side may allow; between accounts both must.
Verdict Decide(const Attempt& attempt);

// The service's sentence for a verdict that is not kAllowed.
std::string Sentence(const Attempt& attempt, Verdict verdict);

}  // namespace kw::access
