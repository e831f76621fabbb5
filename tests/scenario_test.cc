// SPDX-License-Identifier: Apache-2.0
#include "scenario.h"

#include <gmock/gmock.h>

namespace kw::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Answers every call with what its body says.
ScenarioTarget Echo() {
  return {.call =
              [](const std::string& operation, const std::string& body) {
                return CallReply{.status = operation == "Fail" ? 400 : 200, .body = body};
              },
          .advance = [](std::chrono::seconds) {},
          .throttle = [] {},
          .read_file = [](const std::string&) { return std::string("{}"); }};
}

std::vector<ScenarioFault> Play(const std::string& text) {
  return PlayScenario(text, Echo(), Bless::kNo).faults;
}

TEST(Scenario, ComparesRepliesAsJson) {
  EXPECT_THAT(
      Play("given a.json\ncall Say {\"a\": 1,\n  \"b\": [2]}\nreply {\"b\":[2],\"a\":1.0}\n"),
      IsEmpty());
  const auto faults = Play("call Say {\"a\": {\"b\": 1}}\n\nreply {\"a\": {\"b\": 2}}\n");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].line, 3U);
  EXPECT_THAT(faults[0].message, HasSubstr("a: b: 1, expected 2"));
}

TEST(Scenario, RefusesAnErrorWithoutProvenance) {
  const std::string call = "call Fail {\"__type\": \"x#Bad\", \"message\": \"No  way\"}\n";
  const auto faults = Play("# text\n" + call + "error Bad No  way\n");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0].message, HasSubstr("provenance"));
  EXPECT_THAT(Play("# assumed\n" + call + "error Bad No  way\n"), IsEmpty());
  // One comment speaks for one error.
  EXPECT_EQ(
      Play("# assumed\n" + call + "error Bad No  way\n" + call + "error Bad No  way\n").size(), 1U);
}

TEST(Scenario, ComparesErrorsByCodeMessageAndDetail) {
  const std::string call =
      "# observed\ncall Fail {\"__type\": \"x#Bad\", \"Message\": \"m\", \"Item\": 1}\n";
  EXPECT_THAT(Play(call + "error Bad m\ndetail {\"Item\": 1}\n"), IsEmpty());
  EXPECT_EQ(Play(call + "error Bad m\ndetail {\"Item\": 2}\n").size(), 1U);
  EXPECT_EQ(Play(call + "error Bad m\ndetail {}\n").size(), 1U);
  EXPECT_EQ(Play(call + "error Bad n\n").size(), 1U);
  EXPECT_EQ(Play(call + "reply {}\n").size(), 1U);
}

TEST(Scenario, RefusesWhatItDoesNotUnderstand) {
  EXPECT_EQ(Play("call Say {}\n").size(), 1U);
  EXPECT_EQ(Play("reply {}\n").size(), 1U);
  EXPECT_EQ(Play("expect {}\n").size(), 1U);
  EXPECT_EQ(Play("advance soon\n").size(), 1U);
}

TEST(Scenario, BlessRewritesOnlyTheOutcomesThatDiffer) {
  const std::string text = "# t\ncall Say {\"a\":1}\nreply {\"a\":\n  2}\ncall Say {}\nreply {}\n";
  EXPECT_EQ(PlayScenario(text, Echo(), Bless::kYes).blessed,
            "# t\ncall Say {\"a\":1}\nreply {\"a\":1}\ncall Say {}\nreply {}\n");
}

TEST(JsonDifference, KnowsBagsAndWildcards) {
  EXPECT_EQ(JsonDifference(R"([1,{"a":"<any>"}])", R"([{"a":[]},1])", true), "");
  EXPECT_NE(JsonDifference(R"([1,2])", R"([2,1])", false), "");
  EXPECT_NE(JsonDifference(R"([1,1])", R"([1,2])", true), "");
  EXPECT_NE(JsonDifference(R"({"a":"<any>"})", "{}", true), "");
}

}  // namespace
}  // namespace kw::test
