// SPDX-License-Identifier: Apache-2.0
// Any body for any operation: the first line names the operation, one of the streams with their
// target before it ("DynamoDBStreams_20120810.GetRecords"), the rest is the body. Replies must be
// JSON, and nothing may stop the process.
#include <cstddef>
#include <cstdint>
#include <future>
#include <string>
#include <string_view>

#include "api/api.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/json.h"
#include "storage/open.h"

namespace {

struct Service {
  std::unique_ptr<kw::storage::Store> store = *kw::storage::Open("memory:", {});
  std::unique_ptr<kw::engine::Catalog> catalog = *kw::engine::Catalog::Load(*store);
  kw::ManualClock clock{kw::TimePoint(std::chrono::milliseconds(1'780'000'000'000))};
  kw::engine::Engine engine{.store = *store, .catalog = *catalog, .clock = clock, .options = {}};

  kw::api::Reply Call(std::string_view operation, std::string_view body) {
    std::promise<kw::api::Reply> promise;
    const bool whole = operation.starts_with("DynamoDBStreams_20120810.");
    kw::api::Handle(engine,
                    {.target = std::string(whole ? "" : "DynamoDB_20120810.").append(operation),
                     .body = body,
                     .call = {.account = "000000000000", .region = "us-east-1"}},
                    [&promise](kw::api::Reply reply) { promise.set_value(std::move(reply)); });
    return promise.get_future().get();
  }
};

constexpr std::string_view kTable = R"({"TableName": "fuzz",
  "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"},
                           {"AttributeName": "s", "AttributeType": "N"}],
  "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
  "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
  "BillingMode": "PAY_PER_REQUEST"})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = input.find('\n');
  if (line_end == std::string_view::npos) return 0;
  Service service;  // a fresh one: a finding must not depend on what came before
  const auto made = service.Call("CreateTable", kTable);
  kw::Check(made.status == 200, "the fuzzer's table is made");
  const auto put = service.Call(
      "PutItem", R"({"TableName": "fuzz", "Item": {"p": {"S": "p"}, "s": {"N": "1"}}})");
  kw::Check(put.status == 200, "the fuzzer's stream has a record");
  const auto reply = service.Call(input.substr(0, line_end), input.substr(line_end + 1));
  kw::JsonParser parser;
  kw::Check(parser.Parse(reply.body).has_value(), "every reply is JSON");
  return 0;
}
