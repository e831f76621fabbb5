// SPDX-License-Identifier: Apache-2.0
// The database that a proof runs on: this program's own engine, or any endpoint that speaks the
// DynamoDB API. Requests are composed here, so that what is proved is what a program would send.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "data/item.h"
#include "data/metering.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {

// Why the world failed, or what the database said against a request, in a sentence.
struct DatabaseFault {
  std::string code;  // "ConditionalCheckFailedException"; empty: no answer came
  std::string message;
};
template <class T>
using Asked = Expected<T, DatabaseFault>;

class Database {
 public:
  // Sends one request and waits: an operation such as "PutItem", a body in JSON; gives the reply's
  // body, or the error's.
  using Send = std::function<Asked<std::string>(std::string_view operation, std::string_view body)>;

  // `pause`: between looks at a table that is not ACTIVE yet.
  explicit Database(Send send, std::chrono::milliseconds pause = std::chrono::milliseconds(20))
      : send_(std::move(send)), pause_(pause) {}

  // Creates the table under a name of the caller's, on demand, and waits until it is ACTIVE.
  Asked<void> CreateTable(std::string_view name, const TableSchema& schema) const;
  Asked<void> DeleteTable(std::string_view name) const;

  // Without conditions, in batches. Errors also: writes that the service leaves unprocessed.
  Asked<void> Load(std::string_view name, const std::vector<Item>& items) const;

  struct Got {
    std::optional<Item> item;
    Capacity units;
  };
  Asked<Got> Get(std::string_view name, const GetCall& call) const;

  struct Page {
    std::vector<Item> items;
    Capacity units;
    std::optional<Item> next;  // the key to go on from
  };
  // One page of a Query; `limit` is what is still wanted.
  Asked<Page> Query(std::string_view name, const QueryCall& call, std::optional<std::int64_t> limit,
                    const std::optional<Item>& start) const;
  Asked<Page> Scan(std::string_view name, const std::optional<Item>& start) const;

  // One step by itself, several as a transaction. `names` by TableId. Gives what each table
  // consumed.
  Asked<std::map<TableId, Capacity>> Write(const std::vector<std::string>& names,
                                           const std::vector<PlannedTable>& tables,
                                           const WriteSet& writes) const;

 private:
  Send send_;
  std::chrono::milliseconds pause_;
};

}  // namespace kw::modeller
