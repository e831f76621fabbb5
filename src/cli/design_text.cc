// SPDX-License-Identifier: Apache-2.0
#include "cli/design_text.h"

#include <fmt/format.h>

#include "cli/text_table.h"

namespace kw::cli {
namespace {

using modeller::Choice;
using modeller::CostLine;
using modeller::FormatDollars;

constexpr std::size_t kRejectedShown = 3;

std::string_view WordOf(CostLine::Kind kind) {
  switch (kind) {
    case CostLine::Kind::kRead: return "reads";
    case CostLine::Kind::kWrite: return "writes";
    case CostLine::Kind::kStorage: return "storage";
  }
  return {};
}

std::string List(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("\n{}\n", title);
  for (const auto& line : lines) text += fmt::format("  {}\n", line);
  return text;
}

std::string ChoiceText(const Choice& choice) {
  std::string text = fmt::format("  {}: {}\n", choice.name, choice.how);
  for (const auto& remark : choice.remarks) text += fmt::format("      {}\n", remark);
  std::size_t shown = 0;
  for (const auto& rejected : choice.rejected) {
    if (++shown > kRejectedShown) break;
    const bool dearer = rejected.more.value() >= 0;
    text += fmt::format("      not {}: {} ({}{})\n", rejected.what, rejected.why, dearer ? "+" : "",
                        FormatDollars(rejected.more));
  }
  if (choice.rejected.size() > kRejectedShown) {
    text += fmt::format("      and {} more\n", choice.rejected.size() - kRejectedShown);
  }
  return text;
}

}  // namespace

std::string CostText(const modeller::PlanCost& cost) {
  std::string text = fmt::format("{} a month: {} on demand, {} provisioned ({}, prices of {})\n",
                                 FormatDollars(cost.total), FormatDollars(cost.on_demand),
                                 FormatDollars(cost.provisioned), cost.region, cost.price_date);
  for (const auto kind :
       {CostLine::Kind::kRead, CostLine::Kind::kWrite, CostLine::Kind::kStorage}) {
    text += fmt::format("\n{}: {}\n", WordOf(kind), FormatDollars(cost.Of(kind)));
    TextTable table({Align::kRight, Align::kRight, Align::kLeft, Align::kLeft, Align::kLeft});
    for (const auto& line : cost.lines) {
      if (line.kind != kind) continue;
      const bool priced = line.rate || kind == CostLine::Kind::kStorage;
      table.Add({priced ? FormatDollars(line.on_demand) : "?",
                 kind == CostLine::Kind::kStorage
                     ? ""
                     : fmt::format("{} units", modeller::FormatMicroUnits(line.each)),
                 line.of, line.where, line.basis});
    }
    text += table.ToText("  ");
  }
  text += "\nBilling\n";
  for (const auto& table : cost.tables) {
    text +=
        fmt::format("  {}: {}: {} on demand, {} provisioned\n", table.table, NameOf(table.billing),
                    FormatDollars(table.on_demand), FormatDollars(table.provisioned));
  }
  text += "\nHottest partitions, units a second\n";
  for (const auto& load : cost.loads) {
    if (load.hottest.empty()) continue;
    text += fmt::format(
        "  {}: {} of {} written, {} of {} read ({})\n", load.where,
        modeller::FormatMicroUnits(load.hottest_writes), modeller::kPartitionWritesMax,
        modeller::FormatMicroUnits(load.hottest_reads), modeller::kPartitionReadsMax, load.hottest);
  }
  text += List("Without a key, and not priced", cost.unanswered);
  return text + List("Taken for granted", cost.assumptions);
}

std::string ProposalsText(const modeller::Proposals& proposals) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                   Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.Add(
      {"", "a month", "on demand", "reads", "writes", "storage", "tables", "indexes", "hottest"});
  for (std::size_t i = 0; i < proposals.shapes.size(); ++i) {
    const auto& shape = proposals.shapes[i];
    const auto of = [&](CostLine::Kind kind) { return FormatDollars(shape.cost.Of(kind)); };
    table.Add({fmt::format("{}{}", i == proposals.best ? "* " : "  ", NameOf(shape.shape)),
               FormatDollars(shape.cost.total), FormatDollars(shape.cost.on_demand),
               of(CostLine::Kind::kRead), of(CostLine::Kind::kWrite), of(CostLine::Kind::kStorage),
               std::to_string(shape.tables), std::to_string(shape.indexes),
               fmt::format("{} %", HottestOf(shape.cost).percent)});
  }
  const auto& best = proposals.shapes[proposals.best];
  std::string text = table.ToText();
  text += "\nReads, writes and storage are on demand; `hottest` is of one partition's limit.\n";
  text += "* is best: within 5 % of the cheapest, the fewest tables and indexes.\n";
  std::string keys;
  std::string answers;
  for (const auto& choice : best.choices) {
    (choice.of == Choice::Of::kEntity ? keys : answers) += ChoiceText(choice);
  }
  text += fmt::format("\nKeys ({})\n{}\nAnswers\n{}", NameOf(best.shape), keys, answers);
  text += "\nBilling\n";
  for (const auto& bill : best.cost.tables) {
    text += fmt::format("  {}: {}\n", bill.table, NameOf(bill.billing));
  }
  text += List("May lag behind writes", best.stale);
  text += List("To know", best.remarks);
  text += List("Taken for granted", best.cost.assumptions);
  if (!best.optimal) {
    text += "\nThe search was cut short: a cheaper design may exist.\n";
  }
  return text;
}

}  // namespace kw::cli
