// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "modeller/interop/bridge.h"
#include "modeller/interop/formats.h"

namespace kw::modeller {

void PrintTo(const Note& note, std::ostream* out) { *out << note.where << ": " << note.what; }

namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const FileFormat& FormatOf(std::string_view name) {
  const auto format = FindFormat(name);
  EXPECT_TRUE(format) << name;
  return **format;
}

Blueprint ReadAs(std::string_view format, std::string_view text, Notes& notes) {
  auto blueprint = Read(FormatOf(format), text, notes);
  EXPECT_TRUE(blueprint) << blueprint.error();
  return blueprint ? std::move(*blueprint) : Blueprint{};
}

auto Mentions(std::string_view where, std::string_view what) {
  return Contains(AllOf(Field(&Note::where, HasSubstr(std::string(where))),
                        Field(&Note::what, HasSubstr(std::string(what)))));
}

KeyPattern Pattern(std::string_view text) {
  auto pattern = ParsePattern(text);
  EXPECT_TRUE(pattern) << text;
  return pattern.value_or(KeyPattern{});
}

EntityAttribute Attribute(std::string name, FieldType type = FieldType::kString) {
  return {.name = std::move(name), .type = type, .required = true, .values = {}};
}

// Something of everything that any format holds.
Blueprint Everything() {
  const KeyAttribute pk{"pk", KeyType::kString};
  const KeyAttribute sk{"sk", KeyType::kString};
  PhysicalTable shop{.name = "Shop", .key = {.partition = {pk}, .sort = {sk}}};
  const Capacity scaled{.units = 5, .scaling = Scaling{.min = 5, .max = 500, .target_percent = 60}};
  shop.throughput = Throughput{.read = scaled, .write = {.units = 7, .scaling = std::nullopt}};
  shop.indexes = {{.name = "local",
                   .scope = IndexScope::kLocal,
                   .key = {.partition = {pk}, .sort = {{"at", KeyType::kString}}},
                   .projected = ProjectKeys{},
                   .throughput = std::nullopt},
                  {.name = "byEmail",
                   .scope = IndexScope::kGlobal,
                   .key = {.partition = {{"emailKey", KeyType::kString}}, .sort = {}},
                   .projected = ProjectInclude{{"name"}},
                   .throughput = std::nullopt},
                  {.name = "byState",
                   .scope = IndexScope::kGlobal,
                   .key = {.partition = {{"region", KeyType::kString}, {"state", KeyType::kString}},
                           .sort = {{"total", KeyType::kNumber}}},
                   .projected = ProjectAll{},
                   .throughput = Throughput{.read = {.units = 3, .scaling = std::nullopt},
                                            .write = {.units = 4, .scaling = std::nullopt}}}};
  shop.ttl = "expiresAt";
  shop.stream = "NEW_AND_OLD_IMAGES";
  shop.options = {TableOption::kDeletionProtection, TableOption::kInfrequentAccess,
                  TableOption::kPointInTime};
  PhysicalTable log{
      .name = "Log",
      .key = {.partition = {{"day", KeyType::kString}}, .sort = {{"number", KeyType::kNumber}}}};
  log.attributes = {{"text", AttributeType::kString}};
  log.items = {Item::FromEntries({{"day", AttributeValue(std::string("2026-11-30"))},
                                  {"number", AttributeValue(Number::FromInteger(1))},
                                  {"text", AttributeValue(std::string("up"))}})};
  EntityDraft user{.name = "User",
                   .table = 0,
                   .attributes = {Attribute("userId"), Attribute("email"), Attribute("name"),
                                  Attribute("expiresAt", FieldType::kInteger)},
                   .identity = {"userId"},
                   .unique = {"email"},
                   .references = {},
                   .keys = {{"pk", Pattern("USER#{userId}")},
                            {"sk", Pattern("profile")},
                            {"emailKey", Pattern("EMAIL#{email}")}},
                   .items = {}};
  user.attributes[2].required = false;
  EntityDraft order{
      .name = "Order",
      .table = 0,
      .attributes = {Attribute("userId"), Attribute("number", FieldType::kInteger),
                     Attribute("at", FieldType::kTimestamp), Attribute("region"),
                     Attribute("state"), Attribute("total", FieldType::kDecimal)},
      .identity = {"userId", "number"},
      .unique = {},
      .references = {{.by = {"userId"}, .to = "User"}},
      .keys = {{"pk", Pattern("USER#{userId}")}, {"sk", Pattern("ORDER#{number:06}")}},
      .items = {}};
  order.attributes[4].values = {"open", "shut"};
  shop.attributes = {{"userId", AttributeType::kString}, {"email", AttributeType::kString},
                     {"name", AttributeType::kString},   {"expiresAt", AttributeType::kNumber},
                     {"number", AttributeType::kNumber}, {"at", AttributeType::kString},
                     {"region", AttributeType::kString}, {"state", AttributeType::kString},
                     {"total", AttributeType::kNumber},  {"emailKey", AttributeType::kString}};
  EntityDraft entry{
      .name = "Entry",
      .table = 1,
      .attributes = {Attribute("day"), Attribute("number", FieldType::kDecimal), Attribute("text")},
      .identity = {"day", "number"},
      .unique = {},
      .references = {},
      .keys = {},
      .items = {}};
  return {.name = "shop",
          .tables = {shop, log},
          .entities = {user, order, entry},
          .questions = {{.name = "user", .sql = "SELECT * FROM User WHERE userId = :userId"}}};
}

// ---- all formats ----

TEST(Interop, WhatAFormatHoldsComesBack) {
  for (const auto& format : Formats()) {
    if (format.read == nullptr || format.print == nullptr) continue;
    SCOPED_TRACE(format.name);
    Notes notes;
    const auto held = Reduce(Everything(), format.holds, notes);
    const auto text = Print(format, Everything(), notes);
    ASSERT_TRUE(text) << text.error();
    Notes reading;
    const auto again = Read(format, *text, reading);
    ASSERT_TRUE(again) << again.error() << *text;
    EXPECT_EQ(again->name, held.name);
    EXPECT_TRUE(again->tables == held.tables) << *text;
    EXPECT_TRUE(again->entities == held.entities) << *text;
    EXPECT_EQ(again->questions, held.questions);
    for (const auto& note : reading.all()) {
      EXPECT_EQ(note.kind, Note::Kind::kGuessed) << note.where << ": " << note.what << *text;
    }
    const auto detected = DetectFormat(*text);
    ASSERT_TRUE(detected) << detected.error();
    EXPECT_EQ((*detected)->name, format.name) << *text;
    Notes second;
    EXPECT_EQ(Print(format, *again, second).value_or(""), *text);
    EXPECT_THAT(second.all(), IsEmpty()) << "what came from a format can go back";
  }
}

TEST(Interop, EveryLossIsSaid) {
  Notes notes;
  const auto reduced = Reduce(Everything(), {Content::kTableNames, Content::kBareTables}, notes);
  EXPECT_THAT(reduced.entities, IsEmpty());
  EXPECT_EQ(reduced.tables.size(), 1U);
  EXPECT_THAT(notes.all(), Mentions("Log", "one table"));
  EXPECT_THAT(notes.all(), Mentions("User", "Entities"));
  EXPECT_THAT(notes.all(), Mentions("user", "Questions"));
  EXPECT_THAT(notes.all(), Mentions("Shop.local", "Local indexes"));
  EXPECT_THAT(notes.all(), Mentions("Shop.byState", "several attributes"));
  EXPECT_THAT(notes.all(), Mentions("Shop.byEmail", "Projections"));
  EXPECT_THAT(notes.all(), Mentions("Shop", "throughput"));
  EXPECT_THAT(notes.all(), Mentions("Shop", "Time to live"));
  EXPECT_THAT(notes.all(), Mentions("Shop", "Streams"));
  EXPECT_THAT(notes.all(), Mentions("Shop", "Deletion protection"));
}

TEST(Interop, FormatsAreToldApart) {
  EXPECT_FALSE(DetectFormat("hello"));
  const auto unknown = FindFormat("workbnech");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error(), HasSubstr("workbench"));
}

