// SPDX-License-Identifier: Apache-2.0
// Sentences marked "observed" are of the live service, October 2026, from the public findings of a
// Kubernetes controller's lab (ack-api-quirks, by number).
#include "engine/tables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "engine/engine_test_support.h"
#include "engine/upkeep.h"

namespace kw::engine {
namespace {

TableKey Key(std::string name) { return {"000000000000", "us-east-1", std::move(name)}; }

KeySchema Hash(KeyAttribute partition) { return {{std::move(partition)}, {}}; }

CreateTableRequest Request(const std::string& name, std::vector<IndexSchema> indexes = {}) {
  CreateTableRequest request;
  request.key = Key(name);
  request.provisioned = {5, 5, {}, {}, 0};
  request.attribute_definitions = {S("id")};
  for (const auto& index : indexes) {
    for (const auto* part : {&index.key.partition, &index.key.sort}) {
      for (const auto& attribute : *part) {
        if (std::ranges::find(request.attribute_definitions, attribute) ==
            request.attribute_definitions.end()) {
          request.attribute_definitions.push_back(attribute);
        }
      }
    }
    request.indexes.push_back({index, Provisioned{5, 5, {}, {}, 0}, {}, {}});
  }
  request.schema = TableSchema::Make(Hash(S("id")), std::move(indexes));
  return request;
}

CreateTableRequest OnDemand(const std::string& name, std::vector<IndexSchema> indexes = {}) {
  auto request = Request(name, std::move(indexes));
  request.billing = BillingMode::kPayPerRequest;
  request.provisioned = {};
  for (auto& index : request.indexes) index.provisioned.reset();
  return request;
}

UpdateTableRequest Change(const std::string& name) {
  UpdateTableRequest request;
  request.key = Key(name);
  return request;
}

IndexCreate NewIndex(IndexSchema schema, std::optional<Provisioned> provisioned = {}) {
  return {{std::move(schema), provisioned, {}, {}}};
}

class TablesTest : public ::testing::Test {
 protected:
  Result<TablePtr> Create(CreateTableRequest request) {
    return CreateTable(test_.engine(), std::move(request));
  }
  Result<TablePtr> Update(UpdateTableRequest request) {
    return UpdateTable(test_.engine(), std::move(request));
  }
  TablePtr Now(const std::string& name) { return test_.engine().catalog.FindOrNull(Key(name)); }
  void Upkeep() { ASSERT_TRUE(RunUpkeep(test_.engine(), stop_)); }

