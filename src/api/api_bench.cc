// SPDX-License-Identifier: Apache-2.0
// What a call costs before and behind the engine: parse, check, request, answer.
#include <benchmark/benchmark.h>

#include <string>

#include "api/ops/get_item.h"
#include "api/ops/put_item.h"
#include "data/item_bytes.h"

namespace kw::api {
namespace {

constexpr std::string_view kGetBody =
    R"({"TableName":"orders","Key":{"pk":{"S":"customer#0123456789"},"sk":{"S":"order#2026-11-30"}}})";
constexpr std::string_view kPutBody =
    R"({"TableName":"orders","Item":{"pk":{"S":"customer#0123456789"},"sk":{"S":"order#2026-11-30"},)"
    R"("total":{"N":"129.95"},"state":{"S":"shipped"},"lines":{"L":[{"M":{"sku":{"S":"A-1"},"count":)"
    R"({"N":"2"}}}]},"address":{"S":"1 Long Street, Some Town, Some Country"}}})";

template <class Op>
void ParseCall(benchmark::State& state, std::string_view body) {
  JsonParser parser;
  const engine::CallContext call{.account = "000000000000", .region = "us-east-1"};
  for (auto _ : state) {
    const auto json = parser.Parse(body);
    benchmark::DoNotOptimize(CheckShape(Op::kInput, *json));
    benchmark::DoNotOptimize(Op::Parse(*json, call));
  }
}
void ParseGetItem(benchmark::State& state) { ParseCall<GetItem>(state, kGetBody); }
BENCHMARK(ParseGetItem);
void ParsePutItem(benchmark::State& state) { ParseCall<PutItem>(state, kPutBody); }
BENCHMARK(ParsePutItem);

void RenderGetItem(benchmark::State& state) {
  JsonParser parser;
  const engine::CallContext call{.account = "000000000000", .region = "us-east-1"};
  const auto put = PutItem::Parse(*parser.Parse(kPutBody), call);
  const Result<GetItem::Response> response(
      GetItem::Response{.item = StoreItem(put->request.item), .capacity = {}});
  const GetItem::Echo echo{.table_name = "orders"};
  for (auto _ : state) benchmark::DoNotOptimize(RenderReply<GetItem>(echo, response));
}
BENCHMARK(RenderGetItem);

}  // namespace
}  // namespace kw::api
