// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/mutants.h"

#include <fmt/format.h>

#include <algorithm>

#include "modeller/plan/replica.h"
#include "modeller/prove/asking.h"

namespace kw::modeller {
namespace {

constexpr std::size_t kAsks = 8;

// ---- designs ----

// Adds a copy of the design in which `change` has changed the layout's key; `change` says what it
// did, or nothing if there was nothing to do.
class DesignBreaker {
 public:
  DesignBreaker(const Model& model, const Design& design) : model_(model), design_(design) {}

  std::vector<BrokenDesign> Break() {
    for (std::size_t t = 0; t < design_.tables.size(); ++t) {
      BreakIndexes(t);
      for (std::size_t e = 0; e < design_.tables[t].entities.size(); ++e) BreakLayout(t, e);
    }
    return std::move(broken_);
  }

 private:
  void Add(std::string what, Design design, std::string excuse = {}) {
    broken_.push_back({std::move(what), std::move(design), std::move(excuse)});
  }

  void BreakIndexes(std::size_t t) {
    const DesignTable& table = design_.tables[t];
    for (std::size_t i = 0; i < table.indexes.size(); ++i) {
      const DesignIndex& index = table.indexes[i];
      if (!std::holds_alternative<ProjectKeys>(index.projected)) {
        Design copy = design_;
        copy.tables[t].indexes[i].projected = ProjectKeys{};
        Add(fmt::format("project only the keys into {}", index.name), std::move(copy));
      }
      ShareKeys(t, i);
    }
  }

  // Two roles in one index pair: the second index's texts stand in the first one's attributes.
  void ShareKeys(std::size_t t, std::size_t i) {
    const DesignTable& table = design_.tables[t];
    const auto shared = [](const DesignKey& key) {
      return !key.partition.front().native && key.partition.size() == 1 && key.sort.size() <= 1 &&
             (key.sort.empty() || !key.sort.front().native);
    };
    const DesignIndex& from = table.indexes[i];
    for (std::size_t j = 0; j < i; ++j) {
      const DesignIndex& to = table.indexes[j];
      if (!shared(from.key) || !shared(to.key) || from.key.sort.size() != to.key.sort.size()) {
        continue;
      }
      Design copy = design_;
      bool moved = false;
      for (EntityLayout& layout : copy.tables[t].entities) {
        const auto found = layout.keys.find(from.key.partition.front().name);
        if (found == layout.keys.end() || !layout.keys.contains(to.key.partition.front().name)) {
          continue;
        }
        layout.keys[to.key.partition.front().name] = found->second;
        if (!to.key.sort.empty()) {
          const auto sort = layout.keys.find(from.key.sort.front().name);
          if (sort != layout.keys.end()) layout.keys[to.key.sort.front().name] = sort->second;
        }
        moved = true;
      }
      if (moved) {
        Add(fmt::format("let one item play the roles of {} and {} in one index", to.name,
                        from.name),
            std::move(copy));
      }
    }
  }

  void BreakLayout(std::size_t t, std::size_t e) {
    const EntityLayout& layout = design_.tables[t].entities[e];
    const Entity& entity = model_.entity(layout.entity);
    for (const auto& [name, key] : layout.keys) {
      const std::string place = fmt::format("{}.{}", entity.name, name);
      BreakText(t, e, name, place);
      if (!IsBaseKey(design_.tables[t], name)) {
        Design copy = design_;
        copy.tables[t].entities[e].keys.erase(name);
        Add("forget to write " + place, std::move(copy));
      }
      if (key.when) {
        Design copy = design_;
        copy.tables[t].entities[e].keys[name].when.reset();
        Add("write every row into the sparse index of " + place, std::move(copy));
      }
      if (key.shards) {
        Design copy = design_;
        ++copy.tables[t].entities[e].keys[name].shards->count;
        Add("write one shard more in " + place, std::move(copy));
      }
    }
    const auto drop = [&](std::string_view what, auto member, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        Design copy = design_;
        auto& list = copy.tables[t].entities[e].*member;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
        Add(fmt::format("drop a {} of {}", what, entity.name), std::move(copy));
      }
    };
    drop("guard", &EntityLayout::guards, layout.guards.size());
    drop("copy", &EntityLayout::copies, layout.copies.size());
    drop("counter", &EntityLayout::counters, layout.counters.size());
  }

