// SPDX-License-Identifier: Apache-2.0
// How often the hot calls ask for memory: a count that no other load on the machine changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "api/api.h"
#include "storage/open.h"

namespace {
thread_local std::size_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace kw::api {
namespace {

class AllocationsTest : public ::testing::Test {
 protected:
  AllocationsTest()
      : store_(*storage::Open("memory:", {})),
        catalog_(*engine::Catalog::Load(*store_)),
        engine_{.store = *store_, .catalog = *catalog_, .clock = clock_, .options = {}} {
    Call("CreateTable",
         R"({"TableName":"orders","BillingMode":"PAY_PER_REQUEST","KeySchema":[)"
         R"({"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
         R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
         R"({"AttributeName":"sk","AttributeType":"S"}]})");
    for (int i = 0; i < 10; ++i) Call("PutItem", PutBody(kTenOrders, i, 'x'));
    Call("PutItem", PutBody(kOneOrder, 0, 'x'));
  }

  static constexpr std::string_view kTenOrders = "customer#0123456789";
  static constexpr std::string_view kOneOrder = "customer#9876543210";
  static std::string PutBody(std::string_view partition, int order, char content) {
    return fmt::format(
        R"({{"TableName":"orders","Item":{{"pk":{{"S":"{}"}},)"
        R"("sk":{{"S":"order#2026-11-{}"}},"total":{{"N":"129.95"}},"state":{{"S":"{}"}}}}}})",
        partition, order, std::string(900, content));
  }

  // Of the whole call, its answer included.
  std::size_t Call(const std::string& operation, const std::string& body) {
    const auto target = "DynamoDB_20120810." + operation;
    const Request request{.target = target,
                          .body = body,
                          .call = {.account = "000000000000", .region = "us-east-1", .host = "x"}};
    const auto before = allocations;
    int status = 0;
    Handle(engine_, request, [&status](const Reply& reply) { status = reply.status; });
    const auto made = allocations - before;
    EXPECT_EQ(status, 200) << operation;
    return made;
  }
  // Once the memory that calls keep for the next one is there.
  std::size_t Warm(const std::string& operation, const std::string& body) {
    Call(operation, body);
    return Call(operation, body);
  }

  ManualClock clock_{TimePoint(std::chrono::milliseconds(1'700'000'000'250))};
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<engine::Catalog> catalog_;
  engine::Engine engine_;
};

TEST_F(AllocationsTest, OfGetItemAreFew) {
  EXPECT_LE(Warm("GetItem", R"({"TableName":"orders","Key":{"pk":{"S":"customer#0123456789"},)"
                            R"("sk":{"S":"order#2026-11-3"}}})"),
            6u);
}

TEST_F(AllocationsTest, OfQueryDoNotGrowWithItsItems) {
  const auto query = [&](std::string_view partition) {
    return Warm("Query", R"({"TableName":"orders","KeyConditionExpression":"pk = :pk",)"
                         R"("ExpressionAttributeValues":{":pk":{"S":")" +
                             std::string(partition) + R"("}}})");
  };
  EXPECT_LE(query(kTenOrders), 23u);
  EXPECT_EQ(query(kTenOrders), query(kOneOrder));
}

TEST_F(AllocationsTest, OfPutItemAreFew) {
  Call("PutItem", PutBody(kOneOrder, 0, 'y'));
  EXPECT_LE(Call("PutItem", PutBody(kOneOrder, 0, 'z')), 15u);
}

}  // namespace
}  // namespace kw::api