// A model and its design go out, and what comes back is the same design.
TEST(Interop, ExamplesGoOutAndComeBack) {
  for (const std::string_view name : {"leaderboard", "shop", "tenants", "tickets"}) {
    SCOPED_TRACE(name);
    const auto path = std::string(KW_EXAMPLES) + "/" + std::string(name);
    const auto model = Model::Parse(FileText(path + ".kw.yaml"));
    ASSERT_TRUE(model);
    const auto design = Design::Parse(FileText(path + ".design.yaml"), *model);
    ASSERT_TRUE(design);
    Notes notes;
    const auto blueprint = FromModel(*model, &*design, notes);
    for (const auto& format : Formats()) {
      if (format.read == nullptr || format.print == nullptr) continue;
      SCOPED_TRACE(format.name);
      const auto text = Print(format, blueprint, notes);
      ASSERT_TRUE(text) << text.error();
      const auto again = Read(format, *text, notes);
      ASSERT_TRUE(again) << again.error();
      const auto files = ToModel(*again, notes);
      ASSERT_TRUE(files) << files.error();
      EXPECT_FALSE(files->design.empty())
          << (notes.all().empty() ? "" : notes.all().back().what) << files->model;
      Notes none;
      const auto third = Model::Parse(files->model);
      ASSERT_TRUE(third);
      const auto laid = Design::Parse(files->design, *third);
      ASSERT_TRUE(laid);
      EXPECT_EQ(FromModel(*third, &*laid, none).tables.size(), again->tables.size());
    }
  }
}

