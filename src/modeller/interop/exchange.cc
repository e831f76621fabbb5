// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/exchange.h"

#include <fmt/format.h>

#include "base/json.h"

namespace kw::modeller {
namespace {

std::string_view KindName(Note::Kind kind) {
  switch (kind) {
    case Note::Kind::kLost: return "lost";
    case Note::Kind::kGuessed: return "guessed";
  }
  return "";
}

void WriteNotes(const Notes& notes, JsonWriter& out) {
  out.Key("notes");
  out.BeginArray();
  for (const Note& note : notes.all()) {
    out.BeginObject();
    out.Member("kind", KindName(note.kind));
    out.Member("where", note.where);
    out.Member("what", note.what);
    out.EndObject();
  }
  out.EndArray();
}

// Of a model and a design, or of a file that another tool wrote.
Expected<Blueprint, std::string> BlueprintOf(std::string_view text,
                                             std::optional<std::string_view> design, Notes& notes) {
  const auto model = Model::Parse(text);
  if (!model) {
    const auto format = DetectFormat(text);
    if (!format) return Unexpected(Describe(model.error(), "model"));
    return Read(**format, text, notes);
  }
  if (!design) return FromModel(*model, nullptr, notes);
  const auto parsed = Design::Parse(*design, *model);
  if (!parsed) return Unexpected(Describe(parsed.error(), "design"));
  return FromModel(*model, &*parsed, notes);
}

}  // namespace

Expected<Imported, std::string> Import(std::string_view text,
                                       std::optional<std::string_view> format) {
  Imported imported;
  TRY_ASSIGN(imported.format, format ? FindFormat(*format) : DetectFormat(text));
  if (imported.format->read == nullptr) {
    return Unexpected(fmt::format("{} is only written, not read.", imported.format->name));
  }
  TRY_ASSIGN(auto blueprint, Read(*imported.format, text, imported.notes));
  TRY_ASSIGN(imported.files, ToModel(std::move(blueprint), imported.notes));
  return imported;
}

Expected<Exported, std::string> Export(std::string_view text,
                                       std::optional<std::string_view> design,
                                       std::string_view format) {
  Exported exported;
  TRY_ASSIGN(exported.format, FindFormat(format));
  TRY_ASSIGN(const Blueprint blueprint, BlueprintOf(text, design, exported.notes));
  TRY_ASSIGN(exported.text, Print(*exported.format, blueprint, exported.notes));
  return exported;
}

std::string ToJson(const Imported& imported) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Member("format", imported.format->name);
  out.Member("model", imported.files.model);
  out.Member("design", imported.files.design);
  WriteNotes(imported.notes, out);
  out.EndObject();
  return json;
}

std::string ToJson(const Exported& exported) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Member("format", exported.format->name);
  out.Member("text", exported.text);
  WriteNotes(exported.notes, out);
  out.EndObject();
  return json;
}

std::string ToText(const Notes& notes) {
  std::string text;
  for (const Note& note : notes.all()) {
    text += fmt::format("{:<8} {}: {}\n", KindName(note.kind), note.where, note.what);
  }
  return text;
}

}  // namespace kw::modeller
