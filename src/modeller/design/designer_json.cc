// SPDX-License-Identifier: Apache-2.0
#include "modeller/design/designer.h"

namespace kw::modeller {
namespace {

void WriteMoney(std::string_view name, NanoDollars amount, JsonWriter& out) {
  out.Key(name);
  out.BeginObject();
  out.Member("nanoDollars", amount.value());
  out.Member("text", FormatDollars(amount));
  out.EndObject();
}

void WriteTexts(std::string_view name, const std::vector<std::string>& texts, JsonWriter& out) {
  out.Key(name);
  out.BeginArray();
  for (const auto& text : texts) out.String(text);
  out.EndArray();
}

std::string_view NameOf(CostLine::Kind kind) {
  switch (kind) {
    case CostLine::Kind::kRead: return "read";
    case CostLine::Kind::kWrite: return "write";
    case CostLine::Kind::kStorage: return "storage";
  }
  return {};
}

void WriteProposal(const Proposal& proposal, JsonWriter& out) {
  out.Member("shape", NameOf(proposal.shape));
  out.Member("tables", std::ssize(proposal.design->tables));
  out.Member("indexes", static_cast<std::int64_t>(proposal.indexes));
  const auto heat = HottestOf(proposal.cost);
  out.Member("hottestPercent", heat.percent);
  out.Member("hottest", heat.where);
  out.Member("optimal", proposal.optimal);
  out.Member("weighed", static_cast<std::int64_t>(proposal.weighed));
  WriteTexts("stale", proposal.stale, out);
  WriteTexts("remarks", proposal.remarks, out);
  out.Key("cost");
  WriteJson(proposal.cost, out);
  out.Key("choices");
  out.BeginArray();
  for (const auto& choice : proposal.choices) {
    out.BeginObject();
    out.Member("of", choice.of == Choice::Of::kEntity ? "entity" : "question");
    out.Member("name", choice.name);
    out.Member("how", choice.how);
    WriteTexts("remarks", choice.remarks, out);
    out.Key("rejected");
    out.BeginArray();
    for (const auto& rejected : choice.rejected) {
      out.BeginObject();
      out.Member("what", rejected.what);
      out.Member("why", rejected.why);
      WriteMoney("more", rejected.more, out);
      out.EndObject();
    }
    out.EndArray();
    out.EndObject();
  }
  out.EndArray();
  out.Member("design", proposal.design->ToYaml(proposal.plan->model()));
}

}  // namespace

void WriteJson(const PlanCost& cost, JsonWriter& out) {
  out.BeginObject();
  out.Member("region", cost.region);
  out.Member("priceDate", cost.price_date);
  WriteMoney("total", cost.total, out);
  WriteMoney("onDemand", cost.on_demand, out);
  WriteMoney("provisioned", cost.provisioned, out);
  WriteMoney("reads", cost.Of(CostLine::Kind::kRead), out);
  WriteMoney("writes", cost.Of(CostLine::Kind::kWrite), out);
  WriteMoney("storage", cost.Of(CostLine::Kind::kStorage), out);
  out.Key("lines");
  out.BeginArray();
  for (const auto& line : cost.lines) {
    out.BeginObject();
    out.Member("kind", NameOf(line.kind));
    out.Member("of", line.of);
    out.Member("where", line.where);
    if (line.kind == CostLine::Kind::kStorage) {
      out.Member("bytes", line.stored.value());
    } else {
      out.Member("units", FormatMicroUnits(line.each));
      out.Member("priced", line.rate.has_value());
    }
    out.Member("basis", line.basis);
    WriteMoney("monthly", line.on_demand, out);
    out.EndObject();
  }
  out.EndArray();
  out.Key("tables");
  out.BeginArray();
  for (const auto& table : cost.tables) {
    out.BeginObject();
    out.Member("name", table.table);
    out.Member("billing", NameOf(table.billing));
    WriteMoney("onDemand", table.on_demand, out);
    WriteMoney("provisioned", table.provisioned, out);
    out.EndObject();
  }
  out.EndArray();
  out.Key("loads");
  out.BeginArray();
  for (const auto& load : cost.loads) {
    out.BeginObject();
    out.Member("where", load.where);
    out.Member("reads", FormatMicroUnits(load.reads));
    out.Member("writes", FormatMicroUnits(load.writes));
    out.Member("hottestReads", FormatMicroUnits(load.hottest_reads));
    out.Member("hottestWrites", FormatMicroUnits(load.hottest_writes));
    out.Member("hottest", load.hottest);
    out.EndObject();
  }
  out.EndArray();
  WriteTexts("unanswered", cost.unanswered, out);
  WriteTexts("assumptions", cost.assumptions, out);
  out.EndObject();
}

void WriteJson(const Proposals& proposals, JsonWriter& out) {
  out.BeginObject();
  out.Member("best", NameOf(proposals.shapes[proposals.best].shape));
  out.Key("shapes");
  out.BeginArray();
  for (const auto& proposal : proposals.shapes) {
    out.BeginObject();
    WriteProposal(proposal, out);
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
}

}  // namespace kw::modeller
