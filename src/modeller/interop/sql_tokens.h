// SPDX-License-Identifier: Apache-2.0
// Words of SQL scripts in any of the three dialects, loosely: what a statement means is its
// reader's to say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw::modeller {

struct SchemaToken {
  enum class Kind : std::uint8_t { kWord, kName, kNumber, kText, kParameter, kMark };
  Kind kind = Kind::kMark;
  std::string text;  // a name without its quotes; a parameter without its sign, or empty

  // A word, whatever its case; or a mark.
  [[nodiscard]] bool Is(std::string_view word) const;
  [[nodiscard]] bool names() const { return kind == Kind::kWord || kind == Kind::kName; }
};

struct SqlScript {
  std::vector<SchemaToken> tokens;
  std::string name;  // of a `-- name: x` in front of it
};

// The statements of a script, without comments and semicolons.
std::vector<SqlScript> SplitSql(std::string_view text);

}  // namespace kw::modeller
