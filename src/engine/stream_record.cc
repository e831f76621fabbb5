// SPDX-License-Identifier: Apache-2.0
//   record := time(8) flags(1) image*
//   image  := a stored item, length-prefixed: the one before, the one after, or the keys where the
//             view shows neither
#include "engine/stream_record.h"

#include <utility>
#include <vector>

#include "base/bytes.h"
#include "data/item_bytes.h"

namespace kw::engine {
namespace {

constexpr std::size_t kHeadBytes = 9;

constexpr std::uint8_t kEventMask = 3;
constexpr std::uint8_t kByTimeToLive = 4;
constexpr std::uint8_t kHasBefore = 8;
constexpr std::uint8_t kHasAfter = 16;

bool ShowsBefore(StreamView view) {
  return view == StreamView::kOldImage || view == StreamView::kNewAndOldImages;
}
bool ShowsAfter(StreamView view) {
  return view == StreamView::kNewImage || view == StreamView::kNewAndOldImages;
}

Item KeysOf(const KeySchema& key, std::string_view stored) {
  std::vector<Item::Entry> entries;
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const auto& attribute : *attributes) {
      if (auto value = LoadAttribute(stored, attribute.name)) {
        entries.emplace_back(attribute.name, *std::move(value));
      }
    }
  }
  return Item::FromEntries(std::move(entries));
}

StreamEvent EventOf(std::string_view before, std::string_view after) {
  if (before.empty()) return StreamEvent::kInsert;
  return after.empty() ? StreamEvent::kRemove : StreamEvent::kModify;
}

}  // namespace

std::string EncodeStreamRecord(const KeySchema& key, StreamView view, std::string_view before,
                               std::string_view after, TimePoint at, WriteCause cause) {
  const bool has_before = ShowsBefore(view) && !before.empty();
  const bool has_after = ShowsAfter(view) && !after.empty();
  std::string record;
  record.reserve(kHeadBytes + 10 + (has_before ? before.size() : 0) +
                 (has_after ? after.size() : 0));
  AppendBigEndian64(record, static_cast<std::uint64_t>(at.time_since_epoch().count()));
  const int flags = static_cast<int>(EventOf(before, after)) |
                    (cause == WriteCause::kTimeToLive ? kByTimeToLive : 0) |
                    (has_before ? kHasBefore : 0) | (has_after ? kHasAfter : 0);
  record.push_back(static_cast<char>(flags));
  if (has_before) AppendLengthPrefixed(record, before);
  if (has_after) AppendLengthPrefixed(record, after);
  if (!has_before && !has_after) {
    AppendLengthPrefixed(record, StoreItem(KeysOf(key, after.empty() ? before : after)));
  }
  return record;
}

std::optional<StreamRecord> DecodeStreamRecord(const KeySchema& key, std::string_view record) {
  if (record.size() < kHeadBytes) return std::nullopt;
  StreamRecord decoded;
  decoded.at = TimeOfStreamRecord(record);
  const auto flags = static_cast<std::uint8_t>(record[8]);
  if ((flags & kEventMask) > static_cast<std::uint8_t>(StreamEvent::kRemove)) return std::nullopt;
  decoded.event = static_cast<StreamEvent>(flags & kEventMask);
  if ((flags & kByTimeToLive) != 0) decoded.cause = WriteCause::kTimeToLive;
  record.remove_prefix(kHeadBytes);
  std::optional<std::string_view> image;
  if ((flags & kHasBefore) != 0) {
    image = TakeLengthPrefixed(record);
    if (!image) return std::nullopt;
    decoded.before = *image;
  }
  if ((flags & kHasAfter) != 0) {
    image = TakeLengthPrefixed(record);
    if (!image) return std::nullopt;
    decoded.after = *image;
  }
  if (!image) image = TakeLengthPrefixed(record);
  if (!image || !record.empty()) return std::nullopt;
  decoded.keys = KeysOf(key, *image);
  return decoded;
}

TimePoint TimeOfStreamRecord(std::string_view record) {
  return TimePoint(
      std::chrono::milliseconds(static_cast<std::int64_t>(ReadBigEndian64(record.substr(0, 8)))));
}

}  // namespace kw::engine