// ---- create-table, describe-table ----

// aws-doc: CreateTable, Examples
constexpr std::string_view kThread = R"({
  "AttributeDefinitions": [
    {"AttributeName": "ForumName", "AttributeType": "S"},
    {"AttributeName": "Subject", "AttributeType": "S"},
    {"AttributeName": "LastPostDateTime", "AttributeType": "S"}],
  "TableName": "Thread",
  "KeySchema": [{"AttributeName": "ForumName", "KeyType": "HASH"},
                {"AttributeName": "Subject", "KeyType": "RANGE"}],
  "LocalSecondaryIndexes": [{"IndexName": "LastPostIndex",
    "KeySchema": [{"AttributeName": "ForumName", "KeyType": "HASH"},
                  {"AttributeName": "LastPostDateTime", "KeyType": "RANGE"}],
    "Projection": {"ProjectionType": "KEYS_ONLY"}}],
  "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
  "Tags": [{"Key": "Owner", "Value": "BlueTeam"}]})";

TEST(CreateTable, BecomesADesignWithOneEntityByItsKey) {
  Notes notes;
  const auto blueprint = ReadAs("create-table", kThread, notes);
  ASSERT_EQ(blueprint.tables.size(), 1U);
  EXPECT_EQ(blueprint.tables[0].throughput->write.units, 5);
  EXPECT_EQ(blueprint.tables[0].indexes[0].projected, Projected(ProjectKeys{}));
  EXPECT_THAT(notes.all(), Mentions("Thread.Tags", "not carried"));
  const auto files = ToModel(blueprint, notes);
  ASSERT_TRUE(files) << files.error();
  EXPECT_EQ(files->design, R"(design: imported
tables:
  Thread:
    key: {partition: {attribute: ForumName}, sort: {attribute: Subject}}
    indexes:
      LastPostIndex: {partition: {attribute: ForumName}, sort: {attribute: LastPostDateTime}, project: keys, local: true}
    entities:
      Thread: {}
)");
  EXPECT_THAT(notes.all(), Mentions("Thread", "Nothing says which entities"));
  EXPECT_THAT(notes.all(), Mentions("Thread", "provisioned throughput"));
  // And back: the model's files say the keys and indexes exactly.
  const auto model = Model::Parse(files->model);
  const auto design = Design::Parse(files->design, *model);
  const auto again = FromModel(*model, &*design, notes);
  EXPECT_EQ(again.tables[0].key, blueprint.tables[0].key);
  EXPECT_EQ(again.tables[0].indexes, blueprint.tables[0].indexes);
}

TEST(CreateTable, RefusesWhatHasNoKey) {
  Notes notes;
  const auto& format = FormatOf("create-table");
  EXPECT_FALSE(Read(format, "{}", notes));
  EXPECT_FALSE(Read(format, "[", notes));
  EXPECT_FALSE(Read(format, "", notes));
  EXPECT_FALSE(Read(format, R"({"TableName":"T","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},
    {"AttributeName":"a","KeyType":"RANGE"}]})",
                    notes));
}

