// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/yaml.h"

#include <gtest/gtest.h>

#include <array>

#include "modeller/model/model_test_support.h"

namespace kw::modeller {
namespace {

YamlDocument Read(std::string_view text) {
  auto document = YamlDocument::Parse(text);
  if (!document) {
    ADD_FAILURE() << Describe(document.error(), "file");
    std::abort();
  }
  return *std::move(document);
}

TEST(YamlTest, ReadsTheThreeKinds) {
  const YamlDocument document = Read("a: {b: [1, two]}\nc:\n  - x\n  - y: z\n");
  const YamlNode& root = document.root();
  ASSERT_EQ(root.members.size(), 2);
  const YamlNode& b = root.Find("a")->value.Find("b")->value;
  EXPECT_EQ(b.kind, YamlKind::kSequence);
  EXPECT_EQ(b.style, YamlStyle::kFlow);
  EXPECT_EQ(b.items.at(1).text, "two");
  EXPECT_EQ(b.at, (Position{1, 8}));
  const YamlNode& c = root.Find("c")->value;
  EXPECT_EQ(c.style, YamlStyle::kBlock);
  EXPECT_EQ(c.items.at(1).Find("y")->value.at, (Position{4, 8}));
}

TEST(YamlTest, ScalarsFollowTheCoreSchema) {
  struct Case {
    std::string_view text;
    std::string_view kind;
  };
  const std::array cases = {
      Case{"~", "null"},          Case{"null", "null"},     Case{"", "null"},
      Case{"true", "boolean"},    Case{"False", "boolean"}, Case{"yes", "text"},
      Case{"on", "text"},         Case{"12", "number"},     Case{"-1.50", "number"},
      Case{"1e3", "number"},      Case{".5", "number"},     Case{"1.", "number"},
      Case{"007", "number"},      Case{"2026-Q2", "text"},  Case{"2024-001234", "text"},
      Case{"2026-06-23", "text"}, Case{"1_000", "text"},    Case{"500/s", "text"},
      Case{"0x1F", "none"},       Case{".inf", "none"},     Case{"'12'", "text"},
      Case{"\"true\"", "text"},   Case{"\"\"", "text"},     Case{"1:30", "text"},
  };
  for (const Case& c : cases) {
    const YamlDocument document = Read("a: " + std::string(c.text) + "\n");
    const YamlNode& node = document.root().Find("a")->value;
    const std::string_view kind = node.is_null()               ? "null"
                                  : node.boolean().has_value() ? "boolean"
                                  : node.number().has_value()  ? "number"
                                  : node.is_text()             ? "text"
                                                               : "none";
    EXPECT_EQ(kind, c.kind) << c.text;
  }
}

constexpr auto kFaults = std::to_array<FaultCase>({
    {"a: 1\nb: 2\n▲a: 3\n", "'a' stands here twice.", "Keep one of the two."},
    {"a: ▲&x 1\n", "An anchor (&name) is not used in these files.",
     "Leave it out, or put a text that begins with & in quotes."},
    {"a: ▲*x\n", "An alias (*name) is not used in these files.",
     "Write the value again, or put a text that begins with * in quotes."},
    {"a: ▲!!str 1\n", "A tag (!name) is not used in these files.",
     "Leave it out, or put a text that begins with ! in quotes."},
    {"a: 1\n▲--- \nb: 2\n", "A second document begins here.", "Keep one document in a file."},
    {"▲[a]: 1\n", "A key is a single word or text.", "Put a key that holds [, { or } in quotes."},
    {"é: 1\nb: \"é▲\xff\"\n", "This is not UTF-8.", "Save the file as UTF-8."},
    {"a: é▲\xe2\x80\xa8z\n", "A line separator other than a plain line break stands here.",
     "Write \\N, \\L or \\P in a text in double quotes."},
    {"a: \"▲\x01\"\n", "A character that no text may hold stands here.",
     "Write it as an escape (\\x07) in double quotes."},
    {"a:\n▲\tb: 1\n", "This is not YAML: found character that cannot start any token.",
     "Indent with spaces."},
    {"a: b▲: c\n", "This is not YAML: mapping values are not allowed in this context.",
     "Put a text that holds ': ' in quotes, and indent the members of a mapping alike."},
    {"a: [b, c\nd▲: 1\n", "This is not YAML: did not find expected ',' or ']'.",
     "Close the bracket, put a comma between members, or put a text with special characters in "
     "quotes."},
    {"a: ▲@b\n", "This is not YAML: found character that cannot start any token.",
     "Put the text in quotes."},
});

TEST(YamlTest, FaultsSayWhereAndWhatToWrite) {
  for (const FaultCase& c : kFaults) ExpectFault(&YamlDocument::Parse, c);
}

TEST(YamlTest, DepthAndSizeAreBounded) {
  const std::string deep = std::string(40, '[') + std::string(40, ']');
  const auto faults = YamlDocument::Parse(deep);
  ASSERT_FALSE(faults);
  EXPECT_EQ(Describe(faults.error(), "f"), "f:1:33: This lies deeper than 32 levels.\n");
  const auto large = YamlDocument::Parse(std::string(kYamlBytesMax + 1, ' '));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().front().message, "The file is larger than 1 MB.");
  EXPECT_FALSE(YamlDocument::Parse(std::string(kYamlBytesMax, '[')));
}

TEST(YamlTest, AnEmptyFileIsNull) {
  EXPECT_TRUE(Read("").root().is_null());
  EXPECT_TRUE(Read("# only a comment\n").root().is_null());
}

TEST(YamlTest, AByteOrderMarkIsNoCharacter) {
  const YamlDocument document = Read(
      "\xEF\xBB\xBF"
      "a: b\n");
  EXPECT_EQ(document.root().Find("a")->value.at, (Position{1, 4}));
  EXPECT_EQ(document.root().Find("a")->value.begin, 6);
}

// Where a byte of the decoded text stands, through escapes, quotes and folds.
TEST(YamlTest, FindsBytesOfAScalarInTheText) {
  constexpr auto kTexts = std::to_array<std::string_view>({
      "a: one ▲two\n",
      "a: 'it''s ▲two'\n",
      "a: \"\\\"one\\\" \\u00e9 ▲two\"\n",
      "a: \"é× ▲two\"\n",
      "a: one\n  ▲two\n",
      "a: \"one\n\n    ▲two\"\n",
      "a: \"one \\\n    ▲two\"\n",
      "a: |\n  one\n  ▲two\n",
      "a: >-\n  one\n  ▲two\n",
      "a: >2\n   one\n   ▲two\n",
      "a: \"one\r\n  ▲two\"\r\n",
  });
  for (const std::string_view text : kTexts) {
    const Marked marked = Unmark(text);
    const YamlDocument document = Read(marked.text);
    const YamlNode& node = document.root().Find("a")->value;
    const std::size_t offset = node.text.find("two");
    ASSERT_NE(offset, std::string::npos) << text;
    const Position found = document.PositionIn(node, offset);
    EXPECT_EQ(found, marked.at) << text << found.line << ":" << found.column;
  }
}

struct EditCase {
  std::string_view before;
  std::vector<std::string_view> path;
  std::string_view value;
  std::string_view after;
};

TEST(YamlEditTest, PatchesTheTextWhereTheValueStands) {
  const std::vector<EditCase> cases = {
      {"a: 1  # one\nb: 2\n", {"a"}, "10", "a: 10  # one\nb: 2\n"},
      {"a: {x: 1, y: 'é'}  # c\n", {"a", "y"}, "\"z\"", "a: {x: 1, y: \"z\"}  # c\n"},
      {"a: {x: 1}\n", {"a", "y"}, "2", "a: {x: 1, y: 2}\n"},
      {"a: {}\n", {"a", "y"}, "2", "a: {y: 2}\n"},
      {"a:\n  x: 1  # last\n# end\nb: 2\n",
       {"a", "y"},
       "2",
       "a:\n  x: 1  # last\n  y: 2\n# end\nb: 2\n"},
      {"a: 1", {"b"}, "2", "a: 1\nb: 2"},
      {"a: 1\r\nb: 2\r\n", {"c"}, "3", "a: 1\r\nb: 2\r\nc: 3\r\n"},
      {"a:\nb: 2\n", {"a"}, "1", "a: 1\nb: 2\n"},
      {"a: 1\n", {"b", "c", "d"}, "2", "a: 1\nb: {c: {d: 2}}\n"},
      {"a: {x: 1}\n", {"a", "y", "z"}, "2", "a: {x: 1, y: {z: 2}}\n"},
      {"a:\n", {"a", "b"}, "2", "a: {b: 2}\n"},
      {"a: [1, 2]\n", {"a"}, "[3]", "a: [3]\n"},
      {"a:\n  - 1\n  - 2  # two\nb: 1\n", {"a"}, "[3]", "a:\n  [3]  # two\nb: 1\n"},
      {"a:\n  b: |\n    text\nc: 1\n", {"a", "d"}, "2", "a:\n  b: |\n    text\n  d: 2\nc: 1\n"},
      {"", {"a"}, "1", "{a: 1}"},
  };
  for (const EditCase& c : cases) {
    const auto after = SetYamlValue(c.before, c.path, c.value);
    ASSERT_TRUE(after) << c.before << Describe(after.error(), "after");
    EXPECT_EQ(*after, c.after);
  }
}

TEST(YamlEditTest, RefusesWhatWouldNotRead) {
  const std::array<std::string_view, 2> inside = {"a", "b"};
  EXPECT_FALSE(SetYamlValue("a: 1\n", inside, "2"));
  EXPECT_FALSE(SetYamlValue("a: {b: 1}\n", inside, "[2"));
}

TEST(YamlEditTest, QuotesWhatWouldReadOtherwise) {
  for (const std::string_view text : {"open", "recent-matches", "a b", "2026-Q2"}) {
    EXPECT_EQ(QuoteYaml(text), text);
  }
  for (const std::string_view text :
       {"", "12", "true", "null", "a: b", "PLAYER#{id}", "- a", "\"x\"", "a\nb", " a", "é\x01"}) {
    const std::string quoted = QuoteYaml(text);
    EXPECT_EQ(quoted.front(), '"');
    EXPECT_EQ(Read("a: " + quoted + "\n").root().Find("a")->value.text, text);
  }
}

}  // namespace
}  // namespace kw::modeller
