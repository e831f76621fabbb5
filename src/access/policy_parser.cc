// SPDX-License-Identifier: Apache-2.0
// The grammar of policies. What it cannot explain it refuses, as a policy that is half understood
// allows or denies the wrong calls.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "access/policy.h"

namespace kw::access {
namespace {

constexpr std::size_t kDepthMax = 16;  // of the JSON: a policy has about seven
constexpr std::string_view kServicePrefix = "dynamodb:";

PolicyError Fault(std::string_view what) {
  return {fmt::format("Invalid policy document: {}", what)};
}
// observed: hashicorp/terraform-provider-aws issue 42933.
PolicyError PrincipalFault() { return {"Invalid principal in policy document."}; }

bool IsAccount(std::string_view text) {
  return text.size() == 12 && text.find_first_not_of("0123456789") == text.npos;
}

// A value as the text that it is compared as.
std::optional<std::string> TextOf(JsonValue value) {
  switch (value.type()) {
    case JsonType::kString: return std::string(value.string());
    case JsonType::kBool: return value.boolean() ? "true" : "false";
    case JsonType::kInteger: return fmt::format("{}", value.integer());
    case JsonType::kDouble: return fmt::format("{}", value.number());
    case JsonType::kNull:
    case JsonType::kArray:
    case JsonType::kObject: break;
  }
  return std::nullopt;
}

enum class Scalars : std::uint8_t { kText, kAny };
// One value or a list of at least one.
std::optional<std::vector<std::string>> TextsOf(JsonValue json, Scalars scalars) {
  std::vector<std::string> texts;
  const auto add = [&](JsonValue value) {
    if (scalars == Scalars::kText && !value.is(JsonType::kString)) return false;
    auto text = TextOf(value);
    if (text) texts.push_back(std::move(*text));
    return text.has_value();
  };
  if (!json.is(JsonType::kArray)) {
    if (!add(json)) return std::nullopt;
    return texts;
  }
  for (const JsonValue value : json.array()) {
    if (!add(value)) return std::nullopt;
  }
  if (texts.empty()) return std::nullopt;
  return texts;
}

// The ARN with any region and account, if it says both.
std::string Anywhere(std::string_view arn) {
  std::array<std::size_t, 5> colons{};
  std::size_t from = 0;
  for (std::size_t& colon : colons) {
    colon = arn.find(':', from);
    if (colon == arn.npos) return std::string(arn);
    from = colon + 1;
  }
  return fmt::format("{}:*:*{}", arn.substr(0, colons[2]), arn.substr(colons[4]));
}

}  // namespace

class Policy::Parser {
 public:
  Parser(Policy& policy, PolicyKind kind) : policy_(policy), kind_(kind) {}

  Expected<void, PolicyError> ParseDocument(JsonValue json) {
    if (!json.is(JsonType::kObject)) return Unexpected(Fault("it is no JSON object."));
    std::optional<JsonValue> statements;
    std::set<std::string_view> seen;
    for (const auto [name, value] : json.object()) {
      if (!seen.insert(name).second) return Unexpected(Fault(fmt::format("{} twice.", name)));
      if (name == "Version") {
        TRY(ParseVersion(value));
      } else if (name == "Statement") {
        statements = value;
      } else if (name != "Id" || !value.is(JsonType::kString)) {
        return Unexpected(Fault(fmt::format("it has no element {} like this.", name)));
      }
    }
    if (!statements) return Unexpected(Fault("it has no Statement."));
    if (statements->is(JsonType::kObject)) return ParseStatement(*statements);
    if (!statements->is(JsonType::kArray)) return Unexpected(Fault("Statement is no list."));
    for (const JsonValue statement : statements->array()) TRY(ParseStatement(statement));
    if (policy_.statements_.empty()) return Unexpected(Fault("it has no Statement."));
    return {};
  }

 private:
  Expected<void, PolicyError> ParseVersion(JsonValue json) {
    const auto version = TextOf(json);
    if (version == "2012-10-17") {
      variables_ = PatternStyle::Variables::kAny;
    } else if (version != "2008-10-17") {
      return Unexpected(Fault("Version must be 2012-10-17 or 2008-10-17."));
    }
    return {};
  }

  // "Statement 2: ...", counted from 1.
  [[nodiscard]] PolicyError StatementFault(std::string_view what) const {
    return Fault(fmt::format("Statement {}: {}", policy_.statements_.size() + 1, what));
  }

