// SPDX-License-Identifier: Apache-2.0
#include "modeller/design/designer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "modeller/design/assemble.h"
#include "modeller/design/solve.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kAlikePercent = 5;  // of cost: then the simpler design is better

std::vector<KeyStyle> StylesOf(const Model& model, Shape shape) {
  std::vector<KeyStyle> styles(model.entities().size(), KeyStyle::kText);
  if (shape != Shape::kNative) return styles;
  for (const auto& group : GroupsOf(model)) {
    // Members of a collection need texts that sort apart, guards need texts of their own.
    const bool alone = group.size() == 1 && model.entity(group.front()).unique.empty();
    if (alone) styles[group.front()] = KeyStyle::kNative;
  }
  return styles;
}

Weights OnDemand(const CapacityPrices& prices) {
  return {.read_million = prices.read_million,
          .write_million = prices.write_million,
          .storage_gb = prices.storage_gb};
}
// A million units of capacity that is provisioned and used as much as wished.
Weights Provisioned(const CapacityPrices& prices, std::int64_t utilization_percent) {
  const auto million = [&](NanoDollars hour) {
    return Price(Int128{kMillion} * 100, hour, 3600 * utilization_percent);
  };
  return {.read_million = million(prices.read_hour),
          .write_million = million(prices.write_hour),
          .storage_gb = prices.storage_gb};
}

std::string PathText(const Plan& plan, std::size_t question) {
  const auto& answer = plan.answers()[question];
  const auto* path = answer.found();
  if (path == nullptr) return "not answered: " + std::get<NoPath>(answer.path).why;
  struct Visitor {
    const Plan& plan;
    const std::string& where;
    [[nodiscard]] std::string Table(TableId table) const { return plan.tables()[table].name; }
    std::string operator()(const GetPath& get) const {
      return fmt::format("GetItem {}: {}", Table(get.table), where);
    }
    std::string operator()(const QueryPath& query) const {
      auto text = fmt::format("Query {}{}: {}", Table(query.table),
                              query.index ? "." + *query.index : "", where);
      if (!query.forward) text += ", backwards";
      if (query.partitions > 1) text += fmt::format(", {} times", query.partitions);
      return text;
    }
    std::string operator()(const ScanPath& scan) const {
      return fmt::format("Scan {}", Table(scan.table));
    }
    std::string operator()(const GuardPath& guard) const {
      return fmt::format("GetItem {}: {}{}", Table(guard.table), where,
                         guard.follows ? ", then the row" : "");
    }
    std::string operator()(const CounterPath& counter) const {
      return fmt::format("GetItem {}: {}, its `{}`", Table(counter.table), where,
                         counter.attribute);
    }
  };
  return std::visit(Visitor{plan, answer.where}, *path);
}

std::string KeysText(const Plan& plan, EntityId id) {
  const auto& entity = plan.model().entity(id);
  const auto shapes = ShapesOf(plan);
  std::string text;
  const auto add = [&](const FilledKey& key) {
    for (const auto* parts : {&key.partition, &key.sort}) {
      for (const auto& part : *parts) {
        text += fmt::format("{}{}", text.empty() || text.ends_with(' ') ? "" : ", ",
                            part.native ? part.name : part.name + " = " + part.text.ToText(entity));
        if (part.when) {
          const auto& attribute = entity.attributes[part.when->attribute];
          text +=
              fmt::format(" when {} = {}", attribute.name, ValueText(attribute, part.when->equals));
        }
        if (part.shards) text += fmt::format(" in {} shards", part.shards->count);
      }
    }
  };
  for (const auto& shape : shapes) {
    if (shape.entity != id || shape.role != Placement::Role::kRow) continue;
    add(shape.base);
    for (const auto& entry : shape.entries) {
      text += "; ";
      add(entry.key);
    }
    return text;
  }
  return text;
}

