// SPDX-License-Identifier: Apache-2.0
// The control plane through Handle. "observed: DDB-TABLE-n" are findings of a Kubernetes
// controller's lab on the live service, October 2026 (ack-api-quirks); "recorded" are answers of
// 2025-10 to 2026-01.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/api.h"
#include "base/json.h"
#include "engine/upkeep.h"
#include "storage/open.h"

namespace kw::api {
namespace {

const std::string kInvalid = "One or more parameter values were invalid: ";

class TablesApiTest : public ::testing::Test {
 protected:
  TablesApiTest()
      : store_(*storage::Open("memory:", {})),
        catalog_(*engine::Catalog::Load(*store_)),
        engine_{.store = *store_, .catalog = *catalog_, .clock = clock_, .options = {}} {}

  std::string Call(const std::string& operation, const std::string& body, int status = 200) {
    const auto target = "DynamoDB_20120810." + operation;
    std::string answer;
    Handle(engine_,
           {.target = target,
            .body = body,
            .call = {.account = "000000000000", .region = "us-east-1", .host = "localhost:8000"}},
           [&](Reply reply) {
             EXPECT_EQ(reply.status, status) << operation << body << reply.body;
             answer = std::move(reply.body);
           });
    // A table's id is by chance.
    const auto id = answer.find(R"("TableId":")");
    if (id != std::string::npos) answer.replace(id + 11, 36, "ID");
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
  void Upkeep() { ASSERT_TRUE(engine::RunUpkeep(engine_, stop_)); }

  ManualClock clock_{TimePoint(std::chrono::milliseconds(1'700'000'000'250))};
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<engine::Catalog> catalog_;
  engine::Engine engine_;
  std::atomic<bool> stop_{false};
};

const std::string kSimple =
    R"({"TableName":"abc","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
    R"("BillingMode":"PAY_PER_REQUEST"})";

TEST_F(TablesApiTest, ProvisionedTablesLookLikeTheServices) {
  const std::string create =
      R"({"TableName":"abc","KeySchema":[{"AttributeName":"id","KeyType":"HASH"},)"
      R"({"AttributeName":"at","KeyType":"RANGE"}],"AttributeDefinitions":[)"
      R"({"AttributeName":"id","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"}],)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}})";
  // recorded, and aws-model: TableDescription. observed: DDB-TABLE-125 (definitions are sorted).
  const std::string common =
      R"({"AttributeDefinitions":[{"AttributeName":"at","AttributeType":"N"},)"
      R"({"AttributeName":"id","AttributeType":"S"}],"TableName":"abc",)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],)"
      R"("TableStatus":"%","CreationDateTime":1700000000.250,)"
      R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":5},)"
      R"("TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc",)"
      R"("TableId":"ID","DeletionProtectionEnabled":false)";
  const auto with_status = [&](const std::string& status) {
    auto text = common;
    return text.replace(text.find('%'), 1, status);
  };
  EXPECT_EQ(Call("CreateTable", create),
            R"({"TableDescription":)" + with_status("CREATING") + "}}");
  EXPECT_EQ(
      Call("DescribeTable", R"({"TableName":"abc"})"),
      R"({"Table":)" + with_status("ACTIVE") +
          R"(,"WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":5,"Status":"ACTIVE"}}})");
  // aws-doc: API_DescribeTable: a name or an ARN.
  EXPECT_EQ(
      Call("DescribeTable", R"({"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/abc"})"),
      Call("DescribeTable", R"({"TableName":"abc"})"));
  // recorded: neither keys nor times.
  EXPECT_EQ(
      Call("DeleteTable", R"({"TableName":"abc"})"),
      R"({"TableDescription":{"TableName":"abc","TableStatus":"DELETING",)"
      R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":5},)"
      R"("TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc",)"
      R"("TableId":"ID","DeletionProtectionEnabled":false}})");
  // observed: DDB-TABLE-380.
  EXPECT_EQ(Refusal("DescribeTable", R"({"TableName":"abc"})"),
            "ResourceNotFoundException Requested resource not found: Table: abc not found");
}

TEST_F(TablesApiTest, OnDemandTablesWithEverythingLookLikeTheServices) {
  const std::string create =
      R"({"TableName":"abc","KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"s","AttributeType":"S"},)"
      R"({"AttributeName":"a","AttributeType":"B"}],"BillingMode":"PAY_PER_REQUEST",)"
      R"("LocalSecondaryIndexes":[{"IndexName":"loc","KeySchema":[{"AttributeName":"id","KeyType":"HASH"},)"
      R"({"AttributeName":"a","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"glo","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},)"
      R"({"AttributeName":"s","KeyType":"HASH"},{"AttributeName":"id","KeyType":"RANGE"}],)"
      R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["z","b"]},"OnDemandThroughput":{"MaxReadRequestUnits":7}}],)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
      R"("SSESpecification":{"Enabled":true},"TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true,)"
      R"("WarmThroughput":{"ReadUnitsPerSecond":13000},"Tags":[{"Key":"k","Value":"v"}]})";
  const auto created = Call("CreateTable", create);
  const auto described = Call("DescribeTable", R"({"TableName":"abc"})");
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  };
  const std::string zero =
      R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0})";
  const std::string loc =
      R"("LocalSecondaryIndexes":[{"IndexName":"loc","KeySchema":[{"AttributeName":"id","KeyType":"HASH"},)"
      R"({"AttributeName":"a","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,)"
      R"("ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc/index/loc"}])";
  // aws-doc: multi-attribute keys; observed: DDB-TABLE-123, -125 (projected attributes are sorted).
  const std::string glo =
      R"("GlobalSecondaryIndexes":[{"IndexName":"glo","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},)"
      R"({"AttributeName":"s","KeyType":"HASH"},{"AttributeName":"id","KeyType":"RANGE"}],"Projection":)"
      R"({"ProjectionType":"INCLUDE","NonKeyAttributes":["b","z"]},"IndexStatus":"%",)" +
      zero + R"(,"OnDemandThroughput":{"MaxReadRequestUnits":7},)";
  const auto glo_as = [&](const std::string& status) {
    auto text = glo;
    return text.replace(text.find('%'), 1, status);
  };
  for (const auto& text : {created, described}) {
    has(text, zero + R"(,"TableSizeBytes":0)");
    has(text, loc);
    has(text,
        R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
        R"("LatestStreamLabel":"2023-11-14T22:13:20.250","LatestStreamArn":)"
        R"("arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2023-11-14T22:13:20.250")");
    has(text, R"("SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":)"
              R"("arn:aws:kms:us-east-1:000000000000:alias/aws/dynamodb"})");  // assumed: the alias
    has(text, R"("TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"})");
    has(text, R"("DeletionProtectionEnabled":true)");
  }
  has(created, R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"})");  // recorded
  has(described, R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST",)"
                 R"("LastUpdateToPayPerRequestDateTime":1700000000.250})");
  has(created, glo_as("CREATING") + R"("IndexSizeBytes":0)");
  has(described,
      glo_as("ACTIVE") +
          R"("WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"})");
  has(created,
      R"("WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":4000,"Status":"UPDATING"})");
  has(described,
      R"("WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"})");
}

