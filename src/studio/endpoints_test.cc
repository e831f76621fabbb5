// SPDX-License-Identifier: Apache-2.0
#include "studio/endpoints.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "engine/catalog.h"
#include "storage/open.h"

namespace kw::studio {
namespace {

class EndpointsTest : public testing::Test {
 protected:
  api::Reply Ask(const std::string& name, const std::string& body) {
    const std::string path = std::string(kEndpointPrefix) + name;
    api::Reply answer;
    Handle(engine_, {.target = path, .body = body, .call = {}},
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
  EXPECT_EQ(FindEndpoint("item-size"), nullptr);
  EXPECT_EQ(Ask("nothing", "{}").status, 400);
}

// aws-doc: CapacityUnitCalculations, "DynamoDB item sizes and formats"
TEST_F(EndpointsTest, AnItemWeighsItsNamesAndValues) {
  const api::Reply answer = Ask(
      "item-size", R"({"Item":{"pk":{"S":"PLAYER#u1"},"rating":{"N":"1842"},"on":{"BOOL":true}}})");
  EXPECT_EQ(answer.status, 200);
  // 2 + 9, 6 + 3, 2 + 1
  EXPECT_EQ(answer.body,
            R"({"Bytes":23,"BytesMax":409600,)"
            R"("ReadUnits":{"Eventual":0.5,"Strong":1,"Transactional":2},)"
            R"("WriteUnits":{"Standard":1,"Transactional":2},)"
            R"("Attributes":[{"Name":"on","Type":"BOOL","NameBytes":2,"ValueBytes":1},)"
            R"({"Name":"pk","Type":"S","NameBytes":2,"ValueBytes":9},)"
            R"({"Name":"rating","Type":"N","NameBytes":6,"ValueBytes":3}]})");
}

TEST_F(EndpointsTest, AReadCostsByFourKilobytes) {
  EXPECT_EQ(Ask("read-cost", R"({"Bytes":0})").body, R"({"Eventual":0.5,"Strong":1,"Pages":1})");
  EXPECT_EQ(Ask("read-cost", R"({"Bytes":4097})").body, R"({"Eventual":1,"Strong":2,"Pages":1})");
  EXPECT_EQ(Ask("read-cost", R"({"Bytes":10485761})").body,
            R"({"Eventual":1280.5,"Strong":2561,"Pages":11})");
}

TEST_F(EndpointsTest, WrongBodiesAreSaidToBe) {
  EXPECT_NE(Ask("item-size", "{").body.find("SerializationException"), std::string::npos);
  EXPECT_NE(Ask("item-size", "[]").body.find("SerializationException"), std::string::npos);
  EXPECT_NE(Ask("item-size", "{}").body.find("Item is required."), std::string::npos);
  EXPECT_NE(Ask("item-size", R"({"Item":7})").body.find("SerializationException"),
            std::string::npos);
  EXPECT_NE(Ask("item-size", R"({"Item":{"a":{"N":"x"}}})").body.find("ValidationException"),
            std::string::npos);
  for (const char* bytes : {"-1", "1.5", "\"1\"", "null"}) {
    EXPECT_EQ(Ask("read-cost", std::string(R"({"Bytes":)") + bytes + "}").status, 400) << bytes;
  }
}

}  // namespace
}  // namespace kw::studio