void Explain(const Selection& selection, Proposal& proposal) {
  const auto& plan = *proposal.plan;
  const auto& model = plan.model();
  const auto rejected = [](const std::vector<Alternative>& alternatives) {
    std::vector<Rejected> list;
    for (const auto& each : alternatives) list.push_back({each.what, each.why, each.more});
    return list;
  };
  for (EntityId id = 0; id < model.entities().size(); ++id) {
    proposal.choices.push_back({.of = Choice::Of::kEntity,
                                .name = model.entity(id).name,
                                .how = KeysText(plan, id),
                                .remarks = {},
                                .rejected = rejected(selection.entities[id].rejected_bases)});
  }
  for (std::size_t i = 0; i < model.questions().size(); ++i) {
    const auto& question = model.questions()[i];
    const auto& answer = plan.answers()[i];
    Choice choice{.of = Choice::Of::kQuestion,
                  .name = question.name,
                  .how = PathText(plan, i),
                  .remarks = answer.remarks,
                  .rejected = {}};
    for (const auto& entity : selection.entities) {
      const auto found = entity.rejected.find(i);
      if (found == entity.rejected.end()) continue;
      for (auto& each : rejected(found->second)) choice.rejected.push_back(std::move(each));
    }
    proposal.choices.push_back(std::move(choice));
    const auto* path = answer.found();
    const auto* query = path != nullptr ? std::get_if<QueryPath>(path) : nullptr;
    if (query != nullptr && query->index) proposal.stale.push_back(question.name);
    if (path == nullptr) {
      proposal.remarks.push_back(
          fmt::format("`{}` has no key: {}", question.name, std::get<NoPath>(answer.path).why));
    }
  }
  for (const auto& load : proposal.cost.loads) {
    const auto hot = [&](MicroUnits units, std::int64_t most, std::string_view what) {
      if (units.value() <= most * kMillion) return;
      proposal.remarks.push_back(
          fmt::format("{}: the hottest partition ({}) takes {} {} units a second; one serves {}.",
                      load.where, load.hottest, FormatMicroUnits(units), what, most));
    };
    hot(load.hottest_writes, kPartitionWritesMax, "write");
    hot(load.hottest_reads, kPartitionReadsMax, "read");
  }
}

// The plan takes the way that reads least; where another was chosen, the design says so.
void PinAnswers(const Model& model, const Selection& selection, const Plan& plan, Design& design) {
  for (std::size_t i = 0; i < model.questions().size(); ++i) {
    const auto* select = std::get_if<Select>(&model.questions()[i].asks);
    if (select == nullptr) continue;
    const auto& choice = selection.entities[select->entity];
    const auto way = choice.ways.find(i);
    const auto* path = plan.answers()[i].found();
    if (way == choice.ways.end() || path == nullptr) continue;
    if (way->second.kind == Way::Kind::kScan && !std::holds_alternative<ScanPath>(*path)) {
      WrittenAnswer answer;
      answer.question = model.questions()[i].name;
      answer.kind = WrittenAnswer::Kind::kScan;
      for (const auto& table : design.tables) {
        if (std::ranges::find(table.entities, select->entity, &EntityLayout::entity) !=
            table.entities.end()) {
          answer.table = table.name;
          break;
        }
      }
      design.answers.push_back(std::move(answer));
    }
  }
}

Expected<Proposal, std::string> Propose(const Model& model, Shape shape, const Weights& weights,
                                        const CostOptions& options) {
  const auto selection = Solve(
      model,
      {.styles = StylesOf(model, shape), .weights = weights, .one_table = shape == Shape::kSingle});
  Proposal proposal;
  proposal.shape = shape;
  proposal.design = std::make_unique<Design>(Assemble(model, selection, shape));
  auto plan = Plan::Compile(model, *proposal.design);
  if (plan) {
    const auto before = proposal.design->answers.size();
    PinAnswers(model, selection, *plan, *proposal.design);
    if (proposal.design->answers.size() > before) plan = Plan::Compile(model, *proposal.design);
  }
  if (!plan) {
    return Unexpected(fmt::format("No {} design: {}", NameOf(shape),
                                  Describe(plan.error(), model.name() + ".design.yaml")));
  }
  proposal.plan = std::make_unique<Plan>(std::move(*plan));
  TRY_ASSIGN(proposal.cost, CostOf(*proposal.plan, options));
  proposal.tables = proposal.design->tables.size();
  for (const auto& table : proposal.design->tables) proposal.indexes += table.indexes.size();
  proposal.optimal = selection.optimal;
  proposal.weighed = selection.weighed;
  Explain(selection, proposal);
  return Expected<Proposal, std::string>(std::move(proposal));
}

