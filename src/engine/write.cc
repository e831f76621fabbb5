// SPDX-License-Identifier: Apache-2.0
#include "engine/write.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "data/item_bytes.h"
#include "data/limits.h"
#include "engine/access.h"
#include "engine/traffic.h"

namespace kw::engine {
namespace {

bool HasLocalIndex(const TableSchema& schema) {
  return std::ranges::any_of(
      schema.indexes(), [](const IndexSchema& index) { return index.scope == IndexScope::kLocal; });
}

ItemCollection CollectionOf(const PreparedWrite& write, ByteCount size) {
  const auto& partition = write.table->schema.key().partition.front().name;
  ItemCollection collection{.key = {}, .size = size};
  collection.key.Set(partition, *KeyOf(write.action).Find(partition));
  return collection;
}

// The stored item after: a view of the prepared item, of `made`, or of `before`.
std::string_view StoredAfter(const PreparedWrite& write, const Decision& decision,
                             std::optional<std::string_view> before, std::string& made) {
  if (std::holds_alternative<PutRequest>(write.action)) return write.put;
  if (std::holds_alternative<DeleteRequest>(write.action)) return {};
  if (!decision.updated) return before.value_or(std::string_view());
  made = StoreItem(*decision.updated);
  return made;
}

const Item* ItemAfter(const PreparedWrite& write, const Decision& decision) {
  if (const auto* put = std::get_if<PutRequest>(&write.action)) return &put->item;
  return decision.updated ? &*decision.updated : nullptr;
}

ByteCount SizeOfStored(std::string_view stored) {
  return stored.empty() ? ByteCount() : StoredItemSize(stored);
}

class ItemWrite final : public storage::Update {
 public:
  ItemWrite(Engine& engine, PreparedWrite write, kw::engine::Done<WriteOutcome> done,
            WriteCause cause, int table_changes)
      : engine_(engine),
        write_(std::move(write)),
        done_(std::move(done)),
        cause_(cause),
        table_changes_(table_changes) {
    sees_[sees_count_++] = write_.row;
    if (write_.collection) sees_[sees_count_++] = *write_.collection;
    if (write_.fill) sees_[sees_count_++] = *write_.fill;
    // What the service does by itself is free.
    if (cause_ == WriteCause::kClient) {
      toll_ = WriteToll(engine_, *write_.table, KeyPartOf(write_.row));
    }
  }

  std::span<const storage::RowKey> Sees() const override { return {sees_.data(), sees_count_}; }

  storage::Mutation Decide(std::span<const std::optional<std::string_view>> rows) override {
    table_changed_ = write_.table->stale.load();
    if (table_changed_) return {};
    if (auto admitted = toll_.Begin(); !admitted) {
      outcome_ = Unexpected(std::move(admitted).error());
      return {};
    }

    storage::Mutation mutation;
    auto collection_size = ByteCount();
    if (write_.collection && rows[1]) collection_size = DecodeCollectionSize(*rows[1]);
    const auto size_before = collection_size;
    auto fill = write_.fill ? std::optional(Fill::Decode(rows.back())) : std::nullopt;
    auto effect = CarryOut(write_, rows[0],
                           {.collection_size = write_.collection ? &collection_size : nullptr,
                            .fill = fill ? &*fill : nullptr},
                           {.global = GlobalIndexesOf(engine_),
                            .mode = WriteMode::kStandard,
                            .now = engine_.clock.Now(),
                            .cause = cause_,
                            .index_draws = toll_.index_draws()},
                           mutation);
    if (!effect) {
      if (effect.error().code == ErrorCode::kConditionalCheckFailed) {
        toll_.TakeFailed(
            WriteUnits(rows[0] ? SizeOfStored(*rows[0]) : ByteCount(), WriteMode::kStandard));
      }
      outcome_ = Unexpected(std::move(effect).error());
      return {};
    }
    if (auto taken = toll_.Take(TableUnits(effect->outcome.capacity)); !taken) {
      outcome_ = Unexpected(std::move(taken).error());
      return {};
    }
    if (collection_size != size_before) {
      PutCollectionSize(sees_[1], collection_size, mutation);
    }
    if (fill && fill->changed()) {
      mutation.PutRow(write_.fill->cell, write_.fill->key, fill->Encode());
    }
    outcome_ = std::move(effect->outcome);
    return mutation;
  }

