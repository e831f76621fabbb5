// SPDX-License-Identifier: Apache-2.0
// The four operations on streams.
#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/check.h"
#include "data/item_bytes.h"
#include "data/limits.h"
#include "engine/access.h"
#include "engine/streams.h"
#include "engine/tables.h"

namespace kw::engine {
namespace {

constexpr std::chrono::minutes kIteratorLife{15};  // aws-doc: API_streams_GetShardIterator
constexpr std::string_view kStreamMark = "/stream/";
constexpr std::size_t kPositionDigits = 12;
constexpr std::size_t kShardDigits = 10;
constexpr std::size_t kSequenceDigits = 1 + kShardDigits + kPositionDigits;

Error StreamNotFound(std::string_view arn) {
  return {ErrorCode::kResourceNotFound,
          fmt::format("Requested resource not found: Stream: {} not found", arn),
          {}};
}

// assumed: the sentence.
Error ShardNotFound(std::string_view shard, std::string_view arn) {
  return {
      ErrorCode::kResourceNotFound,
      fmt::format("Requested resource not found: Shard: {} in Stream: {} not found", shard, arn),
      {}};
}

// observed: ironSource/node-dynamodb-stream issue 13.
Error Trimmed() {
  return {ErrorCode::kTrimmedDataAccess, "The data you are trying to access has been trimmed", {}};
}

// The log has no counterpart of a memory-only read.
Result<void> CheckMayBlock(const CallContext& call) {
  if (call.wait == storage::Wait::kMayBlock) return {};
  return Unexpected(ErrorOf(storage::StoreError::kWouldBlock));
}

std::optional<FoundStream> FindIn(TablePtr table, std::string_view arn) {
  const auto base = table->Arn();
  if (!arn.starts_with(base) || !arn.substr(base.size()).starts_with(kStreamMark)) {
    return std::nullopt;
  }
  const auto label = arn.substr(base.size() + kStreamMark.size());
  const auto found = std::ranges::find(table->streams, label, &Stream::label);
  if (found == table->streams.end()) return std::nullopt;
  const auto place = static_cast<std::size_t>(found - table->streams.begin());
  return FoundStream{.table = std::move(table), .place = place};
}

// arn:aws:dynamodb:region:account:table/name/stream/label
std::optional<TableKey> TableOfArn(std::string_view arn) {
  std::vector<std::string_view> parts;
  for (int i = 0; i < 5; ++i) {
    const auto colon = arn.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    parts.push_back(arn.substr(0, colon));
    arn.remove_prefix(colon + 1);
  }
  constexpr std::string_view kTable = "table/";
  const auto mark = arn.find(kStreamMark);
  if (!arn.starts_with(kTable) || mark == std::string_view::npos || mark < kTable.size()) {
    return std::nullopt;
  }
  return TableKey{.account = std::string(parts[4]),
                  .region = std::string(parts[3]),
                  .name = std::string(arn.substr(kTable.size(), mark - kTable.size()))};
}

// A caller who sees only their own account and region learns nothing of others' streams, unless a
// policy decides (api/authorize.h).
bool MaySee(const CallContext& call, const TableKey& key) {
  if (call.arns == ArnScope::kAny) return true;
  return key.region == call.region && (call.principal != nullptr || key.account == call.account);
}

struct Log {
  storage::CellId cell;
  std::uint32_t log;
};

Log LogOf(const Table& table, const StreamShard& shard) {
  return {.cell = table.CellOf(shard.hash_begin), .log = StreamLog(shard)};
}

// Where the shard ends now: for good, if it is closed.
Result<std::uint64_t> EndOf(Engine& engine, const Table& table, const StreamShard& shard) {
  if (shard.last) return *shard.last;
  const auto [cell, log] = LogOf(table, shard);
  const auto end = engine.store.LogEnd(cell, log);
  if (!end) return Unexpected(ErrorOf(end.error()));
  return *end;
}

// The position before the oldest record that is still there.
Result<std::uint64_t> HorizonOf(Engine& engine, const Table& table, const StreamShard& shard) {
  const auto [cell, log] = LogOf(table, shard);
  std::optional<std::uint64_t> first;
  // First the end: what is appended meanwhile lies above it.
  TRY_ASSIGN(const auto end, EndOf(engine, table, shard));
  const auto visited =
      engine.store.VisitLog(cell, log, 0, [&](std::uint64_t position, std::string_view) {
        first = position;
        return false;
      });
  if (!visited) return Unexpected(ErrorOf(visited.error()));
  return first ? *first - 1 : end;
}

// ---- iterators ----

// Where the reading of a shard goes on.
struct Cursor {
  enum class From : std::uint8_t { kHorizon, kPosition };
  std::uint32_t shard = 0;
  From from = From::kHorizon;
  std::uint64_t after = 0;
  TimePoint issued;
};

constexpr std::string_view kIteratorMark = "|1|";
constexpr std::size_t kCursorBytes = 25;

// ARN |1| base64(shard(4) from(1) after(8) issued(8) checksum(4))
std::string EncodeIterator(std::string_view arn, const Cursor& cursor) {
  std::string bytes;
  AppendBigEndian32(bytes, cursor.shard);
  bytes.push_back(static_cast<char>(cursor.from));
  AppendBigEndian64(bytes, cursor.after);
  AppendBigEndian64(bytes, static_cast<std::uint64_t>(cursor.issued.time_since_epoch().count()));
  AppendBigEndian32(bytes, Crc32(std::string(arn).append(bytes)));
  std::string iterator(arn);
  iterator.append(kIteratorMark);
  AppendBase64(iterator, bytes);
  return iterator;
}

struct Iterator {
  std::string_view arn;
  Cursor cursor;
};

std::optional<Iterator> DecodeIterator(std::string_view text) {
  const auto mark = text.find(kIteratorMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const auto arn = text.substr(0, mark);
  const auto bytes = ParseBase64(text.substr(mark + kIteratorMark.size()));
  if (!bytes || bytes->size() != kCursorBytes) return std::nullopt;
  const std::string_view fields = *bytes;
  const auto signed_part = fields.substr(0, kCursorBytes - 4);
  if (Crc32(std::string(arn).append(signed_part)) != ReadBigEndian32(fields.substr(21))) {
    return std::nullopt;
  }
  if (static_cast<std::uint8_t>(fields[4]) > 1) return std::nullopt;
  return Iterator{.arn = arn,
                  .cursor = {.shard = ReadBigEndian32(fields),
                             .from = static_cast<Cursor::From>(fields[4]),
                             .after = ReadBigEndian64(fields.substr(5)),
                             .issued = TimePoint(std::chrono::milliseconds(
                                 static_cast<std::int64_t>(ReadBigEndian64(fields.substr(13)))))}};
}

// The position that a sequence number names; nothing if it is none of this shard's.
std::optional<std::uint64_t> PositionOf(const StreamShard& shard, std::string_view sequence) {
  if (sequence.size() != kSequenceDigits || sequence.front() != '1') return std::nullopt;
  const auto read = [](std::string_view digits) -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (fault != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  if (read(sequence.substr(1, kShardDigits)) != shard.number) return std::nullopt;
  return read(sequence.substr(1 + kShardDigits));
}

// A stream's numbers begin at 1, and what follows the newest record may be asked for.
Result<std::uint64_t> AfterFor(Engine& engine, const Table& table, const StreamShard& shard,
                               const ShardIteratorRequest& request) {
  const auto position = PositionOf(shard, request.sequence);
  TRY_ASSIGN(const auto end, EndOf(engine, table, shard));
  if (!position || *position == 0 || *position > end + 1) {
    // assumed: the sentence.
    return Invalid(fmt::format("Invalid SequenceNumber: {} is not in shard {}", request.sequence,
                               request.shard));
  }
  const auto after = request.kind == IteratorKind::kAtSequence ? *position - 1 : *position;
  TRY_ASSIGN(const auto horizon, HorizonOf(engine, table, shard));
  if (after < horizon) return Unexpected(Trimmed());
  return after;
}

// The position before the first record written at `from` or later; positions have no gaps, and
// times hardly ever fall. Where all is as new as that, nothing: the oldest record comes first.
Result<std::optional<std::uint64_t>> BeforeTime(Engine& engine, const Table& table,
                                                const StreamShard& shard, TimePoint from) {
  const auto [cell, log] = LogOf(table, shard);
  TRY_ASSIGN(const auto horizon, HorizonOf(engine, table, shard));
  TRY_ASSIGN(auto end, EndOf(engine, table, shard));
  auto begin = horizon;  // what is sought lies in [begin, end]
  while (begin < end) {
    const auto middle = begin + (end - begin) / 2;
    bool older = true;  // as is what was trimmed meanwhile
    const auto visited = engine.store.VisitLog(
        cell, log, middle, [&](std::uint64_t /*position*/, std::string_view record) {
          const auto decoded = DecodeStreamRecord(table.schema.key(), record);
          Check(decoded.has_value(), "a stream's log holds its records");
          older = decoded->at < from;
          return false;
        });
    if (!visited) return Unexpected(ErrorOf(visited.error()));
    if (older) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin == horizon ? std::optional<std::uint64_t>() : begin;
}

// ---- records ----

std::int64_t SizeOfRecord(const StreamRecord& record) {
  const auto size = [](const std::optional<std::string>& image) {
    return image ? StoredItemSize(*image).value() : 0;
  };
  return SizeOf(record.keys).value() + size(record.before) + size(record.after);
}

std::string EventId(const Table& table, std::string_view sequence) {
  const auto text = fmt::format("{}/{}", table.id, sequence);
  return fmt::format("{:016x}{:016x}", StableHash(text), StableHash(text + "/"));
}

}  // namespace

Result<FoundStream> FindStream(const Engine& engine, const CallContext& call,
                               std::string_view arn) {
  if (const auto key = TableOfArn(arn); key && MaySee(call, *key)) {
    if (auto table = engine.catalog.FindOrNull(*key)) {
      if (auto found = FindIn(std::move(table), arn)) return *std::move(found);
    }
    for (auto& table : engine.catalog.Retired()) {
      if (table->key != *key) continue;
      if (auto found = FindIn(std::move(table), arn)) return *std::move(found);
    }
  }
  return Unexpected(StreamNotFound(arn));
}

std::string_view StreamOfIterator(std::string_view iterator) {
  const auto decoded = DecodeIterator(iterator);
  return decoded ? decoded->arn : std::string_view();
}

std::string StreamArn(const Table& table, const Stream& stream) {
  return fmt::format("{}{}{}", table.Arn(), kStreamMark, stream.label);
}

std::string ShardId(const StreamShard& shard) {
  return fmt::format("shardId-{:020}-{:08x}", shard.opened_at.time_since_epoch().count(),
                     shard.number);
}

std::string SequenceNumber(const StreamShard& shard, std::uint64_t position) {
  return fmt::format("1{:0{}}{:0{}}", shard.number, kShardDigits, position, kPositionDigits);
}

Result<ListStreamsOutcome> ListStreams(Engine& engine, const CallContext& call,
                                       const ListStreamsRequest& request) {
  std::vector<std::pair<std::string, FoundStream>> found;
  const auto add = [&](const TablePtr& table) {
    const bool wanted =
        request.table ? table->key == *request.table
                      : table->key.account == call.account && table->key.region == call.region;
    if (!wanted) return;
    for (std::size_t i = 0; i < table->streams.size(); ++i) {
      auto arn = StreamArn(*table, table->streams[i]);
      if (arn > request.after) found.emplace_back(std::move(arn), FoundStream{table, i});
    }
  };
  bool retired = false;
  for (const auto& table : engine.catalog.Retired()) {
    retired = retired || (request.table && table->key == *request.table);
    add(table);
  }
  if (request.table) {
    if (const auto table = engine.catalog.FindOrNull(*request.table)) {
      add(table);
    } else if (!retired) {
      return Unexpected(TableNotFound(*request.table));
    }
  } else {
    for (const auto& table : engine.catalog.All()) add(table);
  }
  std::ranges::sort(found, {}, &std::pair<std::string, FoundStream>::first);
  ListStreamsOutcome outcome;
  outcome.more = found.size() > request.limit;
  if (outcome.more) found.resize(request.limit);
  for (auto& [arn, stream] : found) outcome.streams.push_back(std::move(stream));
  return outcome;
}

Result<DescribeStreamOutcome> DescribeStream(Engine& engine, const CallContext& call,
                                             const DescribeStreamRequest& request) {
  TRY_ASSIGN(auto found, FindStream(engine, call, request.arn));
  const auto& shards = found.stream().shards;
  auto shard = shards.begin();
  if (!request.after.empty()) {
    shard = std::ranges::find(shards, request.after, ShardId);
    if (shard == shards.end()) return Unexpected(ShardNotFound(request.after, request.arn));
    ++shard;
  }
  DescribeStreamOutcome outcome;
  for (; shard != shards.end(); ++shard) {
    if (!request.parent_id.empty() && shard->parent != request.parent_id) continue;
    outcome.more = outcome.shards.size() == request.limit;
    if (outcome.more) break;
    outcome.shards.push_back(*shard);
  }
  outcome.found = std::move(found);
  return outcome;
}

Result<std::string> GetShardIterator(Engine& engine, const CallContext& call,
                                     const ShardIteratorRequest& request) {
  TRY(CheckMayBlock(call));
  TRY_ASSIGN(const auto found, FindStream(engine, call, request.arn));
  const auto& shards = found.stream().shards;
  const auto shard = std::ranges::find(shards, request.shard, ShardId);
  if (shard == shards.end()) return Unexpected(ShardNotFound(request.shard, request.arn));
  Cursor cursor{.shard = shard->number, .issued = engine.clock.Now()};
  switch (request.kind) {
    case IteratorKind::kTrimHorizon: break;
    case IteratorKind::kLatest: {
      TRY_ASSIGN(cursor.after, EndOf(engine, *found.table, *shard));
      cursor.from = Cursor::From::kPosition;
      break;
    }
    case IteratorKind::kAtSequence:
    case IteratorKind::kAfterSequence: {
      TRY_ASSIGN(cursor.after, AfterFor(engine, *found.table, *shard, request));
      cursor.from = Cursor::From::kPosition;
      break;
    }
    case IteratorKind::kAtTimestamp: {
      // assumed: the sentence.
      if (request.timestamp > cursor.issued) return Invalid("Timestamp must not be in the future");
      TRY_ASSIGN(const auto before, BeforeTime(engine, *found.table, *shard, request.timestamp));
      cursor.after = before.value_or(0);
      if (before) cursor.from = Cursor::From::kPosition;
      break;
    }
  }
  return EncodeIterator(request.arn, cursor);
}

Result<GetRecordsOutcome> GetRecords(Engine& engine, const CallContext& call,
                                     const GetRecordsRequest& request) {
  TRY(CheckMayBlock(call));
  const auto iterator = DecodeIterator(request.iterator);
  // assumed: the sentence.
  if (!iterator) return Invalid("Invalid ShardIterator");
  auto cursor = iterator->cursor;
  const auto now = engine.clock.Now();
  if (now - cursor.issued > kIteratorLife) {
    // assumed: after the model's description of the exception.
    return Fail(ErrorCode::kExpiredIterator,
                "The shard iterator has expired and can no longer be used to retrieve stream "
                "records. A shard iterator expires 15 minutes after it is retrieved using the "
                "GetShardIterator action.");
  }
  // The snapshot first: a shard that it shows as ended has all its records in the log.
  TRY_ASSIGN(const auto found, FindStream(engine, call, iterator->arn));
  const auto& table = *found.table;
  const auto& shards = found.stream().shards;
  const auto shard = std::ranges::find(shards, cursor.shard, &StreamShard::number);
  if (shard == shards.end()) return Unexpected(Trimmed());

  GetRecordsOutcome outcome{
      .entries = {}, .next = std::nullopt, .view = found.stream().view, .region = table.key.region};
  const auto [cell, log] = LogOf(table, *shard);
  std::int64_t bytes = 0;
  bool trimmed = false;
  const auto visited = engine.store.VisitLog(
      cell, log, cursor.after, [&](std::uint64_t position, std::string_view record) {
        trimmed = cursor.from == Cursor::From::kPosition && position != cursor.after + 1;
        if (trimmed) return false;
        auto decoded = DecodeStreamRecord(table.schema.key(), record);
        Check(decoded.has_value(), "a stream's log holds its records");
        const auto size = SizeOfRecord(*decoded);
        if (!outcome.entries.empty() && bytes + size > limits::kStreamPageBytesMax) return false;
        bytes += size;
        auto sequence = SequenceNumber(*shard, position);
        auto id = EventId(table, sequence);
        outcome.entries.push_back({.sequence = std::move(sequence),
                                   .id = std::move(id),
                                   .record = *std::move(decoded),
                                   .size = size});
        cursor.after = position;
        cursor.from = Cursor::From::kPosition;
        return outcome.entries.size() < request.limit;
      });
  if (!visited) return Unexpected(ErrorOf(visited.error()));
  if (outcome.entries.empty() && !trimmed) {
    TRY_ASSIGN(const auto horizon, HorizonOf(engine, table, *shard));
    if (cursor.from == Cursor::From::kHorizon) {
      cursor.after = horizon;
    } else {
      trimmed = cursor.after < horizon;
    }
  }
  if (trimmed) return Unexpected(Trimmed());
  if (shard->last && cursor.after >= *shard->last) return outcome;
  cursor.issued = now;
  outcome.next = EncodeIterator(iterator->arn, cursor);
  return outcome;
}

}  // namespace kw::engine
