// SPDX-License-Identifier: Apache-2.0
#include "engine/streams.h"

#include <stdlib.h>

#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "engine/engine_test_support.h"
#include "engine/tables.h"
#include "engine/time_to_live.h"
#include "engine/upkeep.h"

namespace kw::engine {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

constexpr auto kMinutes15 = minutes(15);

// What one record says, in a line.
std::string Line(const StreamEntry& entry) {
  constexpr std::array<std::string_view, 3> kEvents{"INSERT", "MODIFY", "REMOVE"};
  const auto& record = entry.record;
  std::string line(kEvents[static_cast<std::size_t>(record.event)]);
  line += " " + ToJson(record.keys) + " " + ToJson(record.before) + " -> " + ToJson(record.after) +
          " " + std::to_string(entry.size);
  if (record.cause == WriteCause::kTimeToLive) line += " by time to live";
  return line;
}

class Streams {
 public:
  explicit Streams(TestEngine& engine, TableKey table)
      : engine_(engine), table_(std::move(table)) {}

  void Enable(StreamView view) { Change(view); }
  void Disable() { Change(std::nullopt); }
  void Change(std::optional<StreamView> view) {
    UpdateTableRequest request;
    request.key = table_;
    request.stream = view;
    const auto updated = UpdateTable(engine_.engine(), std::move(request));
    ASSERT_TRUE(updated) << Failure(updated);
  }
  std::string Arn() const {
    const auto table = *engine_.engine().catalog.Find(table_);
    return StreamArn(*table, table->streams.back());
  }
  std::vector<StreamShard> Shards(const std::string& arn) {
    const auto described = DescribeStream(engine_.engine(), engine_.call(), {.arn = arn});
    EXPECT_TRUE(described) << Failure(described);
    return described ? described->shards : std::vector<StreamShard>();
  }
  Result<std::string> Iterator(const std::string& arn, const std::string& shard, IteratorKind kind,
                               const std::string& sequence = "") {
    return GetShardIterator(engine_.engine(), engine_.call(),
                            {.arn = arn, .shard = shard, .kind = kind, .sequence = sequence});
  }
  Result<GetRecordsOutcome> Records(const std::string& iterator, std::size_t limit = 1000) {
    return GetRecords(engine_.engine(), engine_.call(), {.iterator = iterator, .limit = limit});
  }
  // All records of a stream that are there, each parent's before its children's.
  std::vector<StreamEntry> ReadAll(const std::string& arn) {
    std::vector<StreamEntry> entries;
    for (const auto& shard : Shards(arn)) {
      auto iterator = Iterator(arn, ShardId(shard), IteratorKind::kTrimHorizon);
      EXPECT_TRUE(iterator) << Failure(iterator);
      while (iterator) {
        auto records = Records(*iterator, 7);
        EXPECT_TRUE(records) << Failure(records);
        if (!records || (records->entries.empty() && records->next)) break;
        for (auto& entry : records->entries) entries.push_back(std::move(entry));
        if (!records->next) break;
        iterator = *records->next;
      }
    }
    return entries;
  }
  std::vector<std::string> Lines(const std::string& arn) {
    std::vector<std::string> lines;
    for (const auto& entry : ReadAll(arn)) lines.push_back(Line(entry));
    return lines;
  }
  void Keep() {
    const auto kept = KeepStreams(engine_.engine());
    EXPECT_TRUE(kept) << Failure(kept);
  }

