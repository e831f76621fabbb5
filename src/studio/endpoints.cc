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
    {{"check", api::Access::kControl, kEndpointPrefix}, CheckModel},
    {{"cost-item", api::Access::kRead, kEndpointPrefix}, CostItem},
    {{"cost-month", api::Access::kRead, kEndpointPrefix}, CostMonth},
    {{"cost-read", api::Access::kRead, kEndpointPrefix}, CostRead},
    {{"cost-write", api::Access::kRead, kEndpointPrefix}, CostWrite},
    {{"insights", api::Access::kRead, kEndpointPrefix}, Insights},
    {{"prove", api::Access::kControl, kEndpointPrefix}, ProveModel},
};

constexpr auto kInfos = [] {
  std::array<api::OperationInfo, std::size(kRows)> infos{};
  std::ranges::transform(kRows, infos.begin(), &Row::info);
  return infos;
}();
static_assert(std::ranges::is_sorted(kInfos, {}, &api::OperationInfo::name));

}  // namespace

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
