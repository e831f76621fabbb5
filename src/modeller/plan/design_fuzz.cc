// SPDX-License-Identifier: Apache-2.0
// Any bytes are a design or have faults; a design prints as one that reads the same, and compiles
// or has faults; a plan's calls hold keys that the plan itself can replay.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "modeller/plan/design.h"
#include "modeller/plan/plan.h"
#include "modeller/plan/replica.h"

namespace kw::modeller {
namespace {

constexpr std::string_view kModel = R"(
model: shop
entities:
  User:
    identity: [userId]
    unique: [email]
    count: 100
    attributes: {userId: {type: string}, email: {type: string}, phone: {type: string, optional: 0.3}}
  Purchase:
    identity: [orderId]
    references: {userId: User}
    per: {User: {average: 12, max: 40000}}
    attributes:
      orderId: {type: string}
      at:      {type: timestamp}
      status:  {type: string, values: [open, shut]}
      level:   {type: integer, min: -5, max: 99}
      total:   {type: decimal, scale: 2, min: 0, max: 999}
questions:
  user:     {sql: "SELECT * FROM User WHERE userId = :userId"}
  email:    {sql: "SELECT * FROM User WHERE email = :email"}
  orders:   {sql: "SELECT * FROM Purchase WHERE userId = :userId AND at >= :at ORDER BY at DESC LIMIT 5"}
  levels:   {sql: "SELECT * FROM Purchase WHERE status = 'open' AND level BETWEEN :low AND :high"}
  hour:     {sql: "SELECT * FROM Purchase WHERE hour(at) = :hour ORDER BY at"}
  prefix:   {sql: "SELECT orderId FROM Purchase WHERE status = :status AND orderId LIKE 'a%'"}
  count:    {sql: "SELECT COUNT(*) FROM Purchase WHERE userId = :userId"}
  both:     {collection: [User, Purchase], by: userId}
)";

void Try(std::string_view text) {
  static const Model* model = [] {
    auto parsed = Model::Parse(kModel);
    Check(parsed.has_value(), "the fuzzer's model is one");
    return new Model(std::move(*parsed));
  }();
  const auto design = Design::Parse(text, *model);
  if (!design) {
    Check(!design.error().empty(), "what is no design says why");
    return;
  }
  const auto printed = design->ToYaml(*model);
  const auto again = Design::Parse(printed, *model);
  Check(again && again->ToYaml(*model) == printed, "a design's text reads back");
  const auto plan = Plan::Compile(*model, *design);
  if (!plan) {
    Check(!plan.error().empty(), "what is no plan says why");
    return;
  }
  const Bindings bindings{{"userId", std::string("u")},
                          {"email", std::string("a@b")},
                          {"at", Timestamp{0}},
                          {"low", kw::Number::FromInteger(-1)},
                          {"high", kw::Number::FromInteger(7)},
                          {"hour", std::string("1970-01-01T00")},
                          {"status", std::string("open")}};
  const Replica empty(*plan);
  for (std::size_t i = 0; i < model->questions().size(); ++i) {
    const auto* path = plan->answers()[i].found();
    if (path == nullptr || std::holds_alternative<ScanPath>(*path)) continue;
    for (const auto& call : plan->CallsOf(i, bindings)) {
      Check(empty.Replay(call).size() == 1, "nothing is one page");
    }
  }
}

}  // namespace
}  // namespace kw::modeller

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kw::modeller::Try(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
