// SPDX-License-Identifier: Apache-2.0
#include "modeller/cost/plan_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "data/limits.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;

using Kind = CostLine::Kind;

MicroUnits PerSecond(MicroUnits each, const std::optional<Ratio>& rate) {
  if (!rate) return {};
  return MicroUnits(
      static_cast<std::int64_t>((Int128{each.value()} * rate->count + rate->per - 1) / rate->per));
}

std::string RateText(const Ratio& rate) {
  if (rate.per == 86'400) return fmt::format("{}/day", rate.count);
  if (rate.per == 3600) return fmt::format("{}/h", rate.count);
  if (rate.per == 1) return fmt::format("{}/s", rate.count);
  return fmt::format("{} in {} s", rate.count, rate.per);
}

std::string RowsText(MicroRows rows) {
  const auto whole = (rows.value() + kMillion - 1) / kMillion;
  return fmt::format("{} {}", whole, whole == 1 ? "row" : "rows");
}

class Coster {
 public:
  Coster(const Plan& plan, const CostOptions& options, const RegionPrices& prices)
      : plan_(plan),
        model_(plan.model()),
        options_(options),
        prices_(prices),
        estimator_(plan.model()),
        shapes_(ShapesOf(plan)) {}

  PlanCost Run() {
    StartLoads();
    for (std::size_t i = 0; i < model_.questions().size(); ++i) AddQuestion(i);
    for (const auto& change : model_.changes()) AddChange(change);
    AddStorage();
    Bill();
    cost_.assumptions.assign(estimator_.assumptions().begin(), estimator_.assumptions().end());
    return std::move(cost_);
  }

 private:
  [[nodiscard]] std::string Where(TableId table, std::optional<std::size_t> index) const {
    const auto& design = plan_.design().tables[table];
    return index ? design.name + "." + design.indexes[*index].name : design.name;
  }
  void StartLoads() {
    for (TableId table = 0; table < plan_.tables().size(); ++table) {
      first_load_.push_back(cost_.loads.size());
      cost_.loads.push_back({.where = Where(table, std::nullopt), .table = table});
      for (std::size_t i = 0; i < plan_.design().tables[table].indexes.size(); ++i) {
        cost_.loads.push_back({.where = Where(table, i), .table = table});
      }
    }
  }
  StructureLoad& Load(TableId table, std::optional<std::size_t> index) {
    return cost_.loads[first_load_[table] + (index ? *index + 1 : 0)];
  }
  // A local index draws on its table's capacity.
  StructureLoad& Payer(TableId table, std::optional<std::size_t> index) {
    const bool own =
        index && plan_.design().tables[table].indexes[*index].scope == IndexScope::kGlobal;
    return Load(table, own ? index : std::nullopt);
  }

  struct Use {
    Kind kind = Kind::kRead;
    std::string of = {};
    TableId table = 0;
    std::optional<std::size_t> index = {};
    MicroUnits each = {};
    std::optional<Ratio> rate = {};
    std::optional<Ratio> peak = {};
    std::string basis = {};
    std::size_t shape = 0;  // whose partition it falls on
  };
  void Add(Use use);
  void Heat(const Use& use);
  void AddQuestion(std::size_t question);
  void AddSelect(std::size_t question, const Select& select);
  void AddCollection(std::size_t question, const Collection& collection);
  void AddChange(const Change& change);
  void AddStorage();
  void Bill();
  [[nodiscard]] std::size_t RowShape(EntityId entity) const {
    return static_cast<std::size_t>(
        std::ranges::find(plan_.placements(), entity, &Placement::entity) -
        plan_.placements().begin());
  }
  // The structure that a Query reads: the entry of a shape, or the item itself.
  [[nodiscard]] ByteCount SizeIn(const ItemShape& shape, std::optional<std::size_t> index) const {
    if (!index) return estimator_.ItemBytes(shape);
    const auto entry = std::ranges::find(shape.entries, *index, &EntryShape::index);
    return entry != shape.entries.end() ? estimator_.EntryBytes(shape, *entry) : ByteCount();
  }

  const Plan& plan_;
  const Model& model_;
  const CostOptions& options_;
  const RegionPrices& prices_;
  Estimator estimator_;
  std::vector<ItemShape> shapes_;
  std::vector<std::size_t> first_load_;
  PlanCost cost_;
};

void Coster::Add(Use use) {
  if (use.each == MicroUnits()) return;
  const auto& prices = prices_.standard;
  const auto price = use.kind == Kind::kRead ? prices.read_million : prices.write_million;
  CostLine line{.kind = use.kind,
                .of = use.of,
                .where = Where(use.table, use.index),
                .table = use.table,
                .each = use.each,
                .rate = use.rate,
                .stored = {},
                .basis = use.basis,
                .on_demand = {}};
  if (use.rate) {
    line.on_demand = MonthlyPrice(use.each, *use.rate, price);
    line.basis += fmt::format(", {}", RateText(*use.rate));
    auto& load = Payer(use.table, use.index);
    auto& average = use.kind == Kind::kRead ? load.reads : load.writes;
    auto& peak = use.kind == Kind::kRead ? load.reads_peak : load.writes_peak;
    average += PerSecond(use.each, use.rate);
    peak += PerSecond(use.each, use.peak ? use.peak : use.rate);
    if (use.peak) cost_.peaks_known = true;
    Heat(use);
  } else {
    estimator_.Assume(fmt::format("`{}` is not priced: no rate is said.", use.of));
  }
  cost_.lines.push_back(std::move(line));
}

// How much of it one partition takes, were each value of the key as busy as any other.
void Coster::Heat(const Use& use) {
  const auto& shape = shapes_[use.shape];
  const FilledKey* key = &shape.base;
  if (use.index) {
    const auto entry = std::ranges::find(shape.entries, *use.index, &EntryShape::index);
    if (entry == shape.entries.end()) return;
    key = &entry->key;
  }
  const auto share = estimator_.HottestShare(shape.entity, *key);
  const MicroUnits hot(static_cast<std::int64_t>(Int128{PerSecond(use.each, use.rate).value()} *
                                                 share.value() / kMillion));
  auto& load = Load(use.table, use.index);
  auto& hottest = use.kind == Kind::kRead ? load.hottest_reads : load.hottest_writes;
  if (hot <= hottest) return;
  hottest = hot;
  std::string text;
  const auto& entity = model_.entity(shape.entity);
  for (const auto& part : key->partition) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        part.native ? part.name : part.text.ToText(entity));
  }
  load.hottest = text;
}

