// SPDX-License-Identifier: Apache-2.0
#include "scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/json.h"

namespace kw::test {
namespace {

// ---- JSON ----

std::string Difference(JsonValue expected, JsonValue actual, bool unordered);

std::string ObjectDifference(JsonObject expected, JsonObject actual, bool unordered) {
  for (const auto [name, value] : expected) {
    const auto found = actual.Find(name);
    if (!found) return fmt::format("{} is missing", name);
    if (const auto difference = Difference(value, *found, unordered); !difference.empty()) {
      return fmt::format("{}: {}", name, difference);
    }
  }
  for (const auto [name, value] : actual) {
    if (!expected.Find(name)) return fmt::format("{} was not expected", name);
  }
  return {};
}

std::string ArrayDifference(JsonArray expected, JsonArray actual, bool unordered) {
  std::vector<JsonValue> left;
  for (const JsonValue value : actual) left.push_back(value);
  if (expected.size() != left.size()) {
    return fmt::format("{} elements, expected {}", left.size(), expected.size());
  }
  std::size_t number = 0;
  for (const JsonValue value : expected) {
    std::string difference;
    const auto matches = [&](JsonValue other) {
      difference = Difference(value, other, unordered);
      return difference.empty();
    };
    const auto found = unordered ? std::ranges::find_if(left, matches)
                                 : (matches(left.front()) ? left.begin() : left.end());
    if (found == left.end()) return fmt::format("[{}]: {}", number, difference);
    left.erase(found);
    ++number;
  }
  return {};
}

bool IsNumber(JsonValue value) {
  return value.is(JsonType::kInteger) || value.is(JsonType::kDouble);
}

std::string Difference(JsonValue expected, JsonValue actual, bool unordered) {
  if (expected.is(JsonType::kString) && expected.string() == "<any>") return {};
  if (IsNumber(expected) && IsNumber(actual)) {
    if (expected.number() == actual.number()) return {};
    return fmt::format("{}, expected {}", actual.number(), expected.number());
  }
  if (expected.type() != actual.type()) return "another type of JSON value";
  switch (expected.type()) {
    case JsonType::kNull: return {};
    case JsonType::kBool:
      return expected.boolean() == actual.boolean() ? "" : "the other of true and false";
    case JsonType::kString:
      if (expected.string() == actual.string()) return {};
      return fmt::format("\"{}\", expected \"{}\"", actual.string(), expected.string());
    case JsonType::kArray: return ArrayDifference(expected.array(), actual.array(), unordered);
    case JsonType::kObject: return ObjectDifference(expected.object(), actual.object(), unordered);
    case JsonType::kInteger:
    case JsonType::kDouble: break;
  }
  return "another number";
}

// The text of a member of an error, whatever the case of its first letter.
std::string ErrorMember(std::string_view body, std::string_view name, std::string_view other_name) {
  JsonParser parser;
  const auto json = parser.Parse(body);
  if (!json || !json->is(JsonType::kObject)) return {};
  auto found = json->object().Find(name);
  if (!found) found = json->object().Find(other_name);
  return found && found->is(JsonType::kString) ? std::string(found->string()) : std::string();
}

std::string DetailDifference(std::string_view expected, std::string_view error) {
  JsonParser expected_parser;
  JsonParser error_parser;
  const auto expected_json = expected_parser.Parse(expected);
  if (!expected_json || !expected_json->is(JsonType::kObject)) return "a detail is a JSON object";
  const auto error_json = error_parser.Parse(error);
  if (!error_json) return "no error came before";
  for (const auto [name, value] : expected_json->object()) {
    const auto found = error_json->object().Find(name);
    if (!found) return fmt::format("{} is missing", name);
    const auto difference = Difference(value, *found, false);
    if (!difference.empty()) return fmt::format("{}: {}", name, difference);
  }
  for (const auto [name, value] : error_json->object()) {
    if (name == "__type" || name == "message" || name == "Message") continue;
    if (!expected_json->object().Find(name)) return fmt::format("{} was not expected", name);
  }
  return {};
}

// ---- the text ----

constexpr std::array<std::string_view, 4> kProvenances{"aws-doc:", "aws-model:", "observed",
                                                       "assumed"};

// One statement: a line that begins with its keyword, and the indented lines behind it.
struct Statement {
  std::size_t line;       // of the keyword, from 1
  std::size_t line_last;  // of the text
  std::string keyword;
  std::string argument;
  bool has_provenance = false;  // in the comments since the outcome before
};

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<Statement> StatementsOf(std::string_view text) {
  std::vector<Statement> statements;
  bool has_provenance = false;
  std::size_t number = 0;
  for (const std::string_view line : LinesOf(text)) {
    ++number;
    if (line.empty()) continue;
    if (line[0] == '#') {
      has_provenance = has_provenance || std::ranges::any_of(kProvenances, [line](auto word) {
                         return line.find(word) != std::string_view::npos;
                       });
      continue;
    }
    if (line[0] == ' ' && !statements.empty()) {
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == std::string_view::npos) continue;
      statements.back().argument.append(" ").append(line.substr(begin));
      statements.back().line_last = number;
      continue;
    }
    const std::size_t space = std::min(line.find(' '), line.size());
    statements.push_back({.line = number,
                          .line_last = number,
                          .keyword = std::string(line.substr(0, space)),
                          .argument = std::string(line.substr(std::min(space + 1, line.size()))),
                          .has_provenance = has_provenance});
    const auto& keyword = statements.back().keyword;
    if (keyword == "error" || keyword == "reply") has_provenance = false;
  }
  return statements;
}

std::pair<std::string, std::string> SplitFirst(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return {text, {}};
  return {text.substr(0, space), text.substr(space + 1)};
}

class Player {
 public:
  Player(const ScenarioTarget& target, Bless bless) : target_(target), bless_(bless) {}

