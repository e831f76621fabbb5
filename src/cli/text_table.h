// SPDX-License-Identifier: Apache-2.0
// Rows of text in columns as wide as their widest cell, for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw::cli {

enum class Align : std::uint8_t { kLeft, kRight };

class TextTable {
 public:
  explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // As many cells as columns.
  void Add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // One line a row, each begun with `indent`, cells two blanks apart, no blanks at the end.
  [[nodiscard]] std::string ToText(std::string_view indent = "") const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// How many places a text takes: its code points (the program's own texts hold no wide ones).
std::size_t WidthOf(std::string_view text);

}  // namespace kw::cli
