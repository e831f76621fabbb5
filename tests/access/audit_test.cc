// SPDX-License-Identifier: Apache-2.0
// Plays audit.txt, whose head says how it reads: each case is a call of the API, by a caller with
// policies, on fresh tables.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "access/decision.h"
#include "api/api.h"
#include "base/clock.h"
#include "base/json.h"
#include "engine/engine.h"
#include "storage/open.h"

namespace kw {
namespace {

constexpr std::string_view kOwner = "111122223333";
constexpr std::string_view kStranger = "444455556666";
constexpr std::string_view kTables = "arn:aws:dynamodb:us-east-1:111122223333:table/";

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// Takes what stands before a mark, and the mark.
std::string_view Take(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == text.npos ? text.size() : at + mark.size());
  return Trim(taken);
}

// %Books% is the table's ARN.
std::string Expand(std::string_view text) {
  std::string expanded;
  while (!text.empty()) {
    const std::size_t begin = text.find('%');
    const std::size_t end = begin == text.npos ? begin : text.find('%', begin + 1);
    if (end == text.npos) return expanded.append(text);
    expanded.append(text.substr(0, begin)).append(kTables);
    expanded.append(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
  return expanded;
}

struct Case {
  int line = 0;
  std::string who;
  std::string operation;
  std::string body;
  std::string verdict;
};

struct Audit {
  std::map<std::string, std::string, std::less<>> policies;
  std::vector<std::string> tables;
  std::vector<Case> cases;
};

Audit ReadAudit() {
  Audit audit;
  std::ifstream in(KW_AUDIT);
  EXPECT_TRUE(in.good()) << KW_AUDIT;
  std::vector<std::pair<int, std::string>> statements;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with(' ')) {
      statements.back().second.append(Trim(line));
    } else {
      statements.emplace_back(number, line);
    }
  }
  for (const auto& [number, text] : statements) {
    std::string_view rest = text;
    const std::string_view kind = Take(rest, " ");
    if (kind == "table") {
      audit.tables.emplace_back(rest);
    } else if (kind == "policy") {
      const std::string name(Take(rest, " "));
      EXPECT_TRUE(audit.policies.emplace(name, Expand(rest)).second) << "line " << number;
    } else {
      EXPECT_EQ(kind, "case") << "line " << number;
      Case one;
      one.line = number;
      one.who = Take(rest, "|");
      std::string_view call = Take(rest, " | ");
      one.operation = Take(call, " ");
      one.body = Expand(call);
      one.verdict = Take(rest, "|");
      EXPECT_FALSE(Trim(rest).empty()) << "line " << number << ": why?";
      audit.cases.push_back(std::move(one));
    }
  }
  return audit;
}

std::string Text(JsonValue object, std::string_view name) {
  const auto value = object.object().Find(name);
  return value && value->is(JsonType::kString) ? std::string(value->string()) : std::string();
}

class World {
 public:
  explicit World(const Audit& audit) : audit_(audit) {
    for (const std::string& table : audit.tables) {
      EXPECT_EQ(Call(root_, "CreateTable", table).status, 200) << table;
    }
  }

  api::Reply Call(const access::Principal& principal, const std::string& operation,
                  const std::string& body) {
    std::string target = "DynamoDB_20120810." + operation;
    for (const api::OperationInfo& info : api::Operations()) {
      if (info.name == operation) target = std::string(info.target) + operation;
    }
    std::promise<api::Reply> promise;
    api::Handle(engine_,
                {.target = target,
                 .body = body,
                 .call = {.account = principal.caller.account,
                          .region = "us-east-1",
                          .principal = &principal,
                          .peer = "10.1.2.3",
                          .encrypted = true}},
                [&](api::Reply reply) { promise.set_value(std::move(reply)); });
    return promise.get_future().get();
  }

  // "ann: own-items + table share": a user with policies, and a policy of Books.
  access::Principal Caller(std::string_view who) {
    const std::string_view name = Take(who, ":");
    std::vector<access::Policy> policies;
    while (!who.empty()) {
      std::string_view part = Take(who, "+");
      const bool resource = part.starts_with("table ") || part.starts_with("stream ");
      const std::string_view about = resource ? Take(part, " ") : std::string_view();
      if (part == "nothing") continue;
      const auto policy = audit_.policies.find(part);
      if (policy == audit_.policies.end()) {
        ADD_FAILURE() << "no policy " << part;
        continue;
      }
      if (resource) {
        Attach(about == "table" ? std::string(kTables) + "Books" : StreamArn(), policy->second);
      } else {
        auto parsed = access::Policy::Parse(policy->second, access::PolicyKind::kIdentity);
        EXPECT_TRUE(parsed) << part << ": " << (parsed ? "" : parsed.error().message);
        if (parsed) policies.push_back(std::move(*parsed));
      }
    }
    if (name == "root") return access::RootOf(kOwner);
    if (name == "strange-root") return access::RootOf(kStranger);
    const std::string_view account = name == "bo" ? kStranger : kOwner;
    return access::UserOf(account, "/", name, "AIDA" + std::string(name), std::move(policies));
  }

