// SPDX-License-Identifier: Apache-2.0
// Rows to prove a model with, made from the model and a seed alone: crowds longer than a LIMIT,
// ties, neighbours whose texts begin alike, values at every edge, absent attributes, a collection
// of more than one page; and the parameters to ask each question with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "modeller/model/model.h"

namespace kw::modeller {

// The values that stand for a question's parameters, by name without the colon.
using Parameters = std::map<std::string, Value, std::less<>>;

struct DatasetOptions {
  std::uint64_t seed = 1;
  std::size_t stray_rows = 40;  // of each entity, beside the crowds
  std::size_t crowd_rows_max = 4000;
  std::size_t page_bytes = 1'100'000;  // of the collection that takes more than one page
};

struct Dataset {
  std::vector<std::vector<Row>> rows;  // by entity; identities are distinct, references hold
};

Dataset Generate(const Model& model, const DatasetOptions& options);

// Makes rows that fit among those of a dataset: identities are new, references lead to rows that
// are there.
class RowMaker {
 public:
  using Fixed = std::map<AttributeId, Value>;

  // All outlive the maker. The dataset may grow between calls only through Add. Serial numbers,
  // from which what must be new is made, follow `serial`.
  RowMaker(const Model& model, Dataset& dataset, Rng& rng, std::uint64_t serial = 0);

  // Nothing if no identity was free, or no row to refer to fits what is fixed.
  std::optional<Row> Make(EntityId entity, const Fixed& fixed);
  void Add(EntityId entity, Row row);

 private:
  bool Refer(const Entity& entity, const Fixed& fixed, Row& row);
  void Fill(const Entity& entity, Row& row);
  bool Identify(const Entity& entity, const Fixed& fixed, std::size_t attempt, Row& row);

  const Model& model_;
  Dataset& dataset_;
  Rng& rng_;
  std::vector<std::set<std::string>> taken_;  // identities, by entity
  std::uint64_t serial_;
};

// A value of the attribute: one of its edges, listed values or neighbours, or any.
Value AnyValue(const Attribute& attribute, Rng& rng);

// The value that the rows of a crowd share: of the first row referred to, else of the entity's own
// first. Absent if no row has it.
Value HotValue(const Model& model, const Dataset& dataset, EntityId entity, AttributeId attribute);

// Parameters for a question: of rows that are there, of neighbours, of nothing at all. The first
// one asks for the question's crowd.
std::vector<Parameters> Ask(const Model& model, const Question& question, const Dataset& dataset,
                            std::size_t times, Rng& rng);

}  // namespace kw::modeller
