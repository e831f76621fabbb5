// SPDX-License-Identifier: Apache-2.0
#include "api/ops/delete_table.h"

#include <array>
#include <utility>

#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 1> kMembers{{{"TableName", &kTableArn, kRequired}}};

}  // namespace

constexpr Shape kDeleteTableInput{
    .kind = ShapeKind::kStructure, .name = "DeleteTableInput", .members = kMembers};

Result<Parsed<DeleteTable::Request, DeleteTable::Echo>> DeleteTable::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kDeleteTableInput> fields(body);
  TRY_ASSIGN(auto key, ParseTable(fields.Get<"TableName">().string(), call));
  return Parsed<Request, Echo>{.request = std::move(key), .echo = {}};
}

Result<DeleteTable::Response> DeleteTable::Run(engine::Engine& engine,
                                               const engine::CallContext& /*call*/,
                                               Request request) {
  // Before, since the rows may be gone at once.
  TRY_ASSIGN(const auto table, engine::FindTable(engine, request));
  TRY_ASSIGN(auto size, engine::SizeOf(engine, *table));
  TRY_ASSIGN(auto deleted, engine::DeleteTable(engine, request));
  return SizedTable{std::move(deleted), std::move(size)};
}

void DeleteTable::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TableDescription");
  WriteDeletedTable(*response.table, response.size, out);
  out.EndObject();
}

}  // namespace kw::api
