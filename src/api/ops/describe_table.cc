// SPDX-License-Identifier: Apache-2.0
#include "api/ops/describe_table.h"

#include <array>
#include <utility>

#include "api/ops/item_shapes.h"
#include "api/ops/table_name.h"

namespace kw::api {
namespace {

constexpr std::array<ShapeMember, 1> kMembers{{{"TableName", &kTableArn, kRequired}}};

}  // namespace

constexpr Shape kDescribeTableInput{
    .kind = ShapeKind::kStructure, .name = "DescribeTableInput", .members = kMembers};

Result<Parsed<DescribeTable::Request, DescribeTable::Echo>> DescribeTable::Parse(
    JsonValue body, const engine::CallContext& call) {
  const Fields<kDescribeTableInput> fields(body);
  TRY_ASSIGN(auto key, ParseTable(fields.Get<"TableName">().string(), call));
  return Parsed<Request, Echo>{.request = std::move(key), .echo = {}};
}

Result<DescribeTable::Response> DescribeTable::Run(engine::Engine& engine,
                                                   const engine::CallContext& /*call*/,
                                                   Request request) {
  TRY_ASSIGN(auto table, engine::FindTable(engine, request));
  TRY_ASSIGN(auto size, engine::SizeOf(engine, *table));
  return SizedTable{engine::AsOf(std::move(table), engine.clock.Now()), std::move(size)};
}

void DescribeTable::Render(const Echo& /*echo*/, const Response& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Table");
  WriteTableDescription(*response.table, response.size, DescriptionOf::kTable, out);
  out.EndObject();
}

}  // namespace kw::api
