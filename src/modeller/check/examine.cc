// SPDX-License-Identifier: Apache-2.0
#include "modeller/check/examine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"

namespace kw::modeller {
namespace {

void WriteFaults(const std::vector<Fault>& faults, std::string_view file, JsonWriter& out) {
  for (const Fault& fault : faults) {
    out.BeginObject();
    out.Member("file", file);
    out.Member("line", std::int64_t{fault.at.line});
    out.Member("column", std::int64_t{fault.at.column});
    out.Member("message", fault.message);
    out.Member("suggestion", fault.suggestion);
    out.EndObject();
  }
}

void WriteModel(const Model& model, JsonWriter& out) {
  out.Member("model", model.name());
  out.Key("entities");
  out.BeginArray();
  for (EntityId id = 0; id < model.entities().size(); ++id) {
    out.BeginObject();
    out.Member("name", model.entity(id).name);
    out.Member("rows", model.entity(id).rows);
    out.Member("rowBytes", RowSize(model, id).value());
    out.EndObject();
  }
  out.EndArray();
  out.Member("questions", std::ssize(model.questions()));
  out.Member("changes", std::ssize(model.changes()));
  out.Key("assumptions");
  out.BeginArray();
  for (const std::string& assumption : model.assumptions()) out.String(assumption);
  out.EndArray();
}

std::string Counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "12,000,000".
std::string Grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string Summary(const Model& model, std::string_view file) {
  std::string text = fmt::format("{} reads well: {}, {}, {}.\n", file,
                                 Counted(model.entities().size(), "entity", "entities"),
                                 Counted(model.questions().size(), "question", "questions"),
                                 Counted(model.changes().size(), "change", "changes"));
  for (EntityId id = 0; id < model.entities().size(); ++id) {
    const Entity& entity = model.entity(id);
    text += fmt::format("  {:<16}{:>18} rows of {} bytes\n", entity.name,
                        entity.rows == 0 ? "?" : Grouped(entity.rows),
                        Grouped(RowSize(model, id).value()));
  }
  if (!model.assumptions().empty()) text += "Taken for granted:\n";
  for (const std::string& assumption : model.assumptions()) {
    text += fmt::format("  {}\n", assumption);
  }
  return text;
}

std::string FindingsText(const std::vector<Finding>& findings, const FileNames& names) {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{}:{}:{}: {}: {} [{}]\n    {}\n    {}\n",
                        finding.file == SourceFile::kModel ? names.model : names.design,
                        finding.at.line, finding.at.column, WordOf(finding.grade), finding.message,
                        finding.rule, finding.example, finding.fix);
  }
  return text;
}

}  // namespace

bool Examination::sound() const {
  return model_faults.empty() && design_faults.empty() &&
         std::ranges::none_of(
             findings, [](const Finding& finding) { return finding.grade == Grade::kError; });
}

Examination Examine(std::string_view model, std::optional<std::string_view> design) {
  Examination examination;
  auto parsed = Model::Parse(model);
  if (!parsed) {
    examination.model_faults = std::move(parsed.error());
    return examination;
  }
  examination.model = std::move(*parsed);
  if (!design) {
    examination.findings = Advise({.model = *examination.model});
    return examination;
  }
  auto read = Design::Parse(*design, *examination.model);
  if (!read) {
    examination.design_faults = std::move(read.error());
    return examination;
  }
  auto plan = Plan::Compile(*examination.model, *read);
  if (!plan) {
    examination.design_faults = std::move(plan.error());
    return examination;
  }
  examination.findings = Advise({.model = *examination.model, .plan = &*plan});
  return examination;
}

std::string ExaminationText(const Examination& examination, const FileNames& names) {
  if (!examination.model) return Describe(examination.model_faults, names.model);
  std::string text = Summary(*examination.model, names.model);
  if (!examination.design_faults.empty()) text += Describe(examination.design_faults, names.design);
  return text + FindingsText(examination.findings, names);
}

std::string ExaminationJson(const Examination& examination, const FileNames& names) {
  std::string text;
  JsonWriter out(text);
  out.BeginObject();
  out.Member("file", names.model);
  out.Member("sound", examination.sound());
  out.Key("faults");
  out.BeginArray();
  WriteFaults(examination.model_faults, names.model, out);
  WriteFaults(examination.design_faults, names.design, out);
  out.EndArray();
  out.Key("findings");
  out.BeginArray();
  for (const Finding& finding : examination.findings) {
    out.BeginObject();
    out.Member("rule", finding.rule);
    out.Member("grade", WordOf(finding.grade));
    out.Member("file", finding.file == SourceFile::kModel ? names.model : names.design);
    out.Member("line", std::int64_t{finding.at.line});
    out.Member("column", std::int64_t{finding.at.column});
    out.Member("message", finding.message);
    out.Member("example", finding.example);
    out.Member("fix", finding.fix);
    out.EndObject();
  }
  out.EndArray();
  if (examination.model) WriteModel(*examination.model, out);
  out.EndObject();
  return text;
}

}  // namespace kw::modeller