void Coster::AddQuestion(std::size_t index) {
  const auto& question = model_.questions()[index];
  if (plan_.answers()[index].found() == nullptr) {
    cost_.unanswered.push_back(question.name);
    return;
  }
  if (const auto* scan = std::get_if<ScanPath>(plan_.answers()[index].found())) {
    ByteCount bytes;
    for (const auto& shape : shapes_) {
      if (plan_.placements()[static_cast<std::size_t>(&shape - shapes_.data())].table !=
          scan->table) {
        continue;
      }
      bytes += estimator_.ItemBytes(shape) * estimator_.RowsOf(shape.entity);
    }
    const auto mode =
        question.consistency == Consistency::kStrong ? ReadMode::kStrong : ReadMode::kEventual;
    const auto units = ReadUnits(bytes, mode);
    Add({.kind = Kind::kRead,
         .of = question.name,
         .table = scan->table,
         .index = {},
         .each = MicroUnits(units.value() * (kMillion / 2)),
         .rate = question.rate,
         .peak = question.peak,
         .basis = fmt::format("Scan of {} bytes", bytes.value()),
         .shape = plan_.access(index).placement});
    return;
  }
  if (const auto* select = std::get_if<Select>(&question.asks)) return AddSelect(index, *select);
  AddCollection(index, std::get<Collection>(question.asks));
}

