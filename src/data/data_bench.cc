// SPDX-License-Identifier: Apache-2.0
// What a request pays in this module, for an item of about 1 KB.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "data/item.h"
#include "data/item_bytes.h"
#include "data/key.h"

namespace kw {
namespace {

std::string UsualJson() {
  return R"({"pk":{"S":"CUSTOMER#0123456789"},"sk":{"S":"ORDER#2026-11-30T12:34:56.789Z"},)"
         R"("total":{"N":"129.95"},"count":{"N":"3"},"paid":{"BOOL":true},"note":{"NULL":true},)"
         R"("tags":{"SS":["fragile","gift","priority"]},"digest":{"B":"q83vEjRWeJCrze8SNFZ4kA=="},)"
         R"("address":{"M":{"street":{"S":"12 Long Winding Road"},"city":{"S":"Springfield"},)"
         R"("zip":{"S":"12345"},"geo":{"L":[{"N":"52.5200"},{"N":"13.4050"}]}}},)"
         R"("lines":{"L":[{"M":{"sku":{"S":"A-1001"},"qty":{"N":"1"},"price":{"N":"99.95"}}},)"
         R"({"M":{"sku":{"S":"B-2002"},"qty":{"N":"2"},"price":{"N":"15"}}}]},)"
         R"("description":{"S":")" +
         std::string(380, 'x') + R"("}})";
}

Item UsualItem() {
  JsonParser parser;
  return ParseAttributeMap(*parser.Parse(UsualJson())).value();
}

void ParseJson(benchmark::State& state) {
  const std::string text = UsualJson();
  JsonParser parser;
  for (auto _ : state) benchmark::DoNotOptimize(parser.Parse(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ParseJson);

void ParseItem(benchmark::State& state) {
  const std::string text = UsualJson();
  JsonParser parser;
  const auto json = parser.Parse(text);
  for (auto _ : state) benchmark::DoNotOptimize(ParseAttributeMap(*json));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ParseItem);

void Store(benchmark::State& state) {
  const Item item = UsualItem();
  for (auto _ : state) benchmark::DoNotOptimize(StoreItem(item));
}
BENCHMARK(Store);

void Load(benchmark::State& state) {
  const std::string stored = StoreItem(UsualItem());
  for (auto _ : state) benchmark::DoNotOptimize(LoadItem(stored));
}
BENCHMARK(Load);

void LoadOneAttribute(benchmark::State& state) {
  const std::string stored = StoreItem(UsualItem());
  for (auto _ : state) benchmark::DoNotOptimize(LoadAttribute(stored, "total"));
}
BENCHMARK(LoadOneAttribute);

void WriteStored(benchmark::State& state) {
  const std::string stored = StoreItem(UsualItem());
  std::string out;
  for (auto _ : state) {
    out.clear();
    JsonWriter writer(out);
    WriteStoredItem(stored, writer);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}
BENCHMARK(WriteStored);

void RowKey(benchmark::State& state) {
  const KeySchema key = {.partition = {{"pk", KeyType::kString}},
                         .sort = {{"sk", KeyType::kString}}};
  const Item item = UsualItem();
  for (auto _ : state) benchmark::DoNotOptimize(RowKeyOf(key, item));
}
BENCHMARK(RowKey);

void ParseNumber(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Number::Parse("12345.6789"));
}
BENCHMARK(ParseNumber);

void ParseLongNumber(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(Number::Parse("-1234567890123456789012345678.9012345678"));
  }
}
BENCHMARK(ParseLongNumber);

void AddNumbers(benchmark::State& state) {
  const Number a = Number::Parse("12345.6789").value();
  const Number b = Number::Parse("1e10").value();
  for (auto _ : state) benchmark::DoNotOptimize(Number::Add(a, b));
}
BENCHMARK(AddNumbers);

void NumberKey(benchmark::State& state) {
  const Number number = Number::Parse("12345.6789").value();
  std::string key;
  for (auto _ : state) {
    key.clear();
    number.AppendKey(key);
    std::string_view rest = key;
    benchmark::DoNotOptimize(Number::TakeKey(rest));
  }
}
BENCHMARK(NumberKey);

}  // namespace
}  // namespace kw
