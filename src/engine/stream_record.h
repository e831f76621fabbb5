// SPDX-License-Identifier: Apache-2.0
// What a stream keeps of one committed item write: no more than its view shows, so that a stream
// costs a write little.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog.h"

namespace kw::engine {

// Who changed the item: streams name the service where it was not a client.
enum class WriteCause : std::uint8_t { kClient, kTimeToLive };

enum class StreamEvent : std::uint8_t { kInsert, kModify, kRemove };

struct StreamRecord {
  TimePoint at;
  StreamEvent event = StreamEvent::kInsert;
  WriteCause cause = WriteCause::kClient;
  Item keys;
  std::optional<std::string> before;  // stored items, where the view shows them
  std::optional<std::string> after;
};

// One of the images may be empty: there was, or is, no item. They are stored items.
std::string EncodeStreamRecord(const KeySchema& key, StreamView view, std::string_view before,
                               std::string_view after, TimePoint at, WriteCause cause);
// Nothing, if the bytes are no record.
std::optional<StreamRecord> DecodeStreamRecord(const KeySchema& key, std::string_view record);
// When the record was written, off its front.
TimePoint TimeOfStreamRecord(std::string_view record);

}  // namespace kw::engine