// Fewer questions without a key first, then what a month costs.
bool Better(const Proposal& a, const Proposal& b) {
  if (a.cost.unanswered.size() != b.cost.unanswered.size()) {
    return a.cost.unanswered.size() < b.cost.unanswered.size();
  }
  return a.cost.total < b.cost.total;
}

std::size_t BestOf(const std::vector<Proposal>& proposals) {
  std::size_t cheapest = 0;
  for (std::size_t i = 1; i < proposals.size(); ++i) {
    if (Better(proposals[i], proposals[cheapest])) cheapest = i;
  }
  const auto& least = proposals[cheapest];
  std::size_t best = cheapest;
  const auto parts = [](const Proposal& p) { return p.tables + p.indexes; };
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    const auto& each = proposals[i];
    const bool alike = each.cost.unanswered.size() == least.cost.unanswered.size() &&
                       Int128{each.cost.total.value()} * 100 <=
                           Int128{least.cost.total.value()} * (100 + kAlikePercent);
    if (alike && parts(each) < parts(proposals[best])) best = i;
  }
  return best;
}

}  // namespace

std::string_view NameOf(Shape shape) {
  switch (shape) {
    case Shape::kSingle: return "single";
    case Shape::kTables: return "tables";
    case Shape::kNative: return "native";
  }
  return {};
}

std::optional<Shape> ShapeOf(std::string_view name) {
  for (const auto shape : {Shape::kSingle, Shape::kTables, Shape::kNative}) {
    if (NameOf(shape) == name) return shape;
  }
  return std::nullopt;
}

Headroom HottestOf(const PlanCost& cost) {
  Headroom hottest;
  const auto see = [&](MicroUnits units, std::int64_t most, const StructureLoad& load) {
    const auto percent = units.value() * 100 / (most * kMillion);
    if (!hottest.where.empty() && percent <= hottest.percent) return;
    hottest = {.percent = percent, .where = fmt::format("{}: {}", load.where, load.hottest)};
  };
  for (const auto& load : cost.loads) {
    if (load.hottest.empty()) continue;
    see(load.hottest_writes, kPartitionWritesMax, load);
    see(load.hottest_reads, kPartitionReadsMax, load);
  }
  return hottest;
}

Expected<Proposals, std::string> DesignTables(const Model& model, const CostOptions& options,
                                              std::optional<Shape> only) {
  const auto* prices = PriceBook::Current().Find(options.region);
  if (prices == nullptr) {
    return Unexpected(fmt::format("The price book has no region '{}'.", options.region));
  }
  Proposals proposals;
  for (const auto shape : {Shape::kSingle, Shape::kTables, Shape::kNative}) {
    if (only && *only != shape) continue;
    TRY_ASSIGN(auto proposal, Propose(model, shape, OnDemand(prices->standard), options));
    // Where capacity is provisioned, bytes weigh more beside units.
    auto other =
        Propose(model, shape, Provisioned(prices->standard, options.utilization_percent), options);
    if (other && Better(*other, proposal)) proposal = std::move(*other);
    proposals.shapes.push_back(std::move(proposal));
  }
  proposals.best = BestOf(proposals.shapes);
  return Expected<Proposals, std::string>(std::move(proposals));
}

}  // namespace kw::modeller
