// SPDX-License-Identifier: Apache-2.0
// Streams and time to live through Handle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "api/api.h"
#include "base/json.h"
#include "engine/sweeper.h"
#include "engine/upkeep.h"
#include "storage/open.h"

namespace kw::api {
namespace {

class StreamsApiTest : public ::testing::Test {
 protected:
  StreamsApiTest()
      : store_(*storage::Open("memory:", {})),
        catalog_(*engine::Catalog::Load(*store_)),
        engine_{.store = *store_, .catalog = *catalog_, .clock = clock_, .options = {}} {}

  std::string Call(const std::string& operation, const std::string& body, int status = 200) {
    const bool streams = operation.ends_with("Stream") || operation.ends_with("Streams") ||
                         operation == "GetRecords" || operation == "GetShardIterator";
    const auto target = (streams ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.") + operation;
    std::string answer;
    Handle(engine_,
           {.target = target,
            .body = body,
            .call = {.account = "000000000000", .region = "us-east-1"}},
           [&](Reply reply) {
             EXPECT_EQ(reply.status, status) << operation << body << reply.body;
             answer = std::move(reply.body);
           });
    return answer;
  }
  // Type and message of a refusal.
  std::string Refusal(const std::string& operation, const std::string& body) {
    JsonParser parser;
    const auto answer = Call(operation, body, 400);
    const auto json = parser.Parse(answer);
    if (!json || !json->is(JsonType::kObject)) return answer;
    const auto type = std::string(json->object().Find("__type")->string());
    return type.substr(type.find('#') + 1) + " " +
           std::string(json->object().Find("message")->string());
  }
  void CreateTable() {
    Call("CreateTable",
         R"({"TableName":"abc","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
         R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
         R"("BillingMode":"PAY_PER_REQUEST",)"
         R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})");
  }
  void Upkeep() {
    ASSERT_TRUE(engine::RunUpkeep(engine_, stop_));
    ASSERT_TRUE(engine::RunSweeps(engine_));
  }
  // A member of an answer, as text.
  static std::string Member(const std::string& answer, std::string_view name) {
    JsonParser parser;
    const auto json = parser.Parse(answer);
    const auto member = json ? json->object().Find(name) : std::nullopt;
    return member && member->is(JsonType::kString) ? std::string(member->string()) : "";
  }
  std::string Iterator(const std::string& shard, const std::string& type) {
    return Member(Call("GetShardIterator", fmt::format(R"({{"StreamArn":"{}","ShardId":"{}",)"
                                                       R"("ShardIteratorType":"{}"}})",
                                                       kArn, shard, type)),
                  "ShardIterator");
  }

  const std::string kArn =
      "arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2023-11-14T22:13:20.250";
  const std::string kFirst = "shardId-00000001700000000250-00000000";
  const std::string kSecond = "shardId-00000001700000000250-00000001";
  ManualClock clock_{TimePoint(std::chrono::milliseconds(1'700'000'000'250))};
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<engine::Catalog> catalog_;
  engine::Engine engine_;
  std::atomic<bool> stop_{false};
};

TEST_F(StreamsApiTest, AreListedAndDescribed) {
  CreateTable();
  // aws-model: ListStreamsOutput, DescribeStreamOutput.
  EXPECT_EQ(Call("ListStreams", R"({"TableName":"abc"})"),
            R"({"Streams":[{"StreamArn":")" + kArn +
                R"(","TableName":"abc","StreamLabel":"2023-11-14T22:13:20.250"}]})");
  EXPECT_EQ(Call("DescribeStream", R"({"StreamArn":")" + kArn + R"(","Limit":1})"),
            R"({"StreamDescription":{"StreamArn":")" + kArn +
                R"(","StreamLabel":"2023-11-14T22:13:20.250","StreamStatus":"ENABLED",)"
                R"("StreamViewType":"NEW_AND_OLD_IMAGES","CreationRequestDateTime":1700000000.250,)"
                R"("TableName":"abc","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
                R"("Shards":[{"ShardId":")" +
                kFirst +
                R"(","SequenceNumberRange":{"StartingSequenceNumber":"10000000000000000000001"}}],)"
                R"("LastEvaluatedShardId":")" +
                kFirst + R"("}})");
  Call("UpdateTable", R"({"TableName":"abc","StreamSpecification":{"StreamEnabled":false}})");
  const auto status = [&] {
    const auto answer = Call("DescribeStream", R"({"StreamArn":")" + kArn + R"("})");
    const auto begin = answer.find(R"("StreamStatus":")") + 16;
    return answer.substr(begin, answer.find('"', begin) - begin);
  };
  EXPECT_EQ(status(), "DISABLING");
  Upkeep();
  EXPECT_EQ(status(), "DISABLED");
}

