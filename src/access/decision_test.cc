// SPDX-License-Identifier: Apache-2.0
// Callers, accounts and the two kinds of policies. What single calls mean to policies is the audit
// table's matter (tests/access/audit.txt).
#include "access/decision.h"

#include <gtest/gtest.h>

#include <string>

namespace kw::access {
namespace {

constexpr std::string_view kOwner = "111122223333";
constexpr std::string_view kOther = "444455556666";
constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:111122223333:table/Books";

Policy Parsed(std::string_view json, PolicyKind kind) {
  auto policy = Policy::Parse(json, kind);
  EXPECT_TRUE(policy) << (policy ? "" : policy.error().message);
  return std::move(*policy);
}

std::optional<std::vector<Policy>> Statement(std::string_view statement) {
  std::vector<Policy> policies;
  policies.push_back(
      Parsed(R"({"Version":"2012-10-17","Statement":)" + std::string(statement) + "}",
             PolicyKind::kIdentity));
  return policies;
}

constexpr std::string_view kAllowAll = R"({"Effect":"Allow","Action":"*","Resource":"*"})";
constexpr std::string_view kDenyAll = R"({"Effect":"Deny","Action":"*","Resource":"*"})";

Verdict Of(const Principal& principal, std::string_view resource_statement = "",
           Action action = Action("GetItem")) {
  const Facts facts;
  std::optional<Policy> policy;
  if (!resource_statement.empty()) {
    policy =
        Parsed(R"({"Statement":)" + std::string(resource_statement) + "}", PolicyKind::kResource);
  }
  return Decide({.principal = principal,
                 .action = action,
                 .resource = kArn,
                 .resource_account = kOwner,
                 .resource_policy = policy ? &*policy : nullptr,
                 .facts = facts});
}

std::string Resource(std::string_view effect, std::string_view principal) {
  return R"({"Effect":")" + std::string(effect) + R"(",)" + std::string(principal) +
         R"(,"Action":"dynamodb:*","Resource":"*"})";
}
constexpr std::string_view kEveryone = R"("Principal":"*")";
constexpr std::string_view kOwnerAccount = R"("Principal":{"AWS":"111122223333"})";
constexpr std::string_view kOtherAccount =
    R"("Principal":{"AWS":"arn:aws:iam::444455556666:root"})";
constexpr std::string_view kAnn = R"("Principal":{"AWS":"arn:aws:iam::111122223333:user/ann"})";

Principal Ann(std::optional<std::vector<Policy>> policies) {
  return UserOf(kOwner, "/", "ann", "AIDA1", std::move(policies));
}
Principal Stranger(std::optional<std::vector<Policy>> policies) {
  return UserOf(kOther, "/", "bo", "AIDA2", std::move(policies));
}
std::vector<Policy> Nothing() { return {}; }

TEST(Decide, WithoutPoliciesEverythingOfOnesOwnAccount) {
  EXPECT_EQ(Of(RootOf(kOwner)), Verdict::kAllowed);
  EXPECT_EQ(Of(Ann(std::nullopt)), Verdict::kAllowed);
  EXPECT_EQ(Of(Ann(Nothing())), Verdict::kNotAllowedByIdentity);
  EXPECT_EQ(Of(RootOf(kOther)), Verdict::kNotAllowedByResource);
}

TEST(Decide, WithinAnAccountEitherSideAllows) {
  EXPECT_EQ(Of(Ann(Statement(kAllowAll))), Verdict::kAllowed);
  EXPECT_EQ(Of(Ann(Nothing()), Resource("Allow", kAnn)), Verdict::kAllowed);
  EXPECT_EQ(Of(Ann(Nothing()), Resource("Allow", kEveryone)), Verdict::kAllowed);
  EXPECT_EQ(Of(Ann(Statement(kAllowAll)), Resource("Allow", kOtherAccount)), Verdict::kAllowed);
  // aws-doc: an account that is named delegates to its own policies.
  EXPECT_EQ(Of(Ann(Nothing()), Resource("Allow", kOwnerAccount)), Verdict::kNotAllowedByIdentity);
}

TEST(Decide, BetweenAccountsBothMustAllow) {
  EXPECT_EQ(Of(Stranger(Statement(kAllowAll))), Verdict::kNotAllowedByResource);
  EXPECT_EQ(Of(Stranger(Nothing()), Resource("Allow", kEveryone)), Verdict::kNotAllowedByIdentity);
  EXPECT_EQ(Of(Stranger(Statement(kAllowAll)), Resource("Allow", kOtherAccount)),
            Verdict::kAllowed);
  EXPECT_EQ(Of(Stranger(std::nullopt), Resource("Allow", kOtherAccount)), Verdict::kAllowed);
  EXPECT_EQ(Of(RootOf(kOther), Resource("Allow", kOtherAccount)), Verdict::kAllowed);
  EXPECT_EQ(Of(Stranger(Statement(kAllowAll)), Resource("Allow", kAnn)),
            Verdict::kNotAllowedByResource);
}

TEST(Decide, ADenialWins) {
  EXPECT_EQ(Of(Ann(Statement(kDenyAll)), Resource("Allow", kAnn)), Verdict::kDeniedByIdentity);
  EXPECT_EQ(Of(Ann(Statement(kAllowAll)), Resource("Deny", kAnn)), Verdict::kDeniedByResource);
  EXPECT_EQ(Of(Ann(Statement(kAllowAll)), Resource("Deny", kOwnerAccount)),
            Verdict::kDeniedByResource);
  EXPECT_EQ(Of(RootOf(kOwner), Resource("Deny", kEveryone)), Verdict::kDeniedByResource);
  const std::string both = "[" + std::string(kAllowAll) + "," + std::string(kDenyAll) + "]";
  EXPECT_EQ(Of(Ann(Statement(both))), Verdict::kDeniedByIdentity);
}

// aws-doc: API_DeleteResourcePolicy.
TEST(Decide, TheRootCanAlwaysDeleteAPolicy) {
  const std::string deny = Resource("Deny", kEveryone);
  EXPECT_EQ(Of(RootOf(kOwner), deny, Action("DeleteResourcePolicy")), Verdict::kAllowed);
  EXPECT_EQ(Of(Ann(Statement(kAllowAll)), deny, Action("DeleteResourcePolicy")),
            Verdict::kDeniedByResource);
  EXPECT_EQ(Of(RootOf(kOther), deny, Action("DeleteResourcePolicy")), Verdict::kDeniedByResource);
}

// aws-doc: IAM User Guide, "AWS JSON policy elements: NotPrincipal".
TEST(Decide, NotPrincipalSparesTheNamed) {
  const Principal ann = Ann(Statement(kAllowAll));
  const Principal other = UserOf(kOwner, "/", "cy", "AIDA3", Statement(kAllowAll));
  const std::string user_and_account = Resource(
      "Deny", R"("NotPrincipal":{"AWS":["111122223333","arn:aws:iam::111122223333:user/ann"]})");
  EXPECT_EQ(Of(ann, user_and_account), Verdict::kAllowed);
  EXPECT_EQ(Of(other, user_and_account), Verdict::kDeniedByResource);
  EXPECT_EQ(
      Of(ann, Resource("Deny", R"("NotPrincipal":{"AWS":"arn:aws:iam::111122223333:user/ann"})")),
      Verdict::kDeniedByResource);
}

// Where all share one set of tables, a policy copied from another place means these tables.
TEST(Decide, PlacesMayMeanNothing) {
  const Principal ann = Ann(Statement(
      R"({"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:eu-west-1:999999999999:table/Books"})"));
  EXPECT_EQ(Of(ann), Verdict::kNotAllowedByIdentity);
  const Facts facts;
  const Attempt attempt{.principal = ann,
                        .action = Action("GetItem"),
                        .resource = kArn,
                        .resource_account = kOther,
                        .places = Places::kIgnored,
                        .facts = facts};
  EXPECT_EQ(Decide(attempt), Verdict::kAllowed);
}

// aws-doc: IAM User Guide, "Troubleshoot access denied error messages".
TEST(Sentence, NamesCallerActionResourceAndReason) {
  const Facts facts;
  const Principal ann = UserOf(kOwner, "/team/", "ann", "AIDA1", Nothing());
  const Attempt attempt{.principal = ann,
                        .action = Action("GetItem"),
                        .resource = kArn,
                        .resource_account = kOwner,
                        .facts = facts};
  const std::string who =
      "User: arn:aws:iam::111122223333:user/team/ann is not authorized to perform: "
      "dynamodb:GetItem on resource: " +
      std::string(kArn);
  EXPECT_EQ(Sentence(attempt, Verdict::kNotAllowedByIdentity),
            who + " because no identity-based policy allows the dynamodb:GetItem action");
  EXPECT_EQ(Sentence(attempt, Verdict::kNotAllowedByResource),
            who + " because no resource-based policy allows the dynamodb:GetItem action");
  EXPECT_EQ(Sentence(attempt, Verdict::kDeniedByIdentity),
            who + " with an explicit deny in an identity-based policy");
  EXPECT_EQ(Sentence(attempt, Verdict::kDeniedByResource),
            who + " with an explicit deny in a resource-based policy");
}

}  // namespace
}  // namespace kw::access