  void Done(storage::StoreResult<void> result) override {
    if (!result || table_changed_) toll_.GiveBack();
    if (!result) return done_(Unexpected(ErrorOf(result.error())));
    if (!table_changed_) {
      toll_.Settle();
      return done_(std::move(outcome_));
    }
    if (cause_ != WriteCause::kClient) {
      return done_(Fail(ErrorCode::kResourceInUse, "The table was changed."));
    }
    if (table_changes_ == kTableChangesMax) {
      return done_(Fail(ErrorCode::kInternalServerError, "The table keeps changing."));
    }
    auto again = PrepareWrite(engine_.catalog, std::move(write_.action));
    if (!again) return done_(Unexpected(std::move(again).error()));
    engine_.store.Submit(std::make_unique<ItemWrite>(engine_, std::move(*again), std::move(done_),
                                                     cause_, table_changes_ + 1));
  }

 private:
  Engine& engine_;
  PreparedWrite write_;
  kw::engine::Done<WriteOutcome> done_;
  const WriteCause cause_;
  const int table_changes_;  // that this write has met
  std::array<storage::RowKey, 3> sees_;
  std::size_t sees_count_ = 0;
  bool table_changed_ = false;
  WriteToll toll_;
  Result<WriteOutcome> outcome_;
};

template <class Request>
void WriteRequest(Engine& engine, const CallContext& call, Request request,
                  Done<WriteOutcome> done) {
  auto write = PrepareWrite(engine.catalog, std::move(request));
  if (!write) return done(Unexpected(std::move(write).error()));
  WriteOne(engine, call, std::move(*write), std::move(done));
}

}  // namespace

Result<PreparedWrite> PrepareWrite(const Catalog& catalog, WriteAction action) {
  TRY_ASSIGN(auto table, FindUsable(catalog, TableOf(action)));
  TRY(CheckAction(*table, action));
  PreparedWrite write{.table = std::move(table),
                      .action = std::move(action),
                      .row = {},
                      .collection = std::nullopt,
                      .fill = std::nullopt,
                      .put = {}};
  const auto& key = KeyOf(write.action);
  write.row = ItemRow(*write.table, key);
  // A check changes neither.
  if (!std::holds_alternative<ConditionCheckRequest>(write.action)) {
    if (HasLocalIndex(write.table->schema)) write.collection = CollectionRow(*write.table, key);
    write.fill = FillRow(*write.table, write.row.cell);
  }
  if (const auto* put = std::get_if<PutRequest>(&write.action)) write.put = StoreItem(put->item);
  return write;
}

Result<WriteEffect> CarryOut(const PreparedWrite& write, std::optional<std::string_view> before,
                             const SharedRows& shared, const WriteContext& context,
                             storage::Mutation& mutation) {
  const auto& table = *write.table;
  TRY_ASSIGN(const auto decision, DecideWrite(table, write.action, before));

  std::string made;
  const auto after = StoredAfter(write, decision, before, made);
  WriteEffect effect;
  effect.size_after = SizeOfStored(after);
  effect.size_max = std::max(effect.size_after, before ? SizeOfStored(*before) : ByteCount());
  auto expansion = Expand(table, write.row,
                          {.stored = before.value_or(std::string_view()),
                           .item = decision.before ? &*decision.before : nullptr},
                          {.stored = after, .item = ItemAfter(write, decision)},
                          {.global = context.global,
                           .now = context.now,
                           .cause = context.cause,
                           .fill = shared.fill,
                           .index_draws = context.index_draws},
                          mutation);
  effect.outcome.capacity = std::move(expansion.indexes);
  effect.outcome.capacity.table_write = WriteUnits(effect.size_max, context.mode);

  if (shared.collection_size != nullptr) {
    *shared.collection_size += expansion.collection_growth;
    if (expansion.collection_growth > ByteCount() &&
        shared.collection_size->value() > limits::kItemCollectionBytesMax) {
      return Fail(ErrorCode::kItemCollectionSizeLimitExceeded, "Collection size exceeded.");
    }
    effect.outcome.collection = CollectionOf(write, *shared.collection_size);
  }
  effect.outcome.attributes = ReturnedAttributes(write.action, decision, before, after);
  return effect;
}

void WriteOne(Engine& engine, const CallContext& call, PreparedWrite write, Done<WriteOutcome> done,
              WriteCause cause) {
  engine.store.Submit(
      std::make_unique<ItemWrite>(engine, std::move(write), std::move(done), cause, 0),
      call.inline_if_idle);
}

void Put(Engine& engine, const CallContext& call, PutRequest request, Done<WriteOutcome> done) {
  WriteRequest(engine, call, std::move(request), std::move(done));
}

void Delete(Engine& engine, const CallContext& call, DeleteRequest request,
            Done<WriteOutcome> done) {
  WriteRequest(engine, call, std::move(request), std::move(done));
}

void Update(Engine& engine, const CallContext& call, UpdateRequest request,
            Done<WriteOutcome> done) {
  WriteRequest(engine, call, std::move(request), std::move(done));
}

}  // namespace kw::engine