  std::string StreamArn() {
    const api::Reply reply = Call(root_, "DescribeTable", R"({"TableName":"Books"})");
    JsonParser parser;
    const auto json = parser.Parse(reply.body);
    return Text(*json->object().Find("Table"), "LatestStreamArn");
  }

 private:
  void Attach(const std::string& arn, const std::string& policy) {
    std::string body;
    JsonWriter out(body);
    out.BeginObject();
    out.Member("ResourceArn", arn);
    out.Member("Policy", policy);
    out.Member("ConfirmRemoveSelfResourceAccess", true);
    out.EndObject();
    const api::Reply reply = Call(root_, "PutResourcePolicy", body);
    EXPECT_EQ(reply.status, 200) << reply.body;
  }

  const Audit& audit_;
  const access::Principal root_ = access::RootOf(kOwner);
  const ManualClock clock_{TimePoint(std::chrono::milliseconds(1'780'000'000'000))};  // May 2026
  std::unique_ptr<storage::Store> store_ = std::move(*storage::Open("memory:", {}));
  std::unique_ptr<engine::Catalog> catalog_ = std::move(*engine::Catalog::Load(*store_));
  engine::Engine engine_{.store = *store_, .catalog = *catalog_, .clock = clock_, .options = {}};
};

// What an answer says, in the words of the table: "allow", "allow CODE", or the denial's message.
std::string Said(const api::Reply& reply) {
  JsonParser parser;
  const auto json = parser.Parse(reply.body);
  if (!json || !json->is(JsonType::kObject)) return reply.status == 200 ? "allow" : "no JSON";
  if (reply.status == 200) {
    const auto responses = json->object().Find("Responses");
    if (!responses || !responses->is(JsonType::kArray)) return "allow";
    for (const JsonValue response : responses->array()) {
      const auto error = response.object().Find("Error");
      if (error && Text(*error, "Code") == "AccessDenied") return Text(*error, "Message");
      if (error) return "allow " + Text(*error, "Code");
    }
    return "allow";
  }
  const std::string type = Text(*json, "__type");
  // observed: the type, the status and the member's name of the framework's denials.
  if (type == "com.amazon.coral.service#AccessDeniedException" && reply.status == 400) {
    return Text(*json, "Message");
  }
  return "allow " + type.substr(type.find('#') + 1);
}

// "no identity GetItem table/Books" as the whole sentence. aws-doc: IAM User Guide, "Troubleshoot
// access denied error messages".
std::string Wanted(const access::Principal& principal, std::string_view verdict,
                   const std::string& stream) {
  if (verdict.starts_with("allow")) return std::string(verdict);
  const std::string_view how = Take(verdict, " ");
  const std::string_view kind = Take(verdict, " ");
  const std::string_view action = Take(verdict, " ");
  const std::string why =
      how == "deny"
          ? fmt::format("with an explicit deny in {} {}-based policy",
                        kind == "identity" ? "an" : "a", kind)
          : fmt::format("because no {}-based policy allows the dynamodb:{} action", kind, action);
  std::string resource(verdict);
  if (resource == "STREAM") resource = stream;
  if (resource.starts_with("table/")) resource = std::string(kTables) + resource.substr(6);
  return fmt::format("User: {} is not authorized to perform: dynamodb:{} on resource: {} {}",
                     principal.caller.arn, action, resource, why);
}

TEST(AccessAudit, EveryCaseIsAsTheTableSays) {
  const Audit audit = ReadAudit();
  EXPECT_GE(audit.cases.size(), 120U);
  for (const Case& one : audit.cases) {
    SCOPED_TRACE(fmt::format("{}:{}", KW_AUDIT, one.line));
    World world(audit);
    const access::Principal caller = world.Caller(one.who);
    std::string body = one.body;
    if (const std::size_t at = body.find("STREAM"); at != body.npos) {
      body.replace(at, 6, world.StreamArn());
    }
    // The caller is made first, as its policies belong to the world; the call may delete the table.
    const std::string wanted = Wanted(caller, one.verdict, world.StreamArn());
    EXPECT_EQ(Said(world.Call(caller, one.operation, body)), wanted);
  }
}

}  // namespace
}  // namespace kw