 private:
  TestEngine& engine_;
  TableKey table_;
};

class StreamsTest : public ::testing::Test {
 protected:
  TestEngine engine_;
  TableKey table_ = engine_.MakeTable("t", {{S("id")}, {}});
  Streams streams_{engine_, table_};
};

TEST_F(StreamsTest, ShowsWhatTheViewShows) {
  struct Case {
    StreamView view;
    std::vector<std::string> lines;
  };
  // observed (recorded answers of the service): sizes of keys and images, id="Fred" being 6 bytes
  // and name="Fred" 8.
  const std::string keys = R"({"id":{"S":"Fred"}})";
  const std::string named = R"({"id":{"S":"Fred"},"name":{"S":"Fred"}})";
  const std::vector<Case> cases{
      {StreamView::kNewAndOldImages,
       {"INSERT " + keys + " nothing -> " + keys + " 12",
        "MODIFY " + keys + " " + keys + " -> " + named + " 26",
        "REMOVE " + keys + " " + named + " -> nothing 20"}},
      {StreamView::kNewImage,
       {"INSERT " + keys + " nothing -> " + keys + " 12",
        "MODIFY " + keys + " nothing -> " + named + " 20",
        "REMOVE " + keys + " nothing -> nothing 6"}},
      {StreamView::kOldImage,
       {"INSERT " + keys + " nothing -> nothing 6",
        "MODIFY " + keys + " " + keys + " -> nothing 12",
        "REMOVE " + keys + " " + named + " -> nothing 20"}},
      {StreamView::kKeysOnly,
       {"INSERT " + keys + " nothing -> nothing 6", "MODIFY " + keys + " nothing -> nothing 6",
        "REMOVE " + keys + " nothing -> nothing 6"}},
  };
  for (const auto& [view, lines] : cases) {
    streams_.Enable(view);
    ASSERT_TRUE(engine_.Put(table_, keys));
    ASSERT_TRUE(engine_.Put(table_, named));
    // Nothing changes: no record. aws-doc: Streams.
    ASSERT_TRUE(engine_.Put(table_, named));
    ASSERT_TRUE(engine_.Delete(table_, keys));
    ASSERT_TRUE(engine_.Delete(table_, keys));
    EXPECT_EQ(streams_.Lines(streams_.Arn()), lines);
    streams_.Disable();
  }
}

TEST_F(StreamsTest, RecordsEachActionOfATransaction) {
  streams_.Enable(StreamView::kKeysOnly);
  TransactWriteRequest request;
  for (const auto* id : {"a", "b", "c"}) {
    request.actions.emplace_back(PutRequest{
        .table = table_, .item = ParseItem(R"({"id":{"S":")" + std::string(id) + "\"}}")});
  }
  ASSERT_TRUE(engine_.Wait(&TransactWrite, std::move(request)));
  EXPECT_EQ(streams_.ReadAll(streams_.Arn()).size(), 3U);
}

TEST_F(StreamsTest, HasFourKindsOfIterators) {
  streams_.Enable(StreamView::kNewImage);
  const auto arn = streams_.Arn();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":")" + std::to_string(i) + "\"}}"));
  }
  const auto all = streams_.ReadAll(arn);
  ASSERT_EQ(all.size(), 3U);
  const auto shards = streams_.Shards(arn);
  ASSERT_EQ(shards.size(), kShardsAtStart);
  const bool second = all[0].sequence > SequenceNumber(shards[1], 0);
  const auto shard = ShardId(shards[second ? 1 : 0]);
  const auto read = [&](IteratorKind kind, const std::string& sequence = "") {
    const auto iterator = streams_.Iterator(arn, shard, kind, sequence);
    EXPECT_TRUE(iterator) << Failure(iterator);
    std::string sequences;
    const auto records = streams_.Records(*iterator);
    EXPECT_TRUE(records) << Failure(records);
    for (const auto& entry : records->entries) sequences += entry.sequence.back();
    return sequences;
  };
  EXPECT_EQ(read(IteratorKind::kTrimHorizon), "123");
  EXPECT_EQ(read(IteratorKind::kLatest), "");
  EXPECT_EQ(read(IteratorKind::kAtSequence, all[1].sequence), "23");
  EXPECT_EQ(read(IteratorKind::kAfterSequence, all[1].sequence), "3");
  EXPECT_EQ(read(IteratorKind::kAfterSequence, all[2].sequence), "");
  // A stream's numbers are of 21 to 40 digits. aws-model: SequenceNumber.
  EXPECT_GE(all[0].sequence.size(), 21U);
  for (const auto* wrong : {"100000000000000000000009", "1", "x", "10000000099000000000001"}) {
    const auto failed = streams_.Iterator(arn, shard, IteratorKind::kAtSequence, wrong);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::kValidation);
  }
  const auto none =
      streams_.Iterator(arn, "shardId-00000000000000000000-00000009", IteratorKind::kLatest);
  EXPECT_EQ(none.error().code, ErrorCode::kResourceNotFound);
}

