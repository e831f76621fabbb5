// SPDX-License-Identifier: Apache-2.0
// What a question's answer must be: SQLite over the plain rows, running the question's own text. It
// shares no code with templates, plans or the engine.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/expected.h"
#include "modeller/model/model.h"
#include "modeller/prove/dataset.h"

namespace kw::modeller {

// The values of the asked columns of one row; of a collection, of all its entity's attributes; of
// an aggregate, one number, absent where there is nothing to sum.
struct Tuple {
  EntityId entity = 0;
  std::vector<Value> values;
  friend bool operator==(const Tuple&, const Tuple&) = default;
};

// What the rows of an answer may be. Ties come in any order and may be cut anywhere by LIMIT, so
// the first `count` of `rows` are right in any order that keeps the runs apart.
struct Expectation {
  struct Ranked {
    Tuple tuple;
    std::size_t run = 0;  // rows of one run are equal in everything the question orders by
  };
  std::vector<Ranked> rows;  // all that match, in order, runs ascending
  std::size_t count = 0;     // how many of them LIMIT leaves
};

// Why `answer` is none that is expected, in a sentence; nothing if it is one.
std::optional<std::string> WhyNot(const Expectation& expected, const std::vector<Tuple>& answer);

class Oracle {
 public:
  // Both outlive nothing: rows are copied into a database in memory. Errors: what SQLite says, or a
  // number that it would round.
  static Expected<Oracle, std::string> Make(const Model& model, const Dataset& dataset);
  ~Oracle();
  Oracle(Oracle&&) noexcept;
  Oracle& operator=(Oracle&&) noexcept;

  // Errors: what SQLite says of the question's text.
  Expected<Expectation, std::string> Answer(const Question& question,
                                            const Parameters& parameters) const;

  // Changes of the rows. Each is of one row, told by its identity.
  Expected<void, std::string> Insert(EntityId entity, const Row& row);
  Expected<void, std::string> Delete(EntityId entity, const Row& row);

 private:
  struct Impl;
  explicit Oracle(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw::modeller