void Coster::AddSelect(std::size_t index, const Select& select) {
  const auto& question = model_.questions()[index];
  const auto& access = plan_.access(index);
  const auto& path = *plan_.answers()[index].found();
  const auto& shape = shapes_[access.placement];
  const auto table = plan_.placements()[access.placement].table;
  Use use{.kind = Kind::kRead,
          .of = question.name,
          .table = table,
          .index = {},
          .each = {},
          .rate = question.rate,
          .peak = question.peak,
          .basis = {},
          .shape = access.placement};
  if (const auto* query = std::get_if<QueryPath>(&path)) {
    if (query->index) use.index = access.index;
    std::optional<std::int64_t> limit;
    if (access.limit) limit = select.limit.value_or(1);
    const auto size = SizeIn(shape, use.index);
    const auto read = Estimator::Query(estimator_.RowsFor(select), size, query->partitions, limit,
                                       question.consistency);
    use.each = read.units;
    use.basis = fmt::format("{} of {} bytes", RowsText(read.rows), size.value());
    if (query->partitions > 1) use.basis += fmt::format(" in {} Queries", query->partitions);
    return Add(std::move(use));
  }
  const auto size = estimator_.ItemBytes(shape);
  use.each = Estimator::Get(size, question.consistency).units;
  use.basis = fmt::format("one item of {} bytes", size.value());
  const auto* guard = std::get_if<GuardPath>(&path);
  Add(use);
  if (guard == nullptr || !guard->follows) return;
  use.shape = RowShape(select.entity);
  use.table = plan_.placements()[use.shape].table;
  const auto row = estimator_.ItemBytes(shapes_[use.shape]);
  use.each = Estimator::Get(row, question.consistency).units;
  use.basis = fmt::format("then the row of {} bytes", row.value());
  Add(std::move(use));
}

void Coster::AddCollection(std::size_t index, const Collection& collection) {
  const auto& question = model_.questions()[index];
  const auto& access = plan_.access(index);
  const auto table = plan_.placements()[access.placement].table;
  Int128 bytes = 0;  // in millionths
  MicroRows rows;
  ByteCount largest(1);
  for (const auto& member : collection.members) {
    const auto count = estimator_.RowsFor(member);
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const auto& placement = plan_.placements()[i];
      if (placement.table != table || placement.entity != member.entity ||
          placement.role == Placement::Role::kGuard) {
        continue;
      }
      const auto size = SizeIn(shapes_[i], access.index);
      if (size == ByteCount()) continue;
      bytes += Int128{size.value()} * count.value();
      largest = std::max(largest, size);
      rows += count;
      break;
    }
  }
  // As many items as make up the bytes: what matters is how they are rounded.
  const auto size = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(bytes / std::max<Int128>(1, rows.value())));
  const auto read = Estimator::Query(rows, ByteCount(size), 1, std::nullopt, question.consistency);
  Add({.kind = Kind::kRead,
       .of = question.name,
       .table = table,
       .index = access.index,
       .each = read.units,
       .rate = question.rate,
       .peak = question.peak,
       .basis = fmt::format("{} of {} bytes on average", RowsText(rows), size),
       .shape = access.placement});
}

