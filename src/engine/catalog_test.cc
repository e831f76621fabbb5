// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog.h"

#include <gtest/gtest.h>

#include "storage/open.h"

namespace kw::engine {
namespace {

TableKey Key(std::string name) { return {"000000000000", "us-east-1", std::move(name)}; }

TimePoint At(std::int64_t ms) { return TimePoint(std::chrono::milliseconds(ms)); }

std::unique_ptr<Table> Simple(const TableKey& key, std::uint32_t number = 1) {
  auto table = std::make_unique<Table>();
  table->key = key;
  table->id = "id-of-" + key.name;
  table->number = number;
  table->schema = TableSchema::Make({{{"id", KeyType::kString}}, {}}, {});
  table->attribute_definitions = {{"id", KeyType::kString}};
  table->created_at = At(1000);
  table->cells = {{0, SliceCell(number, 0)}};
  return table;
}

Catalog::Change Create(const TableKey& key) {
  return [key](const TablePtr&) -> Result<Catalog::Next> { return Catalog::Next{Simple(key), {}}; };
}

class CatalogTest : public ::testing::Test {
 protected:
  std::unique_ptr<storage::Store> store_ = *storage::Open("memory:", {});
  std::unique_ptr<Catalog> catalog_ = *Catalog::Load(*store_);
};

TEST_F(CatalogTest, FindsWhatWasAppliedAlsoAfterARestart) {
  ASSERT_TRUE(catalog_->Apply(Key("a"), Create(Key("a"))));
  ASSERT_TRUE(catalog_->Find(Key("a")));
  const auto again = *Catalog::Load(*store_);
  EXPECT_EQ(again->FindOrNull(Key("a"))->id, "id-of-a");
  EXPECT_EQ(again->FindOrNull(Key("b")), nullptr);
}

TEST_F(CatalogTest, RefusesAnUnknownTableInTheItemOperationsWords) {
  const auto found = catalog_->Find(Key("none"));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kResourceNotFound);
  // aws-doc: Developer Guide, "Error handling with DynamoDB" (ResourceNotFoundException).
  EXPECT_EQ(found.error().message, "Requested resource not found");
}

TEST_F(CatalogTest, MarksTheOldSnapshotOnceTheNewOneStands) {
  ASSERT_TRUE(catalog_->Apply(Key("a"), Create(Key("a"))));
  const auto old = *catalog_->Find(Key("a"));
  EXPECT_FALSE(old->stale.load());
  const auto next = catalog_->Apply(Key("a"), [](const TablePtr& now) -> Result<Catalog::Next> {
    auto table = std::make_unique<Table>(*now);
    table->deletion_protection = true;
    return Catalog::Next{std::move(table), {}};
  });
  ASSERT_TRUE(next);
  EXPECT_TRUE(old->stale.load());
  EXPECT_FALSE((*next)->stale.load());
  EXPECT_EQ(*catalog_->Find(Key("a")), *next);
}

TEST_F(CatalogTest, EveryDecisionAfterAChangeSeesTheOldSnapshotStale) {
  ASSERT_TRUE(catalog_->Apply(Key("a"), Create(Key("a"))));
  const auto old = *catalog_->Find(Key("a"));
  ASSERT_TRUE(catalog_->Apply(Key("a"), [](const TablePtr& now) -> Result<Catalog::Next> {
    return Catalog::Next{std::make_unique<Table>(*now), {}};
  }));
  bool stale = false;
  ASSERT_TRUE(storage::SubmitAndWait(*store_, {{7, "row"}}, [&](auto) {
    stale = old->stale.load() && *catalog_->Find(Key("a")) != old;
    return storage::Mutation();
  }));
  EXPECT_TRUE(stale);
}

TEST_F(CatalogTest, AFailedChangeChangesNothing) {
  ASSERT_TRUE(catalog_->Apply(Key("a"), Create(Key("a"))));
  const auto old = *catalog_->Find(Key("a"));
  const auto refused = catalog_->Apply(Key("a"), [](const TablePtr&) -> Result<Catalog::Next> {
    return Fail(ErrorCode::kResourceInUse, "no");
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "no");
  EXPECT_FALSE(old->stale.load());
}

TEST_F(CatalogTest, RemembersDroppedCellsUntilToldOtherwise) {
  ASSERT_TRUE(catalog_->Apply(Key("a"), Create(Key("a"))));
  ASSERT_TRUE(catalog_->Apply(Key("a"), [](const TablePtr& now) -> Result<Catalog::Next> {
    return Catalog::Next{nullptr, {now->cells.front().cell}};
  }));
  EXPECT_EQ(catalog_->FindOrNull(Key("a")), nullptr);
  const std::vector<storage::CellId> cells{SliceCell(1, 0)};
  EXPECT_EQ(catalog_->Dropped(), cells);
  EXPECT_EQ((*Catalog::Load(*store_))->Dropped(), cells);
  ASSERT_TRUE(catalog_->ForgetDropped(cells.front()));
  EXPECT_TRUE(catalog_->Dropped().empty());
  EXPECT_TRUE((*Catalog::Load(*store_))->Dropped().empty());
}

TEST_F(CatalogTest, NeverGivesANumberTwice) {
  for (std::uint32_t expected = 1; expected <= 3; ++expected) {
    auto catalog = *Catalog::Load(*store_);
    ASSERT_TRUE(catalog->Apply(Key("a"), [&](const TablePtr&) -> Result<Catalog::Next> {
      const auto number = catalog->NextTableNumber();
      EXPECT_EQ(number, expected);
      return Catalog::Next{Simple(Key("a"), number), {}};
    }));
    ASSERT_TRUE(catalog->Apply(
        Key("a"), [](const TablePtr&) -> Result<Catalog::Next> { return Catalog::Next{}; }));
  }
}

TEST_F(CatalogTest, ListsNamesOfOneAccountAndRegionInOrder) {
  for (const auto* name : {"c", "a", "b", "d"}) {
    ASSERT_TRUE(catalog_->Apply(Key(name), Create(Key(name))));
  }
  const TableKey elsewhere{"000000000000", "eu-west-1", "z"};
  ASSERT_TRUE(catalog_->Apply(elsewhere, Create(elsewhere)));
  using Names = std::vector<std::string>;
  EXPECT_EQ(catalog_->Names("000000000000", "us-east-1", "", 9), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(catalog_->Names("000000000000", "us-east-1", "a", 2), (Names{"b", "c"}));
  EXPECT_EQ(catalog_->Names("000000000000", "us-east-1", "d", 2), Names{});
  EXPECT_EQ(catalog_->Count("000000000000", "us-east-1"), 4U);
  EXPECT_EQ(catalog_->Count("000000000000", "eu-west-1"), 1U);
  EXPECT_EQ(catalog_->All().size(), 5U);
}

ResourcePolicyPtr PolicyOf(std::string_view effect, std::string revision) {
  std::string text = R"({"Statement":{"Effect":")";
  text.append(effect);
  text.append(R"(","Principal":"*","Action":"dynamodb:*","Resource":"*"}})");
  auto policy = access::Policy::Parse(text, access::PolicyKind::kResource);
  return std::make_shared<const ResourcePolicy>(
      ResourcePolicy{std::move(text), std::move(revision), std::move(*policy)});
}