// aws-doc: API_streams_GetShardIterator, Timestamp.
TEST_F(StreamsTest, BeginsAtATime) {
  streams_.Enable(StreamView::kNewImage);
  const auto arn = streams_.Arn();
  const auto put = [&](int n) {
    ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":")" + std::to_string(n) + "\"}}"));
  };
  const auto start = engine_.clock().Now();
  for (int n = 1; n <= 9; ++n) {  // three records a second
    put(n);
    if (n % 3 == 0) engine_.clock().Advance(milliseconds(1000));
  }
  std::string shard;
  for (const auto& one : streams_.Shards(arn)) {
    const auto iterator = *streams_.Iterator(arn, ShardId(one), IteratorKind::kTrimHorizon);
    if (!streams_.Records(iterator)->entries.empty()) shard = ShardId(one);
  }
  const auto from = [&](milliseconds after_start) {
    const auto iterator = GetShardIterator(engine_.engine(), engine_.call(),
                                           {.arn = arn,
                                            .shard = shard,
                                            .kind = IteratorKind::kAtTimestamp,
                                            .timestamp = start + after_start});
    EXPECT_TRUE(iterator) << Failure(iterator);
    const auto records = streams_.Records(*iterator);
    std::string sequences;
    for (const auto& entry : records->entries) sequences += entry.sequence.back();
    return sequences;
  };
  EXPECT_EQ(from(milliseconds(-hours(48))), "123456789");
  EXPECT_EQ(from(milliseconds(0)), "123456789");
  EXPECT_EQ(from(milliseconds(1)), "456789");
  EXPECT_EQ(from(milliseconds(1000)), "456789");
  EXPECT_EQ(from(milliseconds(2000)), "789");
  EXPECT_EQ(from(milliseconds(2001)), "");
  const auto future = GetShardIterator(engine_.engine(), engine_.call(),
                                       {.arn = arn,
                                        .shard = shard,
                                        .kind = IteratorKind::kAtTimestamp,
                                        .timestamp = start + milliseconds(3001)});
  ASSERT_FALSE(future);
  EXPECT_EQ(future.error().code, ErrorCode::kValidation);
}

TEST_F(StreamsTest, EndsIteratorsAfterFifteenMinutes) {
  streams_.Enable(StreamView::kKeysOnly);
  const auto arn = streams_.Arn();
  const auto iterator =
      *streams_.Iterator(arn, ShardId(streams_.Shards(arn)[0]), IteratorKind::kTrimHorizon);
  engine_.clock().Advance(kMinutes15);
  const auto next = streams_.Records(iterator);
  ASSERT_TRUE(next) << Failure(next);
  engine_.clock().Advance(milliseconds(1));
  EXPECT_EQ(streams_.Records(iterator).error().code, ErrorCode::kExpiredIterator);
  EXPECT_TRUE(streams_.Records(*next->next));
  auto forged = iterator;
  forged[forged.size() - 8] = forged[forged.size() - 8] == 'A' ? 'B' : 'A';
  EXPECT_EQ(streams_.Records(forged).error().code, ErrorCode::kValidation);
  EXPECT_EQ(streams_.Records("x").error().code, ErrorCode::kValidation);
}