TEST_F(StreamsApiTest, GiveRecords) {
  CreateTable();
  Call("PutItem", R"({"TableName":"abc","Item":{"id":{"S":"Fred"}}})");
  auto answer =
      Call("GetRecords", R"({"ShardIterator":")" + Iterator(kFirst, "TRIM_HORIZON") + R"("})");
  auto shard = kFirst;
  if (answer.starts_with(R"({"Records":[])")) {
    shard = kSecond;
    answer =
        Call("GetRecords", R"({"ShardIterator":")" + Iterator(kSecond, "TRIM_HORIZON") + R"("})");
  }
  const auto sequence = fmt::format("1000000000{}000000000001", shard == kFirst ? "0" : "1");
  const auto id = answer.substr(answer.find(R"("eventID":")") + 11, 32);
  // aws-model: Record, StreamRecord; recorded: SizeBytes.
  EXPECT_EQ(answer.substr(0, answer.find(R"(,"NextShardIterator")")),
            R"({"Records":[{"eventID":")" + id +
                R"(","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb",)"
                R"("awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1700000000,)"
                R"("Keys":{"id":{"S":"Fred"}},"NewImage":{"id":{"S":"Fred"}},"SequenceNumber":")" +
                sequence + R"(","SizeBytes":12,"StreamViewType":"NEW_AND_OLD_IMAGES"}}])");
  EXPECT_FALSE(Member(answer, "NextShardIterator").empty());
}

TEST_F(StreamsApiTest, RefuseInTheServicesWords) {
  CreateTable();
  const auto missing = kArn + "0";
  // observed: SeanRoy/lambda-maven-plugin issue 121; recorded.
  EXPECT_EQ(
      Refusal("DescribeStream", R"({"StreamArn":")" + missing + R"("})"),
      "ResourceNotFoundException Requested resource not found: Stream: " + missing + " not found");
  // assumed: a table that is not there.
  EXPECT_EQ(Refusal("ListStreams", R"({"TableName":"none"})"),
            "ResourceNotFoundException Requested resource not found: Table: none not found");
  const auto iterator = Iterator(kFirst, "LATEST");
  // assumed: the bound is in the documentation, the form that of the framework.
  EXPECT_EQ(Refusal("GetRecords", R"({"ShardIterator":")" + iterator + R"(","Limit":1001})"),
            "ValidationException 1 validation error detected: Value '1001' at 'limit' failed to "
            "satisfy constraint: Member must have value less than or equal to 1000");
  clock_.Advance(std::chrono::minutes(16));
  EXPECT_TRUE(Refusal("GetRecords", R"({"ShardIterator":")" + iterator + R"("})")
                  .starts_with("ExpiredIteratorException "));
  // assumed.
  EXPECT_EQ(Refusal("GetShardIterator", R"({"StreamArn":")" + kArn + R"(","ShardId":")" + kFirst +
                                            R"(","ShardIteratorType":"AT_SEQUENCE_NUMBER"})"),
            "ValidationException SequenceNumber must be specified when ShardIteratorType is "
            "AT_SEQUENCE_NUMBER");
  const auto at = R"({"StreamArn":")" + kArn + R"(","ShardId":")" + kFirst +
                  R"(","ShardIteratorType":"AT_TIMESTAMP")";
  EXPECT_EQ(Refusal("GetShardIterator", at + "}"),
            "ValidationException Timestamp must be specified when ShardIteratorType is "
            "AT_TIMESTAMP");  // assumed
  EXPECT_EQ(Refusal("GetShardIterator", at + R"(,"Timestamp":1700000960.251})"),
            "ValidationException Timestamp must not be in the future");  // assumed
  EXPECT_EQ(Refusal("GetShardIterator", at + R"(,"Timestamp":1e300})"),
            "ValidationException Timestamp must not be in the future");  // assumed
  Call("GetShardIterator", at + R"(,"Timestamp":1700000000.25})");
}

TEST_F(StreamsApiTest, TimeToLiveComesAndGoes) {
  CreateTable();
  const auto describe = [&] { return Call("DescribeTimeToLive", R"({"TableName":"abc"})"); };
  const auto update = [](std::string_view enabled) {
    return fmt::format(R"({{"TableName":"abc","TimeToLiveSpecification":)"
                       R"({{"Enabled":{},"AttributeName":"ttl"}}}})",
                       enabled);
  };
  // aws-model: TimeToLiveDescription, TimeToLiveSpecification.
  EXPECT_EQ(describe(), R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  EXPECT_EQ(Call("UpdateTimeToLive", update("true")),
            R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})");
  EXPECT_EQ(describe(),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLING","AttributeName":"ttl"}})");
  Upkeep();
  EXPECT_EQ(describe(),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}})");
  // observed by users of the service.
  EXPECT_EQ(Refusal("UpdateTimeToLive", update("true")),
            "ValidationException TimeToLive is already enabled");
  Call("PutItem", R"({"TableName":"abc","Item":{"id":{"S":"a"},"ttl":{"N":"1699999999"}}})");
  Upkeep();
  EXPECT_EQ(Call("GetItem", R"({"TableName":"abc","Key":{"id":{"S":"a"}}})"), "{}");
  std::string records;
  for (const auto& shard : {kFirst, kSecond}) {
    records +=
        Call("GetRecords", R"({"ShardIterator":")" + Iterator(shard, "TRIM_HORIZON") + R"("})");
  }
  // aws-doc: "DynamoDB Streams and Time to Live".
  EXPECT_NE(
      records.find(R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"})"),
      std::string::npos);
  Call("UpdateTimeToLive", update("false"));
  Upkeep();
  EXPECT_EQ(describe(), R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
}

}  // namespace
}  // namespace kw::api