  TestEngine test_;
  std::atomic<bool> stop_{false};
};

TEST_F(TablesTest, ANewTableIsShownAsCreatingAndCanBeWrittenAtOnce) {
  const auto shown = Create(Request("orders", {Global("g", Hash(S("a")))}));
  ASSERT_TRUE(shown);
  EXPECT_EQ((*shown)->status, TableStatus::kCreating);
  EXPECT_EQ((*shown)->index_states[0].status, IndexStatus::kCreating);
  EXPECT_EQ((*shown)->id.size(), 36U);
  EXPECT_EQ(Now("orders")->status, TableStatus::kActive);
  ASSERT_TRUE(test_.Put(Key("orders"), R"({"id":{"S":"1"},"a":{"S":"x"}})"));
  const auto size = SizeOf(test_.engine(), *Now("orders"));
  ASSERT_TRUE(size);
  EXPECT_EQ(size->items, 1);
  EXPECT_EQ(size->bytes, 5);  // aws-doc: item sizes: "id" + "1" + "a" + "x"
  ASSERT_EQ(size->indexes.size(), 1U);
  EXPECT_EQ(size->indexes[0].items, 1);
  EXPECT_EQ(size->indexes[0].bytes, 5);
}

TEST_F(TablesTest, RefusesANameThatIsTaken) {
  ASSERT_TRUE(Create(Request("orders")));
  const auto again = Create(Request("orders"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kResourceInUse);
  // observed: github.com/serverless/serverless/issues/3183 and many users.
  EXPECT_EQ(again.error().message, "Table already exists: orders");
}

TEST_F(TablesTest, RefusesATableOverTheLimit) {
  for (int i = 0; i < 2500; ++i) {  // aws-doc: Quotas, tables per account and region
    ASSERT_TRUE(Create(Request(fmt::format("t{}", i))));
  }
  const auto over = Create(Request("one-more"));
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, ErrorCode::kLimitExceeded);
  // assumed: the wording behind "Subscriber limit exceeded: ".
  EXPECT_EQ(over.error().message,
            "Subscriber limit exceeded: There is a limit of 2500 tables per subscriber");
}

TEST_F(TablesTest, DeletesAtOnceAndDropsTheRowsLater) {
  ASSERT_TRUE(Create(Request("orders", {Global("g", Hash(S("a")))})));
  const auto old = Now("orders");
  ASSERT_TRUE(test_.Put(Key("orders"), R"({"id":{"S":"1"},"a":{"S":"x"}})"));
  const auto shown = DeleteTable(test_.engine(), Key("orders"));
  ASSERT_TRUE(shown);
  EXPECT_EQ((*shown)->status, TableStatus::kDeleting);
  EXPECT_EQ(Now("orders"), nullptr);
  EXPECT_TRUE(old->stale.load());

  // The name is free, and inherits nothing.
  ASSERT_TRUE(Create(Request("orders", {Global("g", Hash(S("a")))})));
  EXPECT_EQ(test_.Read(Key("orders"), R"({"id":{"S":"1"}})"), "nothing");
  EXPECT_NE(Now("orders")->id, old->id);
  EXPECT_EQ(SizeOf(test_.engine(), *Now("orders"))->items, 0);

  EXPECT_EQ(SizeOf(test_.engine(), *old)->items, 1);
  EXPECT_EQ(test_.engine().catalog.Dropped().size(), 2U);
  Upkeep();
  EXPECT_TRUE(test_.engine().catalog.Dropped().empty());
  EXPECT_EQ(SizeOf(test_.engine(), *old)->items, 0);
}

TEST_F(TablesTest, DropsWhatAnEarlierRunLeft) {
  ASSERT_TRUE(Create(Request("orders")));
  const auto old = Now("orders");
  ASSERT_TRUE(test_.Put(Key("orders"), R"({"id":{"S":"1"}})"));
  ASSERT_TRUE(DeleteTable(test_.engine(), Key("orders")));
  auto catalog = *Catalog::Load(test_.store());
  Engine later{.store = test_.store(), .catalog = *catalog, .clock = test_.clock(), .options = {}};
  ASSERT_TRUE(RunUpkeep(later, stop_));
  EXPECT_EQ(SizeOf(later, *old)->items, 0);
  EXPECT_TRUE(catalog->Dropped().empty());
}

TEST_F(TablesTest, KeepsAProtectedTable) {
  auto request = Request("orders");
  request.deletion_protection = true;
  ASSERT_TRUE(Create(std::move(request)));
  const auto refused = DeleteTable(test_.engine(), Key("orders"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kValidation);
  // observed: DDB-TABLE-442.
  EXPECT_EQ(refused.error().message,
            "Resource cannot be deleted as it is currently protected against deletion. Disable "
            "deletion protection first.");
  auto change = Change("orders");
  change.deletion_protection = false;
  ASSERT_TRUE(Update(change));
  EXPECT_TRUE(DeleteTable(test_.engine(), Key("orders")));
}

TEST_F(TablesTest, MissesATableInTheControlPlanesWords) {
  // observed: DDB-TABLE-380 "a missing table reads 'Table: <name> not found'".
  const std::string expected = "Requested resource not found: Table: none not found";
  const auto found = FindTable(test_.engine(), Key("none"));
  EXPECT_EQ(Failure(found), expected);
  EXPECT_EQ(found.error().code, ErrorCode::kResourceNotFound);
  EXPECT_EQ(Failure(DeleteTable(test_.engine(), Key("none"))), expected);
  auto change = Change("none");
  change.deletion_protection = true;
  EXPECT_EQ(Failure(Update(change)), expected);
}

TEST_F(TablesTest, ChangesProvisionedCapacityAndShowsTheOld) {
  ASSERT_TRUE(Create(Request("t")));
  test_.clock().Advance(std::chrono::seconds(9));
  auto change = Change("t");
  change.provisioned = {6, 4, {}, {}, 0};
  auto shown = Update(change);
  ASSERT_TRUE(shown);
  // observed: DDB-TABLE-060 (old units, old counter, new time, UPDATING).
  EXPECT_EQ((*shown)->status, TableStatus::kUpdating);
  EXPECT_EQ((*shown)->provisioned.read_units, 5);
  EXPECT_EQ((*shown)->provisioned.decreases_today, 0);
  EXPECT_EQ((*shown)->provisioned.decreased_at, test_.clock().Now());
  // observed: DDB-TABLE-157 (one dimension down is a decrease; one call counts once).
  auto now = Now("t");
  EXPECT_EQ(now->provisioned.read_units, 6);
  EXPECT_EQ(now->provisioned.write_units, 4);
  EXPECT_EQ(now->provisioned.decreases_today, 1);
  EXPECT_EQ(now->provisioned.increased_at, std::nullopt);
  // observed: DDB-TABLE-061 (warm throughput is the highest ever).
  EXPECT_EQ(now->warm->read_units, 6);
  EXPECT_EQ(now->warm->write_units, 5);

  // observed: DDB-TABLE-184 (the counter begins anew at 00:00 UTC).
  test_.clock().Advance(std::chrono::hours(24));
  change.provisioned = {6, 3, {}, {}, 0};
  ASSERT_TRUE(Update(change));
  EXPECT_EQ(Now("t")->provisioned.decreases_today, 1);
}

TEST_F(TablesTest, LimitsTheDecreasesOfADay) {
  test_.clock().Advance(std::chrono::minutes(40));  // 22:53:20 UTC, a Tuesday
  ASSERT_TRUE(Create(Request("t")));
  const auto set = [&](std::int64_t read, std::int64_t write) {
    auto change = Change("t");
    change.provisioned = {read, write, {}, {}, 0};
    return Failure(Update(change));
  };
  ASSERT_EQ(set(99, 99), "done");
  for (std::int64_t read = 98; read > 94; --read) ASSERT_EQ(set(read, 99), "done");
  // observed: DDB-TABLE-184, DDB-TABLE-326 (the sentence; an increase is free; a mixed change is a
  // decrease; the pause counts from the last one that was done).
  const std::string refused =
      "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC "
      "day. After the first 4 decreases, each subsequent decrease in the same UTC day can be "
      "performed at most once every 3600 seconds. Number of decreases today: ";
  test_.clock().Advance(std::chrono::minutes(3));
  EXPECT_EQ(set(94, 120),
            refused +
                "4. Last decrease at Tuesday, November 14, 2023 at 10:53:20 PM Coordinated "
                "Universal Time. Next decrease can be made at Tuesday, November 14, 2023 at "
                "11:53:20 PM Coordinated Universal Time");
  EXPECT_EQ(set(96, 99), "done");
  test_.clock().Advance(std::chrono::minutes(57));
  EXPECT_EQ(set(95, 99), "done");
  EXPECT_EQ(set(94, 99),
            refused +
                "5. Last decrease at Tuesday, November 14, 2023 at 11:53:20 PM Coordinated "
                "Universal Time. Next decrease can be made at Wednesday, November 15, 2023 at "
                "12:00:00 AM Coordinated Universal Time");
  // observed: DDB-TABLE-185 (midnight restores all four; the time of the last one stays).
  test_.clock().Advance(std::chrono::minutes(7));
  EXPECT_EQ(AsOf(Now("t"), test_.clock().Now())->provisioned.decreases_today, 0);
  EXPECT_TRUE(AsOf(Now("t"), test_.clock().Now())->provisioned.decreased_at.has_value());
  for (std::int64_t read = 94; read > 90; --read) EXPECT_EQ(set(read, 99), "done");
  EXPECT_NE(set(90, 99), "done");
}

TEST_F(TablesTest, LimitsTheSwitchesToOnDemandInADay) {
  ASSERT_TRUE(Create(Request("t")));
  const auto change_billing = [&](BillingMode billing) {
    auto change = Change("t");
    change.billing = billing;
    if (billing == BillingMode::kProvisioned) change.provisioned = {5, 5, {}, {}, 0};
    return Failure(Update(change));
  };
  // aws-doc: bp-switching-capacity-modes (four in a rolling window; back at any time).
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(change_billing(BillingMode::kPayPerRequest), "done");
    ASSERT_EQ(change_billing(BillingMode::kProvisioned), "done");
    test_.clock().Advance(std::chrono::hours(5));
  }
  // assumed: the sentence, after that of table classes.
  EXPECT_EQ(change_billing(BillingMode::kPayPerRequest),
            "Subscriber limit exceeded: Updates to PayPerRequest mode are limited to 4 times in 1 "
            "day(s).");
  test_.clock().Advance(std::chrono::hours(4));
  EXPECT_EQ(change_billing(BillingMode::kPayPerRequest), "done");
  // observed: DDB-TABLE-183 (the switch is shown as the last decrease, but not counted).
  EXPECT_EQ(Now("t")->provisioned.decreased_at, test_.clock().Now());
  EXPECT_EQ(Now("t")->provisioned.decreases_today, 0);
}

TEST_F(TablesTest, SwitchesToOnDemandAndBack) {
  ASSERT_TRUE(Create(Request("t", {Global("g", Hash(S("a")))})));
  test_.clock().Advance(std::chrono::seconds(9));
  auto change = Change("t");
  change.billing = BillingMode::kPayPerRequest;
  change.on_demand = OnDemandMaximum{100, 200};
  ASSERT_TRUE(Update(change));
  auto now = Now("t");
  EXPECT_EQ(now->billing, BillingMode::kPayPerRequest);
  EXPECT_EQ(now->on_demand_since, test_.clock().Now());
  EXPECT_EQ(now->provisioned.read_units, 0);
  EXPECT_EQ(now->index_states[0].provisioned.read_units, 0);
  EXPECT_EQ(now->on_demand->read_units, 100);
  EXPECT_EQ(now->warm->read_units, 12000);  // observed: DDB-TABLE-061
  EXPECT_EQ(now->index_states[0].warm->write_units, 4000);

  change = Change("t");
  change.billing = BillingMode::kProvisioned;
  // observed: DDB-TABLE-152, both sentences.
  EXPECT_EQ(Failure(Update(change)),
            "One or more parameter values were invalid: ProvisionedThroughput must be specified "
            "when BillingMode is PROVISIONED");
  change.provisioned = {7, 7, {}, {}, 0};
  EXPECT_EQ(Failure(Update(change)),
            "One or more parameter values were invalid: ProvisionedThroughput must be specified "
            "for index: g");
  change.index_changes = {IndexChange{"g", Provisioned{8, 8, {}, {}, 0}, {}, {}}};
  const auto shown = Update(change);
  ASSERT_TRUE(shown);
  EXPECT_EQ((*shown)->provisioned.read_units, 7);  // observed: DDB-TABLE-165
  EXPECT_EQ((*shown)->index_states[0].provisioned.read_units, 8);
  now = Now("t");
  EXPECT_EQ(now->index_states[0].provisioned.read_units, 8);
  EXPECT_EQ(now->on_demand, std::nullopt);  // observed: DDB-TABLE-153
  EXPECT_EQ(now->warm->read_units, 12000);  // observed: DDB-TABLE-061
  EXPECT_TRUE(now->on_demand_since);        // observed: DDB-TABLE-055
}

TEST_F(TablesTest, MergesOnDemandMaximaMemberByMember) {
  ASSERT_TRUE(Create(OnDemand("t")));
  const auto set = [&](std::optional<std::int64_t> read, std::optional<std::int64_t> write) {
    auto change = Change("t");
    change.on_demand = OnDemandMaximum{read, write};
    return Update(change);
  };
  // observed: DDB-TABLE-178, all of it.
  ASSERT_TRUE(set(1000, 500));
  ASSERT_TRUE(set(2000, {}));
  EXPECT_EQ(Now("t")->on_demand->read_units, 2000);
  EXPECT_EQ(Now("t")->on_demand->write_units, 500);
  const auto shown = set(-1, {});
  EXPECT_EQ((*shown)->on_demand->read_units, -1);
  EXPECT_EQ((*shown)->status, TableStatus::kActive);
  EXPECT_EQ(Now("t")->on_demand->read_units, std::nullopt);
  ASSERT_TRUE(set({}, -1));
  EXPECT_EQ(Now("t")->on_demand, std::nullopt);
}

TEST_F(TablesTest, EnablesAndDisablesAStream) {
  ASSERT_TRUE(Create(OnDemand("t")));
  auto change = Change("t");
  change.stream = std::optional(StreamView::kNewImage);
  ASSERT_TRUE(Update(change));
  EXPECT_EQ(Now("t")->stream, StreamView::kNewImage);
  // aws-doc: API_DescribeStream, StreamLabel (an ISO 8601 time).
  EXPECT_EQ(Now("t")->stream_label, "2023-11-14T22:13:20.000");
  // observed: DDB-TABLE-442, both sentences.
  EXPECT_EQ(Failure(Update(change)), "Table already has an enabled stream: TableName: t");
  change.stream = std::optional<StreamView>();
  ASSERT_TRUE(Update(change));
  EXPECT_EQ(Now("t")->stream, std::nullopt);
  EXPECT_FALSE(Now("t")->stream_label.empty());
  EXPECT_EQ(Failure(Update(change)), "Table has no stream to disable: TableName: t");
}

struct Refusal {
  const char* what;
  std::function<void(UpdateTableRequest&)> ask;
  ErrorCode code;
  std::string message;
};

TEST_F(TablesTest, RefusesChangesThatDoNotFit) {
  auto with_local = Request("p", {Global("g", Hash(S("a")))});
  ASSERT_TRUE(Create(std::move(with_local)));
  ASSERT_TRUE(Create(OnDemand("d", {Global("g", Hash(S("a")))})));
  const Provisioned same{5, 5, {}, {}, 0};
  const Provisioned other{6, 6, {}, {}, 0};
  const auto on_p = [](auto change) {
    return [change](UpdateTableRequest& request) { request.index_changes = {change}; };
  };
  const auto on_d = [](auto change) {
    return [change](UpdateTableRequest& request) {
      request.key.name = "d";
      request.index_changes = {change};
    };
  };
  const std::string invalid = "One or more parameter values were invalid: ";
  const std::vector<Refusal> refusals{
      // observed: DDB-TABLE-442.
      {"same capacity", [&](auto& r) { r.provisioned = same; }, ErrorCode::kValidation,
       "The provisioned throughput for the table will not change. The requested value equals the "
       "current value. Current ReadCapacityUnits provisioned for the table: 5. Requested "
       "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 5. Requested "
       "WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits and "
       "how to request higher limits."},
      // observed: DDB-TABLE-164, but for its end, which is as the table's (assumed).
      {"same capacity of an index", on_p(IndexChange{"g", same, {}, {}}), ErrorCode::kValidation,
       "The provisioned throughput for the index g will not change. The requested value equals the "
       "current value. Current ReadCapacityUnits provisioned for index g: 5. Requested "
       "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for index g: 5. Requested "
       "WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits and "
       "how to request higher limits."},
      // observed: DDB-TABLE-442.
      {"capacity on demand", [&](auto& r) { r.key.name = "d", r.provisioned = other; },
       ErrorCode::kValidation,
       invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                 "BillingMode is PAY_PER_REQUEST"},
      // observed: DDB-TABLE-152.
      {"index capacity on demand", on_d(IndexChange{"g", other, {}, {}}), ErrorCode::kValidation,
       invalid + "The only Updates for index: g when TableThroughputMode is PAY_PER_REQUEST can be "
                 "to OnDemandThroughput, WarmThroughput"},
      // observed: DDB-TABLE-170.
      {"over the quota", [&](auto& r) { r.provisioned = Provisioned{40001, 5, {}, {}, 0}; },
       ErrorCode::kLimitExceeded,
       "The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in "
       "us-east-1. Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for "
       "current limits and how to request higher limits."},
      // observed: DDB-TABLE-061.
      {"less warm throughput", [&](auto& r) { r.warm = WarmThroughput{1, 1}; },
       ErrorCode::kValidation,
       invalid + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current "
                 "WarmThroughput, decreasing WarmThroughput is not supported"},
      // observed: DDB-TABLE-153.
      {"maxima when provisioned", [&](auto& r) { r.on_demand = OnDemandMaximum{5, {}}; },
       ErrorCode::kValidation,
       invalid + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table "
                 "BillingMode is PROVISIONED"},
      // observed: DDB-TABLE-051.
      {"a maximum of nothing",
       [&](auto& r) { r.key.name = "d", r.on_demand = OnDemandMaximum{{}, 0}; },
       ErrorCode::kValidation,
       invalid + "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of "
                 "valid range"},
      // observed: DDB-TABLE-375.
      {"an unknown index", on_p(IndexDelete{"none"}), ErrorCode::kResourceNotFound,
       "Requested resource not found: Index none for table p"},
      // observed: DDB-TABLE-442.
      {"an index that is there", on_p(NewIndex(Global("g", Hash(S("b"))), same)),
       ErrorCode::kValidation, "Attempting to create an index which already exists"},
      // observed: DDB-TABLE-152.
      {"an index without capacity", on_p(NewIndex(Global("h", Hash(S("b"))))),
       ErrorCode::kValidation,
       invalid + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: h"},
      // observed: ecto-dynamodb's docs, and DDB-TABLE-442.
      {"an index with capacity on demand", on_d(NewIndex(Global("h", Hash(S("b"))), same)),
       ErrorCode::kValidation,
       invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: h "
                 "when BillingMode is PAY_PER_REQUEST"},
      // observed: DDB-TABLE-159.
      {"two online changes",
       [&](auto& r) {
         r.index_changes = {NewIndex(Global("h", Hash(S("b"))), same), IndexDelete{"g"}};
       },
       ErrorCode::kLimitExceeded,
       "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
       "per "
       "table"},
  };
  for (const auto& refusal : refusals) {
    auto change = Change("p");
    refusal.ask(change);
    const auto before = Now(change.key.name);
    const auto result = Update(change);
    ASSERT_FALSE(result) << refusal.what;
    EXPECT_EQ(result.error().code, refusal.code) << refusal.what;
    EXPECT_EQ(result.error().message, refusal.message) << refusal.what;
    EXPECT_EQ(Now(change.key.name), before) << refusal.what;
  }
}

TEST_F(TablesTest, KeepsLocalIndexesOutOfUpdates) {
  auto request = OnDemand("t");
  request.schema = TableSchema::Make({{S("id")}, {S("s")}}, {Local("l", S("id"), S("a"))});
  request.indexes = {{request.schema.indexes()[0], {}, {}, {}}};
  ASSERT_TRUE(Create(std::move(request)));
  auto change = Change("t");
  // observed: DDB-TABLE-442, both.
  change.index_changes = {IndexDelete{"l"}};
  EXPECT_EQ(Failure(Update(change)),
            "Cannot delete an index that is not a GlobalSecondaryIndex: l");
  change.index_changes = {IndexChange{"l", {}, {}, WarmThroughput{1, 1}}};
  EXPECT_EQ(Failure(Update(change)),
            "Cannot update an index that is not a GlobalSecondaryIndex: l");
}

TEST_F(TablesTest, ANewIndexIsShownOnItsWayAndIsFilledLater) {
  ASSERT_TRUE(Create(OnDemand("t")));
  ASSERT_TRUE(test_.Put(Key("t"), R"({"id":{"S":"1"},"a":{"S":"x"}})"));
  ASSERT_TRUE(test_.Put(Key("t"), R"({"id":{"S":"2"}})"));
  // Items whose attribute cannot be a key are left out.
  // aws-doc: Developer Guide, "Detecting and correcting index key violations".
  ASSERT_TRUE(test_.Put(Key("t"), R"({"id":{"S":"3"},"a":{"N":"1"}})"));
  ASSERT_TRUE(test_.Put(Key("t"), R"({"id":{"S":"4"},"a":{"S":""}})"));
  auto change = Change("t");
  change.index_changes = {NewIndex(Global("g", Hash(S("a"))))};
  const auto shown = Update(change);
  ASSERT_TRUE(shown);
  // observed: DDB-TABLE-148, -165.
  EXPECT_EQ((*shown)->status, TableStatus::kUpdating);
  EXPECT_EQ((*shown)->index_states[0].status, IndexStatus::kCreating);
  EXPECT_FALSE((*shown)->index_states[0].backfilling);
  EXPECT_EQ(Now("t")->status, TableStatus::kActive);
  EXPECT_EQ(Now("t")->index_states[0].status, IndexStatus::kCreating);
  EXPECT_TRUE(Now("t")->index_states[0].backfilling);
  // observed: DDB-TABLE-125 (definitions are sorted by name).
  EXPECT_EQ(Now("t")->attribute_definitions, (std::vector<KeyAttribute>{S("a"), S("id")}));

  // observed: DDB-TABLE-150, -159.
  EXPECT_EQ(Failure(DeleteTable(test_.engine(), Key("t"))),
            "Attempt to change a resource which is still in use: Cannot delete table while indexes "
            "are being created, updated, or deleted.");
  change.index_changes = {NewIndex(Global("h", Hash(S("b"))))};
  EXPECT_EQ(Failure(Update(change)),
            "Subscriber limit exceeded: Only 1 online index can be created or deleted "
            "simultaneously per table");
  // assumed, from what hashicorp/terraform issue 9559 shows of one that is being updated.
  change.index_changes = {IndexChange{"g", {}, {}, WarmThroughput{20000, 8000}}};
  const auto early = Update(change);
  EXPECT_EQ(early.error().code, ErrorCode::kResourceInUse);
  EXPECT_EQ(early.error().message,
            "Attempt to change a resource which is still in use: Index is being created. Table: t "
            "Index: g");
  // aws-doc: API_UpdateTable, "After the index begins backfilling, you can use UpdateTable to
  // perform other operations."
  change.index_changes = {};
  change.table_class = TableClass::kStandardInfrequentAccess;
  EXPECT_TRUE(Update(change));
  EXPECT_EQ(Now("t")->table_class, TableClass::kStandardInfrequentAccess);

  Upkeep();
  EXPECT_EQ(Now("t")->index_states[0].status, IndexStatus::kActive);
  change.table_class.reset();
  change.index_changes = {IndexChange{"g", {}, {}, WarmThroughput{20000, 8000}}};
  EXPECT_TRUE(Update(change));
  EXPECT_FALSE(Now("t")->index_states[0].backfilling);
  EXPECT_EQ(SizeOf(test_.engine(), *Now("t"))->indexes[0].items, 1);
}

TEST_F(TablesTest, ADeletedIndexGoesWithItsDefinitionsAndItsRows) {
  ASSERT_TRUE(Create(OnDemand("t", {Global("g", Hash(S("a"))), Global("h", Hash(S("b")))})));
  ASSERT_TRUE(test_.Put(Key("t"), R"({"id":{"S":"1"},"a":{"S":"x"},"b":{"S":"y"}})"));
  const auto old = Now("t");
  auto change = Change("t");
  change.index_changes = {IndexDelete{"g"}};
  const auto shown = Update(change);
  ASSERT_TRUE(shown);
  EXPECT_EQ((*shown)->index_states[0].status, IndexStatus::kDeleting);  // observed: DDB-TABLE-148
  EXPECT_EQ(Now("t")->schema.FindIndex("g"), nullptr);
  // observed: DDB-TABLE-151.
  EXPECT_EQ(Now("t")->attribute_definitions, (std::vector<KeyAttribute>{S("b"), S("id")}));
  Upkeep();
  EXPECT_EQ(SizeOf(test_.engine(), *old)->indexes[0].items, 0);
  EXPECT_EQ(SizeOf(test_.engine(), *Now("t"))->indexes[0].items, 1);

  // One of the same name is another index.
  change.index_changes = {NewIndex(Global("g", Hash(N("a"))))};
  ASSERT_TRUE(Update(change));
  Upkeep();
  EXPECT_EQ(SizeOf(test_.engine(), *Now("t"))->indexes[1].items, 0);
  EXPECT_NE(Now("t")->index_states[1].ordinal, old->index_states[0].ordinal);
}

TEST_F(TablesTest, RefusesTheTwentyFirstGlobalIndex) {
  std::vector<IndexSchema> indexes;
  for (int i = 0; i < 20; ++i) indexes.push_back(Global(fmt::format("g{}", i), Hash(S("a"))));
  ASSERT_TRUE(Create(OnDemand("t", std::move(indexes))));
  auto change = Change("t");
  change.index_changes = {NewIndex(Global("over", Hash(S("b"))))};
  const auto over = Update(change);
  EXPECT_EQ(over.error().code, ErrorCode::kLimitExceeded);
  // observed: DDB-TABLE-169.
  EXPECT_EQ(over.error().message,
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit "
            "of 20");
}

TEST_F(TablesTest, AWokenWorkerDoesTheUpkeep) {
  ASSERT_TRUE(Create(OnDemand("t")));
  ASSERT_TRUE(test_.Put(Key("t"), R"({"id":{"S":"1"},"a":{"S":"x"}})"));
  {
    kw::engine::Upkeep upkeep(test_.engine());
    test_.engine().upkeep = &upkeep;
    auto change = Change("t");
    change.index_changes = {NewIndex(Global("g", Hash(S("a"))))};
    ASSERT_TRUE(Update(change));
    while (Now("t")->index_states[0].status != IndexStatus::kActive) std::this_thread::yield();
    test_.engine().upkeep = nullptr;
  }
  EXPECT_EQ(SizeOf(test_.engine(), *Now("t"))->indexes[0].items, 1);
}

}  // namespace
}  // namespace kw::engine
