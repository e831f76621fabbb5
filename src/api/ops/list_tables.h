// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/operation.h"
#include "engine/engine.h"

namespace kw::api {

extern const Shape kListTablesInput;

struct ListTablesRequest {
  std::string after;  // ExclusiveStartTableName, or empty
  std::size_t limit;
};

struct ListTables {
  static constexpr std::string_view kName = "ListTables";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kListTablesInput;
  using Request = ListTablesRequest;
  using Response = std::vector<std::string>;
  using Echo = std::size_t;  // the limit
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
