// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "data/item_bytes.h"
#include "data/key.h"
#include "data/limits.h"
#include "engine/access.h"
#include "engine/operations.h"
#include "engine/tokens.h"
#include "engine/traffic.h"
#include "engine/write.h"

namespace kw::engine {
namespace {

using Rows = std::span<const std::optional<std::string_view>>;

Error SameItemTwice() {
  return {ErrorCode::kValidation,
          "Transaction request cannot include multiple operations on one item",
          {}};
}

Error TooLarge() {
  return {ErrorCode::kValidation,
          "Aggregate size of the items in the transaction has exceeded the maximum allowed size",
          {}};
}

// A transaction's writes and the rows that they see: one for each item, then one for each item
// collection and each index being filled, then the token's.
struct Prepared {
  std::vector<PreparedWrite> writes;
  std::vector<storage::RowKey> sees;
  std::vector<std::size_t> collection_of;  // into `sees`, for each write; 0: it has none
  std::vector<std::size_t> fill_of;        // likewise
  std::optional<std::size_t> token;        // into `sees`
};

Result<Prepared> Prepare(const Engine& engine, const CallContext& call,
                         TransactWriteRequest& request) {
  Prepared prepared;
  for (auto& action : request.actions) {
    TRY_ASSIGN(auto write, PrepareWrite(engine.catalog, std::move(action)));
    prepared.sees.push_back(write.row);
    prepared.writes.push_back(std::move(write));
  }
  if (HasDuplicate(prepared.sees)) {
    return Unexpected(SameItemTwice());
  }
  std::map<storage::RowKey, std::size_t> shared;
  const auto see = [&](const std::optional<storage::RowKey>& row) -> std::size_t {
    if (!row) return 0;
    const auto [found, fresh] = shared.try_emplace(*row, prepared.sees.size());
    if (fresh) prepared.sees.push_back(*row);
    return found->second;
  };
  for (const auto& write : prepared.writes) {
    prepared.collection_of.push_back(see(write.collection));
    prepared.fill_of.push_back(see(write.fill));
  }
  if (request.token) {
    prepared.token = prepared.sees.size();
    prepared.sees.push_back(TokenRow(call.account, call.region, *request.token));
  }
  return prepared;
}

// One action's reason. Errors that are no reason do not reach this.
CancellationReason ReasonOf(Error error) {
  CancellationReason reason;
  switch (error.code) {
    case ErrorCode::kConditionalCheckFailed: reason.code = "ConditionalCheckFailed"; break;
    case ErrorCode::kItemCollectionSizeLimitExceeded:
      reason.code = "ItemCollectionSizeLimitExceeded";
      break;
    case ErrorCode::kProvisionedThroughputExceeded:
      reason.code = "ProvisionedThroughputExceeded";
      break;
    case ErrorCode::kThrottling:
    case ErrorCode::kRequestLimitExceeded:  // assumed: the model has no code of its own for it
      reason.code = "ThrottlingError";
      break;
    default: reason.code = "ValidationError"; break;
  }
  reason.message = std::move(error.message);
  if (auto* old = std::get_if<OldItem>(&error.detail)) reason.item = std::move(old->stored);
  return reason;
}

Error Cancelled(std::vector<CancellationReason> reasons) {
  std::string message = CancellationMessage(reasons);
  return {ErrorCode::kTransactionCanceled, std::move(message), std::move(reasons)};
}

// What the reads of one transaction pay; nothing where nobody counts.
class GetTolls {
 public:
  GetTolls(Engine& engine, std::size_t gets) : engine_(engine), gets_(gets) {}

