// SPDX-License-Identifier: Apache-2.0
#include "expr/reserved_words.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kw {
namespace {

// aws-doc: ReservedWords ("Reserved words in DynamoDB"): 573 words, from ABORT to ZONE.
TEST(ReservedWords, AreThoseOfTheGuide) {
  const auto words = ReservedWords();
  EXPECT_EQ(words.size(), 573U);
  EXPECT_EQ(words.front(), "ABORT");
  EXPECT_EQ(words.back(), "ZONE");
  EXPECT_EQ(std::ranges::adjacent_find(words), words.end());
  for (const auto word : words) EXPECT_TRUE(IsReservedWord(word)) << word;
}

// aws-doc: ReservedWords ("isn't case-sensitive").
TEST(ReservedWords, IgnoreCase) {
  for (const auto* word : {"status", "Name", "tImEsTaMp", "localtimestamp", "LOGED", "flattern"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
  for (const auto* word : {"", "id", "statuses", "pk", "sk", "localtimestamps", "a_very_long_name_",
                           "STATUS ", "\xC5\x9Ftatus"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

}  // namespace
}  // namespace kw
