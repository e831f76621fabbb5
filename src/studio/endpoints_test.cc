// SPDX-License-Identifier: Apache-2.0
#include "studio/endpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "access/decision.h"
#include "base/clock.h"
#include "engine/catalog.h"
#include "storage/open.h"

namespace kw::studio {
namespace {

using testing::HasSubstr;

class EndpointsTest : public testing::Test {
 protected:
  api::Reply Ask(const std::string& name, const std::string& body,
                 const access::Principal* principal = nullptr) {
    const std::string path = std::string(kEndpointPrefix) + name;
    api::Reply answer;
    Handle(engine_,
           {.target = path,
            .body = body,
            .call = {.account = "000000000000", .region = "us-east-1", .principal = principal}},
           [&answer](api::Reply reply) { answer = std::move(reply); });
    return answer;
  }

 private:
  std::unique_ptr<storage::Store> store_ = std::move(*storage::Open("memory:", {}));
  std::unique_ptr<engine::Catalog> catalog_ = std::move(*engine::Catalog::Load(*store_));
  SystemClock clock_;
  engine::Engine engine_{.store = *store_, .catalog = *catalog_, .clock = clock_, .options = {}};
};

TEST_F(EndpointsTest, FindsWhatIsListed) {
  for (const api::OperationInfo& info : Endpoints()) {
    EXPECT_EQ(FindEndpoint(std::string(info.target) + std::string(info.name)), &info);
  }
  EXPECT_EQ(FindEndpoint("/studio/v1/"), nullptr);
  EXPECT_EQ(FindEndpoint("/studio/v1/nothing"), nullptr);
  EXPECT_EQ(FindEndpoint("cost-item"), nullptr);
  EXPECT_EQ(Ask("nothing", "{}").status, 400);
}

TEST_F(EndpointsTest, TheCalculatorsAnswer) {
  const api::Reply item =
      Ask("cost-item", R"({"item":{"pk":{"S":"PLAYER#u1"},"on":{"BOOL":true}}})");
  EXPECT_EQ(item.status, 200);
  EXPECT_THAT(item.body, HasSubstr(R"("bytes":14)"));  // 2 + 9, 2 + 1
  EXPECT_THAT(Ask("cost-read", R"({"items":100,"bytes":60,"kind":"query"})").body,
              HasSubstr(R"("units":1)"));
  EXPECT_THAT(Ask("cost-write", R"({"bytes":1025})").body, HasSubstr(R"("units":2)"));
  EXPECT_THAT(Ask("cost-month", R"({"readUnits":10})").body, HasSubstr(R"("region":"us-east-1")"));
}

// A body that carries texts.
std::string Texts(const std::vector<std::pair<std::string, std::string>>& texts) {
  std::string body;
  JsonWriter out(body);
  out.BeginObject();
  for (const auto& [name, text] : texts) out.Member(name, text);
  out.EndObject();
  return body;
}

constexpr const char* kModel = R"(
model: game
entities:
  Player:
    identity: [playerId]
    count: 10
    attributes: {playerId: {type: string}, team: {type: string, values: 3}}
questions:
  one:     {sql: "SELECT * FROM Player WHERE playerId = :playerId"}
  of-team: {sql: "SELECT * FROM Player WHERE team = :team"}
)";
constexpr const char* kDesign = R"(
design: game
tables:
  Game:
    key: {partition: pk}
    indexes: {byTeam: {partition: {attribute: team}, project: all}}
    entities: {Player: {pk: "PLAYER#{playerId}"}}
)";

TEST_F(EndpointsTest, AModelIsCheckedAsText) {
  EXPECT_THAT(Ask("check", Texts({{"model", kModel}, {"design", kDesign}})).body,
              HasSubstr(R"("sound":true,"faults":[],"findings":[])"));
  const api::Reply wrong = Ask("check", Texts({{"model", "model: x\nentitys: {}\n"}}));
  EXPECT_EQ(wrong.status, 200);
  EXPECT_THAT(wrong.body,
              testing::AllOf(HasSubstr(R"("sound":false)"), HasSubstr(R"("line":2,"column":1)"),
                             HasSubstr("Did you mean entities?")));
  EXPECT_EQ(Ask("check", "{}").status, 400);
}

TEST_F(EndpointsTest, AModelIsProvedOnAnEngineOfItsOwn) {
  const api::Reply proof = Ask("prove", Texts({{"model", kModel}, {"design", kDesign}}));
  EXPECT_EQ(proof.status, 200) << proof.body;
  EXPECT_THAT(proof.body, HasSubstr(R"("holds":true)"));
  EXPECT_THAT(proof.body, HasSubstr(R"("question":"of-team","verdict":"proved")"));
  const api::Reply wrong = Ask("prove", Texts({{"model", kModel}, {"design", "design: [1"}}));
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr("design:"));
}

TEST_F(EndpointsTest, HotKeysAreOfATable) {
  EXPECT_EQ(Ask("insights", "{}").status, 400);
  EXPECT_EQ(Ask("insights", R"({"TableName":7})").status, 400);
  const api::Reply answer = Ask("insights", R"({"TableName":"absent"})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(answer.body.find("Requested resource not found: Table: absent not found"),
            answer.body.npos);
}

// The keys of a table are for who may describe its insights.
TEST_F(EndpointsTest, HotKeysAreNotForEverybody) {
  const access::Principal nobody =
      access::UserOf("000000000000", "/", "nobody", "AIDA", std::vector<access::Policy>());
  const api::Reply refused = Ask("insights", R"({"TableName":"absent"})", &nobody);
  EXPECT_THAT(refused.body, HasSubstr("dynamodb:DescribeContributorInsights"));
  EXPECT_THAT(refused.body, HasSubstr("AccessDeniedException"));
  const access::Principal root = access::RootOf("000000000000");
  EXPECT_THAT(Ask("insights", R"({"TableName":"absent"})", &root).body,
              HasSubstr("ResourceNotFoundException"));
}

TEST_F(EndpointsTest, WrongBodiesAreSaidToBe) {
  for (const char* body :
       {"{", "[]", R"({"item":7})", R"({"item":{"a":7}})", R"({"item":{"a":{"S":7}}})"}) {
    EXPECT_THAT(Ask("cost-item", body).body, HasSubstr("SerializationException")) << body;
  }
  for (const char* body : {"{}", R"({"item":{"a":{"N":"x"}}})", R"({"item":{"a":{}}})"}) {
    EXPECT_THAT(Ask("cost-item", body).body, HasSubstr("ValidationException")) << body;
  }
  EXPECT_THAT(Ask("cost-read", R"({"bytes":-1})").body, HasSubstr("bytes must be"));
  EXPECT_EQ(Ask("cost-month", R"({"region":"nowhere"})").status, 400);
}

}  // namespace
}  // namespace kw::studio
