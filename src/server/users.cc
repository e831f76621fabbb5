// SPDX-License-Identifier: Apache-2.0
#include "server/users.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "access/policy.h"
#include "base/bytes.h"
#include "base/json.h"

namespace kw::server {
namespace {

template <class Value>
using Read = Expected<Value, KeyFileError>;

tl::unexpected<KeyFileError> Fault(std::string_view who, std::string_view what) {
  return Unexpected(KeyFileError{fmt::format("{}: {}", who, what)});
}

// The members of one object, of which it must have no others and none twice.
Read<std::vector<JsonObject::Member>> MembersOf(std::string_view who, JsonValue json,
                                                std::initializer_list<std::string_view> names) {
  if (!json.is(JsonType::kObject)) return Fault(who, "a JSON object is expected");
  std::vector<JsonObject::Member> members;
  std::set<std::string_view> seen;
  for (const JsonObject::Member member : json.object()) {
    if (std::ranges::find(names, member.name) == names.end()) {
      return Fault(who, fmt::format("{} is no member that it may have", member.name));
    }
    if (!seen.insert(member.name).second) return Fault(who, fmt::format("{} twice", member.name));
    members.push_back(member);
  }
  return members;
}

const JsonValue* Find(const std::vector<JsonObject::Member>& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &JsonObject::Member::name);
  return found == members.end() ? nullptr : &found->value;
}

// A text that is not empty; nothing if it is absent.
Read<std::optional<std::string>> TextOf(std::string_view who,
                                        const std::vector<JsonObject::Member>& members,
                                        std::string_view name) {
  const JsonValue* json = Find(members, name);
  if (json == nullptr) return std::optional<std::string>();
  if (!json->is(JsonType::kString) || json->string().empty()) {
    return Fault(who, fmt::format("{} is a text", name));
  }
  return std::optional(std::string(json->string()));
}

Read<std::vector<access::Policy>> ParsePolicies(std::string_view who, JsonValue json,
                                                const ReadPolicyFile& read) {
  if (!json.is(JsonType::kArray)) return Fault(who, "Policies is a list");
  std::vector<access::Policy> policies;
  for (const JsonValue one : json.array()) {
    const bool named = one.is(JsonType::kString);
    std::string text;
    if (named) {
      TRY_ASSIGN(text, read(one.string()));
    }
    auto policy = named ? access::Policy::Parse(text, access::PolicyKind::kIdentity)
                        : access::Policy::Parse(one, access::PolicyKind::kIdentity);
    if (!policy) {
      return Fault(
          fmt::format("{}, policy {}", who,
                      named ? std::string(one.string()) : fmt::format("{}", policies.size() + 1)),
          policy.error().message);
    }
    policies.push_back(std::move(*policy));
  }
  return policies;
}

Read<access::Principal> ParsePrincipal(std::string_view who,
                                       const std::vector<JsonObject::Member>& members,
                                       const ReadPolicyFile& read) {
  TRY_ASSIGN(const auto account, TextOf(who, members, "Account"));
  if (account && !IsAccount(*account)) return Fault(who, "an account is 12 digits");
  const std::string_view owner = account ? std::string_view(*account) : kDefaultAccount;
  TRY_ASSIGN(const auto name, TextOf(who, members, "UserName"));
  TRY_ASSIGN(const auto path, TextOf(who, members, "Path"));
  TRY_ASSIGN(const auto id, TextOf(who, members, "UserId"));
  const JsonValue* policies = Find(members, "Policies");
  if (!name) {
    if (path || id || policies != nullptr) {
      return Fault(who, "only a user, who has a UserName, has Path, UserId and Policies");
    }
    return access::RootOf(owner);
  }
  if (path && (!path->starts_with('/') || !path->ends_with('/'))) {
    return Fault(who, "Path begins and ends with /");
  }
  std::optional<std::vector<access::Policy>> parsed;
  if (policies != nullptr) {
    TRY_ASSIGN(parsed, ParsePolicies(who, *policies, read));
  }
  // One that stays the same, and looks like the service's.
  const std::string own_id =
      id.value_or(fmt::format("AIDA{:016X}", StableHash(fmt::format("{}/{}", owner, *name))));
  return access::UserOf(owner, path.value_or("/"), *name, own_id, std::move(parsed));
}

Read<void> ParseAccessKeys(std::string_view who, JsonValue json,
                           const std::shared_ptr<const access::Principal>& principal,
                           KeyRing& keys) {
  if (!json.is(JsonType::kArray)) return Fault(who, "AccessKeys is a list");
  for (const JsonValue one : json.array()) {
    TRY_ASSIGN(const auto members, MembersOf(who, one, {"AccessKeyId", "SecretAccessKey"}));
    TRY_ASSIGN(auto id, TextOf(who, members, "AccessKeyId"));
    TRY_ASSIGN(auto secret, TextOf(who, members, "SecretAccessKey"));
    if (!id || !secret) return Fault(who, "a key has an AccessKeyId and a SecretAccessKey");
    AccessKey key{
        .secret = std::move(*secret), .account = principal->caller.account, .principal = principal};
    if (!keys.emplace(*id, std::move(key)).second) {
      return Fault(who, fmt::format("the key {} was given before", *id));
    }
  }
  return {};
}

Read<KeyRing> ParseUsers(JsonValue document, const ReadPolicyFile& read) {
  TRY_ASSIGN(const auto members, MembersOf("the file", document, {"Users"}));
  const JsonValue* users = Find(members, "Users");
  if (users == nullptr || !users->is(JsonType::kArray)) {
    return Fault("the file", "it has a list of Users");
  }
  KeyRing keys;
  std::set<std::string> arns;
  std::size_t number = 0;
  for (const JsonValue json : users->array()) {
    const std::string who = fmt::format("user {}", ++number);
    TRY_ASSIGN(
        const auto user,
        MembersOf(who, json, {"UserName", "Account", "Path", "UserId", "AccessKeys", "Policies"}));
    TRY_ASSIGN(auto parsed, ParsePrincipal(who, user, read));
    const auto principal = std::make_shared<const access::Principal>(std::move(parsed));
    if (!arns.insert(principal->caller.arn).second) {
      return Fault(who, fmt::format("{} was given before", principal->caller.arn));
    }
    if (const JsonValue* own = Find(user, "AccessKeys")) {
      TRY(ParseAccessKeys(who, *own, principal, keys));
    }
  }
  if (keys.empty()) return Fault("the file", "it holds no key");
  return keys;
}

}  // namespace

Expected<KeyRing, KeyFileError> ParseKeyFile(std::string_view text, const ReadPolicyFile& read) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos || text[start] != '{') return ParseKeys(text);
  JsonParser parser(32);
  const auto document = parser.Parse(text);
  if (!document)
    return Fault("the file", fmt::format("it is no JSON: {}", document.error().message));
  return ParseUsers(*document, read);
}

}  // namespace kw::server