struct Case {
  std::string what;
  std::string key;          // KeySchema, definitions and the rest, short
  std::string definitions;  // names with types: "a:S b:N"
  std::string rest;
  std::string message;
};

// "a:HASH b:RANGE" as JSON.
std::string Pairs(const std::string& text, const std::string& second) {
  std::string json;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = std::min(text.find(' ', begin), text.size());
    const auto colon = text.find(':', begin);
    json += fmt::format(R"({}{{"AttributeName":"{}","{}":"{}"}})", json.empty() ? "" : ",",
                        text.substr(begin, colon - begin), second,
                        text.substr(colon + 1, end - colon - 1));
    begin = end + 1;
  }
  return "[" + json + "]";
}
std::string Keys(const std::string& text) { return Pairs(text, "KeyType"); }
std::string Index(const std::string& name, const std::string& keys,
                  const std::string& projection = R"({"ProjectionType":"ALL"})",
                  const std::string& more = "") {
  return fmt::format(R"({{"IndexName":"{}","KeySchema":{},"Projection":{}{}}})", name, Keys(keys),
                     projection, more);
}
std::string Many(int count, const std::string& prefix, const std::string& keys) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    list += (i == 0 ? "" : ",") + Index(fmt::format("{}{}", prefix, i), keys);
  }
  return list;
}