// aws-model: TableDescription
TEST(DescribeTable, LeavesOutWhatATableIsNow) {
  Notes notes;
  const auto blueprint = ReadAs("describe-table", R"({"Table": {
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}],
    "TableName": "Things", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "TableStatus": "ACTIVE", "CreationDateTime": 1421866952.062, "ItemCount": 0,
    "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0,
                              "WriteCapacityUnits": 0},
    "TableSizeBytes": 0, "TableArn": "arn:aws:dynamodb:us-west-2:123456789012:table/Things",
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    "TableClassSummary": {"TableClass": "STANDARD_INFREQUENT_ACCESS"},
    "DeletionProtectionEnabled": true}})",
                                notes);
  EXPECT_THAT(notes.all(), IsEmpty());
  ASSERT_EQ(blueprint.tables.size(), 1U);
  EXPECT_EQ(blueprint.tables[0].key.partition[0], (KeyAttribute{"id", KeyType::kNumber}));
  EXPECT_FALSE(blueprint.tables[0].throughput);
  EXPECT_EQ(blueprint.tables[0].options.size(), 2U);
}

// ---- NoSQL Workbench ----

// In the form that the Workbench saves; the fields are those of its published sample models.
constexpr std::string_view kMusic = R"({
  "ModelName": "Music library",
  "ModelMetadata": {"Author": "A", "DateCreated": "Jun 16, 2023, 04:27 PM",
    "DateLastModified": "Jun 16, 2023, 04:27 PM", "Description": "", "AWSService": "Amazon DynamoDB",
    "Version": "3.0"},
  "DataModel": [{
    "TableName": "Songs",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "Id", "AttributeType": "S"},
                      "SortKey": {"AttributeName": "Metadata", "AttributeType": "S"}},
    "NonKeyAttributes": [{"AttributeName": "Title", "AttributeType": "S"},
                         {"AttributeName": "TotalDownloads", "AttributeType": "N"},
                         {"AttributeName": "DownloadMonth", "AttributeType": "S"}],
    "TableFacets": [
      {"FacetName": "SongDetails",
       "KeyAttributeAlias": {"PartitionKeyAlias": "SongId", "SortKeyAlias": "Details"},
       "NonKeyAttributes": ["Title", "TotalDownloads"],
       "DataAccess": {"MySql": {}}},
      {"FacetName": "Month",
       "KeyAttributeAlias": {"PartitionKeyAlias": "SongId", "SortKeyAlias": "MONTH#<Month>"},
       "NonKeyAttributes": ["DownloadMonth"],
       "TableData": [{"Id": {"S": "1"}, "Metadata": {"S": "MONTH#01-2018"}}],
       "DataAccess": {"MySql": {}}}],
    "GlobalSecondaryIndexes": [{"IndexName": "DownloadsByMonth",
      "KeyAttributes": {"PartitionKey": {"AttributeName": "DownloadMonth", "AttributeType": "S"}},
      "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["Title"]}}],
    "TableData": [{"Id": {"S": "1"}, "Metadata": {"S": "Details"}, "Title": {"S": "Wild Love"}}],
    "DataAccess": {"MySql": {}},
    "BillingMode": "PROVISIONED",
    "ProvisionedCapacitySettings": {
      "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
      "AutoScalingRead": {"ScalableTargetRequest": {"MinCapacity": 1, "MaxCapacity": 10,
        "ServiceRole": "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"},
        "ScalingPolicyConfiguration": {"TargetValue": 70}}}}]})";

TEST(Workbench, FacetsAreEntities) {
  Notes notes;
  const auto blueprint = ReadAs("workbench", kMusic, notes);
  ASSERT_EQ(blueprint.entities.size(), 2U);
  EXPECT_EQ(PatternText(blueprint.entities[0].keys.at("Id")), "{SongId}");
  EXPECT_EQ(PatternText(blueprint.entities[0].keys.at("Metadata")), "Details");
  EXPECT_EQ(PatternText(blueprint.entities[1].keys.at("Metadata")), "MONTH#{Month}");
  EXPECT_EQ(blueprint.tables[0].throughput->read.scaling->max, 10);
  EXPECT_FALSE(blueprint.tables[0].throughput->write.scaling);
  EXPECT_EQ(blueprint.tables[0].items.size(), 1U);
  const auto files = ToModel(blueprint, notes);
  ASSERT_TRUE(files) << files.error();
  EXPECT_THAT(files->model, HasSubstr("model: Music-library"));
  EXPECT_THAT(files->model, HasSubstr("identity: [SongId, Month]"));
  EXPECT_THAT(files->design, HasSubstr("Metadata: \"MONTH#{Month}\""));
  EXPECT_THAT(files->design, HasSubstr("DownloadsByMonth: {partition: {attribute: DownloadMonth}"));
}