TEST_F(StreamsTest, AnswersAtMostAMegabyte) {
  streams_.Enable(StreamView::kNewImage);
  const auto arn = streams_.Arn();
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"v":{"S":")" +
                                        std::string(300'000, static_cast<char>('a' + i)) + "\"}}"));
  }
  std::vector<std::size_t> counts;
  for (const auto& shard : streams_.Shards(arn)) {
    auto records =
        streams_.Records(*streams_.Iterator(arn, ShardId(shard), IteratorKind::kTrimHorizon));
    while (!records->entries.empty()) {
      counts.push_back(records->entries.size());
      records = streams_.Records(*records->next);
    }
  }
  // aws-doc: API_streams_GetRecords, 1 MB.
  EXPECT_EQ(counts, (std::vector<std::size_t>{3, 1}));
}

TEST_F(StreamsTest, ForgetsRecordsAfterADay) {
  streams_.Enable(StreamView::kNewImage);
  const auto arn = streams_.Arn();
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":"1"}})"));
  const auto first = streams_.ReadAll(arn)[0].sequence;
  engine_.clock().Advance(hours(1));
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":"2"}})"));
  const auto shards = streams_.Shards(arn);
  const auto shard = ShardId(first > SequenceNumber(shards[1], 0) ? shards[1] : shards[0]);
  engine_.clock().Advance(hours(23) - milliseconds(1));
  const auto iterator = *streams_.Iterator(arn, shard, IteratorKind::kAtSequence, first);
  streams_.Keep();
  EXPECT_EQ(streams_.ReadAll(arn).size(), 2U);
  engine_.clock().Advance(milliseconds(1));
  streams_.Keep();
  const auto left = streams_.ReadAll(arn);
  ASSERT_EQ(left.size(), 1U);
  // aws-doc: API_streams_GetShardIterator, TrimmedDataAccessException.
  EXPECT_EQ(streams_.Records(iterator).error().code, ErrorCode::kTrimmedDataAccess);
  EXPECT_EQ(streams_.Iterator(arn, shard, IteratorKind::kAtSequence, first).error().code,
            ErrorCode::kTrimmedDataAccess);
  EXPECT_TRUE(streams_.Iterator(arn, shard, IteratorKind::kAfterSequence, first));
}

TEST_F(StreamsTest, RollsShardsAfterFourHours) {
  streams_.Enable(StreamView::kNewImage);
  const auto arn = streams_.Arn();
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":"1"}})"));
  engine_.clock().Advance(kShardAge);
  streams_.Keep();
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"},"n":{"N":"2"}})"));
  const auto shards = streams_.Shards(arn);
  // The one without records goes on.
  ASSERT_EQ(shards.size(), 3U);
  const auto& parent = shards[0].closed_at ? shards[0] : shards[1];
  EXPECT_EQ(parent.last, 1U);
  EXPECT_EQ(shards[2].parent, ShardId(parent));
  EXPECT_EQ(shards[2].hash_begin, parent.hash_begin);
  EXPECT_EQ(streams_.Lines(arn).size(), 2U);
  const auto children =
      DescribeStream(engine_.engine(), engine_.call(), {.arn = arn, .parent_id = ShardId(parent)});
  ASSERT_EQ(children->shards.size(), 1U);
  EXPECT_EQ(children->shards[0].number, shards[2].number);
  const auto page = DescribeStream(engine_.engine(), engine_.call(),
                                   {.arn = arn, .limit = 2, .after = ShardId(shards[0])});
  EXPECT_EQ(page->shards.size(), 2U);
  EXPECT_FALSE(page->more);
  // A closed shard that was read out has no next iterator.
  const auto read =
      streams_.Records(*streams_.Iterator(arn, ShardId(parent), IteratorKind::kTrimHorizon));
  EXPECT_EQ(read->entries.size(), 1U);
  EXPECT_FALSE(read->next);
  engine_.clock().Advance(kStreamRetention);
  streams_.Keep();
  for (const auto& shard : streams_.Shards(arn)) EXPECT_NE(shard.number, parent.number);
}

