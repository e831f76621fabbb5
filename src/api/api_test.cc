// SPDX-License-Identifier: Apache-2.0
#include "api/api.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/ops/consumed.h"
#include "api/ops/fingerprint.h"
#include "api/ops/item_write.h"
#include "api/ops/table_name.h"
#include "api/ops/wording.h"
#include "data/item_bytes.h"

namespace kw::api {
namespace {

TEST(Operations, AreFoundByTarget) {
  ASSERT_NE(FindOperation("DynamoDB_20120810.PutItem"), nullptr);
  EXPECT_EQ(FindOperation("DynamoDB_20120810.PutItem")->access, Access::kWrite);
  EXPECT_EQ(FindOperation("DynamoDB_20120810.Query")->access, Access::kRead);
  // aws-model: DynamoDB Streams.
  EXPECT_NE(FindOperation("DynamoDBStreams_20120810.GetRecords"), nullptr);
  for (const auto target :
       {"DynamoDB_20120810.GetRecords", "DynamoDBStreams_20120810.PutItem",
        "x.DynamoDB_20120810.PutItem", "PutItem", "DynamoDB_20111205.PutItem", "DynamoDB_20120810.",
        "", "DynamoDB_20120810.putItem", "DynamoDB_20120810.PutItems"}) {
    EXPECT_EQ(FindOperation(target), nullptr) << target;
  }
  for (const OperationInfo& info : Operations()) {
    EXPECT_EQ(FindOperation(std::string(info.target) + std::string(info.name)), &info);
  }
}

TEST(AccessOf, IsWhatTheStatementsDo) {
  const auto access = [](std::string_view operation, std::string_view body) {
    return AccessOf(*FindOperation("DynamoDB_20120810." + std::string(operation)), body);
  };
  EXPECT_EQ(access("PutItem", R"({"Statement":"SELECT"})"), Access::kWrite);
  EXPECT_EQ(access("Query", "{}"), Access::kRead);
  const std::vector<std::pair<std::string_view, Access>> bodies{
      {R"({"Statement":"SELECT * FROM t"})", Access::kRead},
      {R"({"Statement":"\n -- why\n select * FROM t"})", Access::kRead},
      {R"({"Statement":"INSERT INTO t VALUE {'a':'SELECT'}"})", Access::kWrite},
      {R"({"Statement":"SELECTED"})", Access::kWrite},
      {R"({"Statement":"'SELECT'"})", Access::kWrite},
      {R"({"Statement":"SELECT","Statement":"DELETE"})", Access::kWrite},
      {R"({"Statement":["SELECT"]})", Access::kWrite},
      {R"({"Statement":null})", Access::kWrite},
      {R"(["SELECT"])", Access::kWrite},
      {R"({"Statement":"SELECT)", Access::kWrite},
      {"", Access::kWrite},
  };
  for (const auto& [body, expected] : bodies) {
    EXPECT_EQ(access("ExecuteStatement", body), expected) << body;
  }
  for (const auto& [operation, list] : {std::pair("BatchExecuteStatement", "Statements"),
                                        std::pair("ExecuteTransaction", "TransactStatements")}) {
    const auto of = [&](const std::string& statements) {
      return access(operation, R"({")" + std::string(list) + R"(":)" + statements + "}");
    };
    EXPECT_EQ(of(R"([{"Statement":"SELECT 1"},{"Statement":"SELECT 2"}])"), Access::kRead);
    EXPECT_EQ(of(R"([{"Statement":"SELECT 1"},{"Statement":"UPDATE t"}])"), Access::kWrite);
    EXPECT_EQ(of(R"~([{"Statement":"EXISTS(SELECT 1)"}])~"), Access::kWrite);
    EXPECT_EQ(of(R"({"Statement":"SELECT 1"})"), Access::kWrite);
    EXPECT_EQ(of(R"(["SELECT 1"])"), Access::kWrite);
  }
}

TEST(ParseConditionExpression, BoundsTheWorkOfACondition) {
  const auto parse = [](int uses) {
    Placeholders::Input input;
    input.has_values = true;
    input.values.Set(":v", std::string(std::size_t{2} << 20, 'x').substr(10));
    Placeholders placeholders = *Placeholders::Make(std::move(input));
    std::string text = "contains(:v, a)";
    for (int i = 1; i < uses; ++i) text += " OR contains(:v, a)";
    return ParseConditionExpression(Dialect::kItemWrite, text, placeholders);
  };
  EXPECT_TRUE(parse(8));
  const auto refused = parse(9);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with(
      "1 validation error detected: Invalid ConditionExpression: The values are too large"));
}

TEST(RenderError, SpeaksTheServicesJson) {
  struct Case {
    Error error;
    int status;
    std::string body;
  };
  const std::string stored =
      StoreItem(Item::FromEntries({{"a", AttributeValue(std::string("b"))}}));
  const std::vector<Case> cases{
      // aws-doc: Developer Guide, "Error handling with DynamoDB".
      {{ErrorCode::kResourceNotFound, "m", {}},
       400,
       R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"m"})"},
      // observed: the types of the framework's errors.
      {{ErrorCode::kValidation, "m \"q\"", {}},
       400,
       R"({"__type":"com.amazon.coral.validate#ValidationException","message":"m \"q\""})"},
      // assumed: Message with a capital, and nothing at all without a text.
      {{ErrorCode::kSerialization, "m", {}},
       400,
       R"({"__type":"com.amazon.coral.service#SerializationException","Message":"m"})"},
      {{ErrorCode::kUnknownOperation, "", {}},
       400,
       R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
      {{ErrorCode::kInternalServerError, "m", {}},
       500,
       R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"m"})"},
      // aws-model: ConditionalCheckFailedException.
      {{ErrorCode::kConditionalCheckFailed, "m", OldItem{stored}},
       400,
       R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"m",)"
       R"("Item":{"a":{"S":"b"}}})"},
      // aws-model: TransactionCanceledException, CancellationReason.
      {{ErrorCode::kTransactionCanceled, "m",
        std::vector<CancellationReason>{{}, {"ConditionalCheckFailed", "c", stored}}},
       400,
       R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"m",)"
       R"("CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"c",)"
       R"("Item":{"a":{"S":"b"}}}]})"},
      // aws-model: ThrottlingException, ProvisionedThroughputExceededException.
      {{ErrorCode::kThrottling, "m", std::vector<ThrottlingReason>{{"r", "arn"}}},
       400,
       R"({"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"m",)"
       R"("throttlingReasons":[{"reason":"r","resource":"arn"}]})"},
      {{ErrorCode::kProvisionedThroughputExceeded, "m",
        std::vector<ThrottlingReason>{{"r", "arn"}}},
       400,
       R"({"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",)"
       R"("message":"m","ThrottlingReasons":[{"reason":"r","resource":"arn"}]})"},
  };
  for (const Case& c : cases) {
    const Reply reply = RenderError(c.error);
    EXPECT_EQ(reply.status, c.status);
    EXPECT_EQ(reply.body, c.body);
    EXPECT_FALSE(reply.would_block);
  }
  EXPECT_TRUE(RenderError({ErrorCode::kWouldBlock, "", {}}).would_block);
}