void Coster::AddChange(const Change& change) {
  struct Total {
    MicroUnits table;
    std::map<std::size_t, MicroUnits> entries;  // by place in the shape's
    std::int64_t steps = 0;
  };
  std::map<std::size_t, Total> totals;  // by shape
  const auto add = [&](std::size_t shape, const WriteEstimate& estimate, std::int64_t times) {
    auto& total = totals[shape];
    total.steps += estimate.steps * times;
    total.table += estimate.table * times;
    for (std::size_t i = 0; i < estimate.entries.size(); ++i) {
      total.entries[i] += estimate.entries[i] * times;
    }
  };
  for (const auto& statement : change.statements) {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (shapes_[i].entity != statement.entity) continue;
      add(i, estimator_.Write(statement, shapes_[i]), statement.times);
    }
  }
  // All children of one change are taken to be of one parent; its own write takes the count along.
  for (const auto& table : plan_.design().tables) {
    for (const auto& layout : table.entities) {
      const bool counts = std::ranges::any_of(layout.counters, [&](const Counter& counter) {
        return std::ranges::any_of(change.statements, [&](const Statement& statement) {
          return Estimator::Counts(statement, counter);
        });
      });
      const auto parent = RowShape(layout.entity);
      const bool written = std::ranges::any_of(change.statements, [&](const Statement& statement) {
        return statement.entity == layout.entity;
      });
      if (counts && !written) add(parent, estimator_.Count(shapes_[parent]), 1);
    }
  }
  std::int64_t steps = 0;
  for (const auto& [shape, total] : totals) steps += total.steps;
  const std::int64_t factor = steps > 1 ? 2 : 1;
  for (const auto& [i, total] : totals) {
    const auto& shape = shapes_[i];
    const auto table = plan_.placements()[i].table;
    const auto& name = model_.entity(shape.entity).name;
    const std::string_view role = shape.role == Placement::Role::kRow    ? "item"
                                  : shape.role == Placement::Role::kCopy ? "copy"
                                                                         : "guard";
    Add({.kind = Kind::kWrite,
         .of = change.name,
         .table = table,
         .index = {},
         .each = total.table * factor,
         .rate = change.rate,
         .peak = change.peak,
         .basis = fmt::format("{} {} of {} bytes × {}{}", name, role,
                              estimator_.ItemBytes(shape).value(), total.steps,
                              factor == 2 ? ", × 2 in a transaction" : ""),
         .shape = i});
    for (const auto& [place, units] : total.entries) {
      const auto& entry = shape.entries[place];
      Add({.kind = Kind::kWrite,
           .of = change.name,
           .table = table,
           .index = entry.index,
           .each = units,
           .rate = change.rate,
           .peak = change.peak,
           .basis = fmt::format("{} entry of {} bytes", name,
                                estimator_.EntryBytes(shape, entry).value()),
           .shape = i});
    }
  }
}

void Coster::AddStorage() {
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const auto& shape = shapes_[i];
    const auto& name = model_.entity(shape.entity).name;
    const auto rows = estimator_.RowsOf(shape.entity);
    const auto table = plan_.placements()[i].table;
    const auto add = [&](std::optional<std::size_t> index, ByteCount size, PartsPerMillion share) {
      const auto count = static_cast<std::int64_t>(Int128{rows} * share.value() / kMillion);
      const auto stored = (size + ByteCount(limits::kStorageOverheadBytes)) * count;
      cost_.lines.push_back(
          {.kind = Kind::kStorage,
           .of = name,
           .where = Where(table, index),
           .table = table,
           .each = {},
           .rate = {},
           .stored = stored,
           .basis = fmt::format("{} × ({} + {} bytes)", count, size.value(),
                                limits::kStorageOverheadBytes),
           .on_demand = Price(stored.value(), prices_.standard.storage_gb, kGigabyte)});
    };
    add(std::nullopt, estimator_.ItemBytes(shape),
        estimator_.Presence(shape.entity, shape.base, Estimator::Of::kAll));
    for (const auto& entry : shape.entries) {
      add(entry.index, estimator_.EntryBytes(shape, entry),
          estimator_.Presence(shape.entity, entry.key, Estimator::Of::kAll));
    }
  }
}

