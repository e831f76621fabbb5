// SPDX-License-Identifier: Apache-2.0
// Import and export whole, from text to text: what the command and the studio call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "modeller/interop/bridge.h"
#include "modeller/interop/formats.h"

namespace kw::modeller {

struct Imported {
  const FileFormat* format = nullptr;
  ModelFiles files;
  Notes notes;
};
// Reads a file of another tool; its format is found by its text unless named.
// Errors: a sentence.
Expected<Imported, std::string> Import(std::string_view text,
                                       std::optional<std::string_view> format);

struct Exported {
  const FileFormat* format = nullptr;
  std::string text;
  Notes notes;
};
// Prints a model and its design, or a file of another tool, in a format.
// Errors: a sentence; the faults of a model or design, one a line.
Expected<Exported, std::string> Export(std::string_view text,
                                       std::optional<std::string_view> design,
                                       std::string_view format);

// {"format":…,"model":…,"design":…,"notes":[{"kind":"lost","where":…,"what":…}]}
std::string ToJson(const Imported& imported);
// {"format":…,"text":…,"notes":[…]}
std::string ToJson(const Exported& exported);
// "lost     Shop.Tags: This is not carried over.\n" for each.
std::string ToText(const Notes& notes);

}  // namespace kw::modeller