TEST_F(StreamsTest, CanBeReadForADayAfterTheEnd) {
  streams_.Enable(StreamView::kNewImage);
  const auto old_arn = streams_.Arn();
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"}})"));
  streams_.Disable();
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"b"}})"));
  streams_.Keep();
  for (const auto& shard : streams_.Shards(old_arn)) EXPECT_TRUE(shard.last.has_value());
  streams_.Enable(StreamView::kKeysOnly);
  EXPECT_NE(streams_.Arn(), old_arn);
  EXPECT_EQ(streams_.ReadAll(old_arn).size(), 1U);
  EXPECT_EQ(streams_.ReadAll(streams_.Arn()).size(), 0U);
  const auto listed = ListStreams(engine_.engine(), engine_.call(), {.limit = 1});
  EXPECT_EQ(listed->streams.size(), 1U);
  EXPECT_TRUE(listed->more);
  EXPECT_EQ(ListStreams(engine_.engine(), engine_.call(), {.table = table_, .after = old_arn})
                ->streams.size(),
            1U);
  engine_.clock().Advance(kStreamRetention);
  streams_.Keep();
  EXPECT_EQ(ListStreams(engine_.engine(), engine_.call(), {})->streams.size(), 1U);
  const auto gone = DescribeStream(engine_.engine(), engine_.call(), {.arn = old_arn});
  // observed: SeanRoy/lambda-maven-plugin issue 121.
  EXPECT_EQ(Failure(gone), "Requested resource not found: Stream: " + old_arn + " not found");
}

TEST_F(StreamsTest, OutliveTheirTableByADay) {
  streams_.Enable(StreamView::kNewImage);
  const auto arn = streams_.Arn();
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"a"}})"));
  const auto cell = (*engine_.engine().catalog.Find(table_))->cells[0].cell;
  ASSERT_TRUE(DeleteTable(engine_.engine(), table_));
  const std::atomic<bool> stop{false};
  ASSERT_TRUE(RunUpkeep(engine_.engine(), stop));
  const auto rows = [&] {
    std::size_t count = 0;
    EXPECT_TRUE(engine_.store().Visit({.cell = cell}, storage::Wait::kMayBlock,
                                      [&](std::string_view, std::string_view) { return ++count; }));
    return count;
  };
  EXPECT_EQ(rows(), 0U);
  EXPECT_TRUE(engine_.engine().catalog.Retired()[0]->emptied.load());  // and is left alone now
  streams_.Keep();
  EXPECT_EQ(streams_.ReadAll(arn).size(), 1U);
  EXPECT_EQ(ListStreams(engine_.engine(), engine_.call(), {.table = table_})->streams.size(), 1U);
  // A table of the same name inherits nothing.
  engine_.MakeTable("t", {{S("id")}, {}});
  EXPECT_EQ(streams_.ReadAll(arn).size(), 1U);
  EXPECT_EQ(engine_.Read(table_, R"({"id":{"S":"a"}})"), "nothing");
  engine_.clock().Advance(kStreamRetention);
  streams_.Keep();
  EXPECT_TRUE(engine_.engine().catalog.Retired().empty());
  ASSERT_TRUE(RunUpkeep(engine_.engine(), stop));
  EXPECT_EQ(*engine_.store().LogEnd(cell, 2), 0U);
  EXPECT_EQ(ListStreams(engine_.engine(), engine_.call(), {})->streams.size(), 0U);
}

// Every write of every writer once, each item's in order, over shards that split under them.
void CheckWriters(Streams& streams, const std::string& arn, int writers, int writes) {
  std::map<std::string, std::vector<int>> seen;
  std::set<std::string> sequences;
  for (const auto& entry : streams.ReadAll(arn)) {
    EXPECT_TRUE(sequences.insert(entry.sequence).second);
    const auto item = LoadItem(*entry.record.after);
    seen[*item.Find("id")->As<std::string>()].push_back(
        std::stoi(item.Find("n")->As<Number>()->ToString()));
  }
  std::vector<int> expected;
  for (int i = 0; i < writes; ++i) expected.push_back(i);
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(writers));
  for (const auto& [id, values] : seen) EXPECT_EQ(values, expected) << id;
}

