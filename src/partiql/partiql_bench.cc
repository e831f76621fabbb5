// SPDX-License-Identifier: Apache-2.0
// What a statement costs before the engine, beside what the native expressions cost.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "expr/condition.h"
#include "expr/update.h"
#include "partiql/statements.h"

namespace kw::partiql {
namespace {

using Values = std::vector<AttributeValue>;

void ParseStatement(benchmark::State& state, std::string_view text, const Values& values) {
  for (auto _ : state) benchmark::DoNotOptimize(Parse(text, values));
}
const Values kKey = {std::string("customer#0123456789"), std::string("order#2026-11-30")};
const Values kUpdate = {Number::FromInteger(1), std::string("customer#0123456789"),
                        std::string("order#2026-11-30"), std::string("open")};
BENCHMARK_CAPTURE(ParseStatement, select_item,
                  R"(SELECT * FROM "orders" WHERE "pk" = ? AND "sk" = ?)", kKey);
BENCHMARK_CAPTURE(ParseStatement, update_item,
                  R"(UPDATE "orders" SET total = total + ? WHERE pk = ? AND sk = ? AND state = ?)",
                  kUpdate);

// The same update as UpdateItem takes it.
void ParseNativeUpdate(benchmark::State& state) {
  for (auto _ : state) {
    Placeholders::Input input;
    input.has_names = true;
    input.has_values = true;
    input.names = {{"#state", "state"}, {"#total", "total"}};
    input.values = AttributeMap::FromEntries({{":n", kUpdate[0]}, {":state", kUpdate[3]}});
    auto placeholders = Placeholders::Make(std::move(input));
    benchmark::DoNotOptimize(kw::Update::Parse("SET #total = #total + :n", *placeholders));
    benchmark::DoNotOptimize(
        Condition::Parse("#state = :state", ConditionKind::kCondition, *placeholders));
    benchmark::DoNotOptimize(placeholders->CheckAllUsed());
  }
}
BENCHMARK(ParseNativeUpdate);

}  // namespace
}  // namespace kw::partiql
