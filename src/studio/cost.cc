// SPDX-License-Identifier: Apache-2.0
// The calculators, as the page asks them.
#include <algorithm>
#include <string_view>

#include "api/api.h"
#include "modeller/cost/calculators.h"
#include "studio/endpoint.h"

namespace kw::studio {
namespace {

Result<void> Calculate(std::string_view name, JsonValue body, JsonWriter& out) {
  const auto& calculator =
      *std::ranges::find(modeller::Calculators(), name, &modeller::Calculator::name);
  auto done = calculator.run(body.object(), out);
  if (done) return {};
  return Unexpected(
      Error{.code = ErrorCode::kValidation, .message = std::move(done.error()), .detail = {}});
}

}  // namespace

Result<void> CostItem(const Context& /*context*/, JsonValue body, JsonWriter& out) {
  // The calculator takes an item whose JSON types are right.
  if (const auto item = body.object().Find("item")) TRY(api::ParseItemDocument(*item));
  return Calculate("item", body, out);
}

Result<void> CostMonth(const Context& /*context*/, JsonValue body, JsonWriter& out) {
  return Calculate("month", body, out);
}

Result<void> CostRead(const Context& /*context*/, JsonValue body, JsonWriter& out) {
  return Calculate("read", body, out);
}

Result<void> CostWrite(const Context& /*context*/, JsonValue body, JsonWriter& out) {
  return Calculate("write", body, out);
}

}  // namespace kw::studio