TEST_F(TablesApiTest, CreateTableRefusesInTheServicesWords) {
  const std::string on_demand = R"("BillingMode":"PAY_PER_REQUEST")";
  const std::string units =
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1})";
  const auto gsi = [&](const std::string& list) {
    return on_demand + R"(,"GlobalSecondaryIndexes":[)" + list + "]";
  };
  const auto lsi = [&](const std::string& list) {
    return on_demand + R"(,"LocalSecondaryIndexes":[)" + list + "]";
  };
  const auto projection = [&](const std::string& json) {
    return gsi(Index("glo", "a:HASH", json));
  };
  const std::vector<Case> cases{
      // observed: DDB-TABLE-124, -442.
      {"range first", "a:RANGE b:HASH", "a:S b:S", on_demand,
       "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
      {"two hashes", "a:HASH b:HASH", "a:S b:S", on_demand,
       "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
      {"same name", "a:HASH a:RANGE", "a:S", on_demand,
       "Both the Hash Key and the Range Key element in the KeySchema have the same name"},
      {"index range first", "a:HASH", "a:S b:S", gsi(Index("glo", "b:RANGE a:HASH")),
       "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
      // observed: DDB-TABLE-123.
      {"mixed order", "a:HASH", "a:S b:S c:S", gsi(Index("glo", "a:HASH b:RANGE c:HASH")),
       kInvalid + "All HASH key attributes must precede RANGE key attributes in the KeySchema"},
      {"five hashes", "a:HASH", "a:S b:S c:S d:S e:S",
       gsi(Index("glo", "a:HASH b:HASH c:HASH d:HASH e:HASH")),
       kInvalid + "The KeySchema exceeds the maximum allowed number of HASH key attributes"},
      {"five ranges", "a:HASH", "a:S b:S c:S d:S e:S f:S",
       gsi(Index("glo", "a:HASH b:RANGE c:RANGE d:RANGE e:RANGE f:RANGE")),
       kInvalid + "The KeySchema exceeds the maximum allowed number of RANGE key attributes"},
      {"repeated", "a:HASH", "a:S", gsi(Index("glo", "a:HASH a:HASH")),
       "The KeySchema contains multiple key attributes with the same name"},
      // observed: DDB-TABLE-127, all four; the order of the names is the service's.
      {"idle definition", "pk:HASH", "pk:S extra:S", on_demand,
       kInvalid + "Number of attributes in KeySchema does not exactly match number of attributes "
                  "defined in AttributeDefinitions"},
      {"idle definition with indexes", "pk:HASH sk:RANGE", "pk:S sk:S a:S b:S c:S",
       gsi(Index("glo", "a:HASH")),
       kInvalid +
           "Some AttributeDefinitions are not used. AttributeDefinitions: [sk, a, b, pk, c], "
           "keys used: [a, sk, pk]"},
      {"no definition", "pk:HASH sk:RANGE", "pk:S sk:S", gsi(Index("glo", "q:HASH")),
       kInvalid + "Some index key attributes are not defined in AttributeDefinitions. Keys: [q], "
                  "AttributeDefinitions: [sk, pk]"},
      {"defined twice", "pk:HASH", "pk:S pk:N", on_demand, "Attribute Name is duplicated: pk"},
      // observed: DDB-TABLE-128.
      {"no capacity", "a:HASH", "a:S", R"("DeletionProtectionEnabled":false)",
       kInvalid +
           "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode "
           "is PROVISIONED"},
      {"capacity on demand", "a:HASH", "a:S", on_demand + "," + units,
       kInvalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                  "BillingMode is PAY_PER_REQUEST"},
      {"index capacity on demand", "a:HASH", "a:S",
       gsi(Index("glo", "a:HASH", R"({"ProjectionType":"ALL"})", "," + units)),
       kInvalid +
           "ProvisionedThroughput should not be specified for index: glo when BillingMode is "
           "PAY_PER_REQUEST"},
      {"no index capacity", "a:HASH", "a:S",
       units + R"(,"GlobalSecondaryIndexes":[)" + Index("glo", "a:HASH") + "]",
       kInvalid + "ProvisionedThroughput is not specified for index: glo"},
      {"no units", "a:HASH", "a:S",
       R"("ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0})",
       // observed: DDB-TABLE-058.
       "2 validation errors detected: Value '0' at 'provisionedThroughput.writeCapacityUnits' "
       "failed "
       "to satisfy constraint: Member must have value greater than or equal to 1; Value '0' at "
       "'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have "
       "value greater than or equal to 1"},
      {"a maximum of nothing", "a:HASH", "a:S",
       on_demand + R"(,"OnDemandThroughput":{"MaxReadRequestUnits":-1})",
       kInvalid + "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of "
                  "valid range"},
      // observed: DDB-TABLE-129, -043, -169.
      {"no global indexes", "a:HASH", "a:S", gsi(""),
       kInvalid + "List of GlobalSecondaryIndexes is empty"},
      {"no local indexes", "a:HASH", "a:S", lsi(""),
       kInvalid + "List of LocalSecondaryIndexes is empty"},
      {"21 global indexes", "a:HASH", "a:S", gsi(Many(21, "glo", "a:HASH")),
       kInvalid + "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
      {"6 local indexes", "a:HASH b:RANGE", "a:S b:S", lsi(Many(6, "loc", "a:HASH b:RANGE")),
       kInvalid + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"},
      {"local index without range", "a:HASH", "a:S b:S", lsi(Index("loc", "a:HASH b:RANGE")),
       kInvalid + "Table KeySchema does not have a range key, which is required when specifying a "
                  "LocalSecondaryIndex"},
      {"another hash", "pk:HASH sk:RANGE", "pk:S sk:S a:S", lsi(Index("loc", "a:HASH sk:RANGE")),
       kInvalid + "Index KeySchema does not have the same leading hash key as table KeySchema for "
                  "index: loc. index hash key: a, table hash key: pk"},
      {"no range", "pk:HASH sk:RANGE", "pk:S sk:S", lsi(Index("loc", "pk:HASH")),
       kInvalid + "Index KeySchema does not have a range key for index: loc"},
      {"double name", "a:HASH b:RANGE", "a:S b:S",
       lsi(Index("dup", "a:HASH b:RANGE")) + R"(,"GlobalSecondaryIndexes":[)" +
           Index("dup", "a:HASH") + "]",
       kInvalid + "Duplicate index name: dup"},
      // observed: DDB-TABLE-126.
      {"no type", "a:HASH", "a:S", projection("{}"), kInvalid + "Unknown ProjectionType: null"},
      {"all and some", "a:HASH", "a:S",
       projection(R"({"ProjectionType":"ALL","NonKeyAttributes":["x"]})"),
       kInvalid + "ProjectionType is ALL, but NonKeyAttributes is specified"},
      {"keys and some", "a:HASH", "a:S",
       projection(R"({"ProjectionType":"KEYS_ONLY","NonKeyAttributes":["x"]})"),
       kInvalid + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"},
      {"some and none", "a:HASH", "a:S", projection(R"({"ProjectionType":"INCLUDE"})"),
       kInvalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
      {"some twice", "a:HASH", "a:S",
       projection(R"({"ProjectionType":"INCLUDE","NonKeyAttributes":["x","x"]})"),
       kInvalid + "Duplicate element in NonKeyAttributes: x"},
      // observed: DDB-TABLE-442.
      {"stream without view", "a:HASH", "a:S",
       on_demand + R"(,"StreamSpecification":{"StreamEnabled":true})",
       kInvalid + "Table is being created with a stream enabled, UpdateViewType is required"},
      {"view without stream", "a:HASH", "a:S",
       on_demand + R"(,"StreamSpecification":{"StreamEnabled":false,"StreamViewType":"NEW_IMAGE"})",
       kInvalid + "Table is being created with a stream disabled, UpdateViewType should not be "
                  "specified"},
      {"no class", "a:HASH", "a:S", on_demand + R"(,"TableClass":"GOLD")",
       "Invalid table-class parameter provided. Please try again with a valid table-class value: "
       "[STANDARD, STANDARD_INFREQUENT_ACCESS]."},
      {"type without encryption", "a:HASH", "a:S",
       on_demand + R"(,"SSESpecification":{"Enabled":false,"SSEType":"KMS"})",
       kInvalid + "SSEType can not be specified if Enabled is false"},
      {"double tag", "a:HASH", "a:S",
       on_demand + R"(,"Tags":[{"Key":"k","Value":"1"},{"Key":"k","Value":"2"}])",
       "Duplicate Tag Keys provided as input: Duplicate Tag Key found k"},
      // Ours: what is not there is not ignored.
      {"vectors", "a:HASH", "a:S", on_demand + R"(,"VectorIndexes":[{}])",
       "VectorIndexes is not supported by Keywright."},
  };
  for (const auto& test : cases) {
    const auto body =
        fmt::format(R"({{"TableName":"abc","KeySchema":{},"AttributeDefinitions":{},{}}})",
                    Keys(test.key), Pairs(test.definitions, "AttributeType"), test.rest);
    EXPECT_EQ(Refusal("CreateTable", body), "ValidationException " + test.message) << test.what;
  }
  EXPECT_EQ(Call("ListTables", "{}"), R"({"TableNames":[]})");
}

TEST_F(TablesApiTest, UpdateTableRefusesInTheServicesWords) {
  Call("CreateTable", kSimple);
  const std::string create =
      R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)"
      R"("GlobalSecondaryIndexUpdates":[{"Create":)" +
      Index("glo", "a:HASH") + "}]";
  const std::string least =
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
      "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
      "OnDemandThroughput, WarmThroughput or TableClass is required";
  const std::string protect = R"("DeletionProtectionEnabled":true)";
  const std::string warm = R"("WarmThroughput":{"ReadUnitsPerSecond":13000})";
  const std::string sse = R"("SSESpecification":{"Enabled":true})";
  const std::string table_class = R"("TableClass":"STANDARD")";
  const std::string maxima = R"("OnDemandThroughput":{"MaxReadRequestUnits":5})";
  const std::string stream =
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})";
  const std::string units =
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1})";
  const auto alone = [](const std::string& what) {
    return kInvalid + what + " must be the only operation in the request";
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      // observed: DDB-TABLE-015, -359.
      {R"("AttributeDefinitions":[])", least},
      {R"("GlobalSecondaryIndexUpdates":[])", least},
      {R"("GlobalSecondaryIndexUpdates":[],)" + protect,
       kInvalid + "List of GlobalSecondaryIndexUpdates is empty"},
      // observed: DDB-TABLE-433, with its precedence.
      {protect + "," + sse, alone("Server-Side Encryption modification")},
      {protect + "," + table_class, alone("TableClass modification")},
      {protect + "," + warm, alone("DeletionProtection modification")},
      {protect + "," + create, alone("DeletionProtection modification")},
      {stream + "," + maxima,
       kInvalid +
           "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
      {stream + "," + units,
       kInvalid + "You cannot modify stream status while updating table IOPS"},
      // observed: DDB-TABLE-174.
      {create + "," + units,
       kInvalid + "You cannot create or delete index while updating table IOPS"},
      {create + "," + stream,
       kInvalid + "You cannot create or delete index while changing stream status"},
      {create + "," + warm,
       kInvalid + "Create global secondary index cannot be specified when updating WarmThroughput"},
      // observed: DDB-TABLE-160.
      {R"("GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"glo"},"Update":{"IndexName":"glo"}}])",
       kInvalid + "Only one global secondary index action is allowed per "
                  "GlobalSecondaryIndexUpdate object"},
      {R"("GlobalSecondaryIndexUpdates":[{}])",
       kInvalid + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                  "GlobalSecondaryIndexUpdate.Delete must not be null"},
      {R"("GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"glo"}},{"Update":{"IndexName":"glo"}}])",
       kInvalid + "Only one global secondary index update per index is allowed simultaneously. "
                  "Index: glo"},
      // observed: DDB-TABLE-162.
      {R"("GlobalSecondaryIndexUpdates":[{"Create":)" + Index("glo", "a:HASH") + "}]",
       kInvalid + "AttributeDefinitions is not specified for index: glo"},
      // observed: DDB-TABLE-442.
      {R"("StreamSpecification":{"StreamEnabled":true})",
       kInvalid + "If stream is being enabled then UpdateViewType is required"},
      {R"("SSESpecification":{"Enabled":false})",
       kInvalid + "Table is already encrypted by default"},
      {R"("ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}])",
       "ReplicaUpdates is not supported by Keywright."},
  };
  for (const auto& [rest, message] : cases) {
    EXPECT_EQ(Refusal("UpdateTable", R"({"TableName":"abc",)" + rest + "}"),
              "ValidationException " + message)
        << rest;
  }
}

