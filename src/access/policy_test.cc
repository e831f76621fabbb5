// SPDX-License-Identifier: Apache-2.0
#include "access/policy.h"

#include <gtest/gtest.h>

#include <string>

namespace kw::access {
namespace {

std::string ErrorOf(std::string_view json, PolicyKind kind = PolicyKind::kIdentity) {
  const auto policy = Policy::Parse(json, kind);
  return policy ? "parsed" : policy.error().message;
}

TEST(Policy, TheDocumentedFormsParse) {
  for (const auto* json : {
           R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})",
           R"({"Version":"2012-10-17","Id":"x","Statement":[{"Sid":"A","Effect":"Deny",
               "NotAction":["dynamodb:Get*","s3:GetObject"],"NotResource":"arn:aws:dynamodb:*",
               "Condition":{"Bool":{"aws:SecureTransport":false},
               "NumericLessThan":{"dynamodb:LeadingKeys":[1,2.5]}}}]})",
       }) {
    EXPECT_EQ(ErrorOf(json), "parsed") << json;
  }
}

TEST(Policy, WhatItCannotExplainItRefuses) {
  const struct {
    std::string_view json;
    std::string_view error;
  } kCases[] = {
      {"", "it is no JSON."},
      {"[]", "it is no JSON object."},
      {"{}", "it has no Statement."},
      {R"({"Statement":[]})", "it has no Statement."},
      {R"({"Statement":"x"})", "Statement is no list."},
      {R"({"Statement":[1]})", "Statement 1: it is no JSON object."},
      {R"({"Version":"2012-10-18","Statement":[]})", "Version must be 2012-10-17 or 2008-10-17."},
      {R"({"Version":"2012-10-17","Version":"2012-10-17"})", "Version twice."},
      {R"({"Statements":[]})", "it has no element Statements like this."},
      {R"({"Statement":{"Action":"*","Resource":"*"}})", "Statement 1: it has no Effect."},
      {R"({"Statement":{"Effect":"allow","Action":"*","Resource":"*"}})",
       "Statement 1: Effect must be Allow or Deny."},
      {R"({"Statement":{"Effect":"Allow","Resource":"*"}})",
       "Statement 1: it needs either Action or NotAction."},
      {R"({"Statement":{"Effect":"Allow","Action":"*","NotAction":"*","Resource":"*"}})",
       "Statement 1: it needs either Action or NotAction."},
      {R"({"Statement":{"Effect":"Allow","Action":"*"}})",
       "Statement 1: it needs either Resource or NotResource."},
      {R"({"Statement":{"Effect":"Allow","Action":[],"Resource":"*"}})",
       "Statement 1: an action is a text."},
      {R"({"Statement":{"Effect":"Allow","Action":"GetItem","Resource":"*"}})",
       "Statement 1: GetItem is no action such as dynamodb:GetItem."},
      {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"table/a"}})",
       "Statement 1: table/a is no ARN and not *."},
      {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Principal":"*"}})",
       "Statement 1: it has no element Principal."},
      {R"({"Statement":{"Effect":"Allow","Effect":"Deny","Action":"*","Resource":"*"}})",
       "Statement 1: Effect twice."},
      {R"({"Statement":[{"Sid":"A","Effect":"Allow","Action":"*","Resource":"*"},
                        {"Sid":"A","Effect":"Allow","Action":"*","Resource":"*"}]})",
       "Statement 2: the Sid A was given before."},
      {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"X":{"a":"b"}}}})",
       "Statement 1: there is no operator X."},
      {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*",
           "Condition":{"StringEquals":{"a":[]}}}})",
       "Statement 1: StringEquals of a has no values."},
      {R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":[]}})",
       "Statement 1: Condition is no object."},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"arn:${a"}})",
       "Statement 1: arn:${a has a variable without its end."},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(ErrorOf(test.json), "Invalid policy document: " + std::string(test.error))
        << test.json;
  }
}

std::string ResourceErrorOf(std::string_view principal) {
  return ErrorOf(R"({"Statement":{"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*")" +
                     std::string(principal) + "}}",
                 PolicyKind::kResource);
}

TEST(Policy, AResourcesPolicyNamesPrincipals) {
  for (const auto* principal :
       {R"(,"Principal":"*")", R"(,"Principal":{"AWS":"*"})",
        R"(,"Principal":{"AWS":["111122223333","arn:aws:iam::111122223333:root"]})",
        R"(,"NotPrincipal":{"AWS":"arn:aws:iam::111122223333:user/a/b"})",
        R"(,"Principal":{"Service":"redshift.amazonaws.com"})",
        R"(,"Principal":{"AWS":"arn:aws:sts::111122223333:assumed-role/r/s"})"}) {
    EXPECT_EQ(ResourceErrorOf(principal), "parsed") << principal;
  }
  for (const auto* principal :
       {R"(,"Principal":"a")", R"(,"Principal":{})", R"(,"Principal":{"AWS":"1"})",
        R"(,"Principal":{"AWS":"arn:aws:iam::111122223333:user/*"})",
        R"(,"Principal":{"AWS":"arn:aws:iam::1111:user/a"})", R"(,"Principal":{"Aws":"*"})",
        R"(,"Principal":{"AWS":"arn:aws:s3::111122223333:user/a"})",
        R"(,"Principal":{"AWS":"arn:"})", R"(,"Principal":{"AWS":"arn:aws:iam::"})",
        R"(,"Principal":["*"])"}) {
    // observed: hashicorp/terraform-provider-aws issue 42933.
    EXPECT_EQ(ResourceErrorOf(principal), "Invalid principal in policy document.") << principal;
  }
  EXPECT_EQ(ResourceErrorOf(""),
            "Invalid policy document: Statement 1: it needs either Principal or NotPrincipal.");
}

TEST(Policy, AResourcesPolicyNamesActionsThatResourcesHave) {
  // observed: aws-controllers-k8s/dynamodb-controller pull request 176.
  EXPECT_EQ(ErrorOf(R"({"Statement":{"Effect":"Allow","Principal":"*","Resource":"*",
                    "Action":["dynamodb:ListStreams","dynamodb:GetItem","dynamodb:Foo"]}})",
                    PolicyKind::kResource),
            "Invalid policy document: The following action names are invalid: "
            "\"dynamodb:ListStreams\", \"dynamodb:Foo\"");
}

}  // namespace
}  // namespace kw::access
