// SPDX-License-Identifier: Apache-2.0
// The formats of other tools: one row each in formats.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/expected.h"
#include "modeller/interop/blueprint.h"

namespace kw::modeller {

// Errors: a sentence that says what the text is not.
using ReadBlueprint = Expected<Blueprint, std::string> (*)(std::string_view text, Notes& notes);
// Prints a blueprint that holds no more than the format does.
using PrintBlueprint = std::string (*)(const Blueprint& blueprint);

struct FileFormat {
  std::string_view name;     // "cloudformation"
  std::string_view summary;  // one line
  std::string_view suffix;   // of its files: ".yaml"
  Contents holds;
  bool (*detects)(std::string_view text);  // whether a text looks like it
  ReadBlueprint read;                      // null: only written
  PrintBlueprint print;                    // null: only read
};

std::span<const FileFormat> Formats();

// Errors: which formats there are.
Expected<const FileFormat*, std::string> FindFormat(std::string_view name);
// The first format that the text looks like and that can be read. Errors: how to name one.
Expected<const FileFormat*, std::string> DetectFormat(std::string_view text);

// Reads a text of a format; what could not be carried is noted.
Expected<Blueprint, std::string> Read(const FileFormat& format, std::string_view text,
                                      Notes& notes);
// Prints what the format holds; the rest is noted. Errors: the format is only read, or there is
// nothing that it could hold.
Expected<std::string, std::string> Print(const FileFormat& format, const Blueprint& blueprint,
                                         Notes& notes);

}  // namespace kw::modeller
