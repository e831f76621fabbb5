// SPDX-License-Identifier: Apache-2.0
#include "api/ops/item_write.h"

#include <fmt/format.h>

#include "data/item_bytes.h"

namespace kw::api {
namespace {

// Conditions are evaluated where one write follows another, and an expression may use a value of
// 2 MB hundreds of times. This bound is ours: what makes sense stays far below it.
constexpr ByteCount kComparedBytesMax(std::int64_t{16} << 20);
constexpr ByteCount kHarmlessBytes(std::int64_t{32} << 10);  // in 4 KB of expression

Result<void> CheckWork(const Condition& condition, const Placeholders& placeholders) {
  if (placeholders.value_bytes() <= kHarmlessBytes) return {};
  const ByteCount bytes = condition.LiteralBytes();
  if (bytes <= kComparedBytesMax) return {};
  return Invalid(fmt::format(
      "Invalid ConditionExpression: The values are too large to be used so often; bytes: {}",
      bytes.value()));
}

}  // namespace

Result<bool> ParseReturnsOld(std::optional<std::string_view> return_values) {
  if (!return_values || *return_values == "NONE") return false;
  if (*return_values == "ALL_OLD") return true;
  return Worded<bool>(Dialect::kItemWrite, Fault::kRequest,
                      Invalid("ReturnValues can only be ALL_OLD or NONE"));
}

engine::FailureReturn ParseOnFailure(std::optional<std::string_view> value) {
  return value == "ALL_OLD" ? engine::FailureReturn::kAllOld : engine::FailureReturn::kNone;
}

Result<std::optional<Condition>> ParseConditionExpression(
    Dialect dialect, std::optional<std::string_view> expression, Placeholders& placeholders) {
  if (!expression) return std::nullopt;
  TRY_ASSIGN(Condition condition,
             Worded(dialect, Fault::kRequest,
                    Condition::Parse(*expression, ConditionKind::kCondition, placeholders)));
  TRY(Worded(dialect, Fault::kRequest, CheckWork(condition, placeholders)));
  return condition;
}

void RenderWrite(const WriteEcho& echo, const engine::WriteOutcome& outcome, JsonWriter& out) {
  out.BeginObject();
  if (outcome.attributes) {
    out.Key("Attributes");
    WriteStoredItem(*outcome.attributes, out);
  }
  if (echo.consumed != ReturnConsumed::kNone) {
    out.Key("ConsumedCapacity");
    WriteConsumedCapacity(echo.table_name, outcome.capacity, echo.consumed, CapacityForm::kPlain,
                          out);
  }
  if (echo.metrics == ReturnMetrics::kSize && outcome.collection) {
    out.Key("ItemCollectionMetrics");
    WriteCollectionMetrics(*outcome.collection, out);
  }
  out.EndObject();
}

}  // namespace kw::api