  Expected<void, PolicyError> ParseStatement(JsonValue json) {
    if (!json.is(JsonType::kObject)) return Unexpected(StatementFault("it is no JSON object."));
    Statement statement;
    std::set<std::string_view> seen;
    for (const auto [name, value] : json.object()) {
      if (!seen.insert(name).second) {
        return Unexpected(StatementFault(fmt::format("{} twice.", name)));
      }
      TRY(ParseElement(name, value, statement));
    }
    const auto one_of = [&](std::string_view a, std::string_view b) {
      return seen.contains(a) != seen.contains(b);
    };
    if (!seen.contains("Effect")) return Unexpected(StatementFault("it has no Effect."));
    if (!one_of("Action", "NotAction")) {
      return Unexpected(StatementFault("it needs either Action or NotAction."));
    }
    if (!one_of("Resource", "NotResource")) {
      return Unexpected(StatementFault("it needs either Resource or NotResource."));
    }
    if (kind_ == PolicyKind::kResource && !one_of("Principal", "NotPrincipal")) {
      return Unexpected(StatementFault("it needs either Principal or NotPrincipal."));
    }
    policy_.statements_.push_back(std::move(statement));
    return {};
  }

  Expected<void, PolicyError> ParseElement(std::string_view name, JsonValue value,
                                           Statement& statement) {
    if (name == "Sid") return ParseSid(value);
    if (name == "Effect") return ParseEffect(value, statement);
    if (name == "Action") return ParseActions(value, Listed::kThese, statement);
    if (name == "NotAction") return ParseActions(value, Listed::kAllOthers, statement);
    if (name == "Resource") return ParseResources(value, Listed::kThese, statement);
    if (name == "NotResource") return ParseResources(value, Listed::kAllOthers, statement);
    if (name == "Condition") return ParseConditions(value, statement);
    if (kind_ == PolicyKind::kResource) {
      if (name == "Principal") return ParsePrincipals(value, Listed::kThese, statement);
      if (name == "NotPrincipal") return ParsePrincipals(value, Listed::kAllOthers, statement);
    }
    return Unexpected(StatementFault(fmt::format("it has no element {}.", name)));
  }

  Expected<void, PolicyError> ParseSid(JsonValue json) {
    if (!json.is(JsonType::kString)) return Unexpected(StatementFault("Sid is no text."));
    const std::string_view sid = json.string();
    if (!sid.empty() && !sids_.insert(std::string(sid)).second) {
      return Unexpected(StatementFault(fmt::format("the Sid {} was given before.", sid)));
    }
    return {};
  }

  Expected<void, PolicyError> ParseEffect(JsonValue json, Statement& statement) const {
    const auto effect = TextOf(json);
    if (effect != "Allow" && effect != "Deny") {
      return Unexpected(StatementFault("Effect must be Allow or Deny."));
    }
    statement.effect = effect == "Allow" ? Effect::kAllow : Effect::kDeny;
    return {};
  }

  Expected<void, PolicyError> ParseActions(JsonValue json, Listed listed,
                                           Statement& statement) const {
    const auto names = TextsOf(json, Scalars::kText);
    if (!names) return Unexpected(StatementFault("an action is a text."));
    std::string invalid;
    for (const std::string& name : *names) {
      if (name == "*") {
        statement.actions.set();
        continue;
      }
      const std::size_t colon = name.find(':');
      const bool named = colon != name.npos && colon > 0 && colon + 1 < name.size();
      if (!named && kind_ == PolicyKind::kIdentity) {
        return Unexpected(
            StatementFault(fmt::format("{} is no action such as dynamodb:GetItem.", name)));
      }
      const ActionSet found = ActionsOf(name);
      // A user's policy may speak of other services, and of actions that are yet to come.
      if (kind_ == PolicyKind::kResource && found.none()) {
        invalid += fmt::format("{}\"{}\"", invalid.empty() ? "" : ", ", name);
      }
      statement.actions |= found;
    }
    if (!invalid.empty()) {
      // observed: aws-controllers-k8s/dynamodb-controller pull request 176.
      return Unexpected(Fault(fmt::format("The following action names are invalid: {}", invalid)));
    }
    if (listed == Listed::kAllOthers) statement.actions.flip();
    return {};
  }

  // Those that a name with wildcards means.
  [[nodiscard]] ActionSet ActionsOf(std::string_view name) const {
    ActionSet found;
    KeySet none;
    const PatternStyle style{.wildcards = PatternStyle::Wildcards::kAny,
                             .variables = PatternStyle::Variables::kNone,
                             .letters = PatternStyle::Case::kIgnored};
    const auto pattern = Pattern::Parse(name, style, none);
    for (std::size_t i = 0; i < kActions.size(); ++i) {
      if (kind_ == PolicyKind::kResource && kActions[i].subject == Subject::kAccount) continue;
      if (pattern->Matches(std::string(kServicePrefix).append(kActions[i].name), Facts())) {
        found.set(i);
      }
    }
    return found;
  }

