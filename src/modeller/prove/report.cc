// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "modeller/cost/calculators.h"

namespace kw::modeller {
namespace {

// The places that a text takes: its code points.
std::size_t WidthOf(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

constexpr std::size_t kShownMax = 12;  // rows of a counter-example
constexpr std::size_t kTextMax = 48;   // characters of a value

std::string Shortened(std::string text) {
  if (text.size() <= kTextMax) return text;
  std::size_t end = kTextMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("{}… ({} bytes)", text.substr(0, end), text.size());
}

std::string ShownValue(const Attribute& attribute, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return "absent";
  if (std::holds_alternative<AttributeValue>(value)) return "…";
  return Shortened(ValueText(attribute, value));
}

std::string ShownRow(const Entity& entity, const Row& row) {
  std::string text = entity.name + " {";
  for (std::size_t i = 0; i < row.size() && i < entity.attributes.size(); ++i) {
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", entity.attributes[i].name,
                        ShownValue(entity.attributes[i], row[i]));
  }
  return text + "}";
}

// The attributes that a tuple's values are of.
std::string ShownTuple(const Plan& plan, const Question& question, const Tuple& tuple) {
  if (tuple.entity >= plan.model().entities().size()) return "an item of no entity";
  const Entity& entity = plan.model().entity(tuple.entity);
  const auto* select = std::get_if<Select>(&question.asks);
  if (select == nullptr || tuple.values.size() == entity.attributes.size()) {
    return ShownRow(entity, tuple.values);
  }
  if (std::holds_alternative<Aggregate>(select->columns)) {
    const auto* number = std::get_if<Number>(&tuple.values.front());
    return number == nullptr ? "nothing" : number->ToString();
  }
  const auto* columns = std::get_if<std::vector<AttributeId>>(&select->columns);
  std::string text = "(";
  for (std::size_t i = 0; columns != nullptr && i < columns->size(); ++i) {
    const Attribute& attribute = entity.attributes[(*columns)[i]];
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", attribute.name,
                        ShownValue(attribute, tuple.values[i]));
  }
  return text + ")";
}

std::string ShownParameter(const Value& value) {
  struct Shower {
    std::string operator()(std::monostate) const { return "absent"; }
    std::string operator()(const std::string& text) const { return Shortened(text); }
    std::string operator()(const Number& number) const { return number.ToString(); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(Timestamp time) const {
      return FormatTimestamp(time, TimePrecision::kSecond);
    }
    std::string operator()(Date date) const { return FormatDate(date); }
    std::string operator()(const Bytes& bytes) const {
      return fmt::format("{} bytes", bytes.bytes.size());
    }
    std::string operator()(const AttributeValue&) const { return "…"; }
  };
  return std::visit(Shower{}, value);
}

template <class Print>
std::string Limited(std::size_t count, Print print) {
  std::string text;
  for (std::size_t i = 0; i < std::min(count, kShownMax); ++i) text += print(i);
  if (count > kShownMax) text += fmt::format("        and {} more\n", count - kShownMax);
  return text;
}

std::string ShownExample(const Plan& plan, const Question& question,
                         const Counterexample& example) {
  std::string text;
  for (const auto& [name, value] : example.parameters) {
    text += fmt::format("      with :{} = {}\n", name, ShownParameter(value));
  }
  std::vector<std::string> rows;
  for (EntityId entity = 0; entity < example.rows.rows.size(); ++entity) {
    for (const Row& row : example.rows.rows[entity]) {
      rows.push_back(ShownRow(plan.model().entity(entity), row));
    }
  }
  text += "      over these rows:\n";
  text += Limited(rows.size(), [&](std::size_t i) { return fmt::format("        {}\n", rows[i]); });
  const auto list = [&](std::string_view title, const std::vector<Tuple>& tuples) {
    text += fmt::format("      {}:{}\n", title, tuples.empty() ? " nothing" : "");
    text += Limited(tuples.size(), [&](std::size_t i) {
      return fmt::format("        {}\n", ShownTuple(plan, question, tuples[i]));
    });
  };
  list("right is", example.expected);
  list("it gives", example.got);
  return text;
}

std::string WhyOf(const Verdict& verdict) {
  if (const auto* refuted = std::get_if<Refuted>(&verdict)) return refuted->why;
  if (const auto* none = std::get_if<NotExpressible>(&verdict)) return none->why;
  return {};
}

std::string Times(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::string ProofText(const Plan& plan, const Proof& proof, bool colour) {
  const auto mark = [&](const Verdict& verdict) {
    const bool proved = std::holds_alternative<Proved>(verdict);
    const std::string_view sign = proved ? "✓" : "✗";
    return colour ? fmt::format("\x1b[{}m{}\x1b[0m", proved ? 32 : 31, sign) : std::string(sign);
  };
  std::string text =
      fmt::format("{} by {}: {}, stored as {}, seed {}.\n\nQuestions\n", plan.model().name(),
                  plan.design().name, Times(proof.rows, "row", "rows"),
                  Times(proof.items, "item", "items"), proof.seed);
  std::size_t widest = 0;
  for (const auto& each : proof.questions) widest = std::max(widest, WidthOf(each.question));
  for (const auto& each : proof.changes) widest = std::max(widest, WidthOf(each.change));
  const auto padded = [&](const std::string& name) {
    return name + std::string(widest - WidthOf(name), ' ');
  };
  for (std::size_t q = 0; q < proof.questions.size(); ++q) {
    const QuestionProof& each = proof.questions[q];
    text +=
        fmt::format("  {} {}  {}", mark(each.verdict), padded(each.question), WordOf(each.verdict));
    if (each.asked > 0 && std::holds_alternative<Proved>(each.verdict)) {
      text +=
          fmt::format(": asked {}, {}, {} units as predicted", Times(each.asked, "time", "times"),
                      Times(each.rows, "row", "rows"), FormatUnits(each.units));
    }
    text += "\n";
    if (!each.where.empty()) text += fmt::format("      {}\n", each.where);
    if (const std::string why = WhyOf(each.verdict); !why.empty()) {
      text += fmt::format("      {}\n", why);
    }
    if (const auto* none = std::get_if<NotExpressible>(&each.verdict);
        none && !none->nearest.empty()) {
      text += fmt::format("      {}\n", none->nearest);
    }
    for (const std::string& remark : each.remarks) text += fmt::format("      {}\n", remark);
    const auto* refuted = std::get_if<Refuted>(&each.verdict);
    if (refuted != nullptr && refuted->counterexample) {
      text += ShownExample(plan, plan.model().questions()[q], *refuted->counterexample);
    }
  }
  if (!proof.changes.empty()) text += "\nChanges\n";
  for (const ChangeProof& each : proof.changes) {
    text +=
        fmt::format("  {} {}  {}", mark(each.verdict), padded(each.change), WordOf(each.verdict));
    if (std::holds_alternative<Proved>(each.verdict)) {
      text +=
          fmt::format(": run {}{}, {} units as predicted", Times(each.runs, "time", "times"),
                      each.transactions > 0 ? " as a transaction" : "", FormatUnits(each.units));
    } else {
      text += fmt::format("\n      {}", WhyOf(each.verdict));
    }
    text += "\n";
  }
  if (!proof.mutants.empty()) {
    const std::size_t harmful = proof.mutants.size() - proof.harmless();
    text += fmt::format("\nBroken on purpose {}: {} of {} noticed, {} harmless.\n",
                        Times(proof.mutants.size(), "time", "times"), proof.caught(), harmful,
                        proof.harmless());
    for (const Mutant& mutant : proof.mutants) {
      if (!mutant.harmless.empty()) {
        text += fmt::format("  harmless: {}: {}\n", mutant.what, mutant.harmless);
      } else if (!mutant.caught) {
        text += fmt::format("  unnoticed: {}\n", mutant.what);
      }
    }
  }
  text += proof.holds() ? "\nEvery question and every change is proved.\n"
                        : "\nThe design is refuted.\n";
  return text;
}

std::string ProofJson(const Plan& plan, const Proof& proof) {
  std::string text;
  JsonWriter out(text);
  const auto verdict = [&](const Verdict& of) {
    out.Member("verdict", WordOf(of));
    if (const std::string why = WhyOf(of); !why.empty()) out.Member("why", why);
    if (const auto* none = std::get_if<NotExpressible>(&of)) out.Member("nearest", none->nearest);
  };
  const auto units = [&](HalfUnits consumed) {
    out.Key("units");
    out.Double(static_cast<double>(consumed.value()) / 2);
  };
  out.BeginObject();
  out.Member("model", plan.model().name());
  out.Member("design", plan.design().name);
  out.Member("holds", proof.holds());
  out.Member("seed", static_cast<std::int64_t>(proof.seed));
  out.Member("rows", std::int64_t(proof.rows));
  out.Member("items", std::int64_t(proof.items));
  out.Key("questions");
  out.BeginArray();
  for (std::size_t q = 0; q < proof.questions.size(); ++q) {
    const QuestionProof& each = proof.questions[q];
    out.BeginObject();
    out.Member("question", each.question);
    verdict(each.verdict);
    out.Member("where", each.where);
    out.Member("asked", std::int64_t(each.asked));
    out.Member("rows", std::int64_t(each.rows));
    out.Member("pages", std::int64_t(each.pages));
    units(each.units);
    out.Key("remarks");
    out.BeginArray();
    for (const std::string& remark : each.remarks) out.String(remark);
    out.EndArray();
    const auto* refuted = std::get_if<Refuted>(&each.verdict);
    if (refuted != nullptr && refuted->counterexample) {
      out.Member("counterexample",
                 ShownExample(plan, plan.model().questions()[q], *refuted->counterexample));
    }
    out.EndObject();
  }
  out.EndArray();
  out.Key("changes");
  out.BeginArray();
  for (const ChangeProof& each : proof.changes) {
    out.BeginObject();
    out.Member("change", each.change);
    verdict(each.verdict);
    out.Member("runs", std::int64_t(each.runs));
    out.Member("transactions", std::int64_t(each.transactions));
    units(each.units);
    out.EndObject();
  }
  out.EndArray();
  out.Key("mutants");
  out.BeginArray();
  for (const Mutant& mutant : proof.mutants) {
    out.BeginObject();
    out.Member("what", mutant.what);
    out.Member("caught", mutant.caught);
    out.Member("by", mutant.by);
    out.Member("harmless", mutant.harmless);
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
  return text + "\n";
}

std::string ProofJunit(const Plan& plan, const Proof& proof) {
  const auto escaped = [](std::string_view text) {
    std::string safe;
    for (const char c : text) {
      switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '"': safe += "&quot;"; break;
        // XML 1.0 has no other control characters.
        default: safe += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
      }
    }
    return safe;
  };
  std::size_t failures = 0;
  std::string cases;
  const auto add = [&](std::string_view group, const std::string& name, const Verdict& verdict,
                       const std::string& detail) {
    cases += fmt::format("  <testcase classname=\"{}.{}\" name=\"{}\"",
                         escaped(plan.model().name()), group, escaped(name));
    if (std::holds_alternative<Proved>(verdict)) {
      cases += "/>\n";
      return;
    }
    ++failures;
    cases += fmt::format(">\n    <failure message=\"{}\">{}</failure>\n  </testcase>\n",
                         escaped(WhyOf(verdict)), escaped(detail));
  };
  for (std::size_t q = 0; q < proof.questions.size(); ++q) {
    const auto* refuted = std::get_if<Refuted>(&proof.questions[q].verdict);
    add("questions", proof.questions[q].question, proof.questions[q].verdict,
        refuted != nullptr && refuted->counterexample
            ? ShownExample(plan, plan.model().questions()[q], *refuted->counterexample)
            : std::string());
  }
  for (const ChangeProof& each : proof.changes) {
    add("changes", each.change, each.verdict, "");
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" "
      "failures=\"{}\">\n{}</testsuite>\n",
      escaped(plan.design().name), proof.questions.size() + proof.changes.size(), failures, cases);
}

}  // namespace kw::modeller
