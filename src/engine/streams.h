// SPDX-License-Identifier: Apache-2.0
// Streams of a table's changes. Each open shard has the log that writes of its range of hashes
// append to. Shards open and close by changes of the catalog, so that a write knows its shard from
// its snapshot, and what a closed shard holds is final once writes under older snapshots are done.
//
// A sequence number is decimal: 1, the shard's number, the position in its log. So it is unique in
// the table, rises within a shard, and from a shard to its children.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/stream_record.h"

namespace kw::engine {

// ---- life ----

// How long a record can be read, and what was disabled or deleted. aws-doc: Streams.
inline constexpr std::chrono::hours kStreamRetention{24};
// A shard takes records for about this long. aws-doc: Streams, "rolled over ... every four hours".
inline constexpr std::chrono::hours kShardAge{4};
inline constexpr std::size_t kShardsAtStart = 2;  // so that every consumer meets several
inline constexpr std::size_t kOpenShardsMax = 32;

// These three change a snapshot that is in the making.
void StartStream(Table& table, StreamView view, TimePoint now);
void EndStream(Table& table, TimePoint now);
// Opens one child or, if it took many records, two; nothing if the shard is not open.
enum class Succession : std::uint8_t { kRoll, kSplit };
void SucceedShard(Table& table, std::uint32_t shard, Succession succession, TimePoint now);

// The open shard that owns a hash; null if no stream is enabled.
const StreamShard* OpenShard(const Table& table, std::uint64_t hash);
std::uint32_t StreamLog(const StreamShard& shard);

// Rolls, splits and ends shards, trims records, forgets what has been closed for long. Blocks.
// Call it often. Errors: InternalServerError, after trying all tables.
Result<void> KeepStreams(Engine& engine);

// ---- reading ----

std::string StreamArn(const Table& table, const Stream& stream);
std::string ShardId(const StreamShard& shard);
std::string SequenceNumber(const StreamShard& shard, std::uint64_t position);

// A stream in the snapshot that holds it.
struct FoundStream {
  TablePtr table;
  std::size_t place = 0;
  [[nodiscard]] const Stream& stream() const { return table->streams[place]; }
};

// Errors: ResourceNotFound, also for what the caller may not see.
Result<FoundStream> FindStream(const Engine& engine, const CallContext& call, std::string_view arn);
// The stream that an iterator reads; empty if it is none.
std::string_view StreamOfIterator(std::string_view iterator);

struct ListStreamsRequest {
  std::optional<TableKey> table = {};  // absent: of the caller's account and region
  std::string after = {};              // ARN, or empty
  std::size_t limit = 100;
};
struct ListStreamsOutcome {
  std::vector<FoundStream> streams;  // by ARN
  bool more = false;
};
// Errors: ResourceNotFound for a table that has and had no stream because it is not there.
Result<ListStreamsOutcome> ListStreams(Engine& engine, const CallContext& call,
                                       const ListStreamsRequest& request);

struct DescribeStreamRequest {
  std::string arn;
  std::size_t limit = 100;
  std::string after = {};      // ShardId, or empty
  std::string parent_id = {};  // only this shard's children; or empty
};
struct DescribeStreamOutcome {
  FoundStream found;
  std::vector<StreamShard> shards;
  bool more = false;
};
// Errors: ResourceNotFound for the stream and for shards.
Result<DescribeStreamOutcome> DescribeStream(Engine& engine, const CallContext& call,
                                             const DescribeStreamRequest& request);

enum class IteratorKind : std::uint8_t {
  kTrimHorizon,
  kLatest,
  kAtSequence,
  kAfterSequence,
  kAtTimestamp
};
struct ShardIteratorRequest {
  std::string arn;
  std::string shard;
  IteratorKind kind = IteratorKind::kTrimHorizon;
  std::string sequence = {};  // of kAtSequence and kAfterSequence
  TimePoint timestamp = {};   // of kAtTimestamp
};
// Answers an opaque text, good for 15 minutes and across restarts.
// Errors: ResourceNotFound, TrimmedDataAccess, Validation for a sequence number of no record and
// for a time to come.
Result<std::string> GetShardIterator(Engine& engine, const CallContext& call,
                                     const ShardIteratorRequest& request);

struct StreamEntry {
  std::string sequence;
  std::string id;  // unique
  StreamRecord record;
  std::int64_t size = 0;  // bytes of keys and images
};
struct GetRecordsRequest {
  std::string iterator;
  std::size_t limit = 1000;
};
struct GetRecordsOutcome {
  std::vector<StreamEntry> entries;
  std::optional<std::string> next;  // absent: a closed shard was read to its end
  StreamView view = StreamView::kKeysOnly;
  std::string region;
};
// At most 1 MB of records, but at least one if there is one.
// Errors: ExpiredIterator, TrimmedDataAccess, ResourceNotFound, Validation for a forged iterator.
Result<GetRecordsOutcome> GetRecords(Engine& engine, const CallContext& call,
                                     const GetRecordsRequest& request);

}  // namespace kw::engine
