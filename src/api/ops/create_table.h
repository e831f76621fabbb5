// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/operation.h"
#include "api/ops/table_description.h"

namespace kw::api {

extern const Shape kCreateTableInput;

struct CreateTable {
  static constexpr std::string_view kName = "CreateTable";
  static constexpr Access kAccess = Access::kControl;
  static constexpr const Shape& kInput = kCreateTableInput;
  using Request = engine::CreateTableRequest;
  using Response = engine::TablePtr;
  using Echo = DescriptionOf;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              Request request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