TEST(Workbench, SampleKeysAreEntitiesWithoutFacets) {
  Notes notes;
  const auto blueprint = ReadAs("workbench", R"({"ModelName": "Shop", "DataModel": [{
    "TableName": "Shop",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"},
                      "SortKey": {"AttributeName": "SK", "AttributeType": "S"}},
    "TableData": [
      {"PK": {"S": "CUSTOMER#7"}, "SK": {"S": "PROFILE"}, "Email": {"S": "a@b.c"}},
      {"PK": {"S": "CUSTOMER#7"}, "SK": {"S": "ORDER#2"}, "Total": {"N": "12.5"}},
      {"PK": {"S": "CUSTOMER#8"}, "SK": {"S": "ORDER#3"}, "Total": {"N": "1"},
       "Note": {"S": "gift"}}]}]})",
                                notes);
  const auto files = ToModel(blueprint, notes);
  ASSERT_TRUE(files) << files.error();
  EXPECT_EQ(files->design, R"(design: Shop
tables:
  Shop:
    key: {partition: PK, sort: SK}
    entities:
      Order:
        PK: "CUSTOMER#{customerId}"
        SK: "ORDER#{orderId}"
      Profile:
        PK: "CUSTOMER#{customerId}"
        SK: PROFILE
)");
  EXPECT_THAT(files->model, HasSubstr("Note: {type: string, optional: 0.5}"));
  EXPECT_THAT(notes.all(), Mentions("Order", "half of them is a guess"));
}

// ---- CloudFormation ----

// aws-doc: AWS::DynamoDB::Table, Examples; tags as templates write them
constexpr std::string_view kTemplate = R"(AWSTemplateFormatVersion: "2010-09-09"
Resources:
  albums:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub "${Stage}-albums"
      AttributeDefinitions:
        - {AttributeName: Album, AttributeType: S}
        - {AttributeName: NumberOfSongs, AttributeType: "N"}
      KeySchema:
        - {AttributeName: Album, KeyType: HASH}
      BillingMode: PAY_PER_REQUEST
      GlobalSecondaryIndexes:
        - IndexName: bySongs
          KeySchema: [{AttributeName: NumberOfSongs, KeyType: HASH}]
          Projection: {ProjectionType: KEYS_ONLY}
      TimeToLiveSpecification: {AttributeName: ExpirationTime, Enabled: true}
      SSESpecification: {SSEEnabled: true}
  simple:
    Type: AWS::Serverless::SimpleTable
    Properties: {PrimaryKey: {Name: id, Type: Number}}
  bucket:
    Type: AWS::S3::Bucket
)";

TEST(CloudFormation, ReadsTemplates) {
  Notes notes;
  const auto blueprint = ReadAs("cloudformation", kTemplate, notes);
  ASSERT_EQ(blueprint.tables.size(), 2U);
  const auto& albums = blueprint.tables[0];
  EXPECT_EQ(albums.name, "albums");
  EXPECT_EQ(albums.ttl, "ExpirationTime");
  EXPECT_EQ(albums.indexes[0].key.partition[0], (KeyAttribute{"NumberOfSongs", KeyType::kNumber}));
  EXPECT_EQ(blueprint.tables[1].key.partition[0], (KeyAttribute{"id", KeyType::kNumber}));
  EXPECT_THAT(notes.all(), Mentions("albums.TableName", "a text"));
  EXPECT_THAT(notes.all(), Mentions("albums.SSESpecification", "not carried"));
  EXPECT_THAT(notes.all(), Mentions("bucket", "AWS::S3::Bucket is no table"));
  const auto files = ToModel(blueprint, notes);
  ASSERT_TRUE(files) << files.error();
  EXPECT_THAT(files->model, HasSubstr("expires: ExpirationTime"));
}

