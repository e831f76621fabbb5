// SPDX-License-Identifier: Apache-2.0
// Models and designs from the examples, rows by name, and requests as text.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "data/item.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {

inline std::string ReadExample(const std::string& name) {
  std::ifstream in(std::string(KW_EXAMPLES) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Model, design and plan, which refer to one another.
struct Planned {
  std::unique_ptr<Model> model;
  std::unique_ptr<Design> design;
  std::unique_ptr<Plan> plan;
  std::string faults;  // empty, or why there is no plan

  Planned(std::string_view model_text, std::string_view design_text) {
    auto parsed = Model::Parse(model_text);
    if (!parsed) {
      faults = Describe(parsed.error(), "model");
      return;
    }
    model = std::make_unique<Model>(std::move(*parsed));
    auto read = Design::Parse(design_text, *model);
    if (!read) {
      faults = Describe(read.error(), "design");
      return;
    }
    design = std::make_unique<Design>(std::move(*read));
    auto compiled = Plan::Compile(*model, *design);
    if (!compiled) {
      faults = Describe(compiled.error(), "design");
      return;
    }
    plan = std::make_unique<Plan>(std::move(*compiled));
  }
  static Planned Example(const std::string& name) {
    return {ReadExample(name + ".kw.yaml"), ReadExample(name + ".design.yaml")};
  }

  [[nodiscard]] std::size_t Question(std::string_view name) const {
    for (std::size_t i = 0; i < model->questions().size(); ++i) {
      if (model->questions()[i].name == name) return i;
    }
    ADD_FAILURE() << "no question " << name;
    return 0;
  }
  [[nodiscard]] EntityId EntityOf(std::string_view name) const {
    return model->FindEntity(name).value();
  }
  // Values as files write them; what is not named is absent.
  [[nodiscard]] Row RowOf(std::string_view entity_name,
                          std::initializer_list<std::pair<const char*, const char*>> values) const {
    const auto& entity = model->entity(EntityOf(entity_name));
    Row row(entity.attributes.size());
    for (const auto& [name, text] : values) {
      const auto id = entity.Find(name).value();
      row[id] = ParseValue(entity.attributes[id], text).value();
    }
    return row;
  }
  // Every request of a question as text, one a line.
  [[nodiscard]] std::string Calls(std::string_view question, const Bindings& bindings) const;
};

inline std::string JsonOf(const auto& value) {
  std::string json;
  JsonWriter out(json);
  WriteJson(value, out);
  return json;
}
// A key's value without its type: text as it is.
inline std::string Plain(const AttributeValue& value) {
  if (const auto* text = value.As<std::string>()) return *text;
  if (const auto* number = value.As<Number>()) return number->ToString();
  return JsonOf(value);
}

inline std::string TextOf(const Plan& plan, const Call& call) {
  if (const auto* get = std::get_if<GetCall>(&call)) {
    std::string text = "get " + plan.tables()[get->table].name;
    for (const auto& [name, value] : get->key.entries()) text += " " + name + "=" + Plain(value);
    return text + (get->consistent ? " strong" : "");
  }
  const auto& query = std::get<QueryCall>(call);
  std::string text = "query " + plan.tables()[query.table].name;
  if (query.index) text += "." + *query.index;
  for (const auto& [name, value] : query.partition) text += " " + name + "=" + Plain(value);
  for (const auto& [name, value] : query.sort_equal) text += " " + name + "=" + Plain(value);
  if (query.tail) {
    const auto& tail = *query.tail;
    text += " " + tail.attribute;
    if (tail.prefix) text += "^" + Plain(*tail.prefix);
    if (tail.low) text += ">=" + Plain(*tail.low);
    if (tail.high) text += "<=" + Plain(*tail.high);
  }
  if (!query.forward) text += " backward";
  if (query.limit) text += " limit " + std::to_string(*query.limit);
  return text + (query.consistent ? " strong" : "");
}

inline std::string Planned::Calls(std::string_view question, const Bindings& bindings) const {
  const auto index = Question(question);
  const auto& answer = plan->answers()[index];
  if (const auto* none = std::get_if<NoPath>(&answer.path)) {
    return "none: " + none->why + " " + none->nearest;
  }
  if (std::holds_alternative<ScanPath>(*answer.found())) return "scan";
  std::string text;
  for (const auto& call : plan->CallsOf(index, bindings)) {
    text += (text.empty() ? "" : "\n") + TextOf(*plan, call);
  }
  return text;
}

inline Value Time(std::string_view text) { return ParseTimestamp(text).value(); }

}  // namespace kw::modeller