Table Everything() {
  Table table;
  table.key = Key("orders");
  table.id = "1234";
  table.number = 9;
  const KeySchema key{{{"id", KeyType::kString}}, {{"at", KeyType::kNumber}}};
  table.schema = TableSchema::Make(
      key,
      {{"local", IndexScope::kLocal, {key.partition, {{"b", KeyType::kBinary}}}, ProjectKeys{}},
       {"wide",
        IndexScope::kGlobal,
        {{{"b", KeyType::kBinary}, {"id", KeyType::kString}}, {{"at", KeyType::kNumber}}},
        ProjectAll{}},
       {"some",
        IndexScope::kGlobal,
        {{{"b", KeyType::kBinary}}, {}},
        ProjectInclude{{"x", "\xc3\xa9"}}}});
  table.attribute_definitions = {
      {"b", KeyType::kBinary}, {"id", KeyType::kString}, {"at", KeyType::kNumber}};
  table.status = TableStatus::kUpdating;
  table.created_at = At(123456789);
  table.billing = BillingMode::kPayPerRequest;
  table.on_demand_since = At(5);
  table.insights = ContributorInsights{.enabled = false,
                                       .mode = InsightsMode::kThrottledKeys,
                                       .enabled_at = At(1),
                                       .updated_at = At(2)};
  table.on_demand_switches = {At(4), At(5)};
  table.provisioned = {3, 4, At(6), At(7), 2};
  table.on_demand = OnDemandMaximum{8, std::nullopt};
  table.warm = WarmThroughput{std::nullopt, 9};
  table.table_class = TableClass::kStandardInfrequentAccess;
  table.table_class_changed_at = At(10);
  table.deletion_protection = true;
  table.stream = StreamView::kOldImage;
  table.stream_label = "2026-01-01T00:00:00.000";
  table.streams = {{.label = "2025-01-01T00:00:00.000",
                    .view = StreamView::kKeysOnly,
                    .created_at = At(11),
                    .disabled_at = At(12),
                    .shards = {{.number = 1,
                                .parent = "shardId-0",
                                .hash_begin = 0xf000000000000000U,
                                .hash_last = ~std::uint64_t{0},
                                .opened_at = At(13),
                                .closed_at = At(14),
                                .last = 15}}},
                   {.label = table.stream_label,
                    .view = StreamView::kOldImage,
                    .created_at = At(16),
                    .disabled_at = std::nullopt,
                    .shards = {{.number = 2,
                                .parent = "",
                                .hash_begin = 0,
                                .hash_last = 1,
                                .opened_at = At(17),
                                .closed_at = std::nullopt,
                                .last = std::nullopt}}}};
  table.next_shard = 3;
  table.ttl = TimeToLive{.attribute = "ttl", .status = TimeToLiveStatus::kDisabling};
  table.sse_key_arn = "arn:aws:kms:x";
  table.sse_kms = true;
  table.tags = {{"k", "v"}, {"quote\"", ""}};
  table.policy = PolicyOf("Allow", "18");
  table.streams[0].policy = PolicyOf("Deny", "19");
  table.index_states = {{"local", 0, IndexStatus::kActive, false, {}, {}, {}},
                        {.name = "wide",
                         .ordinal = 4,
                         .status = IndexStatus::kCreating,
                         .backfilling = true,
                         .provisioned = {1, 2, std::nullopt, std::nullopt, 0},
                         .on_demand = OnDemandMaximum{1, 2},
                         .warm = WarmThroughput{3, 4}},
                        {"some", 2, IndexStatus::kActive, false, {}, {}, {}}};
  table.next_ordinal = 5;
  table.cells = {{0, SliceCell(9, 0)}, {0xf000000000000000U, SliceCell(9, 1)}};
  return table;
}

