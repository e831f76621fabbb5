// SPDX-License-Identifier: Apache-2.0
#include "studio/local_engine.h"

#include <fmt/format.h>

#include <future>

#include "api/api.h"
#include "base/clock.h"
#include "base/json.h"
#include "engine/catalog.h"
#include "engine/engine.h"
#include "engine/upkeep.h"
#include "storage/open.h"

namespace kw::studio {
namespace {

// The error that a reply says: its code is the last part of its type.
modeller::DatabaseFault FaultOf(const api::Reply& reply) {
  JsonParser parser;
  const auto json = parser.Parse(reply.body);
  if (!json || !json->is(JsonType::kObject)) return {"", fmt::format("status {}", reply.status)};
  const auto text = [&](std::string_view name) {
    const auto found = json->object().Find(name);
    return std::string(found && found->is(JsonType::kString) ? found->string() : "");
  };
  const std::string type = text("__type");
  const std::string message = text("message");
  return {type.substr(type.find('#') + 1), message.empty() ? text("Message") : message};
}

}  // namespace

struct LocalEngine::Impl {
  Impl(std::unique_ptr<storage::Store> opened, std::unique_ptr<engine::Catalog> loaded)
      : store(std::move(opened)), catalog(std::move(loaded)) {}

  std::unique_ptr<storage::Store> store;
  std::unique_ptr<engine::Catalog> catalog;
  SystemClock clock;
  engine::Engine engine{.store = *store, .catalog = *catalog, .clock = clock, .options = {}};
  engine::Upkeep upkeep{engine};
};

LocalEngine::LocalEngine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LocalEngine::~LocalEngine() = default;
LocalEngine::LocalEngine(LocalEngine&&) noexcept = default;
LocalEngine& LocalEngine::operator=(LocalEngine&&) noexcept = default;

Expected<LocalEngine, std::string> LocalEngine::Open() {
  auto store = storage::Open("memory:", {});
  if (!store) return Unexpected(store.error().message);
  auto catalog = engine::Catalog::Load(**store);
  if (!catalog) return Unexpected(catalog.error().message);
  auto impl = std::make_unique<Impl>(std::move(*store), std::move(*catalog));
  impl->engine.upkeep = &impl->upkeep;
  return LocalEngine(std::move(impl));
}

modeller::Database::Send LocalEngine::sender() const {
  return [impl = impl_.get()](std::string_view operation,
                              std::string_view body) -> modeller::Asked<std::string> {
    const std::string target = fmt::format("DynamoDB_20120810.{}", operation);
    std::promise<api::Reply> promise;
    auto answered = promise.get_future();
    api::Handle(impl->engine,
                {.target = target,
                 .body = body,
                 .call = {.account = "000000000000", .region = "us-east-1"}},
                [&promise](api::Reply reply) { promise.set_value(std::move(reply)); });
    api::Reply reply = answered.get();
    if (reply.status != 200) return Unexpected(FaultOf(reply));
    return std::move(reply.body);
  };
}

}  // namespace kw::studio
