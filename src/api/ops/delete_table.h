// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "api/ops/table_description.h"

namespace kw::api {

extern const Shape kDeleteTableInput;

struct DeleteTable {
  static constexpr std::string_view kName = "DeleteTable";
  static constexpr Access kAccess = Access::kControl;
  static constexpr const Shape& kInput = kDeleteTableInput;
  using Request = engine::TableKey;
  using Response = SizedTable;
  struct Echo {};
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