TEST_F(TablesApiTest, AnIndexIsAddedWhileTheTableLives) {
  Call("CreateTable", kSimple);
  Call("PutItem", R"({"TableName":"abc","Item":{"id":{"S":"1"},"a":{"S":"x"}}})");
  const auto shown = Call(
      "UpdateTable",
      R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)"
      R"("GlobalSecondaryIndexUpdates":[{"Create":)" +
          Index("glo", "a:HASH") + "}]}");
  // observed: DDB-TABLE-148.
  EXPECT_NE(shown.find(R"("TableStatus":"UPDATING")"), std::string::npos);
  EXPECT_NE(shown.find(R"("IndexStatus":"CREATING","Backfilling":false)"), std::string::npos);
  auto table = Call("DescribeTable", R"({"TableName":"abc"})");
  EXPECT_NE(table.find(R"("TableStatus":"ACTIVE")"), std::string::npos);
  EXPECT_NE(table.find(R"("IndexStatus":"CREATING","Backfilling":true)"), std::string::npos);
  const std::string query =
      R"({"TableName":"abc","IndexName":"glo","KeyConditionExpression":"a = :a",)"
      R"("ExpressionAttributeValues":{":a":{"S":"x"}}})";
  // observed: stackoverflow.com/questions/59322281 and others.
  EXPECT_EQ(Refusal("Query", query),
            "ValidationException Cannot read from backfilling global secondary index: glo");
  Upkeep();
  table = Call("DescribeTable", R"({"TableName":"abc"})");
  EXPECT_NE(table.find(R"("IndexStatus":"ACTIVE","ProvisionedThroughput")"), std::string::npos);
  EXPECT_NE(table.find(R"("IndexSizeBytes":5,"ItemCount":1)"), std::string::npos);
  EXPECT_NE(Call("Query", query).find(R"("Count":1)"), std::string::npos);
}

