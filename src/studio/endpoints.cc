// SPDX-License-Identifier: Apache-2.0
#include "studio/endpoints.h"

#include <algorithm>
#include <array>
#include <string>

#include "studio/endpoint.h"

namespace kw::studio {
namespace {

using Run = Result<void> (*)(const Context& context, JsonValue body, JsonWriter& out);

struct Row {
  api::OperationInfo info;
  Run run;
};

// kRead runs on the event loop and must be quick; what takes longer is kControl.
constexpr Row kRows[] = {
    {{"item-size", api::Access::kRead, kEndpointPrefix}, ItemSize},
    {{"read-cost", api::Access::kRead, kEndpointPrefix}, ReadCost},
};

constexpr auto kInfos = [] {
  std::array<api::OperationInfo, std::size(kRows)> infos{};
  std::ranges::transform(kRows, infos.begin(), &Row::info);
  return infos;
}();
static_assert(std::ranges::is_sorted(kInfos, {}, &api::OperationInfo::name));

}  // namespace

void WriteUnitsMember(JsonWriter& out, std::string_view name, HalfUnits units) {
  out.Key(name);
  if (units.value() % 2 == 0) return out.Integer(units.value() / 2);
  out.Double(static_cast<double>(units.value()) / 2);
}

std::span<const api::OperationInfo> Endpoints() { return kInfos; }

const api::OperationInfo* FindEndpoint(std::string_view path) {
  if (!path.starts_with(kEndpointPrefix)) return nullptr;
  path.remove_prefix(kEndpointPrefix.size());
  const auto* found = std::ranges::lower_bound(kInfos, path, {}, &api::OperationInfo::name);
  return found != kInfos.end() && found->name == path ? found : nullptr;
}

void Handle(engine::Engine& engine, const api::Request& request,
            std::function<void(api::Reply)> reply) {
  const api::OperationInfo* info = FindEndpoint(request.target);
  if (info == nullptr) {
    return reply(api::RenderError({.code = ErrorCode::kUnknownOperation,
                                   .message = "The studio has no such call.",
                                   .detail = {}}));
  }
  thread_local JsonParser parser;
  const auto body = parser.Parse(request.body);
  if (!body || !body->is(JsonType::kObject)) {
    return reply(api::RenderError({.code = ErrorCode::kSerialization,
                                   .message = "The body must be a JSON object.",
                                   .detail = {}}));
  }
  api::Reply answer;
  JsonWriter out(answer.body);
  const Row& row = kRows[static_cast<std::size_t>(info - kInfos.data())];
  const auto done = row.run({.engine = engine, .call = request.call}, *body, out);
  reply(done ? std::move(answer) : api::RenderError(done.error()));
}

}  // namespace kw::studio