TEST(CloudFormation, ReadsTheResourcesOfAServerlessFile) {
  Notes notes;
  const auto blueprint = ReadAs("cloudformation", R"(service: music
resources:
  Resources:
    Songs:
      Type: AWS::DynamoDB::Table
      Properties:
        TableName: Songs
        AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
        KeySchema: [{AttributeName: id, KeyType: HASH}]
        ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 2}
)",
                                notes);
  ASSERT_EQ(blueprint.tables.size(), 1U);
  EXPECT_EQ(blueprint.tables[0].throughput->write.units, 2);
}

TEST(CloudFormation, ScalingMakesAGlobalTable) {
  Notes notes;
  const auto text = Print(FormatOf("cloudformation"), Everything(), notes);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("Type: \"AWS::DynamoDB::GlobalTable\""));
  EXPECT_THAT(*text, HasSubstr("MaxCapacity: 500"));
  EXPECT_THAT(*text, HasSubstr("AttributeType: \"N\"")) << "a boolean to YAML 1.1";
  EXPECT_THAT(*text, HasSubstr("Type: \"AWS::DynamoDB::Table\""));
}

// ---- Terraform, CDK ----

// In the form of the provider's documentation of aws_dynamodb_table.
constexpr std::string_view kTerraform = R"(
variable "stage" { default = "dev" }
# A game.
resource "aws_dynamodb_table" "scores" {
  name           = "GameScores-${var.stage}"
  billing_mode   = "PROVISIONED"
  read_capacity  = 20
  write_capacity = 21
  hash_key       = "UserId"
  range_key      = "GameTitle"

  attribute {
    name = "UserId"
    type = "S"
  }
  attribute {
    name = "GameTitle"
    type = "S"
  }
  attribute {
    name = "TopScore"
    type = "N"
  }
  ttl {
    attribute_name = "TimeToExist"
    enabled        = true
  }
  global_secondary_index {
    name               = "GameTitleIndex"
    hash_key           = "GameTitle"
    range_key          = "TopScore"
    write_capacity     = 10
    read_capacity      = 11
    projection_type    = "INCLUDE"
    non_key_attributes = ["UserId"]
  }
  tags = { Name = "scores", Environment = upper(var.stage) }
}
)";

TEST(Terraform, ReadsWhereValuesArePlain) {
  Notes notes;
  const auto blueprint = ReadAs("terraform", kTerraform, notes);
  ASSERT_EQ(blueprint.tables.size(), 1U);
  const auto& table = blueprint.tables[0];
  EXPECT_EQ(table.name, "scores");
  EXPECT_EQ(table.throughput->write.units, 21);
  EXPECT_EQ(table.ttl, "TimeToExist");
  EXPECT_EQ(table.indexes[0].key.sort[0], (KeyAttribute{"TopScore", KeyType::kNumber}));
  EXPECT_EQ(table.indexes[0].projected, Projected(ProjectInclude{{"UserId"}}));
  EXPECT_THAT(notes.all(), Mentions("scores.name", "a text"));
  EXPECT_THAT(notes.all(), Mentions("scores.tags", "not carried"));
}

TEST(Terraform, QuotesWhatWouldBeATemplate) {
  Blueprint blueprint{.name = "", .tables = {{.name = "a${b}%{c}$\"\\"}}};
  blueprint.tables[0].key.partition = {{"id", KeyType::kString}};
  Notes notes;
  const auto text = Print(FormatOf("terraform"), blueprint, notes);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr(R"(name = "a$${b}%%{c}$\"\\")"));
  EXPECT_EQ(ReadAs("terraform", *text, notes).tables[0].name, blueprint.tables[0].name);
}

TEST(Cdk, WritesTableV2) {
  Notes notes;
  const auto text = Print(FormatOf("cdk"), Everything(), notes);
  ASSERT_TRUE(text);
  for (const std::string_view line :
       {"new dynamodb.TableV2(this, \"Shop\", {",
        "partitionKey: { name: \"pk\", type: dynamodb.AttributeType.STRING },",
        "readCapacity: dynamodb.Capacity.autoscaled({ minCapacity: 5, maxCapacity: 500, "
        "targetUtilizationPercent: 60, seedCapacity: 5 }),",
        "timeToLiveAttribute: \"expiresAt\",",
        "dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,", "deletionProtection: true,",
        "projectionType: dynamodb.ProjectionType.INCLUDE, nonKeyAttributes: [\"name\"],",
        "localSecondaryIndexes: [", "billing: dynamodb.Billing.onDemand(),"}) {
    EXPECT_THAT(*text, HasSubstr(std::string(line)));
  }
  EXPECT_THAT(notes.all(), Mentions("Shop.byState", "several attributes"));
}

