// SPDX-License-Identifier: Apache-2.0
#include "api/shapes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/api.h"
#include "api/ops/batch_get_item.h"
#include "api/ops/batch_write_item.h"
#include "api/ops/get_item.h"
#include "api/ops/item_shapes.h"
#include "api/ops/put_item.h"
#include "api/ops/query.h"
#include "api/ops/scan.h"
#include "api/ops/transact_write_items.h"

namespace kw::api {
namespace {

struct Case {
  const Shape& shape;
  std::string body;
  std::string message;  // empty: nothing is wrong
};

std::string MessageOf(const Shape& shape, const std::string& body, ErrorCode code) {
  JsonParser parser;
  const auto json = parser.Parse(body);
  EXPECT_TRUE(json.has_value()) << body;
  const auto checked = CheckShape(shape, *json);
  if (checked) return {};
  EXPECT_EQ(checked.error().code, code) << body;
  return checked.error().message;
}

// The texts for wrong JSON types: assumed, but where it says observed.
TEST(CheckShape, RefusesWrongJsonTypes) {
  const std::vector<Case> cases{
      {kGetItemInput, R"({"TableName": 1})", "NUMBER_VALUE cannot be converted to String"},
      {kGetItemInput, R"({"TableName": true})", "TRUE_VALUE cannot be converted to String"},
      {kGetItemInput, R"({"TableName": false})", "FALSE_VALUE cannot be converted to String"},
      {kGetItemInput, R"({"TableName": {}})",
       "Start of structure or map found where not expected."},
      {kGetItemInput, R"({"TableName": []})",
       "Unrecognized collection type class java.lang.String"},
      {kGetItemInput, R"({"ConsistentRead": "x"})", "STRING_VALUE cannot be converted to Boolean"},
      // observed: dynamodb-toolbox issue 502
      {kQueryInput, R"({"Limit": "1"})", "STRING_VALUE cannot be converted to Integer"},
      {kGetItemInput, R"({"Key": "x"})", "Unexpected field type"},
      // observed: JuliaCloud/AWS.jl issue 246
      {kGetItemInput, R"({"Key": []})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {kGetItemInput, R"({"Key": {"a": "x"}})", "Unexpected value type in payload"},
      {kGetItemInput, R"({"Key": {"a": ["x"]}})",
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {kGetItemInput, R"({"Key": {"a": {"S": 1}}})", "NUMBER_VALUE cannot be converted to String"},
      {kGetItemInput, R"({"Key": {"a": {"N": 1}}})", "NUMBER_VALUE cannot be converted to String"},
      {kGetItemInput, R"({"Key": {"a": {"SS": "x"}}})", "Unexpected field type"},
      {kGetItemInput, R"({"Key": {"a": {"L": [{"M": {"b": {"BOOL": "x"}}}]}}})",
       "STRING_VALUE cannot be converted to Boolean"},
      {kGetItemInput, R"({"Key": {"a": {"B": 1}}})",
       "only base-64-encoded strings are convertible to bytes"},
      {kGetItemInput, R"({"Key": {"a": {"B": "abc"}}})",
       "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
      {kGetItemInput, R"({"Key": {"a": {"B": "a*bc"}}})", "Invalid Base64 character: '*'"},
      {kGetItemInput, R"({"Key": {"a": {"BS": ["ab=="]}}})",
       "Invalid last non-whitespace character detected"},
      {kGetItemInput, R"({"Key": {"a": {"B": "===="}}})", "Invalid Base64 character: '='"},
      {kGetItemInput, R"([])",
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.GetItemInput"},
      {kGetItemInput, R"(1)", "Unexpected value type in payload"},
      {kGetItemInput, R"(null)", "Unexpected value type in payload"},
      // A wrong type counts before every constraint.
      {kGetItemInput, R"({"ReturnConsumedCapacity": "x", "ConsistentRead": 1})",
       "NUMBER_VALUE cannot be converted to Boolean"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(MessageOf(c.shape, c.body, ErrorCode::kSerialization), c.message) << c.body;
  }
}

TEST(CheckShape, CollectsFaultsOfConstraint) {
  const std::string key = R"("Key": {"a": {"S": "b"}})";
  const std::vector<Case> cases{
      // aws-doc: Developer Guide, "Error handling with DynamoDB"; the forms are the framework's.
      {kGetItemInput, "{" + key + "}",
       "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: "
       "Member "
       "must not be null"},
      {kGetItemInput, R"({"TableName": null, "Key": null})",
       "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: "
       "Member "
       "must not be null; Value null at 'key' failed to satisfy constraint: Member must not be "
       "null"},
      // assumed: since TableName may be an ARN, its shape begins at one character.
      {kGetItemInput, R"({"TableName": "", )" + key + "}",
       "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member "
       "must have length greater than or equal to 1"},
      // aws-model: ReturnConsumedCapacity; the order of the values is assumed.
      {kGetItemInput, R"({"TableName": "abc", "ReturnConsumedCapacity": "ALL", )" + key + "}",
       "1 validation error detected: Value 'ALL' at 'returnConsumedCapacity' failed to satisfy "
       "constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"},
      // aws-model: ReturnValue; the order of the values is assumed.
      {kPutItemInput, R"({"TableName": "abc", "ReturnValues": "X", "Item": {}})",
       "1 validation error detected: Value 'X' at 'returnValues' failed to satisfy constraint: "
       "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"},
      // aws-model: PositiveIntegerObject, IndexName; assumed: the pattern comes before the length.
      {kQueryInput, R"({"TableName": "abc", "Limit": 0, "IndexName": "a!"})",
       "3 validation errors detected: Value 'a!' at 'indexName' failed to satisfy constraint: "
       "Member "
       "must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a!' at 'indexName' failed "
       "to satisfy constraint: Member must have length greater than or equal to 3; Value '0' at "
       "'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
      {kScanInput, R"({"TableName": "abc", "Segment": -1, "TotalSegments": 1000001})",
       "2 validation errors detected: Value '1000001' at 'totalSegments' failed to satisfy "
       "constraint: Member must have value less than or equal to 1000000; Value '-1' at 'segment' "
       "failed to satisfy constraint: Member must have value greater than or equal to 0"},
      // aws-model: AttributeNameList.
      {kGetItemInput, R"({"TableName": "abc", "AttributesToGet": [], )" + key + "}",
       "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: "
       "Member must have length greater than or equal to 1"},
      // assumed: the form for elements of containers.
      {kBatchGetItemInput, R"({"RequestItems": {"t": {"Keys": []}}})",
       "1 validation error detected: Value '[]' at 'requestItems.t.member.keys' failed to satisfy "
       "constraint: Member must have length greater than or equal to 1"},
      {kBatchWriteItemInput, R"({"RequestItems": {"t": []}})",
       "1 validation error detected: Value '{t=[]}' at 'requestItems' failed to satisfy "
       "constraint: "
       "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
       "Member "
       "must have length greater than or equal to 1]"},
      {kBatchWriteItemInput,
       R"({"RequestItems": {"t": [{"DeleteRequest": {"Key": {}}}, {"PutRequest": {}}]}})",
       "1 validation error detected: Value null at "
       "'requestItems.t.member.2.member.putRequest.item' "
       "failed to satisfy constraint: Member must not be null"},
      {kTransactWriteItemsInput, R"({"TransactItems": [{"Update": {"Key": {}, "TableName": ""}}]})",
       "2 validation errors detected: Value null at "
       "'transactItems.1.member.update.updateExpression' failed to satisfy constraint: Member must "
       "not be null; Value '' at 'transactItems.1.member.update.tableName' failed to satisfy "
       "constraint: Member must have length greater than or equal to 1"},
      {kTransactWriteItemsInput, R"({"TransactItems": []})",
       "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
       "Member must have length greater than or equal to 1"},
      {kQueryInput, R"({"TableName": "abc", "KeyConditions": {"a": {}}})",
       "1 validation error detected: Value null at 'keyConditions.a.member.comparisonOperator' "
       "failed to satisfy constraint: Member must not be null"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(MessageOf(c.shape, c.body, ErrorCode::kValidation), c.message) << c.body;
  }
}

TEST(CheckShape, LetsPassWhatTheServiceLetsPass) {
  const std::vector<std::string> bodies{
      R"({"TableName": "abc", "Key": {}, "Unknown": {"a": [1]}})",
      R"({"TableName": "abc", "Key": {"a": {"X": 1, "S": null}}})",
      R"({"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/abc", "Key": {}})",
      R"({"TableName": 1, "TableName": "abc", "Key": {}})",
  };
  EXPECT_EQ(MessageOf(kGetItemInput, bodies[0], ErrorCode::kValidation), "");
  EXPECT_EQ(MessageOf(kGetItemInput, bodies[1], ErrorCode::kValidation), "");
  EXPECT_EQ(MessageOf(kGetItemInput, bodies[2], ErrorCode::kValidation), "");
  EXPECT_NE(MessageOf(kGetItemInput, bodies[3], ErrorCode::kSerialization), "");
}

TEST(CheckShape, CountsLengthsInUtf16Units) {
  constexpr Shape kTwo{.kind = ShapeKind::kString, .name = "Two", .min = 2, .max = 2};
  EXPECT_EQ(MessageOf(kTwo, R"("\ud83d\ude00")", ErrorCode::kValidation), "");  // one character
  EXPECT_EQ(MessageOf(kTwo, "\"\xC3\xA4\xC3\xA4\"", ErrorCode::kValidation), "");
  EXPECT_NE(MessageOf(kTwo, "\"\xC3\xA4\"", ErrorCode::kValidation), "");
}

TEST(CheckShape, ReportsTenFaultsAtMost) {
  std::string body = R"({"TransactItems": [)";
  for (int i = 0; i < 12; ++i) body += std::string(i == 0 ? "" : ",") + R"({"Put": {"Item": {}}})";
  body += "]}";
  // assumed: ten.
  EXPECT_TRUE(MessageOf(kTransactWriteItemsInput, body, ErrorCode::kValidation)
                  .starts_with("10 validation errors detected: "));
}

constexpr std::array<ShapeMember, 3> kSmallMembers{{
    {"TableName", &kTableArn, kRequired},
    {"Key", &kItemMap},
    {"ConsistentRead", &kBoolean},
}};
constexpr Shape kSmall{.kind = ShapeKind::kStructure, .name = "Small", .members = kSmallMembers};

TEST(Fields, FindsTheLastOfAMemberAndTakesNullForAbsent) {
  JsonParser parser;
  const auto json = parser.Parse(
      R"({"TableName": "a", "x": 1, "TableName": "b", "ConsistentRead": true, "ConsistentRead": null})");
  const Fields<kSmall> fields(*json);
  EXPECT_EQ(fields.Get<"TableName">().string(), "b");
  EXPECT_FALSE(fields.Boolean<"ConsistentRead">());
  EXPECT_FALSE(fields.Has<"Key">());
  EXPECT_EQ(fields.count(), 1);
}

TEST(CheckShape, ShowsAtMost64KbOfAValue) {
  std::string body = R"({"RequestItems": {"t": [)";
  for (int i = 0; i < 10'000; ++i) {
    body += R"({"DeleteRequest": {"Key": {")" + std::string(20, 'x') + R"(": {"S": "a"}}}},)";
  }
  body.back() = ']';
  body += "}}";
  const auto message = MessageOf(kBatchWriteItemInput, body, ErrorCode::kValidation);
  EXPECT_TRUE(message.starts_with(
      "1 validation error detected: Value '{t=[com.amazonaws.dynamodb.v20120810.WriteRequest@"));
  EXPECT_GT(message.size(), std::size_t{60} << 10);
  EXPECT_LT(message.size(), std::size_t{70} << 10);

  // A character is whole or not there.
  std::string name = "!";
  while (name.size() < (std::size_t{1} << 20)) name += "\xE2\x82\xAC";
  const auto cut = MessageOf(kQueryInput, R"({"TableName": "abc", "IndexName": ")" + name + "\"}",
                             ErrorCode::kValidation);
  EXPECT_LT(cut.size(), std::size_t{140} << 10);  // two faults, each with the value
  EXPECT_TRUE(IsUtf8(cut));
}

// assumed, all: that a number which an Integer or a Long does not hold is refused, and how.
TEST(CheckShape, RefusesNumbersBeyondTheirType) {
  const auto limit = [](const std::string& number) {
    return MessageOf(kQueryInput, R"({"TableName": "abc", "Limit": )" + number + "}",
                     ErrorCode::kSerialization);
  };
  const std::string refusal = "NUMBER_VALUE cannot be converted to Integer";
  EXPECT_EQ(limit("2147483647"), "");
  EXPECT_EQ(limit("2147483648"), refusal);
  EXPECT_EQ(limit("2147483647.9"), "");
  EXPECT_EQ(limit("-2147483649"), refusal);
  EXPECT_EQ(limit("9223372036854775808"), refusal);
  EXPECT_EQ(limit("123456789012345678901234567890"), refusal);
  EXPECT_EQ(limit("1e300"), refusal);

  constexpr Shape kAnyLong{.kind = ShapeKind::kLong, .name = "Long"};
  const auto any = [&](const std::string& number) {
    return MessageOf(kAnyLong, number, ErrorCode::kSerialization);
  };
  EXPECT_EQ(any("9223372036854775807"), "");
  EXPECT_EQ(any("-9223372036854775808"), "");
  EXPECT_EQ(any("9223372036854775808"), "NUMBER_VALUE cannot be converted to Long");
  EXPECT_EQ(any("-99999999999999999999"), "NUMBER_VALUE cannot be converted to Long");
}

// assumed: the framework's class for numbers is called TruncatingBigNumber.
// aws-model: PositiveIntegerObject.
TEST(CheckShape, CutsFractionsBeforeItMeasures) {
  const auto limit = [](const std::string& number) {
    return MessageOf(kQueryInput, R"({"TableName": "abc", "Limit": )" + number + "}",
                     ErrorCode::kValidation);
  };
  EXPECT_EQ(limit("1.9"), "");
  EXPECT_EQ(limit("0.9"),
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
            "Member must have value greater than or equal to 1");
  EXPECT_EQ(limit("-1"),
            "1 validation error detected: Value '-1' at 'limit' failed to satisfy constraint: "
            "Member must have value greater than or equal to 1");
}

TEST(IntegerOf, CutsFractions) {
  JsonParser parser;
  EXPECT_EQ(IntegerOf(*parser.Parse("1.9")), 1);
  EXPECT_EQ(IntegerOf(*parser.Parse("-1.9")), -1);
  EXPECT_EQ(IntegerOf(*parser.Parse("9223372036854775807")),
            std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace kw::api