TEST_F(TablesApiTest, ListsTablesInPages) {
  for (const auto* name : {"ccc", "aaa", "bbb"}) {
    auto body = kSimple;
    Call("CreateTable", body.replace(body.find("abc"), 3, name));
  }
  // aws-doc: API_ListTables.
  EXPECT_EQ(Call("ListTables", "{}"), R"({"TableNames":["aaa","bbb","ccc"]})");
  EXPECT_EQ(Call("ListTables", R"({"Limit":2})"),
            R"({"LastEvaluatedTableName":"bbb","TableNames":["aaa","bbb"]})");
  EXPECT_EQ(Call("ListTables", R"({"Limit":2,"ExclusiveStartTableName":"bbb"})"),
            R"({"TableNames":["ccc"]})");
  // aws-model: ListTablesInputLimit; observed: the framework's form of the sentence.
  EXPECT_EQ(Refusal("ListTables", R"({"Limit":101})"),
            "ValidationException 1 validation error detected: Value '101' at 'limit' failed to "
            "satisfy constraint: Member must have value less than or equal to 100");
}

TEST_F(TablesApiTest, KeepsTags) {
  Call("CreateTable", kSimple);
  const std::string arn = R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc")";
  EXPECT_EQ(Call("ListTagsOfResource", "{" + arn + "}"), R"({"Tags":[]})");
  Call("TagResource", "{" + arn + R"(,"Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":""}]})");
  Call("TagResource", "{" + arn + R"(,"Tags":[{"Key":"a","Value":"2"}]})");
  EXPECT_EQ(Call("ListTagsOfResource", "{" + arn + "}"),
            R"({"Tags":[{"Key":"a","Value":"2"},{"Key":"b","Value":""}]})");
  Call("UntagResource", "{" + arn + R"(,"TagKeys":["a","none"]})");
  EXPECT_EQ(Call("ListTagsOfResource", "{" + arn + "}"), R"({"Tags":[{"Key":"b","Value":""}]})");

  std::string many;
  for (int i = 0; i < 50; ++i) {
    many += fmt::format(R"({}{{"Key":"k{}","Value":"v"}})", i == 0 ? "" : ",", i);
  }
  const std::vector<std::pair<std::string, std::string>> cases{
      // observed: DDB-TABLE-442.
      {"{" + arn + R"(,"Tags":[]})", "Atleast one Tag needs to be provided as Input."},
      {"{" + arn + R"(,"Tags":[{"Key":"","Value":"v"}]})",
       "The Tag Key provided is invalid, Key: "},
      {"{" + arn + R"(,"Tags":[{"Key":"k"}]})", "The Tag Value provided is invalid, Value: null"},
      {"{" + arn + R"(,"Tags":[{"Key":"aws:k","Value":"v"}]})",
       "Tag Key cannot be prefixed with aws:, Key: aws:k"},
      {"{" + arn + R"(,"Tags":[)" + many + "]}",
       "Number of Tags exceed the current limit for the provided ResourceArn"},
      {R"({"ResourceArn":"abc","Tags":[]})", kInvalid + "ARNs must start with 'arn:': abc"},
      {R"({"ResourceArn":"arn:aws:s3:::bucket","Tags":[]})",
       kInvalid + "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket"},
      {R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc/index/i","Tags":[]})",
       kInvalid +
           "Invalid resource arn provided, only table or stream is accepted. Provided resource "
           "arn: arn:aws:dynamodb:us-east-1:000000000000:table/abc/index/i"},
  };
  for (const auto& [body, message] : cases) {
    EXPECT_EQ(Refusal("TagResource", body), "ValidationException " + message) << body;
  }
  // assumed: the sentence.
  EXPECT_EQ(Refusal("ListTagsOfResource",
                    R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/none"})"),
            "ResourceNotFoundException Requested resource not found: ResourcArn: "
            "arn:aws:dynamodb:us-east-1:000000000000:table/none not found");
}

TEST_F(TablesApiTest, TellsLimitsAndEndpoints) {
  // aws-doc: Quotas in Amazon DynamoDB (default account and table quotas).
  EXPECT_EQ(Call("DescribeLimits", "{}"),
            R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
            R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})");
  // aws-doc: API_DescribeEndpoints.
  EXPECT_EQ(Call("DescribeEndpoints", "{}"),
            R"({"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]})");
}

}  // namespace
}  // namespace kw::api