  static bool IsBaseKey(const DesignTable& table, std::string_view name) {
    for (const auto* part : {&table.key.partition, &table.key.sort}) {
      for (const KeyPart& each : *part) {
        if (each.name == name) return true;
      }
    }
    return false;
  }

  void BreakText(std::size_t t, std::size_t e, const std::string& name, const std::string& place) {
    const Template& text = design_.tables[t].entities[e].keys.at(name).text;
    const auto with = [&](std::string what, std::vector<TemplatePart> parts,
                          std::string excuse = {}) {
      if (parts.empty()) return;
      Design copy = design_;
      copy.tables[t].entities[e].keys[name].text.parts = std::move(parts);
      Add(std::move(what), std::move(copy), std::move(excuse));
    };
    std::vector<std::size_t> fields;
    const Entity& entity = model_.entity(design_.tables[t].entities[e].entity);
    for (std::size_t p = 0; p < text.parts.size(); ++p) {
      if (const auto* literal = std::get_if<std::string>(&text.parts[p])) {
        auto mistyped = text.parts;
        mistyped[p] = literal->substr(0, literal->size() - 1) + "S" + literal->back();
        with(fmt::format("mistype '{}' in {}", *literal, place), std::move(mistyped),
             "no question names this text, and every item of the kind has it");
        if (p == 0 && text.parts.size() > 1) {
          with(fmt::format("drop the prefix of {}", place),
               {text.parts.begin() + 1, text.parts.end()});
        }
        continue;
      }
      fields.push_back(p);
      const TemplateField& field = std::get<TemplateField>(text.parts[p]);
      const std::string& attribute = entity.attributes[field.attribute].name;
      if (!std::holds_alternative<PlainFormat>(field.format)) {
        auto plain = text.parts;
        std::get<TemplateField>(plain[p]).format = PlainFormat{};
        std::get<TemplateField>(plain[p]).descending = false;
        with(fmt::format("write {} in {} without its format", attribute, place), std::move(plain));
      }
      if (field.descending) {
        auto rising = text.parts;
        std::get<TemplateField>(rising[p]).descending = false;
        with(fmt::format("write {} in {} in rising order", attribute, place), std::move(rising));
      }
    }
    for (std::size_t i = 1; i < fields.size(); ++i) {
      auto swapped = text.parts;
      std::swap(swapped[fields[i - 1]], swapped[fields[i]]);
      with(fmt::format("swap two attributes in {}", place), std::move(swapped));
    }
  }

