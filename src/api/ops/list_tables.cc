// SPDX-License-Identifier: Apache-2.0
#include "api/ops/list_tables.h"

#include <array>
#include <utility>

#include "api/ops/item_shapes.h"

namespace kw::api {
namespace {

constexpr std::size_t kLimitMax = 100;

constexpr Shape kTableName{.kind = ShapeKind::kString,
                           .name = "TableName",
                           .min = 3,
                           .max = 255,
                           .pattern = &kNamePattern};
constexpr Shape kLimit{.kind = ShapeKind::kInteger,
                       .name = "ListTablesInputLimit",
                       .min = 1,
                       .max = std::int64_t{kLimitMax}};
constexpr std::array<ShapeMember, 2> kMembers{{
    {"ExclusiveStartTableName", &kTableName},
    {"Limit", &kLimit},
}};

}  // namespace

constexpr Shape kListTablesInput{
    .kind = ShapeKind::kStructure, .name = "ListTablesInput", .members = kMembers};

Result<Parsed<ListTables::Request, ListTables::Echo>> ListTables::Parse(
    JsonValue body, const engine::CallContext& /*call*/) {
  const Fields<kListTablesInput> fields(body);
  const auto limit =
      static_cast<std::size_t>(fields.Integer<"Limit">().value_or(std::int64_t{kLimitMax}));
  const auto after = fields.String<"ExclusiveStartTableName">().value_or("");
  return Parsed<Request, Echo>{.request = {.after = std::string(after), .limit = limit},
                               .echo = limit};
}

Result<ListTables::Response> ListTables::Run(engine::Engine& engine,
                                             const engine::CallContext& call, Request request) {
  // One more tells whether there are more.
  return engine.catalog.Names(call.account, call.region, request.after, request.limit + 1);
}

void ListTables::Render(const Echo& echo, const Response& response, JsonWriter& out) {
  const bool more = response.size() > echo;
  const std::size_t count = more ? echo : response.size();
  out.BeginObject();
  if (more) out.Member("LastEvaluatedTableName", response[count - 1]);
  out.Key("TableNames");
  out.BeginArray();
  for (std::size_t i = 0; i < count; ++i) out.String(response[i]);
  out.EndArray();
  out.EndObject();
}

}  // namespace kw::api