TEST(TableRow, KeepsEverything) {
  const auto row = EncodeTable(Everything());
  const auto table = DecodeTable(row);
  ASSERT_TRUE(table);
  EXPECT_EQ(EncodeTable(*table), row);
  EXPECT_EQ(table->schema.key(), Everything().schema.key());
  EXPECT_EQ(table->schema.indexes()[1].key.partition.size(), 2U);
  EXPECT_EQ(std::get<ProjectInclude>(table->schema.indexes()[2].projected).attributes[1],
            "\xc3\xa9");
  EXPECT_EQ(table->index_states[1].warm->write_units, 4);
  EXPECT_EQ(table->cells[1].hash_begin, 0xf000000000000000U);
  EXPECT_EQ(table->stream, StreamView::kOldImage);
  ASSERT_EQ(table->streams.size(), 2U);
  EXPECT_EQ(table->streams[0].shards[0].hash_begin, 0xf000000000000000U);
  EXPECT_EQ(table->streams[0].shards[0].last, 15U);
  EXPECT_EQ(table->ttl->status, TimeToLiveStatus::kDisabling);
  EXPECT_EQ(table->provisioned.decreased_at, At(7));
  EXPECT_EQ(table->policy->revision, "18");
  EXPECT_EQ(table->streams[0].policy->text, Everything().streams[0].policy->text);
  EXPECT_EQ(table->streams[1].policy, nullptr);
}

TEST(TableRow, RefusesWhatItDoesNotKnow) {
  const auto row = EncodeTable(Everything());
  EXPECT_FALSE(DecodeTable(""));
  EXPECT_FALSE(DecodeTable("[]"));
  EXPECT_FALSE(DecodeTable("{}"));
  for (std::size_t length = 0; length < row.size(); ++length) {
    EXPECT_FALSE(DecodeTable(row.substr(0, length))) << length;
  }
  auto newer = row;
  newer.replace(newer.find("\"version\":1"), 11, "\"version\":2");
  EXPECT_FALSE(DecodeTable(newer));
  // A policy that cannot be asked would let everything pass.
  auto unasked = row;
  unasked.replace(unasked.find("Allow"), 5, "Alloy");
  EXPECT_FALSE(DecodeTable(unasked));
  auto unnamed = row;
  unnamed.replace(unnamed.find("\"name\""), 6, "\"nome\"");
  EXPECT_FALSE(DecodeTable(unnamed));
}

TEST(Cells, AreFoundByHashAndNeverMeet) {
  const auto table = Everything();
  EXPECT_EQ(table.CellOf(0), SliceCell(9, 0));
  EXPECT_EQ(table.CellOf(0xefffffffffffffffU), SliceCell(9, 0));
  EXPECT_EQ(table.CellOf(0xf000000000000000U), SliceCell(9, 1));
  EXPECT_EQ(table.CellOf(~std::uint64_t{0}), SliceCell(9, 1));
  const auto wide = table.IndexCell(table.index_states[1]);
  EXPECT_NE(wide, table.IndexCell(table.index_states[2]));
  EXPECT_NE(wide, SliceCell(9, 4));
  EXPECT_GT(SliceCell(1, 0), 1U);
}

TEST(Arn, NamesRegionAndAccount) {
  // aws-doc: Service Authorization Reference, "Resource types defined by Amazon DynamoDB".
  EXPECT_EQ(Everything().Arn(), "arn:aws:dynamodb:us-east-1:000000000000:table/orders");
}

}  // namespace
}  // namespace kw::engine
