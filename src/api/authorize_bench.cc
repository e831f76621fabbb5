// SPDX-License-Identifier: Apache-2.0
// What authorization costs a call: the same GetItem without callers, by one without policies, and
// by users with policies of the usual kinds. The differences to the first are the cost.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/decision.h"
#include "api/api.h"
#include "base/clock.h"
#include "engine/resource_policy.h"
#include "engine/tables.h"
#include "storage/open.h"

namespace kw::api {
namespace {

constexpr std::string_view kAccount = "111122223333";

class World {
 public:
  World() {
    Call("CreateTable", R"({"TableName":"Orders","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})",
         nullptr);
    Call("PutItem",
         R"({"TableName":"Orders","Item":{"pk":{"S":"ann"},"text":{"S":")" +
             std::string(1000, 'x') + R"("}}})",
         nullptr);
  }

  Reply Call(std::string_view operation, std::string_view body,
             const access::Principal* principal) {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    Reply answer;
    bool answered = false;
    Handle(engine_,
           {.target = target,
            .body = body,
            .call = {.account = std::string(kAccount),
                     .region = "us-east-1",
                     .inline_if_idle = true,
                     .principal = principal,
                     .peer = principal == nullptr ? "" : "10.1.2.3"}},
           [&](Reply reply) {
             answer = std::move(reply);
             answered = true;
           });
    if (!answered) std::abort();  // a store in memory answers an idle caller at once
    return answer;
  }

 private:
  SystemClock clock_;
  std::unique_ptr<storage::Store> store_ = std::move(*storage::Open("memory:", {}));
  std::unique_ptr<engine::Catalog> catalog_ = std::move(*engine::Catalog::Load(*store_));
  engine::Engine engine_{.store = *store_, .catalog = *catalog_, .clock = clock_, .options = {}};
};

access::Principal Ann(std::string_view statement) {
  auto policy = access::Policy::Parse(
      R"({"Version":"2012-10-17","Statement":)" + std::string(statement) + "}",
      access::PolicyKind::kIdentity);
  std::vector<access::Policy> policies;
  policies.push_back(std::move(*policy));
  return access::UserOf(kAccount, "/", "ann", "AIDA", std::move(policies));
}

constexpr std::string_view kGet = R"({"TableName":"Orders","Key":{"pk":{"S":"ann"}}})";

void Get(benchmark::State& state, const std::optional<access::Principal>& principal) {
  World world;
  const access::Principal* caller = principal ? &*principal : nullptr;
  for (auto _ : state) {
    const Reply reply = world.Call("GetItem", kGet, caller);
    if (reply.status != 200) state.SkipWithError("denied");
    benchmark::DoNotOptimize(reply.body.data());
  }
}
BENCHMARK_CAPTURE(Get, no_callers, std::nullopt);
BENCHMARK_CAPTURE(Get, no_policies, access::RootOf(kAccount));
BENCHMARK_CAPTURE(Get, one_table,
                  Ann(R"({"Effect":"Allow","Action":["dynamodb:GetItem","dynamodb:Query"],)"
                      R"("Resource":"arn:aws:dynamodb:*:*:table/Orders"})"));
BENCHMARK_CAPTURE(Get, own_items,
                  Ann(R"({"Effect":"Allow","Action":["dynamodb:GetItem","dynamodb:Query"],)"
                      R"("Resource":["arn:aws:dynamodb:us-east-1:111122223333:table/Orders",)"
                      R"("arn:aws:dynamodb:us-east-1:111122223333:table/Orders/index/*"],)"
                      R"("Condition":{"ForAllValues:StringEquals":)"
                      R"({"dynamodb:LeadingKeys":"${aws:username}"}}})"));

}  // namespace
}  // namespace kw::api