  void Add(TablePtr table, const storage::RowKey& row) {
    if (!IsMetered(engine_, *table)) return void(++place_);
    draws_.push_back({.get = place_++,
                      .table = std::move(table),
                      .draw = {.index = std::nullopt,
                               .flow = Flow::kRead,
                               .key = std::string(KeyPartOf(row)),
                               .units = {}}});
  }
  // Errors: TransactionCanceled, with the reasons of those that are throttled.
  Result<void> Admit() {
    std::vector<CancellationReason> reasons;
    for (const auto& read : draws_) {
      auto admitted = AdmitRead(engine_, *read.table, read.draw);
      if (admitted) continue;
      reasons.resize(gets_);
      reasons[read.get] = ReasonOf(std::move(admitted).error());
    }
    if (!reasons.empty()) return Unexpected(Cancelled(std::move(reasons)));
    return {};
  }
  void Note(std::size_t get, HalfUnits units) {
    const auto read = std::ranges::lower_bound(draws_, get, {}, &Read::get);
    if (read != draws_.end() && read->get == get) read->draw.units = units;
  }
  void Charge() {
    for (const auto& read : draws_) ChargeRead(engine_, *read.table, read.draw);
  }

 private:
  struct Read {
    std::size_t get;
    TablePtr table;
    Draw draw;
  };
  Engine& engine_;
  std::size_t gets_;
  std::size_t place_ = 0;
  std::vector<Read> draws_;
};

// What the first request with this token answers again; a request that differs is refused.
Result<TransactWriteOutcome> Replay(const TokenRecord& record, std::uint64_t fingerprint) {
  if (record.fingerprint != fingerprint) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "The request uses the same client token as a previous, but non-identical request.");
  }
  TransactWriteOutcome outcome;
  for (const auto& [table, units] : record.reads) {
    auto& read = outcome.capacities.emplace_back(TableCapacity{.table = table, .capacity = {}});
    read.capacity.table_read = units;
  }
  return outcome;
}

// What the actions of one transaction add up to.
class Tally {
 public:
  explicit Tally(std::size_t actions) : reasons_(actions) {}

  void Add(std::size_t action, const PreparedWrite& write, Result<WriteEffect> effect) {
    if (!effect) {
      cancelled_ = true;
      reasons_[action] = ReasonOf(std::move(effect).error());
      return;
    }
    bytes_ += effect->size_max.value();
    const auto& table = TableOf(write.action);
    capacities_[table] += effect->outcome.capacity;
    reads_[table] += ReadUnits(effect->size_after, ReadMode::kTransactional);
    if (effect->outcome.collection) {
      collections_[*write.collection] = {.table = table,
                                         .collection = std::move(*effect->outcome.collection)};
    }
  }

  Result<TransactWriteOutcome> Finish(TokenRecord& record) && {
    if (cancelled_) return Unexpected(Cancelled(std::move(reasons_)));
    if (bytes_ > limits::kTransactionBytesMax) return Unexpected(TooLarge());
    TransactWriteOutcome outcome;
    for (auto& [table, capacity] : capacities_) {
      outcome.capacities.push_back({.table = table, .capacity = std::move(capacity)});
    }
    for (auto& [row, collection] : collections_) {
      outcome.collections.push_back(std::move(collection));
    }
    record.reads.assign(reads_.begin(), reads_.end());
    return outcome;
  }

 private:
  std::vector<CancellationReason> reasons_;
  bool cancelled_ = false;
  std::int64_t bytes_ = 0;
  std::map<TableKey, Capacity> capacities_;
  std::map<TableKey, HalfUnits> reads_;
  std::map<storage::RowKey, TransactWriteOutcome::Collection> collections_;
};

class Transaction final : public storage::Update {
 public:
  Transaction(Engine& engine, CallContext call, Prepared prepared, TransactWriteRequest request,
              kw::engine::Done<TransactWriteOutcome> done, int table_changes)
      : engine_(engine),
        call_(std::move(call)),
        prepared_(std::move(prepared)),
        request_(std::move(request)),
        done_(std::move(done)),
        table_changes_(table_changes) {
    for (const auto& write : prepared_.writes) {
      tolls_.emplace_back(engine_, *write.table, KeyPartOf(write.row));
    }
  }

