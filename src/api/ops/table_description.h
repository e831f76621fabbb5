// SPDX-License-Identifier: Apache-2.0
// A table as answers show it: TableDescription.
#pragma once

#include "base/json.h"
#include "engine/tables.h"

namespace kw::api {

// The service shows different members of a table in different answers.
// observed: ack-api-quirks DDB-TABLE-033, -060, -134; recorded answers of 2025-10 to 2026-01.
enum class DescriptionOf : std::uint8_t {
  kCreated,      // no warm throughput, no time of the billing mode
  kCreatedWarm,  // asked for with warm throughput: that is under way
  kChanged,
  kChangedBilling,  // no time of the billing mode
  kChangedWarm,     // its warm throughput is under way
  kTable,           // DescribeTable
};
void WriteTableDescription(const engine::Table& table, const engine::TableSize& size,
                           DescriptionOf moment, JsonWriter& out);

// A snapshot and what it holds.
struct SizedTable {
  engine::TablePtr table;
  engine::TableSize size;
};

// Parts of descriptions that other operations show as well.
std::string_view ViewName(engine::StreamView view);
void WriteTime(std::string_view name, TimePoint time, JsonWriter& out);  // seconds, a fraction
void WriteKeySchema(const KeySchema& key, JsonWriter& out);

// What DeleteTable answers: neither keys nor indexes nor times.
void WriteDeletedTable(const engine::Table& table, const engine::TableSize& size, JsonWriter& out);

}  // namespace kw::api