// ---- OneTable, ElectroDB ----

// In the form of OneTable's own schema.
constexpr std::string_view kOneTable = R"({
  "format": "onetable:1.1.0", "version": "0.0.1",
  "indexes": {"primary": {"hash": "pk", "sort": "sk"},
              "gs1": {"hash": "gs1pk", "sort": "gs1sk", "project": ["name"], "follow": true}},
  "models": {
    "Account": {
      "pk": {"type": "string", "value": "account:${id}"},
      "sk": {"type": "string", "value": "account:"},
      "id": {"type": "string", "generate": "ulid"},
      "name": {"type": "string", "required": true, "unique": true},
      "status": {"type": "string", "enum": ["active", "inactive"]}},
    "User": {
      "pk": {"type": "string", "value": "account:${accountId}"},
      "sk": {"type": "string", "value": "user:${number:5:0}"},
      "gs1pk": {"type": "string", "value": "user#${email}"},
      "gs1sk": {"type": "string", "value": "user#"},
      "accountId": {"type": "string", "required": true},
      "number": {"type": "number", "required": true},
      "email": {"type": "string", "required": true},
      "joined": {"type": "date"}}},
  "params": {"isoDates": true, "timestamps": true, "typeField": "type"}})";

TEST(OneTable, ModelsAreEntities) {
  Notes notes;
  const auto files = ToModel(ReadAs("onetable", kOneTable, notes), notes);
  ASSERT_TRUE(files) << files.error();
  EXPECT_THAT(notes.all(), Mentions("Account.id.generate", "not carried"));
  EXPECT_THAT(files->model, HasSubstr("identity: [accountId, number]"));
  EXPECT_THAT(files->model, HasSubstr("unique: [name]"));
  EXPECT_THAT(files->model, HasSubstr("joined: {type: timestamp, optional: 0.5}"));
  EXPECT_THAT(files->model, HasSubstr("values: [active, inactive]"));
  EXPECT_THAT(files->design, HasSubstr("sk: \"user:{number:05}\""));
  EXPECT_THAT(files->design, HasSubstr("gs1: {partition: gs1pk, sort: gs1sk, project: [name]}"));
}

// In the form of ElectroDB's own model; the default texts of its keys are those it documents.
constexpr std::string_view kElectroDb = R"([{
  "model": {"entity": "task", "version": "1", "service": "taskapp"}, "table": "tasks",
  "attributes": {"team": {"type": "string", "required": true}, "task": "string",
                 "points": {"type": "number"}, "status": {"type": ["open", "closed"]}},
  "indexes": {
    "task": {"pk": {"field": "pk", "composite": ["team"]},
             "sk": {"field": "sk", "composite": ["task"]}},
    "byStatus": {"index": "gsi1", "collection": "assignments",
                 "pk": {"field": "gsi1pk", "composite": ["status"], "casing": "none",
                        "template": "STATUS#${status}"},
                 "sk": {"field": "gsi1sk", "composite": ["task"]}}}}])";

TEST(ElectroDb, WritesOutTheDefaultTexts) {
  Notes notes;
  const auto files = ToModel(ReadAs("electrodb", kElectroDb, notes), notes);
  ASSERT_TRUE(files) << files.error();
  EXPECT_THAT(files->design, HasSubstr("pk: \"$taskapp#team_{team}\""));
  EXPECT_THAT(files->design, HasSubstr("sk: \"$task_1#task_{task}\""));
  EXPECT_THAT(files->design, HasSubstr("gsi1pk: \"STATUS#{status}\""));
  EXPECT_THAT(files->design, HasSubstr("gsi1sk: \"$assignments#task_1#task_{task}\""));
  EXPECT_THAT(notes.all(), Mentions("task", "lower case"));
  EXPECT_THAT(notes.all(), Mentions("byStatus.collection", "not carried"));
}