  const Model& model_;
  const Design& design_;
  std::vector<BrokenDesign> broken_;
};

// ---- requests ----

// Whether another kind of item may stand in a partition that the question reads.
bool SharesPartition(const Plan& plan, EntityId entity, const QueryPath& path) {
  const TableSchema& schema = plan.tables()[path.table].schema;
  const KeySchema& key = path.index ? schema.FindIndex(*path.index)->key : schema.key();
  const std::string& partition = key.partition.front().name;
  const auto text = [&](const Placement& placement) -> const Template* {
    const auto found = placement.keys.find(partition);
    return found == placement.keys.end() ? nullptr : &found->second.text;
  };
  for (const Placement& own : plan.placements()) {
    if (own.entity != entity || own.table != path.table || text(own) == nullptr) continue;
    for (const Placement& other : plan.placements()) {
      if (&other == &own || other.table != path.table || text(other) == nullptr) continue;
      if (MayMeet(*text(own), *text(other))) return true;
    }
  }
  return false;
}

// Whether another kind of item may begin with the text that is left of a prefix, in the partition.
std::string ExcuseOf(const Plan& plan, const Answer& answer, std::string_view what) {
  const Question& question = plan.model().questions()[answer.question];
  const auto* select = std::get_if<Select>(&question.asks);
  const QueryPath& path = std::get<QueryPath>(*answer.found());
  if (what == "read backwards") {
    const bool ordered = select != nullptr && !select->order.empty();
    return ordered ? "" : "the question asks for no order";
  }
  if (select == nullptr || what == "stop one row early") return {};
  if (select->range) {
    return what == "shorten the prefix" || SharesPartition(plan, select->entity, path)
               ? ""
               : "the range is open on this side, and no other kind of item stands in the "
                 "partition";
  }
  if (!SharesPartition(plan, select->entity, path)) {
    return "no other kind of item stands in the partition";
  }
  return what == "shorten the prefix" ? "no other kind of item begins with what is left" : "";
}

// The same change made to every Query among the requests.
auto OfEveryQuery(std::function<bool(QueryCall&)> change) {
  return [change = std::move(change)](
             const std::vector<Call>& calls) -> std::optional<std::vector<Call>> {
    std::vector<Call> changed = calls;
    bool any = false;
    for (Call& call : changed) {
      if (auto* query = std::get_if<QueryCall>(&call)) any = change(*query) || any;
    }
    if (!any) return std::nullopt;
    return changed;
  };
}

bool Reverse(QueryCall& query) {
  query.forward = !query.forward;
  return true;
}
bool OpenAbove(QueryCall& query) {
  if (!query.tail) return false;
  if (query.tail->prefix) {
    query.tail->low = std::move(query.tail->prefix);
    query.tail->prefix.reset();
    return true;
  }
  if (!query.tail->low || !query.tail->high) return false;
  query.tail->high.reset();
  return true;
}
bool OpenBelow(QueryCall& query) {
  if (!query.tail || !query.tail->low || !query.tail->high) return false;
  query.tail->low.reset();
  return true;
}
bool DropTail(QueryCall& query) {
  if (!query.tail) return false;
  query.tail.reset();
  return true;
}
bool ShortenPrefix(QueryCall& query) {
  if (!query.tail || !query.tail->prefix) return false;
  auto* text = query.tail->prefix->As<std::string>();
  if (text == nullptr || text->size() < 2) return false;
  text->pop_back();
  return true;
}
bool WantOneLess(QueryCall& query) {
  if (!query.limit || *query.limit < 2) return false;
  --*query.limit;
  return true;
}

// ---- judging ----

class Judge {
 public:
  Judge(const Plan& plan, std::uint64_t seed) : plan_(plan) {
    Rng rng(seed);
    dataset_ = Generate(plan.model(), {.seed = seed});
    oracle_ = Oracle::Make(plan.model(), dataset_);
    for (std::size_t q = 0; q < plan.model().questions().size(); ++q) {
      Asking& asking = askings_.emplace_back();
      if (!IsKeyed(plan, q) || !oracle_) continue;
      asking.parameters = Ask(plan.model(), plan.model().questions()[q], dataset_, kAsks, rng);
      for (const Parameters& parameters : asking.parameters) {
        asking.calls.push_back(plan.CallsOf(q, parameters));
        auto expected = oracle_->Answer(plan.model().questions()[q], parameters);
        asking.expected.push_back(expected ? std::move(*expected) : Expectation{});
      }
    }
    sound_.emplace(plan);
    for (PlacedItem& placed : LoadItems(plan, dataset_.rows)) sound_->Put(std::move(placed));
  }

  // Who notices that the design is broken; empty: nobody.
  [[nodiscard]] std::string Notice(const Design& broken) const {
    const auto plan = Plan::Compile(plan_.model(), broken);
    if (!plan) return plan.error().front().message;
    for (std::size_t q = 0; q < askings_.size(); ++q) {
      if (IsKeyed(plan_, q) && !IsKeyed(*plan, q)) return Name(q) + " has no key to ask by";
    }
    Replica replica(*plan);
    for (PlacedItem& placed : LoadItems(*plan, dataset_.rows)) replica.Put(std::move(placed));
    for (std::size_t q = 0; q < askings_.size(); ++q) {
      const Asking& asking = askings_[q];
      for (std::size_t i = 0; i < asking.parameters.size(); ++i) {
        const auto own = plan->CallsOf(q, asking.parameters[i]);
        if (IsWrong(*plan, q, own, asking.expected[i], replica)) return Name(q);
        if (IsWrong(*plan, q, asking.calls[i], asking.expected[i], replica)) {
          return Name(q) + ", asked as the sound design says";
        }
      }
    }
    return {};
  }