TEST(RenderError, IsUtf8WhateverItQuotes) {
  const std::string tail = R"("})";
  EXPECT_TRUE(RenderError(Invalid("No \xff"
                                  " here")
                              .value())
                  .body.ends_with("No ? here" + tail));
  EXPECT_TRUE(RenderError(Invalid("\u00e9").value()).body.ends_with("\u00e9" + tail));
}

TEST(ParseTable, TakesNamesAndArns) {
  const engine::CallContext call{.account = "111111111111", .region = "here"};
  const auto plain = ParseTable("a.b-c_9", call);
  ASSERT_TRUE(plain);
  EXPECT_EQ(*plain, (engine::TableKey{"111111111111", "here", "a.b-c_9"}));
  // aws-doc: "Amazon DynamoDB resources", the form of a table's ARN.
  const auto arn = ParseTable("arn:aws-cn:dynamodb:here:111111111111:table/abc", call);
  ASSERT_TRUE(arn);
  EXPECT_EQ(*arn, (engine::TableKey{"111111111111", "here", "abc"}));
  for (const std::string& bad :
       {std::string("ab"), std::string("a b c"), std::string(256, 'a'), std::string("arn:aws"),
        std::string("arn:aws:s3:::table/abc"), std::string("arn:aws:dynamodb:r:1:table/a"),
        std::string("arn:aws:dynamodb:r:1:table/abc/index/i")}) {
    EXPECT_FALSE(ParseTable(bad, call)) << bad;
  }
}

TEST(ParseTable, LetsNobodyReachAnotherAccountOrRegionByArn) {
  constexpr std::string_view kForeign[] = {"arn:aws:dynamodb:here:222222222222:table/abc",
                                           "arn:aws:dynamodb:there:111111111111:table/abc"};
  engine::CallContext call{.account = "111111111111", .region = "here"};
  for (const auto arn : kForeign) {
    const auto table = ParseTable(arn, call);
    ASSERT_FALSE(table) << arn;
    EXPECT_EQ(table.error().code, ErrorCode::kAccessDenied) << arn;
  }
  // With one set of tables for everybody, an ARN copied from the service means the table here.
  call.arns = engine::ArnScope::kAny;
  for (const auto arn : kForeign) {
    const auto table = ParseTable(arn, call);
    ASSERT_TRUE(table) << arn;
    EXPECT_EQ(*table, (engine::TableKey{"111111111111", "here", "abc"})) << arn;
  }
}

