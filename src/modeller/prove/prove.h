// SPDX-License-Identifier: Apache-2.0
// A proof is a test that can fail: rows made from the model are stored through the design on a real
// database, every question is asked with real requests and compared with the oracle, every unit
// with the plan's prediction; then the design is broken on purpose, and the proof must notice.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "modeller/plan/plan.h"
#include "modeller/prove/database.h"
#include "modeller/prove/dataset.h"
#include "modeller/prove/oracle.h"

namespace kw::modeller {

struct ProveOptions {
  std::uint64_t seed = 1;
  std::size_t asks = 24;        // of each question, before and again after the changes
  std::size_t change_runs = 8;  // of each change
  bool break_on_purpose = true;
  // How often a question whose answer is not right is asked again, a second apart: indexes of a
  // database elsewhere follow their table in their own time.
  int patience = 0;
  std::string table_prefix = "kw-proof-";  // tables of the proof are this and the design's name
  std::function<void(std::string_view)> progress = [](std::string_view) {};
};

// The smallest rows with which the answer is wrong.
struct Counterexample {
  Dataset rows;
  Parameters parameters;
  std::vector<Tuple> expected;
  std::vector<Tuple> got;
};

struct Proved {};
struct Refuted {
  std::string why;  // a sentence
  std::optional<Counterexample> counterexample;
};
// The design answers it by no Query or GetItem: refuted, unless a Scan is good enough.
struct NotExpressible {
  std::string why;
  std::string nearest;
};
using Verdict = std::variant<Proved, Refuted, NotExpressible>;

struct QuestionProof {
  std::string question;
  Verdict verdict;
  std::string where;      // the key condition
  std::size_t asked = 0;  // times
  std::size_t rows = 0;   // right rows that came back, over all times
  std::size_t pages = 0;
  HalfUnits units;  // measured, equal to those predicted
  std::vector<std::string> remarks;
};
struct ChangeProof {
  std::string change;
  Verdict verdict;
  std::size_t runs = 0;
  HalfUnits units;
  std::size_t transactions = 0;
};

// One way of breaking the design.
struct Mutant {
  std::string what;  // "drop the padding of rating in Player.seasonSort"
  bool caught = false;
  std::string by;  // the question that noticed, or the compiler's sentence
  // Why nothing can notice: broken so, the design still answers everything. Empty: it must be
  // caught.
  std::string harmless = {};
};

struct Proof {
  std::uint64_t seed = 0;
  std::size_t rows = 0;
  std::size_t items = 0;
  std::vector<QuestionProof> questions;
  std::vector<ChangeProof> changes;
  std::vector<Mutant> mutants;

  [[nodiscard]] bool holds() const;  // no question and no change is refuted
  [[nodiscard]] std::size_t caught() const;
  [[nodiscard]] std::size_t harmless() const;
};

// Tables are created, and deleted at the end. Errors: the world's, in a sentence: the database does
// not answer, or the oracle cannot hold a number.
Expected<Proof, std::string> Prove(const Plan& plan, const Database& database,
                                   const ProveOptions& options);

std::string_view WordOf(const Verdict& verdict);  // "proved", "refuted", "not expressible"

}  // namespace kw::modeller