  // Starts the transaction, again if a table changed meanwhile.
  static void Start(Engine& engine, CallContext call, TransactWriteRequest request,
                    kw::engine::Done<TransactWriteOutcome> done, int table_changes);

  std::span<const storage::RowKey> Sees() const override { return prepared_.sees; }
  storage::Mutation Decide(Rows rows) override;
  void Done(storage::StoreResult<void> result) override;

 private:
  Engine& engine_;
  const CallContext call_;
  Prepared prepared_;
  TransactWriteRequest request_;  // its actions have moved to prepared_
  kw::engine::Done<TransactWriteOutcome> done_;
  const int table_changes_;
  std::vector<WriteToll> tolls_;  // one for each write
  bool table_changed_ = false;
  Result<TransactWriteOutcome> outcome_;

  // One action: admitted, decided, charged.
  Result<WriteEffect> CarryOutPaid(std::size_t action, std::optional<std::string_view> before,
                                   const SharedRows& shared, WriteContext context,
                                   storage::Mutation& mutation);
};

Result<WriteEffect> Transaction::CarryOutPaid(std::size_t action,
                                              std::optional<std::string_view> before,
                                              const SharedRows& shared, WriteContext context,
                                              storage::Mutation& mutation) {
  auto& toll = tolls_[action];
  TRY(toll.Begin());
  context.index_draws = toll.index_draws();
  auto effect = CarryOut(prepared_.writes[action], before, shared, context, mutation);
  if (effect) {
    TRY(toll.Take(TableUnits(effect->outcome.capacity)));
  } else if (effect.error().code == ErrorCode::kConditionalCheckFailed) {
    toll.TakeFailed(
        WriteUnits(before ? StoredItemSize(*before) : ByteCount(), WriteMode::kTransactional));
  }
  return effect;
}

storage::Mutation Transaction::Decide(Rows rows) {
  table_changed_ = std::ranges::any_of(
      prepared_.writes, [](const PreparedWrite& write) { return write.table->stale.load(); });
  if (table_changed_) return {};
  for (auto& toll : tolls_) toll.GiveBack();

  const auto now = engine_.clock.Now();
  if (prepared_.token && rows[*prepared_.token]) {
    const auto record = DecodeToken(*rows[*prepared_.token]);
    if (record && IsValid(*record, now)) {
      outcome_ = Replay(*record, request_.fingerprint);
      return {};
    }
  }

  storage::Mutation mutation;
  const WriteContext context{
      .global = GlobalIndexesOf(engine_), .mode = WriteMode::kTransactional, .now = now};
  std::map<std::size_t, ByteCount> sizes;  // of the collections, by their rows
  std::map<std::size_t, Fill> fills;       // likewise
  Tally tally(prepared_.writes.size());
  for (std::size_t i = 0; i < prepared_.writes.size(); ++i) {
    const auto& write = prepared_.writes[i];
    ByteCount* size = nullptr;
    if (const auto row = prepared_.collection_of[i]; row != 0) {
      const auto [found, fresh] = sizes.try_emplace(row);
      if (fresh && rows[row]) found->second = DecodeCollectionSize(*rows[row]);
      size = &found->second;
    }
    Fill* fill = nullptr;
    if (const auto row = prepared_.fill_of[i]; row != 0) {
      fill = &fills.try_emplace(row, Fill::Decode(rows[row])).first->second;
    }
    const SharedRows shared{.collection_size = size, .fill = fill};
    tally.Add(i, write, CarryOutPaid(i, rows[i], shared, context, mutation));
  }
  TokenRecord record{.at = now, .fingerprint = request_.fingerprint, .reads = {}};
  outcome_ = std::move(tally).Finish(record);
  if (!outcome_) return {};
  for (const auto& [row, size] : sizes) {
    PutCollectionSize(prepared_.sees[row], size, mutation);
  }
  for (const auto& [row, fill] : fills) {
    if (!fill.changed()) continue;
    mutation.PutRow(prepared_.sees[row].cell, prepared_.sees[row].key, fill.Encode());
  }
  if (prepared_.token) WriteToken(prepared_.sees[*prepared_.token], record, mutation);
  return mutation;
}

