// SPDX-License-Identifier: Apache-2.0
// What a plan's tables hold, by the plan alone: every item and index entry in key order, with its
// size. A request is replayed here into pages and units by the service's rules, so that a
// measurement has something to be compared with. No engine is asked.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/metering.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {

// The items of whole entities, counters counted: what to store before anything is asked.
// `rows[e]` are the rows of entity e.
std::vector<PlacedItem> LoadItems(const Plan& plan, const std::vector<std::vector<Row>>& rows);

// What one request answers, page by page as a client asks for them.
struct ReplayedPage {
  std::vector<std::shared_ptr<const Item>> items;  // as the table or the index shows them
  Capacity units;
};

class Replica {
 public:
  // The plan outlives it.
  explicit Replica(const Plan& plan);

  // Stores an item in place of any with its key, with its index entries. O(log n).
  void Put(PlacedItem item);
  void Delete(TableId table, const Item& key_or_item);
  void Apply(const WriteSet& writes);

  // The item under the key attributes of `key_or_item`; null if there is none.
  [[nodiscard]] const Item* Find(TableId table, const Item& key_or_item) const;

  // Every page of a request: one for GetItem; for Query until its rows or `limit` are reached (each
  // page asks for what is left of the limit). Entries of equal key come in the order of the table's
  // key: the service promises none.
  [[nodiscard]] std::vector<ReplayedPage> Replay(const Call& call) const;
  // The pages of a Scan of a table, in the order of hashed partitions.
  [[nodiscard]] std::vector<ReplayedPage> ReplayScan(TableId table) const;

 private:
  struct Entry {
    std::shared_ptr<const Item> item;
    ByteCount size;
  };
  // The table first, then its indexes in the schema's order: entries by key bytes.
  using Structure = std::map<std::string, Entry, std::less<>>;

  const Plan& plan_;
  std::vector<std::vector<Structure>> tables_;
};

// The sum over pages.
Capacity Total(const std::vector<ReplayedPage>& pages);

}  // namespace kw::modeller
