// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/shrink.h"

#include <algorithm>

#include "modeller/plan/replica.h"
#include "modeller/prove/asking.h"

namespace kw::modeller {
namespace {

// Enough to take a few thousand rows apart by halves and then one by one.
constexpr int kLooksMax = 400;

struct Judged {
  std::optional<std::string> why;
  Expectation expected;
  std::vector<Tuple> got;
};

std::optional<Judged> Judge(const Plan& plan, std::size_t question, const Dataset& rows,
                            const Parameters& parameters) {
  Replica replica(plan);
  for (PlacedItem& placed : LoadItems(plan, rows.rows)) replica.Put(std::move(placed));
  const auto oracle = Oracle::Make(plan.model(), rows);
  if (!oracle) return std::nullopt;
  auto expected = oracle->Answer(plan.model().questions()[question], parameters);
  auto reply = AskQuestion(plan, question, plan.CallsOf(question, parameters), ReaderOf(replica));
  if (!expected || !reply) return std::nullopt;
  auto why = WhyNot(*expected, reply->tuples);
  return Judged{std::move(why), std::move(*expected), std::move(reply->tuples)};
}

// The rows of all entities as one list, to take from.
using Flat = std::vector<std::pair<EntityId, Row>>;

Dataset ToDataset(const Flat& flat, std::size_t entities) {
  Dataset dataset;
  dataset.rows.resize(entities);
  for (const auto& [entity, row] : flat) dataset.rows[entity].push_back(row);
  return dataset;
}

}  // namespace

std::optional<std::string> RefutedBy(const Plan& plan, std::size_t question, const Dataset& rows,
                                     const Parameters& parameters) {
  const auto judged = Judge(plan, question, rows, parameters);
  return judged ? judged->why : std::nullopt;
}

std::optional<Counterexample> Shrink(const Plan& plan, std::size_t question, const Dataset& rows,
                                     const Parameters& parameters) {
  const std::size_t entities = rows.rows.size();
  Flat flat;
  for (EntityId entity = 0; entity < entities; ++entity) {
    for (const Row& row : rows.rows[entity]) flat.emplace_back(entity, row);
  }
  if (!RefutedBy(plan, question, rows, parameters)) return std::nullopt;
  int looks = 0;
  for (std::size_t chunk = flat.size() / 2; chunk > 0; chunk = chunk == 1 ? 0 : (chunk + 1) / 2) {
    for (std::size_t at = 0; at < flat.size() && looks < kLooksMax;) {
      Flat fewer(flat.begin(), flat.begin() + static_cast<std::ptrdiff_t>(at));
      const std::size_t end = std::min(at + chunk, flat.size());
      fewer.insert(fewer.end(), flat.begin() + static_cast<std::ptrdiff_t>(end), flat.end());
      ++looks;
      if (RefutedBy(plan, question, ToDataset(fewer, entities), parameters)) {
        flat = std::move(fewer);
      } else {
        at = end;
      }
    }
  }
  Counterexample example{
      .rows = ToDataset(flat, entities), .parameters = parameters, .expected = {}, .got = {}};
  if (auto judged = Judge(plan, question, example.rows, parameters)) {
    judged->expected.rows.resize(judged->expected.count);
    for (auto& ranked : judged->expected.rows) example.expected.push_back(std::move(ranked.tuple));
    example.got = std::move(judged->got);
  }
  return example;
}

}  // namespace kw::modeller