  void Play(const Statement& statement) {
    if (pending_ && statement.keyword != "reply" && statement.keyword != "error") {
      Add(pending_line_, "a call without its reply or error");
      pending_.reset();
    }
    if (statement.keyword == "given") {
      Given(statement);
    } else if (statement.keyword == "call") {
      const auto [operation, body] = SplitFirst(statement.argument);
      pending_ = target_.call(operation, body);
      pending_line_ = statement.line;
    } else if (statement.keyword == "reply" || statement.keyword == "error") {
      Outcome(statement);
    } else if (statement.keyword == "detail") {
      Detail(statement);
    } else if (statement.keyword == "advance") {
      Advance(statement);
    } else {
      Add(statement.line, "no such statement: " + statement.keyword);
    }
  }

  void End() {
    if (pending_) Add(pending_line_, "a call without its reply or error");
  }

  struct Replacement {
    std::size_t line;
    std::size_t line_last;
    std::string text;
  };
  std::vector<ScenarioFault> faults_;
  std::vector<Replacement> replacements_;

 private:
  void Add(std::size_t line, std::string message) { faults_.push_back({line, std::move(message)}); }

  // A table file holds the body of CreateTable.
  void Given(const Statement& statement) {
    if (statement.argument == "throttling") return target_.throttle();
    const CallReply reply = target_.call("CreateTable", target_.read_file(statement.argument));
    if (reply.status != 200) Add(statement.line, "the table was not created: " + reply.body);
  }

  void Advance(const Statement& statement) {
    std::int64_t seconds = 0;
    const auto& text = statement.argument;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || std::string_view(end) != "s") {
      return Add(statement.line, "advance wants seconds, such as 600s");
    }
    target_.advance(std::chrono::seconds(seconds));
  }

  void Outcome(const Statement& statement) {
    if (!pending_) return Add(statement.line, "an outcome without a call");
    const CallReply reply = *std::exchange(pending_, std::nullopt);
    const std::string difference = statement.keyword == "reply" ? ReplyDifference(statement, reply)
                                                                : ErrorDifference(statement, reply);
    if (difference.empty()) return;
    if (bless_ == Bless::kYes) {
      replacements_.push_back({statement.line, statement.line_last, Written(reply)});
    } else {
      Add(statement.line, difference);
    }
  }

  // What the error just met has beside its code and message.
  void Detail(const Statement& statement) {
    const std::string difference = DetailDifference(statement.argument, last_error_);
    if (!difference.empty()) {
      Add(statement.line, fmt::format("{}\n    got {}", difference, last_error_));
    }
  }

  static std::string ReplyDifference(const Statement& statement, const CallReply& reply) {
    if (reply.status != 200) return fmt::format("status {}: {}", reply.status, reply.body);
    constexpr std::string_view kUnordered = "unordered ";
    std::string_view expected = statement.argument;
    const bool unordered = expected.starts_with(kUnordered);
    if (unordered) expected.remove_prefix(kUnordered.size());
    std::string difference = JsonDifference(expected, reply.body, unordered);
    return difference.empty() ? difference : fmt::format("{}\n    got {}", difference, reply.body);
  }

  std::string ErrorDifference(const Statement& statement, const CallReply& reply) {
    if (!statement.has_provenance) {
      Add(statement.line, "an error without the provenance of its text in a comment before it");
    }
    if (reply.status < 400) return "no error, but " + reply.body;
    last_error_ = reply.body;
    const std::string got = WrittenError(reply).substr(std::string_view("error ").size());
    return got == statement.argument
               ? std::string()
               : fmt::format("\n    got  {}\n    want {}", got, statement.argument);
  }

  static std::string WrittenError(const CallReply& reply) {
    std::string code = ErrorMember(reply.body, "__type", "__type");
    code.erase(0, code.find('#') + 1);
    const std::string message = ErrorMember(reply.body, "message", "Message");
    return fmt::format("error {}{}{}", code, message.empty() ? "" : " ", message);
  }

  static std::string Written(const CallReply& reply) {
    return reply.status == 200 ? "reply " + reply.body : WrittenError(reply);
  }

  const ScenarioTarget& target_;
  Bless bless_;
  std::optional<CallReply> pending_;
  std::size_t pending_line_ = 0;
  std::string last_error_;
};

std::string Replace(std::string_view text, const std::vector<Player::Replacement>& replacements) {
  std::string blessed;
  auto next = replacements.begin();
  std::size_t number = 0;
  for (const std::string_view line : LinesOf(text)) {
    ++number;
    if (next != replacements.end() && number >= next->line) {
      if (number == next->line) blessed.append(next->text).append("\n");
      if (number == next->line_last) ++next;
      continue;
    }
    blessed.append(line).append("\n");
  }
  return blessed;
}

}  // namespace

std::string JsonDifference(std::string_view expected, std::string_view actual, bool unordered) {
  JsonParser expected_parser;
  JsonParser actual_parser;
  const auto expected_json = expected_parser.Parse(expected);
  if (!expected_json) return "the expected reply is no JSON";
  const auto actual_json = actual_parser.Parse(actual);
  if (!actual_json) return "the reply is no JSON";
  return Difference(*expected_json, *actual_json, unordered);
}

ScenarioOutcome PlayScenario(const std::string& text, const ScenarioTarget& target, Bless bless) {
  Player player(target, bless);
  for (const Statement& statement : StatementsOf(text)) player.Play(statement);
  player.End();
  return {.faults = std::move(player.faults_), .blessed = Replace(text, player.replacements_)};
}

}  // namespace kw::test