  Expected<void, PolicyError> ParseResources(JsonValue json, Listed listed, Statement& statement) {
    const auto arns = TextsOf(json, Scalars::kText);
    if (!arns) return Unexpected(StatementFault("a resource is a text."));
    const PatternStyle style{.wildcards = PatternStyle::Wildcards::kAny, .variables = variables_};
    for (const std::string& arn : *arns) {
      if (arn != "*" && !arn.starts_with("arn:")) {
        return Unexpected(StatementFault(fmt::format("{} is no ARN and not *.", arn)));
      }
      auto exact = Pattern::Parse(arn, style, policy_.keys_);
      auto anywhere = Pattern::Parse(Anywhere(arn), style, policy_.keys_);
      if (!exact || !anywhere) {
        return Unexpected(StatementFault(fmt::format("{} has a variable without its end.", arn)));
      }
      statement.resources.push_back({std::move(*exact), std::move(*anywhere)});
    }
    statement.resources_listed = listed;
    return {};
  }

  Expected<void, PolicyError> ParsePrincipals(JsonValue json, Listed listed,
                                              Statement& statement) const {
    Principals principals;
    if (json.is(JsonType::kString)) {
      if (json.string() != "*") return Unexpected(PrincipalFault());
      principals.everyone = true;
    } else if (json.is(JsonType::kObject)) {
      TRY(ParsePrincipalKinds(json.object(), principals));
    } else {
      return Unexpected(PrincipalFault());
    }
    statement.principals = std::move(principals);
    statement.principals_listed = listed;
    return {};
  }

  static Expected<void, PolicyError> ParsePrincipalKinds(JsonObject kinds, Principals& principals) {
    std::set<std::string_view> seen;
    for (const auto [kind, value] : kinds) {
      const auto names = TextsOf(value, Scalars::kText);
      if (!names || !seen.insert(kind).second) return Unexpected(PrincipalFault());
      // Nobody who calls here is one of these.
      if (kind == "Service" || kind == "Federated" || kind == "CanonicalUser") continue;
      if (kind != "AWS") return Unexpected(PrincipalFault());
      for (const std::string& name : *names) TRY(AddPrincipal(name, principals));
    }
    if (seen.empty()) return Unexpected(PrincipalFault());
    return {};
  }

  // *, an account, or arn:partition:iam::account:who with no wildcard.
  static Expected<void, PolicyError> AddPrincipal(const std::string& name, Principals& principals) {
    if (name == "*") {
      principals.everyone = true;
      return {};
    }
    if (IsAccount(name)) {
      principals.accounts.push_back(name);
      return {};
    }
    const std::size_t service = name.find(':', 4);
    if (!name.starts_with("arn:") || service == name.npos ||
        name.find_first_of("*?") != name.npos) {
      return Unexpected(PrincipalFault());
    }
    const std::string_view rest = std::string_view(name).substr(service + 1);
    const bool is_iam = rest.starts_with("iam::");
    if (!is_iam && !rest.starts_with("sts::")) return Unexpected(PrincipalFault());
    const std::string_view account = rest.substr(5, 12);
    const std::string_view who = rest.substr(std::min<std::size_t>(17, rest.size()));
    if (!IsAccount(account) || who.size() < 2 || !who.starts_with(':')) {
      return Unexpected(PrincipalFault());
    }
    if (is_iam && who == ":root") {
      principals.accounts.emplace_back(account);
    } else {
      principals.arns.push_back(name);
    }
    return {};
  }

  Expected<void, PolicyError> ParseConditions(JsonValue json, Statement& statement) {
    if (!json.is(JsonType::kObject)) return Unexpected(StatementFault("Condition is no object."));
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const auto [op, tests] : json.object()) {
      if (!tests.is(JsonType::kObject)) {
        return Unexpected(StatementFault(fmt::format("the condition {} is no object.", op)));
      }
      for (const auto [key, value] : tests.object()) {
        const auto values = TextsOf(value, Scalars::kAny);
        if (!values || !seen.emplace(op, key).second) {
          return Unexpected(StatementFault(fmt::format("{} of {} has no values.", op, key)));
        }
        auto condition = Condition::Parse(op, key, *values, variables_, policy_.keys_);
        if (!condition) {
          return Unexpected(StatementFault(fmt::format("{}.", condition.error())));
        }
        statement.conditions.push_back(std::move(*condition));
      }
    }
    return {};
  }

  Policy& policy_;
  const PolicyKind kind_;
  PatternStyle::Variables variables_ = PatternStyle::Variables::kNone;
  std::set<std::string> sids_;
};

Expected<Policy, PolicyError> Policy::Parse(std::string_view json, PolicyKind kind) {
  JsonParser parser(kDepthMax);
  const auto document = parser.Parse(json);
  if (!document) return Unexpected(Fault("it is no JSON."));
  return Parse(*document, kind);
}

Expected<Policy, PolicyError> Policy::Parse(JsonValue document, PolicyKind kind) {
  Policy policy;
  TRY(Parser(policy, kind).ParseDocument(document));
  return policy;
}

}  // namespace kw::access
