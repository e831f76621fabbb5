// SPDX-License-Identifier: Apache-2.0
// One asking of a question the way a program asks it: every request, every page, then what the
// program itself does (follow a guard, merge shards, stop at LIMIT). The reader behind it is a real
// database or a replica, which must not differ.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "modeller/plan/plan.h"
#include "modeller/plan/replica.h"
#include "modeller/prove/database.h"
#include "modeller/prove/oracle.h"

namespace kw::modeller {

struct AskedPage {
  std::vector<Item> items;
  Capacity units;
};
// All pages of a request, the last one not further than its limit.
struct Reader {
  std::function<Asked<std::vector<AskedPage>>(const Call&)> read;
  std::function<Asked<std::vector<AskedPage>>(TableId)> scan;
};
// The references outlive the reader.
Reader ReaderOf(const Replica& replica);
Reader ReaderOf(const Database& database, const std::vector<std::string>& names);

struct Reply {
  std::vector<Tuple> tuples;
  std::vector<std::vector<AskedPage>> reads;  // one for each request, in order
};

// The question has a path that is no Scan. `calls` are those of the plan, or a broken copy of them.
Asked<Reply> AskQuestion(const Plan& plan, std::size_t question, const std::vector<Call>& calls,
                         const Reader& reader);

// Equal but for indexes that are named and consumed nothing.
bool SameUnits(const Capacity& a, const Capacity& b);

}  // namespace kw::modeller
