// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "modeller/plan/replica.h"
#include "modeller/prove/asking.h"
#include "modeller/prove/changing.h"
#include "modeller/prove/mutants.h"
#include "modeller/prove/shrink.h"

namespace kw::modeller {
namespace {

template <class T>
using Said = Expected<T, std::string>;

std::string Sentence(const DatabaseFault& fault) {
  return fault.code.empty() ? fault.message : fmt::format("{}: {}", fault.code, fault.message);
}

// Deletes the tables that were created, whatever happens.
class ProofTables {
 public:
  explicit ProofTables(const Database& database) : database_(database) {}
  ~ProofTables() {
    for (const std::string& name : names_) static_cast<void>(database_.DeleteTable(name));
  }
  ProofTables(const ProofTables&) = delete;
  ProofTables& operator=(const ProofTables&) = delete;

  Said<void> Create(const Plan& plan, std::string_view prefix) {
    for (const PlannedTable& table : plan.tables()) {
      const std::string name = fmt::format("{}{}", prefix, table.name);
      if (auto created = database_.CreateTable(name, table.schema); !created) {
        return Unexpected(Sentence(created.error()));
      }
      names_.push_back(name);
    }
    return {};
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  const Database& database_;
  std::vector<std::string> names_;
};

HalfUnits Total(const Capacity& units) { return units.read_total() + units.write_total(); }

// The first page whose items or units are not as predicted, in a sentence.
std::optional<std::string> PagesDiffer(const std::vector<AskedPage>& predicted,
                                       const std::vector<AskedPage>& measured) {
  if (predicted.size() != measured.size()) {
    return fmt::format("it took {} pages where {} were predicted", measured.size(),
                       predicted.size());
  }
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (predicted[i].items.size() != measured[i].items.size()) {
      return fmt::format("page {} has {} items where {} were predicted", i + 1,
                         measured[i].items.size(), predicted[i].items.size());
    }
    if (!SameUnits(predicted[i].units, measured[i].units)) {
      return fmt::format("page {} consumed {} half-units where {} were predicted", i + 1,
                         Total(measured[i].units).value(), Total(predicted[i].units).value());
    }
  }
  return std::nullopt;
}

class Prover {
 public:
  Prover(const Plan& plan, const Database& database, const ProveOptions& options)
      : plan_(plan),
        database_(database),
        options_(options),
        tables_(database),
        replica_(plan),
        rng_(options.seed) {}

  Said<Proof> Run();

 private:
  Said<void> Store();
  Said<void> AskAll();
  Said<void> Ask(std::size_t question);
  Said<void> AskOnce(std::size_t question, const Parameters& parameters);
  Said<void> ScanFor(std::size_t question, const ScanPath& path);
  Said<void> ChangeAll();
  Said<void> ChangeOnce(std::size_t change);