void Transaction::Done(storage::StoreResult<void> result) {
  if (!result || table_changed_) {
    for (auto& toll : tolls_) toll.GiveBack();
  }
  if (!result) return done_(Unexpected(ErrorOf(result.error())));
  if (!table_changed_) {
    for (auto& toll : tolls_) toll.Settle();
    return done_(std::move(outcome_));
  }
  request_.actions.clear();
  for (auto& write : prepared_.writes) request_.actions.push_back(std::move(write.action));
  Start(engine_, call_, std::move(request_), std::move(done_), table_changes_ + 1);
}

void Transaction::Start(Engine& engine, CallContext call, TransactWriteRequest request,
                        kw::engine::Done<TransactWriteOutcome> done, int table_changes) {
  if (table_changes > kTableChangesMax) {
    return done(Fail(ErrorCode::kInternalServerError, "The tables keep changing."));
  }
  auto prepared = Prepare(engine, call, request);
  if (!prepared) return done(Unexpected(std::move(prepared).error()));
  const bool inline_if_idle = call.inline_if_idle && table_changes == 0;
  engine.store.Submit(
      std::make_unique<Transaction>(engine, std::move(call), std::move(*prepared),
                                    std::move(request), std::move(done), table_changes),
      inline_if_idle);
}

}  // namespace

std::string CancellationMessage(const std::vector<CancellationReason>& reasons) {
  std::string message =
      "Transaction cancelled, please refer cancellation reasons for specific reasons [";
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    message.append(i == 0 ? "" : ", ").append(reasons[i].code);
  }
  message.push_back(']');
  return message;
}

void TransactWrite(Engine& engine, const CallContext& call, TransactWriteRequest request,
                   Done<TransactWriteOutcome> done) {
  Transaction::Start(engine, call, std::move(request), std::move(done), 0);
}

Result<TransactGetOutcome> TransactGet(Engine& engine, const CallContext& call,
                                       const std::vector<GetRequest>& gets) {
  std::vector<storage::RowKey> rows;
  rows.reserve(gets.size());
  GetTolls tolls(engine, gets.size());
  for (const auto& get : gets) {
    TRY_ASSIGN(auto table, FindUsable(engine.catalog, get.table));
    TRY(CheckKey(table->schema.key(), get.key));
    rows.push_back(ItemRow(*table, get.key));
    tolls.Add(std::move(table), rows.back());
  }
  if (HasDuplicate(rows)) return Unexpected(SameItemTwice());
  TRY(tolls.Admit());
  auto items = engine.store.Get(rows, call.wait);
  if (!items) return Unexpected(ErrorOf(items.error()));

  TransactGetOutcome outcome;
  std::map<TableKey, Capacity> capacities;
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < gets.size(); ++i) {
    auto& stored = (*items)[i];
    const auto size = stored ? StoredItemSize(*stored) : ByteCount();
    bytes += size.value();
    if (call.wait == storage::Wait::kMemoryOnly && bytes > kMemoryOnlyBytesMax) {
      return Unexpected(ErrorOf(storage::StoreError::kWouldBlock));
    }
    const auto units = ReadUnits(size, ReadMode::kTransactional);
    capacities[gets[i].table].table_read += units;
    tolls.Note(i, units);
    auto& item = outcome.items.emplace_back();
    if (stored) item = Project(std::move(*stored), gets[i].projection);
  }
  tolls.Charge();
  if (bytes > limits::kTransactionBytesMax) return Unexpected(TooLarge());
  for (auto& [table, capacity] : capacities) {
    outcome.capacities.push_back({.table = table, .capacity = std::move(capacity)});
  }
  return outcome;
}

}  // namespace kw::engine