void Coster::Bill() {
  for (TableId table = 0; table < plan_.tables().size(); ++table) {
    TableCost bill{.table = plan_.tables()[table].name};
    for (const auto& line : cost_.lines) {
      if (line.table != table) continue;
      bill.on_demand += line.on_demand;
      if (line.kind == Kind::kStorage) bill.provisioned += line.on_demand;
    }
    const auto& indexes = plan_.design().tables[table].indexes;
    for (std::size_t i = 0; i <= indexes.size(); ++i) {
      if (i > 0 && indexes[i - 1].scope == IndexScope::kLocal) continue;
      const auto& load = cost_.loads[first_load_[table] + i];
      const auto units = [&](MicroUnits peak) {
        const Int128 most = Int128{peak.value()} * 100;
        const Int128 per = Int128{kMillion} * options_.utilization_percent;
        return std::max<Int128>(1, (most + per - 1) / per);
      };
      bill.provisioned +=
          Price(units(load.reads_peak) * kHoursOfMonth, prices_.standard.read_hour, 1);
      bill.provisioned +=
          Price(units(load.writes_peak) * kHoursOfMonth, prices_.standard.write_hour, 1);
    }
    if (bill.provisioned < bill.on_demand) bill.billing = Billing::kProvisioned;
    cost_.on_demand += bill.on_demand;
    cost_.provisioned += bill.provisioned;
    cost_.total += std::min(bill.on_demand, bill.provisioned);
    cost_.tables.push_back(std::move(bill));
  }
  if (!cost_.peaks_known) {
    estimator_.Assume("Provisioned capacity is for an even load: no `peak` is said.");
  }
}

std::vector<AttributeId> ShownIn(const DesignTable& table, const DesignIndex& index,
                                 const Entity& entity, const std::vector<AttributeId>& carried) {
  std::vector<AttributeId> shown;
  for (const auto id : carried) {
    const auto& name = entity.attributes[id].name;
    const auto* include = std::get_if<ProjectInclude>(&index.projected);
    bool in = include != nullptr &&
              std::ranges::find(include->attributes, name) != include->attributes.end();
    for (const auto* key : {&table.key, &index.key}) {
      for (const auto* parts : {&key->partition, &key->sort}) {
        in |= std::ranges::find(*parts, name, &KeyPart::name) != parts->end();
      }
    }
    if (in) shown.push_back(id);
  }
  return shown;
}

}  // namespace

NanoDollars PlanCost::Of(CostLine::Kind kind) const {
  NanoDollars sum;
  for (const auto& line : lines) {
    if (line.kind == kind) sum += line.on_demand;
  }
  return sum;
}

std::vector<ItemShape> ShapesOf(const Plan& plan) {
  std::vector<ItemShape> shapes;
  for (const auto& placement : plan.placements()) {
    const auto& entity = plan.model().entity(placement.entity);
    const auto& table = plan.design().tables[placement.table];
    ItemShape shape{.role = placement.role,
                    .entity = placement.entity,
                    .base = *FillKey(entity, placement, table.key),
                    .attributes = placement.attributes,
                    .entries = {},
                    .counters = {}};
    for (std::size_t i = 0; i < table.indexes.size(); ++i) {
      const auto& index = table.indexes[i];
      auto key = FillKey(entity, placement, index.key);
      if (!key) continue;
      shape.entries.push_back({.index = i,
                               .key = std::move(*key),
                               .all = std::holds_alternative<ProjectAll>(index.projected),
                               .shown = ShownIn(table, index, entity, placement.attributes)});
    }
    if (placement.role == Placement::Role::kRow) {
      const auto layout =
          std::ranges::find(table.entities, placement.entity, &EntityLayout::entity);
      for (const auto& counter : layout->counters) shape.counters.push_back(counter.name);
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

NanoDollars MonthlyPrice(MicroUnits each, Ratio rate, NanoDollars million) {
  return Price(Int128{each.value()} * rate.count * kSecondsOfMonth / rate.per, million,
               kMillion * kMillion);
}

std::string FormatMicroUnits(MicroUnits units) {
  std::string text = fmt::format("{}.{:06}", units.value() / kMillion, units.value() % kMillion);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

Expected<PlanCost, std::string> CostOf(const Plan& plan, const CostOptions& options,
                                       const PriceBook& book) {
  const auto* prices = book.Find(options.region);
  if (prices == nullptr) {
    return Unexpected(fmt::format("The price book has no region '{}'.", options.region));
  }
  auto cost = Coster(plan, options, *prices).Run();
  cost.region = prices->region;
  cost.price_date = book.date;
  return cost;
}

}  // namespace kw::modeller