  const Plan& plan_;
  const Database& database_;
  const ProveOptions& options_;
  ProofTables tables_;
  Replica replica_;
  Rng rng_;
  Dataset dataset_;
  std::optional<Oracle> oracle_;
  Proof proof_;
};

Said<Proof> Prover::Run() {
  const Model& model = plan_.model();
  proof_.seed = options_.seed;
  for (const Answer& answer : plan_.answers()) {
    QuestionProof& proof = proof_.questions.emplace_back();
    proof.question = model.questions()[answer.question].name;
    proof.where = answer.where;
    proof.remarks = answer.remarks;
    if (const auto* none = std::get_if<NoPath>(&answer.path)) {
      proof.verdict = NotExpressible{none->why, none->nearest};
    }
  }
  for (const Change& change : model.changes()) {
    proof_.changes.emplace_back().change = change.name;
  }
  TRY(Store());
  TRY(AskAll());
  TRY(ChangeAll());
  if (options_.break_on_purpose) {
    options_.progress("breaking the design on purpose");
    proof_.mutants = BreakOnPurpose(plan_, options_.seed);
  }
  return std::move(proof_);
}

Said<void> Prover::Store() {
  options_.progress("making rows");
  dataset_ = Generate(plan_.model(), {.seed = options_.seed});
  for (const auto& rows : dataset_.rows) proof_.rows += rows.size();
  TRY_ASSIGN(Oracle oracle, Oracle::Make(plan_.model(), dataset_));
  oracle_.emplace(std::move(oracle));
  TRY(tables_.Create(plan_, options_.table_prefix));
  std::vector<std::vector<Item>> items(plan_.tables().size());
  for (PlacedItem& placed : LoadItems(plan_, dataset_.rows)) {
    items[placed.table].push_back(placed.item);
    replica_.Put(std::move(placed));
  }
  for (TableId table = 0; table < items.size(); ++table) {
    proof_.items += items[table].size();
    options_.progress(
        fmt::format("storing {} items in {}", items[table].size(), plan_.tables()[table].name));
    if (auto loaded = database_.Load(tables_.names()[table], items[table]); !loaded) {
      return Unexpected(Sentence(loaded.error()));
    }
  }
  return {};
}

Said<void> Prover::AskAll() {
  for (std::size_t question = 0; question < plan_.answers().size(); ++question) {
    if (std::holds_alternative<Proved>(proof_.questions[question].verdict)) TRY(Ask(question));
  }
  return {};
}

Said<void> Prover::Ask(std::size_t question) {
  options_.progress(fmt::format("asking {}", proof_.questions[question].question));
  if (const auto* scan = std::get_if<ScanPath>(plan_.answers()[question].found())) {
    return ScanFor(question, *scan);
  }
  const Question& asked = plan_.model().questions()[question];
  for (const Parameters& parameters :
       modeller::Ask(plan_.model(), asked, dataset_, options_.asks, rng_)) {
    TRY(AskOnce(question, parameters));
    if (!std::holds_alternative<Proved>(proof_.questions[question].verdict)) break;
  }
  return {};
}

Said<void> Prover::AskOnce(std::size_t question, const Parameters& parameters) {
  QuestionProof& proof = proof_.questions[question];
  const Question& asked = plan_.model().questions()[question];
  const std::vector<Call> calls = plan_.CallsOf(question, parameters);
  const auto predicted = AskQuestion(plan_, question, calls, ReaderOf(replica_));
  auto measured = AskQuestion(plan_, question, calls, ReaderOf(database_, tables_.names()));
  if (!measured) {
    // A request that is refused is the design's fault; a database that does not answer is not.
    if (measured.error().code.empty()) return Unexpected(measured.error().message);
    proof.verdict = Refuted{Sentence(measured.error()), std::nullopt};
    return {};
  }
  TRY_ASSIGN(const Expectation expected, oracle_->Answer(asked, parameters));
  for (int tried = 0; tried < options_.patience && WhyNot(expected, measured->tuples); ++tried) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    auto again = AskQuestion(plan_, question, calls, ReaderOf(database_, tables_.names()));
    if (!again) return Unexpected(Sentence(again.error()));
    measured = std::move(again);
  }
  ++proof.asked;
  if (const auto why = WhyNot(expected, measured->tuples)) {
    options_.progress(fmt::format("looking for the smallest rows that refute {}", asked.name));
    proof.verdict = Refuted{*why, Shrink(plan_, question, dataset_, parameters)};
    return {};
  }
  for (std::size_t i = 0; i < measured->reads.size(); ++i) {
    if (const auto why = PagesDiffer(predicted->reads[i], measured->reads[i])) {
      proof.verdict = Refuted{*why, std::nullopt};
      return {};
    }
    proof.pages += measured->reads[i].size();
    for (const AskedPage& page : measured->reads[i]) proof.units += Total(page.units);
  }
  proof.rows += measured->tuples.size();
  return {};
}

// A Scan that is good enough must still find every row of the entity, for the predicted units.
Said<void> Prover::ScanFor(std::size_t question, const ScanPath& path) {
  QuestionProof& proof = proof_.questions[question];
  const auto* select = std::get_if<Select>(&plan_.model().questions()[question].asks);
  const auto predicted = ReaderOf(replica_).scan(path.table);
  const auto measured = ReaderOf(database_, tables_.names()).scan(path.table);
  if (!measured) return Unexpected(Sentence(measured.error()));
  ++proof.asked;
  HalfUnits predicted_units;
  for (const AskedPage& page : *predicted) predicted_units += Total(page.units);
  HalfUnits measured_units;
  std::size_t found = 0;
  for (const AskedPage& page : *measured) {
    measured_units += Total(page.units);
    ++proof.pages;
    for (const Item& item : page.items) {
      const auto row = plan_.RowOf(path.table, item);
      if (row && select != nullptr && row->first == select->entity) ++found;
    }
  }
  proof.rows += found;
  proof.units += measured_units;
  if (select != nullptr && found < dataset_.rows[select->entity].size()) {
    proof.verdict = Refuted{
        fmt::format("the Scan finds {} of {} rows", found, dataset_.rows[select->entity].size()),
        std::nullopt};
  }
  // Where pages end depends on the order of hashes, which is the database's own: each may round up
  // once more or less.
  const auto pages = static_cast<std::int64_t>(measured->size() + predicted->size());
  const std::int64_t apart = measured_units.value() - predicted_units.value();
  if (apart > pages || apart < -pages) {
    proof.verdict = Refuted{fmt::format("the Scan consumed {} half-units where {} were predicted",
                                        measured_units.value(), predicted_units.value()),
                            std::nullopt};
  }
  return {};
}

Said<void> Prover::ChangeAll() {
  const Model& model = plan_.model();
  for (std::size_t change = 0; change < model.changes().size(); ++change) {
    options_.progress(fmt::format("running {}", model.changes()[change].name));
    for (std::size_t run = 0; run < options_.change_runs; ++run) {
      TRY(ChangeOnce(change));
      if (!std::holds_alternative<Proved>(proof_.changes[change].verdict)) break;
    }
  }
  if (model.changes().empty()) return {};
  return AskAll();
}

Said<void> Prover::ChangeOnce(std::size_t change) {
  ChangeProof& proof = proof_.changes[change];
  const auto made = MakeChange(plan_, change, dataset_, replica_, rng_);
  if (!made) return {};  // no row is there to be changed
  const auto predicted = plan_.UnitsOf(made->writes);
  const auto measured = database_.Write(tables_.names(), plan_.tables(), made->writes);
  if (!measured) {
    if (measured.error().code.empty()) return Unexpected(measured.error().message);
    proof.verdict = Refuted{Sentence(measured.error()), std::nullopt};
    return {};
  }
  ++proof.runs;
  if (made->writes.steps.size() > 1) ++proof.transactions;
  for (const auto& [table, units] : *measured) {
    proof.units += Total(units);
    const auto found = predicted.find(table);
    if (found == predicted.end() || !SameUnits(found->second, units)) {
      const std::int64_t expected = found == predicted.end() ? 0 : Total(found->second).value();
      proof.verdict =
          Refuted{fmt::format("table {} consumed {} half-units where {} were predicted",
                              plan_.tables()[table].name, Total(units).value(), expected),
                  std::nullopt};
    }
  }
  replica_.Apply(made->writes);
  for (const RowChange& row : made->rows) {
    if (row.before) TRY(oracle_->Delete(row.entity, *row.before));
    if (row.after) TRY(oracle_->Insert(row.entity, *row.after));
  }
  ApplyTo(dataset_, made->rows);
  return {};
}

}  // namespace

bool Proof::holds() const {
  const auto proved = [](const auto& each) { return std::holds_alternative<Proved>(each.verdict); };
  return std::ranges::all_of(questions, proved) && std::ranges::all_of(changes, proved);
}

std::size_t Proof::caught() const {
  return static_cast<std::size_t>(std::ranges::count_if(mutants, &Mutant::caught));
}

std::size_t Proof::harmless() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      mutants, [](const Mutant& mutant) { return !mutant.harmless.empty(); }));
}

std::string_view WordOf(const Verdict& verdict) {
  if (std::holds_alternative<Proved>(verdict)) return "proved";
  return std::holds_alternative<Refuted>(verdict) ? "refuted" : "not expressible";
}

Expected<Proof, std::string> Prove(const Plan& plan, const Database& database,
                                   const ProveOptions& options) {
  return Prover(plan, database, options).Run();
}

}  // namespace kw::modeller