void WriteAndSplit(TestEngine& engine, const TableKey& table, Streams& streams, int first,
                   int writes) {
  constexpr int kWriters = 6;
  std::vector<std::thread> threads;
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] {
      for (int i = first; i < first + writes; ++i) {
        EXPECT_TRUE(engine.Put(table, R"({"id":{"S":"writer)" + std::to_string(w) +
                                          R"("},"n":{"N":")" + std::to_string(i) + "\"}}"));
      }
    });
  }
  for (int i = 0; i < 10; ++i) streams.Keep();
  for (auto& thread : threads) thread.join();
  streams.Keep();
}

TEST_F(StreamsTest, LosesNothingWhileShardsSplit) {
  engine_.engine().options.shard_records = 40;
  streams_.Enable(StreamView::kNewImage);
  WriteAndSplit(engine_, table_, streams_, 0, 200);
  EXPECT_GT(streams_.Shards(streams_.Arn()).size(), 4U);
  CheckWriters(streams_, streams_.Arn(), 6, 200);
}

class DiskStreams : public ::testing::Test {
 protected:
  DiskStreams() {
    std::string folder = (std::filesystem::temp_directory_path() / "kw_streams_XXXXXX").string();
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  ~DiskStreams() override { std::filesystem::remove_all(folder_); }
  std::string Url() const { return "rocksdb:" + folder_.string() + "/data"; }
  std::filesystem::path folder_;
};

TEST_F(DiskStreams, GoOnAfterARestart) {
  std::string arn;
  std::string iterator;
  TableKey table;
  {
    TestEngine engine(Url());
    engine.engine().options.shard_records = 40;
    table = engine.MakeTable("t", {{S("id")}, {}}, {}, {std::uint64_t{1} << 63});
    Streams streams(engine, table);
    streams.Enable(StreamView::kNewImage);
    arn = streams.Arn();
    WriteAndSplit(engine, table, streams, 0, 50);
    iterator = *streams.Iterator(arn, ShardId(streams.Shards(arn)[0]), IteratorKind::kTrimHorizon);
  }
  TestEngine engine(Url());
  engine.engine().options.shard_records = 40;
  Streams streams(engine, table);
  EXPECT_TRUE(streams.Records(iterator));
  WriteAndSplit(engine, table, streams, 50, 50);
  CheckWriters(streams, arn, 6, 100);
}

// ---- time to live ----

class TimeToLiveTest : public StreamsTest {
 protected:
  void Upkeep() {
    const std::atomic<bool> stop{false};
    const auto done = RunUpkeep(engine_.engine(), stop);
    ASSERT_TRUE(done) << Failure(done);
  }
  std::string Update(const std::string& attribute, bool enabled) {
    return Failure(UpdateTimeToLive(engine_.engine(),
                                    {.table = table_, .attribute = attribute, .enabled = enabled}));
  }
  void Enable() {
    ASSERT_EQ(Update("ttl", true), "done");
    Upkeep();
  }
  std::string At(std::int64_t seconds) {
    const auto now = engine_.clock().Now().time_since_epoch().count() / 1000;
    return R"({"N":")" + std::to_string(now + seconds) + "\"}";
  }
  void Put(const std::string& id, const std::string& ttl) {
    ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":")" + id + R"("},"ttl":)" + ttl + "}"));
  }
  std::string Ids() {
    std::string ids;
    const auto page = engine_.Scan({.page = {.table = table_}});
    EXPECT_TRUE(page) << Failure(page);
    std::set<std::string> sorted;
    for (const auto& item : page->items) {
      sorted.insert(*LoadAttribute(item, "id")->As<std::string>());
    }
    for (const auto& id : sorted) ids += id + " ";
    return ids;
  }
  std::size_t ExpiryRows() {
    std::size_t count = 0;
    const auto cell = (*engine_.engine().catalog.Find(table_))->cells[0].cell;
    EXPECT_TRUE(engine_.store().Visit({.cell = cell, .begin = "e", .end = "f"},
                                      storage::Wait::kMayBlock,
                                      [&](std::string_view, std::string_view) { return ++count; }));
    return count;
  }
};

