// SPDX-License-Identifier: Apache-2.0
// Which keys a table or index is asked for most, and which are throttled most, for those that
// contributor insights are enabled for. Hides the sketches: of any number of keys they keep a fixed
// number of counters (Metwally, Agrawal, El Abbadi: "space-saving"), so that what is frequent is
// found and may be overstated by no more than `error_max`. In memory only: a restart begins anew.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/catalog.h"
#include "engine/draw.h"

namespace kw::engine {

inline constexpr std::size_t kSketchCounters = 256;

struct CountedKey {
  Item key;                    // the partition's attributes, or the sort key's as well
  std::int64_t count = 0;      // half units (see HotKeys), or refusals
  std::int64_t error_max = 0;  // of the count, the part that may belong to other keys
};

// Highest first. Source: aws-doc contributorinsights_HowItWorks: accesses are weighed in
// ConsumedThroughputUnits, three for a write unit and one for a read unit.
struct HotKeys {
  std::vector<CountedKey> accessed_partitions;
  std::vector<CountedKey> accessed;  // whole keys; none where there is no sort key
  std::vector<CountedKey> throttled_partitions;
  std::vector<CountedKey> throttled;
};

// Thread-safe. Counts only where the table's snapshot says that insights are enabled.
class KeyInsights {
 public:
  KeyInsights();
  ~KeyInsights();
  KeyInsights(const KeyInsights&) = delete;
  KeyInsights& operator=(const KeyInsights&) = delete;

  void CountAccess(const Table& table, const Draw& draw);
  void CountThrottle(const Table& table, const Draw& draw);

  // At most so many of each. Absent: the table itself.
  [[nodiscard]] HotKeys Top(const Table& table, std::optional<std::size_t> index,
                            std::size_t max) const;
  // Forgets every other table.
  void KeepOnly(std::span<const TablePtr> tables);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What the catalog says of a structure's insights; null if they were never enabled.
const ContributorInsights* InsightsOf(const Table& table, std::optional<std::size_t> index);
bool AreEnabled(const ContributorInsights* insights);

}  // namespace kw::engine
