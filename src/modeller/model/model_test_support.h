// SPDX-License-Identifier: Apache-2.0
// Faults in tests: the text carries a mark where its one fault is expected.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "modeller/model/model.h"

namespace kw::modeller {

// A text whose mark ▲ has been taken out, and where it stood.
struct Marked {
  std::string text;
  Position at;
};

inline Marked Unmark(std::string_view marked) {
  constexpr std::string_view kMark = "▲";
  const std::size_t mark = marked.find(kMark);
  EXPECT_NE(mark, marked.npos) << marked;
  if (mark == marked.npos) return {std::string(marked), {}};
  Marked result{std::string(marked), {}};
  result.text.erase(mark, kMark.size());
  for (const char c : marked.substr(0, mark)) {
    if (c == '\n') {
      ++result.at.line;
      result.at.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++result.at.column;
    }
  }
  return result;
}

struct FaultCase {
  std::string_view text;  // with the mark
  std::string_view message;
  std::string_view suggestion;
};

// The text has this fault, and no other.
template <class T>
void ExpectFault(Parsed<T> (*parse)(std::string_view), const FaultCase& expected) {
  const Marked marked = Unmark(expected.text);
  const auto parsed = parse(marked.text);
  ASSERT_FALSE(parsed) << marked.text;
  const std::vector<Fault> one = {{.at = marked.at,
                                   .message = std::string(expected.message),
                                   .suggestion = std::string(expected.suggestion)}};
  EXPECT_EQ(parsed.error(), one) << marked.text << "\nfound\n"
                                 << Describe(parsed.error(), "model") << "expected\n"
                                 << Describe(one, "model");
}

// The model that a text is; the test fails if it is none.
inline Model Must(std::string_view text) {
  auto model = Model::Parse(text);
  if (!model) {
    ADD_FAILURE() << Describe(model.error(), "model");
    std::abort();
  }
  return *std::move(model);
}

}  // namespace kw::modeller
