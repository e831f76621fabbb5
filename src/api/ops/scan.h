// SPDX-License-Identifier: Apache-2.0
// Scan: a table or an index, whole or a segment of it.
#pragma once

#include "api/operation.h"
#include "api/ops/page.h"
#include "engine/operations.h"

namespace kw::api {

extern const Shape kScanInput;

struct Scan {
  static constexpr std::string_view kName = "Scan";
  static constexpr Access kAccess = Access::kRead;
  static constexpr const Shape& kInput = kScanInput;
  using Request = engine::ScanRequest;
  using Response = engine::PageOutcome;
  using Echo = PageEcho;
  static Result<Parsed<Request, Echo>> Parse(JsonValue body, const engine::CallContext& call);
  static Result<Response> Run(engine::Engine& engine, const engine::CallContext& call,
                              const Request& request);
  static void Render(const Echo& echo, const Response& response, JsonWriter& out);
};

}  // namespace kw::api
