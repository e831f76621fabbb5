// SPDX-License-Identifier: Apache-2.0
// What an expression costs a request: parsing, evaluating, applying.
#include <benchmark/benchmark.h>

#include "expr/condition.h"
#include "expr/testing.h"
#include "expr/update.h"

namespace kw {
namespace {

constexpr std::string_view kTypical = "attribute_exists(s) AND n BETWEEN :n1 AND :n9 AND m.x = :n1";

void ParseCondition(benchmark::State& state) {
  auto placeholders = testing::SamplePlaceholders();
  for (auto _ : state) {
    benchmark::DoNotOptimize(Condition::Parse(kTypical, ConditionKind::kFilter, placeholders));
  }
}
BENCHMARK(ParseCondition);

void EvaluateCondition(benchmark::State& state) {
  auto placeholders = testing::SamplePlaceholders();
  const auto condition = Condition::Parse(kTypical, ConditionKind::kFilter, placeholders);
  for (auto _ : state) benchmark::DoNotOptimize(condition->Holds(testing::SampleItem()));
}
BENCHMARK(EvaluateCondition);

void ParseUpdate(benchmark::State& state) {
  auto placeholders = testing::SamplePlaceholders();
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        Update::Parse("SET n = n + :n1, m.x = :n5, s = if_not_exists(s, :s)", placeholders));
  }
}
BENCHMARK(ParseUpdate);

void ApplyUpdate(benchmark::State& state) {
  auto placeholders = testing::SamplePlaceholders();
  const auto update =
      Update::Parse("SET n = n + :n1, m.x = :n5, s = if_not_exists(s, :s)", placeholders);
  for (auto _ : state) benchmark::DoNotOptimize(update->Apply(testing::SampleItem()));
}
BENCHMARK(ApplyUpdate);

}  // namespace
}  // namespace kw
