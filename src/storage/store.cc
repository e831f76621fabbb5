// SPDX-License-Identifier: Apache-2.0
#include "storage/store.h"

#include <future>
#include <utility>

namespace kw::storage {
namespace {

class WaitedUpdate final : public Update {
 public:
  using DecideFunction = std::function<Mutation(std::span<const std::optional<std::string_view>>)>;

  WaitedUpdate(std::vector<RowKey> sees, DecideFunction decide,
               std::promise<StoreResult<void>> answer)
      : sees_(std::move(sees)), decide_(std::move(decide)), answer_(std::move(answer)) {}

  std::span<const RowKey> Sees() const override { return sees_; }
  Mutation Decide(std::span<const std::optional<std::string_view>> rows) override {
    return decide_(rows);
  }
  void Done(StoreResult<void> result) override { answer_.set_value(std::move(result)); }

 private:
  const std::vector<RowKey> sees_;
  const DecideFunction decide_;
  std::promise<StoreResult<void>> answer_;
};

}  // namespace

void Mutation::PutRow(CellId cell, std::string key, std::string value) {
  steps_.emplace_back(Put{cell, std::move(key), std::move(value)});
}

void Mutation::DeleteRow(CellId cell, std::string key) {
  steps_.emplace_back(Delete{cell, std::move(key)});
}

void Mutation::AppendToLog(CellId cell, std::uint32_t log, std::string record) {
  steps_.emplace_back(Append{cell, log, std::move(record)});
}

void Mutation::AddToCounter(CellId cell, std::string key, std::int64_t delta) {
  steps_.emplace_back(Add{cell, std::move(key), delta});
}

StoreResult<void> SubmitAndWait(Store& store, std::vector<RowKey> sees,
                                WaitedUpdate::DecideFunction decide) {
  std::promise<StoreResult<void>> answer;
  auto result = answer.get_future();
  store.Submit(
      std::make_unique<WaitedUpdate>(std::move(sees), std::move(decide), std::move(answer)),
      /*inline_if_idle=*/true);
  return result.get();
}

}  // namespace kw::storage
