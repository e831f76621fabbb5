// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <algorithm>
#include <vector>

namespace kw {

std::string_view Nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kWordMax = 64;
  if (word.size() > kWordMax) return {};
  std::string_view nearest;
  std::size_t fewest = word.size() / 3 + 2;  // so many edits are another word
  for (const std::string_view candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), word.size());
    if (longer - std::min(candidate.size(), word.size()) >= fewest) continue;
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i + 1;
      for (std::size_t j = 0; j < candidate.size(); ++j) {
        const std::size_t replaced = diagonal + (word[i] == candidate[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
      }
    }
    if (row.back() < fewest) {
      fewest = row.back();
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace kw