TEST(ElectroDb, RefusesTwoKeysOfOneTable) {
  Notes notes;
  constexpr std::string_view kTwo = R"({
    "A": {"model": {"entity": "A", "service": "s"}, "table": "t", "attributes": {"a": "string"},
          "indexes": {"x": {"pk": {"field": "pk", "composite": ["a"]}}}},
    "B": {"model": {"entity": "B", "service": "s"}, "table": "t", "attributes": {"a": "string"},
          "indexes": {"x": {"pk": {"field": "other", "composite": ["a"]}}}}})";
  const auto read = Read(FormatOf("electrodb"), kTwo, notes);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), HasSubstr("different keys"));
}

// ---- SQL ----

constexpr std::string_view kSql = R"(-- PostgreSQL, with a bit of MySQL
CREATE TYPE state AS ENUM ('open', 'shut');
CREATE TABLE IF NOT EXISTS public.customers (
  id bigserial PRIMARY KEY,
  email varchar(255) NOT NULL UNIQUE,
  "full name" text,
  created_at timestamp with time zone NOT NULL DEFAULT now()
);
CREATE TABLE orders (
  customer_id bigint NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  state state NOT NULL,
  channel varchar(10) CHECK (channel IN ('web', 'shop')),
  total numeric(10, 2) DEFAULT 0,
  paid tinyint(1),
  PRIMARY KEY (customer_id, number),
  KEY by_state (state),
  CONSTRAINT who FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE
);
CREATE TABLE `lines` (order_customer bigint, order_number int, line int, note json, UNIQUE (note, line));
ALTER TABLE ONLY `lines` ADD CONSTRAINT p PRIMARY KEY (order_customer, order_number, line);
ALTER TABLE `lines` ADD FOREIGN KEY (order_number, order_customer) REFERENCES orders (number, customer_id);
CREATE UNIQUE INDEX total ON orders (total);
-- name: CustomerByEmail :one
SELECT * FROM public.customers c WHERE c.email = $1;
SELECT o.number, o.total FROM orders AS o WHERE o.customer_id = ? AND o.number >= ? ORDER BY o.number DESC LIMIT 20;
SELECT * FROM orders WHERE state = 'open' OR total > 5;
INSERT INTO orders VALUES (1);
)";

TEST(Sql, TablesAndSelectsBecomeAModel) {
  Notes notes;
  const auto files = ToModel(ReadAs("sql", kSql, notes), notes);
  ASSERT_TRUE(files) << files.error();
  EXPECT_EQ(files->design, "");
  EXPECT_EQ(files->model, R"(model: imported
entities:
  customers:
    identity: [id]
    unique: [email]
    attributes:
      id: {type: integer}
      email: {type: string}
      full_name: {type: string, optional: 0.5}
      created_at: {type: timestamp}
  orders:
    identity: [customer_id, number]
    unique: [total]
    references: [{to: customers, by: [customer_id]}]
    attributes:
      customer_id: {type: integer}
      number: {type: integer}
      state: {type: string, values: [open, shut]}
      channel: {type: string, optional: 0.5, values: [web, shop]}
      total: {type: decimal, optional: 0.5}
      paid: {type: boolean, optional: 0.5}
  lines:
    identity: [order_customer, order_number, line]
    references: [{to: orders, by: [order_customer, order_number]}]
    attributes:
      order_customer: {type: integer}
      order_number: {type: integer}
      line: {type: integer}
      note: {type: map, optional: 0.5}
questions:
  CustomerByEmail: {sql: "SELECT * FROM customers WHERE email = :email"}
  orders-by-customer-id-number: {sql: "SELECT number, total FROM orders WHERE customer_id = :customer_id AND number >= :number ORDER BY number DESC LIMIT 20"}
)");
  EXPECT_THAT(notes.all(), Mentions("customers.full name", "full_name"));
  EXPECT_THAT(notes.all(), Mentions("lines", "together"));
  EXPECT_THAT(notes.all(), Mentions("orders-all", "OR"));
  EXPECT_THAT(notes.all(), Mentions("INSERT", "Changes"));
  EXPECT_THAT(notes.all(), Mentions("orders", "half of them is a guess"));
}

TEST(Sql, ExportNeedsADesign) {
  Notes notes;
  const auto text = Print(FormatOf("terraform"), ReadAs("sql", kSql, notes), notes);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error(), HasSubstr("design"));
}

}  // namespace
}  // namespace kw::modeller