TEST_F(TimeToLiveTest, HasTheServicesRules) {
  // assumed: the sentence for what is disabled already.
  EXPECT_EQ(Update("ttl", false), "TimeToLive is already disabled");
  EXPECT_EQ(Update("ttl", true), "done");
  // observed: aws/aws-cdk pull request 13720.
  EXPECT_EQ(Update("ttl", false),
            "Time to live has been modified multiple times within a fixed interval");
  Upkeep();
  // observed by users of the service.
  EXPECT_EQ(Update("ttl", true), "TimeToLive is already enabled");
  EXPECT_EQ(Update("x", true),
            "TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  EXPECT_EQ(Update("x", false),
            "TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  EXPECT_EQ(Update("ttl", false), "done");
  Upkeep();
  EXPECT_EQ(Update("x", true), "done");
}

TEST_F(TimeToLiveTest, DeletesWhatHasExpired) {
  Put("before", At(5));
  Enable();
  Put("after", At(5));
  Put("later", At(1000));
  Put("text", R"({"S":"5"})");
  Put("fraction", At(5).substr(0, At(5).size() - 2) + R"(.5"})");
  Put("negative", R"({"N":"-5"})");
  Put("huge", R"({"N":"1e100"})");
  // aws-doc: time to live, older than five years is left alone.
  Put("ancient", At(-5 * 366 * 24 * 3600));
  engine_.clock().Advance(std::chrono::seconds(5));
  // aws-doc: API_UpdateTimeToLive, "less than the current time".
  EXPECT_EQ(*SweepExpired(engine_.engine()), 0U);
  engine_.clock().Advance(std::chrono::seconds(1));
  EXPECT_EQ(*SweepExpired(engine_.engine()), 3U);
  EXPECT_EQ(Ids(), "ancient huge later negative text ");
  EXPECT_EQ(*SweepExpired(engine_.engine()), 0U);
}

TEST_F(TimeToLiveTest, FollowsEveryWrite) {
  Enable();
  Put("a", At(5));
  Put("a", At(100));
  Put("b", At(5));
  ASSERT_TRUE(engine_.Put(table_, R"({"id":{"S":"b"}})"));
  Put("c", At(5));
  ASSERT_TRUE(engine_.Delete(table_, R"({"id":{"S":"c"}})"));
  EXPECT_EQ(ExpiryRows(), 1U);
  engine_.clock().Advance(std::chrono::seconds(50));
  EXPECT_EQ(*SweepExpired(engine_.engine()), 0U);
  EXPECT_EQ(Ids(), "a b ");
}

TEST_F(TimeToLiveTest, LeavesNoRowsBehind) {
  Enable();
  for (int i = 0; i < 700; ++i) Put(std::to_string(i), At(5));
  EXPECT_EQ(ExpiryRows(), 700U);
  ASSERT_EQ(Update("ttl", false), "done");
  Put("x", At(5));
  Upkeep();
  EXPECT_EQ(ExpiryRows(), 0U);
  engine_.clock().Advance(std::chrono::seconds(50));
  EXPECT_EQ(*SweepExpired(engine_.engine()), 0U);
  Enable();
  EXPECT_EQ(ExpiryRows(), 701U);
  EXPECT_EQ(*SweepExpired(engine_.engine()), 701U);
  EXPECT_EQ(Ids(), "");
}

TEST_F(TimeToLiveTest, NamesItselfInStreams) {
  streams_.Enable(StreamView::kOldImage);
  Enable();
  Put("a", At(0));
  engine_.clock().Advance(std::chrono::seconds(1));
  EXPECT_EQ(*SweepExpired(engine_.engine()), 1U);
  const auto lines = streams_.Lines(streams_.Arn());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_FALSE(lines[0].ends_with("by time to live"));
  EXPECT_TRUE(lines[1].starts_with("REMOVE"));
  EXPECT_TRUE(lines[1].ends_with("by time to live"));
}

}  // namespace
}  // namespace kw::engine