TEST(Fingerprint, KnowsNoOrderOfMembers) {
  JsonParser parser;
  const auto of = [&parser](std::string_view text) {
    return FingerprintOf(*parser.Parse(text), "Token");
  };
  const auto base = of(R"({"a": {"b": "1", "c": [1, 2]}, "Token": "x"})");
  EXPECT_EQ(base, of(R"({"Token": "y", "a": {"c": [1, 2], "b": "1"}, "d": null})"));
  EXPECT_NE(base, of(R"({"a": {"b": "1", "c": [2, 1]}})"));
  EXPECT_NE(base, of(R"({"a": {"b": 1, "c": [1, 2]}})"));
  EXPECT_NE(base, of(R"({"a": {"b": "1", "c": [1, 2], "Token": "x"}})"));
  // Stored beside tokens: a change would make every replay a misuse.
  EXPECT_EQ(base, 17465201875627748197U);
}

TEST(ConsumedCapacity, IsPrintedWithOneDecimal) {
  Capacity capacity;
  capacity.table_read = HalfUnits(1);
  capacity.global["g"].read = HalfUnits(4);
  const auto rendered = [&capacity](ReturnConsumed consumed, CapacityForm form) {
    std::string text;
    JsonWriter out(text);
    WriteConsumedCapacity("t", capacity, consumed, form, out);
    return text;
  };
  // aws-model: ConsumedCapacity, Capacity.
  EXPECT_EQ(rendered(ReturnConsumed::kTotal, CapacityForm::kPlain),
            R"({"TableName":"t","CapacityUnits":2.5})");
  EXPECT_EQ(rendered(ReturnConsumed::kIndexes, CapacityForm::kPlain),
            R"({"TableName":"t","CapacityUnits":2.5,"Table":{"CapacityUnits":0.5},)"
            R"("GlobalSecondaryIndexes":{"g":{"CapacityUnits":2.0}}})");
  EXPECT_EQ(rendered(ReturnConsumed::kTotal, CapacityForm::kTransaction),
            R"({"TableName":"t","CapacityUnits":2.5,"ReadCapacityUnits":2.5})");
}

TEST(CollectionMetrics, IsARangeOfWholeGigabytes) {
  engine::ItemCollection collection{
      .key = Item::FromEntries({{"a", AttributeValue(std::string("b"))}}),
      .size = ByteCount((std::int64_t{3} << 30) + 5)};
  std::string text;
  JsonWriter out(text);
  WriteCollectionMetrics(collection, out);
  // aws-model: ItemCollectionMetrics.
  EXPECT_EQ(text, R"({"ItemCollectionKey":{"a":{"S":"b"}},"SizeEstimateRangeGB":[3.0,4.0]})");
}

TEST(Wording, IsOneTable) {
  const auto message = [](Dialect dialect, Fault fault) {
    return InDialect(dialect, fault, {ErrorCode::kValidation, "m", {}}).message;
  };
  // observed: us-east-1, October 2026.
  EXPECT_EQ(message(Dialect::kItemWrite, Fault::kRequest), "1 validation error detected: m");
  EXPECT_EQ(message(Dialect::kGet, Fault::kRequest), "m");
  EXPECT_EQ(message(Dialect::kQuery, Fault::kSelection), "1 validation error detected: m");
  EXPECT_EQ(message(Dialect::kQuery, Fault::kRequest), "m");
  EXPECT_EQ(message(Dialect::kScanOrBatch, Fault::kSelection), "m");
}

TEST(Wording, LeavesValuesWithoutATypeAlone) {
  const auto message = [](Dialect dialect, std::string_view json) {
    JsonParser parser;
    const auto parsed = ParseItem(dialect, *parser.Parse(json));
    return parsed ? std::string() : parsed.error().message;
  };
  // observed: us-east-1, October 2026.
  const std::string empty = message(Dialect::kItemWrite, R"({"a": {}})");
  EXPECT_EQ(
      empty,
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  EXPECT_EQ(message(Dialect::kItemWrite, R"({"a": {"L": [{"M": {"x": {}}}]}})"), empty);
  EXPECT_EQ(message(Dialect::kItemWrite, R"({"a": {"L": [null]}})"), empty);
  EXPECT_EQ(message(Dialect::kItemWrite, R"({"a": {"S": "x", "N": "1"}})"),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
  const std::string number = message(Dialect::kGet, R"({"a": {"N": "x"}})");
  EXPECT_FALSE(number.empty());
  EXPECT_EQ(message(Dialect::kItemWrite, R"({"a": {"N": "x"}})"),
            "1 validation error detected: " + number);
}

TEST(Wording, NamesTheValueOfAnExpression) {
  JsonParser parser;
  const auto json = *parser.Parse(R"({":a": {"S": ""}, ":b": {"N": "x"}})");
  const auto plain = ParseExpressionValues(Dialect::kQuery, json);
  const auto wrapped = ParseExpressionValues(Dialect::kScanOrBatch, json);
  ASSERT_FALSE(plain);
  ASSERT_FALSE(wrapped);
  // observed: us-east-1, October 2026.
  EXPECT_EQ(wrapped.error().message, "ExpressionAttributeValues contains invalid value: " +
                                         plain.error().message + " for key :b");
}

}  // namespace
}  // namespace kw::api
