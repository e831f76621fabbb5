// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "data/item_bytes.h"
#include "data/key.h"
#include "engine/access.h"
#include "engine/operations.h"
#include "engine/traffic.h"

namespace kw::engine {

Result<GetOutcome> Get(Engine& engine, const CallContext& call, const GetRequest& request) {
  TRY_ASSIGN(const auto table, FindUsable(engine.catalog, request.table));
  TRY(CheckKey(table->schema.key(), request.key));
  const auto row = ItemRow(*table, request.key);
  const bool metered = IsMetered(engine, *table);
  Draw draw;
  if (metered) {
    draw.key = KeyPartOf(row);
    TRY(AdmitRead(engine, *table, draw));
  }
  auto rows = engine.store.Get({&row, 1}, call.wait);
  if (!rows) return Unexpected(ErrorOf(rows.error()));

  // Both modes read the newest item; an eventual read is only cheaper.
  const auto mode = request.consistent ? ReadMode::kStrong : ReadMode::kEventual;
  auto& stored = rows->front();
  GetOutcome outcome;
  outcome.capacity.table_read = ReadUnits(stored ? StoredItemSize(*stored) : ByteCount(), mode);
  if (metered) {
    draw.units = outcome.capacity.table_read;
    ChargeRead(engine, *table, draw);
  }
  if (stored) outcome.item = Project(std::move(*stored), request.projection);
  return outcome;
}

}  // namespace kw::engine