  [[nodiscard]] std::string Notice(const BrokenRequest& broken) const {
    const Asking& asking = askings_[broken.question];
    for (std::size_t i = 0; i < asking.parameters.size(); ++i) {
      const auto calls = broken.change(asking.calls[i]);
      if (calls && IsWrong(plan_, broken.question, *calls, asking.expected[i], *sound_)) {
        return Name(broken.question);
      }
    }
    return {};
  }

  // False if no asking of the question has the part that would be broken.
  [[nodiscard]] bool Applies(const BrokenRequest& broken) const {
    return std::ranges::any_of(askings_[broken.question].calls,
                               [&](const auto& calls) { return broken.change(calls).has_value(); });
  }

 private:
  struct Asking {
    std::vector<Parameters> parameters;
    std::vector<std::vector<Call>> calls;  // of the sound design
    std::vector<Expectation> expected;
  };

  static bool IsKeyed(const Plan& plan, std::size_t question) {
    const Path* path = plan.answers()[question].found();
    return path != nullptr && !std::holds_alternative<ScanPath>(*path);
  }

  static bool IsWrong(const Plan& plan, std::size_t question, const std::vector<Call>& calls,
                      const Expectation& expected, const Replica& replica) {
    const auto reply = AskQuestion(plan, question, calls, ReaderOf(replica));
    return !reply || WhyNot(expected, reply->tuples).has_value();
  }

  [[nodiscard]] const std::string& Name(std::size_t question) const {
    return plan_.model().questions()[question].name;
  }

  const Plan& plan_;
  Dataset dataset_;
  Expected<Oracle, std::string> oracle_ = Unexpected(std::string());
  std::vector<Asking> askings_;
  std::optional<Replica> sound_;
};

}  // namespace

std::vector<BrokenDesign> BreakDesign(const Model& model, const Design& design) {
  return DesignBreaker(model, design).Break();
}

std::vector<BrokenRequest> BreakRequests(const Plan& plan) {
  struct Way {
    std::string_view what;
    bool (*change)(QueryCall&);
  };
  // One a line.
  constexpr Way kWays[] = {
      {"read backwards", Reverse},
      {"leave the range open above", OpenAbove},
      {"leave the range open below", OpenBelow},
      {"read the whole partition", DropTail},
      {"shorten the prefix", ShortenPrefix},
      {"stop one row early", WantOneLess},
  };
  std::vector<BrokenRequest> broken;
  for (const Answer& answer : plan.answers()) {
    const Path* path = answer.found();
    if (path == nullptr || !std::holds_alternative<QueryPath>(*path)) continue;
    const std::string& name = plan.model().questions()[answer.question].name;
    for (const Way& way : kWays) {
      broken.push_back({.what = fmt::format("{}: {}", name, way.what),
                        .question = answer.question,
                        .change = OfEveryQuery(way.change),
                        .excuse = ExcuseOf(plan, answer, way.what)});
    }
  }
  return broken;
}

std::vector<Mutant> BreakOnPurpose(const Plan& plan, std::uint64_t seed) {
  const Judge judge(plan, seed);
  std::vector<Mutant> mutants;
  const auto add = [&](std::string what, std::string by, std::string excuse) {
    const bool caught = !by.empty();
    mutants.push_back({.what = std::move(what),
                       .caught = caught,
                       .by = std::move(by),
                       .harmless = caught ? std::string() : std::move(excuse)});
  };
  for (BrokenDesign& broken : BreakDesign(plan.model(), plan.design())) {
    std::string by = judge.Notice(broken.design);
    add(std::move(broken.what), std::move(by), std::move(broken.excuse));
  }
  for (BrokenRequest& broken : BreakRequests(plan)) {
    if (!judge.Applies(broken)) continue;
    std::string by = judge.Notice(broken);
    add(std::move(broken.what), std::move(by), std::move(broken.excuse));
  }
  return mutants;
}

}  // namespace kw::modeller
