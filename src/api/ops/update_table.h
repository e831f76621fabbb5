// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "api/ops/table_description.h"

namespace kw::api {

extern const Shape kUpdateTableInput;

struct UpdateTable {
  static constexpr std::string_view kName = "UpdateTable";
  static constexpr Access kAccess = Access::kControl;
  static constexpr const Shape& kInput = kUpdateTableInput;
  using Request = engine::UpdateTableRequest;
  using Response = SizedTable;
  using Echo = DescriptionOf;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
