// SPDX-License-Identifier: Apache-2.0
#include "partiql/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "data/limits.h"
#include "partiql/arithmetic.h"
#include "partiql/nesting.h"

namespace kw::partiql {
namespace {

// Of one chain of sums: it becomes as deep a tree.
constexpr std::size_t kSumTermsMax = 64;

Error Mismatch() {
  // assumed: the service's sentence, from memory.
  return {ErrorCode::kValidation, "Number of parameters in request and statement don't match.", {}};
}

tl::unexpected<Error> InvalidParameter(std::string_view what) {
  return Invalid(fmt::format("One or more parameter values were invalid: {}", what));
}

template <class Member>
Result<std::vector<Member>> MembersOf(std::vector<AttributeValue> values) {
  std::vector<Member> members;
  members.reserve(values.size());
  for (AttributeValue& value : values) {
    Member* member = value.As<Member>();
    // assumed: the wording.
    if (member == nullptr) return InvalidParameter("All members of a set must be of one type");
    members.push_back(std::move(*member));
  }
  std::ranges::sort(members);
  if (std::ranges::adjacent_find(members) != members.end()) {
    return Invalid("Input collection contains duplicates");
  }
  return members;
}

Result<AttributeValue> SetOf(std::vector<AttributeValue> values) {
  // assumed: the wording, after that of an empty string set.
  if (values.empty()) return InvalidParameter("An string set  may not be empty");
  switch (values.front().type()) {
    case AttributeType::kString: {
      TRY_ASSIGN(auto members, MembersOf<std::string>(std::move(values)));
      return AttributeValue(StringSet{std::move(members)});
    }
    case AttributeType::kNumber: {
      TRY_ASSIGN(auto members, MembersOf<Number>(std::move(values)));
      return AttributeValue(NumberSet{std::move(members)});
    }
    case AttributeType::kBinary: {
      TRY_ASSIGN(auto members, MembersOf<Binary>(std::move(values)));
      return AttributeValue(BinarySet{std::move(members)});
    }
    case AttributeType::kBool:
    case AttributeType::kNull:
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet:
    case AttributeType::kList:
    case AttributeType::kMap: break;
  }
  return InvalidParameter("All members of a set must be strings, numbers or binaries");
}

// What can never work with these arguments. The sentences are those of expressions.
Result<void> CheckArguments(const Function& function, const std::vector<Operand>& arguments) {
  if (arguments.size() != function.count) {
    return Invalid(
        fmt::format("Incorrect number of operands for operator or function; operator or function: "
                    "{}, number of operands: {}",
                    function.name, arguments.size()));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& wanted = function.arguments[i];
    const auto type = StaticType(arguments[i]);
    if (type && !wanted.types.Has(*type)) {
      return Invalid(
          fmt::format("Incorrect operand type for operator or function; operator or function: {}, "
                      "operand type: {}",
                      function.name, WireName(*type)));
    }
    const auto* value = LiteralOf(arguments[i]);
    if (wanted.form != ArgumentForm::kValue) continue;
    const auto* name = value == nullptr ? nullptr : value->As<std::string>();
    if (name == nullptr || !IsTypeName(*name)) {
      return Invalid(
          fmt::format("Invalid attribute type name found; type: {}, valid types: "
                      "{{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}",
                      name == nullptr ? "PATH" : *name));
    }
  }
  return {};
}

// The functions that statements may call, by the names in the documentation.
// Source: AWS Developer Guide, "Use PartiQL functions with DynamoDB".
const Function* FindStatementFunction(std::string_view name, FunctionHome home) {
  struct Row {
    std::string_view name;
    FunctionHome home;
  };
  constexpr Row kRows[] = {{"attribute_type", FunctionHome::kCondition},
                           {"begins_with", FunctionHome::kCondition},
                           {"contains", FunctionHome::kCondition},
                           {"size", FunctionHome::kCondition},
                           {"list_append", FunctionHome::kUpdate}};
  for (const Row& row : kRows) {
    if (row.home == home && SameWord(row.name, name)) return FindFunction(row.name);
  }
  return nullptr;
}

Result<Operand> Combined(Arithmetic operation, FunctionHome home, Operand left, Operand right) {
  const Function& function = FunctionOf(operation, home);
  for (const Operand* side : {&left, &right}) {
    const auto type = StaticType(*side);
    if (!type || *type == AttributeType::kNumber) continue;
    return Invalid(
        fmt::format("Incorrect operand type for operator or function; operator or function: {}, "
                    "operand type: {}",
                    function.name, WireName(*type)));
  }
  // Of two literals the result is one, so that it may stand for a key.
  const auto* a = LiteralOf(left);
  const auto* b = LiteralOf(right);
  if (a != nullptr && b != nullptr) {
    TRY_ASSIGN(Number value, operation == Arithmetic::kAdd
                                 ? Number::Add(*a->As<Number>(), *b->As<Number>())
                                 : Number::Subtract(*a->As<Number>(), *b->As<Number>()));
    return LiteralOperand(value);
  }
  Call call{&function, {}};
  call.arguments.push_back(std::move(left));
  call.arguments.push_back(std::move(right));
  return Operand{std::move(call)};
}

}  // namespace

// ---- tokens ----

Parser::Parser(std::string_view text, std::vector<AttributeValue> parameters)
    : text_(text), parameters_(std::move(parameters)), token_(TokenAt(text, 0)) {}

void Parser::Advance() { token_ = TokenAt(text_, token_.end); }

bool Parser::Take(TokenKind kind) {
  if (token_.kind != kind) return false;
  Advance();
  return true;
}

bool Parser::AtWord(std::string_view word) const {
  return token_.kind == TokenKind::kWord && SameWord(TokenText(), word);
}

bool Parser::TakeWord(std::string_view word) {
  if (!AtWord(word)) return false;
  Advance();
  return true;
}

Result<void> Parser::Expect(TokenKind kind) {
  if (!Take(kind)) return Unexpected();
  return {};
}

Result<void> Parser::ExpectWord(std::string_view word) {
  if (!TakeWord(word)) return Unexpected();
  return {};
}

bool Parser::AtCall(std::string_view function) const {
  return token_.kind == TokenKind::kWord && (function.empty() || SameWord(TokenText(), function)) &&
         TokenAt(text_, token_.end).kind == TokenKind::kOpenParenthesis;
}

// assumed: everything behind the colon; line and column count from 1, the last is a length.
tl::unexpected<Error> Parser::Fault(std::string_view what) const {
  const std::string_view before = text_.substr(0, token_.begin);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t line_begin = before.rfind('\n') + 1;
  return Invalid(fmt::format("Statement wasn't well formed, can't be processed: {} at {}:{}:{}",
                             what, line, token_.begin - line_begin + 1, token_.end - token_.begin));
}

tl::unexpected<Error> Parser::Unexpected() const {
  if (token_.kind == TokenKind::kEnd) return Fault("Unexpected end of statement");
  if (token_.kind == TokenKind::kUnknown) return Fault("Invalid character");
  if (token_.kind == TokenKind::kWord && IsKeyword(TokenText())) return Fault("Unexpected keyword");
  return Fault("Unexpected term");
}

Result<void> Parser::Enter() {
  if (depth_ == kNestingMax) return Fault("Statement is nested too deeply");
  ++depth_;
  return {};
}

Result<void> Parser::Finish() {
  Take(TokenKind::kSemicolon);
  if (token_.kind != TokenKind::kEnd) return Unexpected();
  if (parameters_used_ != parameters_.size()) return kw::Unexpected(Mismatch());
  return {};
}

// ---- names ----

Result<std::string> Parser::ParseName() {
  if (token_.kind == TokenKind::kWord && !IsKeyword(TokenText())) {
    std::string name(TokenText());
    Advance();
    return name;
  }
  if (token_.kind != TokenKind::kQuoted) return Unexpected();
  std::string name = Unquoted(TokenText());
  Advance();
  return name;
}

Result<Target> Parser::ParseTarget() {
  Target target;
  TRY_ASSIGN(target.table, ParseName());
  if (!Take(TokenKind::kDot)) return target;
  TRY_ASSIGN(target.index, ParseName());
  return target;
}

// path := name { "." name | "[" number "]" | "[" string "]" }
Result<Path> Parser::ParsePath() {
  Path path;
  TRY_ASSIGN(path.attribute, ParseName());
  while (true) {
    if (Take(TokenKind::kDot)) {
      TRY_ASSIGN(std::string name, ParseName());
      path.steps.emplace_back(std::move(name));
    } else if (Take(TokenKind::kOpenBracket)) {
      TRY_ASSIGN(PathStep step, ParseIndex());
      path.steps.push_back(std::move(step));
    } else {
      break;
    }
  }
  if (path.steps.size() > limits::kNestingMax) {
    return Invalid(fmt::format("The document path has too many nesting levels; nesting levels: {}",
                               path.steps.size()));
  }
  return path;
}

Result<PathStep> Parser::ParseIndex() {
  const std::string_view text = TokenText();
  PathStep step;
  if (token_.kind == TokenKind::kString) {
    step = Unquoted(text);
  } else {
    std::uint32_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (token_.kind != TokenKind::kNumber || end != text.data() + text.size()) return Unexpected();
    if (error != std::errc()) {
      return Invalid(
          fmt::format("List index is not within the allowable range; index: [{}]", text));
    }
    step = std::uint64_t{index};
  }
  Advance();
  TRY(Expect(TokenKind::kCloseBracket));
  return step;
}

// ---- values ----

// value := string | [sign] number | TRUE | FALSE | NULL | "?" | list | map | set
Result<AttributeValue> Parser::ParseValue() {
  switch (token_.kind) {
    case TokenKind::kString: {
      std::string text = Unquoted(TokenText());
      Advance();
      return AttributeValue(std::move(text));
    }
    case TokenKind::kNumber: return ParseNumber(false);
    case TokenKind::kMinus:
    case TokenKind::kPlus: {
      const bool negative = token_.kind == TokenKind::kMinus;
      Advance();
      return ParseNumber(negative);
    }
    case TokenKind::kParameter: return ParseParameter();
    case TokenKind::kOpenBracket: return ParseList();
    case TokenKind::kOpenBrace: return ParseMap();
    case TokenKind::kOpenSet: return ParseSet();
    default: break;
  }
  if (TakeWord("TRUE")) return AttributeValue(true);
  if (TakeWord("FALSE")) return AttributeValue(false);
  if (TakeWord("NULL")) return AttributeValue(Null{});
  return Unexpected();
}

Result<AttributeValue> Parser::ParseNumber(bool negative) {
  if (token_.kind != TokenKind::kNumber) return Unexpected();
  TRY_ASSIGN(const Number number, Number::Parse(TokenText()));
  Advance();
  return AttributeValue(negative ? number.Negated() : number);
}

Result<AttributeValue> Parser::ParseParameter() {
  if (parameters_used_ == parameters_.size()) return kw::Unexpected(Mismatch());
  Advance();
  return std::move(parameters_[parameters_used_++]);
}

Result<AttributeValue> Parser::ParseList() {
  const Nesting nesting(depth_);
  TRY(Enter());
  Advance();
  List list;
  if (Take(TokenKind::kCloseBracket)) return AttributeValue(std::move(list));
  do {
    TRY_ASSIGN(list.values.emplace_back(), ParseValue());
  } while (Take(TokenKind::kComma));
  TRY(Expect(TokenKind::kCloseBracket));
  return AttributeValue(std::move(list));
}

Result<AttributeValue> Parser::ParseMap() {
  const Nesting nesting(depth_);
  TRY(Enter());
  Advance();
  std::vector<AttributeMap::Entry> entries;
  if (!Take(TokenKind::kCloseBrace)) {
    do {
      if (token_.kind != TokenKind::kString) return Unexpected();
      std::string name = Unquoted(TokenText());
      Advance();
      TRY(Expect(TokenKind::kColon));
      TRY_ASSIGN(AttributeValue value, ParseValue());
      entries.emplace_back(std::move(name), std::move(value));
    } while (Take(TokenKind::kComma));
    TRY(Expect(TokenKind::kCloseBrace));
  }
  return AttributeValue(AttributeMap::FromEntries(std::move(entries)));
}

Result<AttributeValue> Parser::ParseSet() {
  const Nesting nesting(depth_);
  TRY(Enter());
  Advance();
  std::vector<AttributeValue> values;
  if (!Take(TokenKind::kCloseSet)) {
    do {
      TRY_ASSIGN(values.emplace_back(), ParseValue());
    } while (Take(TokenKind::kComma));
    TRY(Expect(TokenKind::kCloseSet));
  }
  return SetOf(std::move(values));
}

// ---- operands ----

Result<Operand> Parser::AsOperand(Term term) const {
  if (auto* operand = std::get_if<Operand>(&term)) return std::move(*operand);
  return Unexpected();
}

Result<ConditionNode> Parser::AsCondition(Term term) const {
  if (auto* node = std::get_if<ConditionNode>(&term)) return std::move(*node);
  return Unexpected();
}

Result<Operand> Parser::ParseOperand(FunctionHome home) {
  TRY_ASSIGN(Term term, ParseSum(home));
  return AsOperand(std::move(term));
}

// sum := primary { ("+" | "-") primary }
Result<Parser::Term> Parser::ParseSum(FunctionHome home) {
  TRY_ASSIGN(Term sum, ParsePrimary(home));
  std::size_t terms = 1;
  while (token_.kind == TokenKind::kPlus || token_.kind == TokenKind::kMinus) {
    if (++terms > kSumTermsMax) return Fault("Too many operators");
    const auto operation =
        token_.kind == TokenKind::kPlus ? Arithmetic::kAdd : Arithmetic::kSubtract;
    Advance();
    TRY_ASSIGN(Operand left, AsOperand(std::move(sum)));
    TRY_ASSIGN(Term next, ParsePrimary(home));
    TRY_ASSIGN(Operand right, AsOperand(std::move(next)));
    TRY_ASSIGN(Operand combined, Combined(operation, home, std::move(left), std::move(right)));
    sum = std::move(combined);
  }
  return sum;
}

// primary := "(" condition or sum ")" | call | path | value
Result<Parser::Term> Parser::ParsePrimary(FunctionHome home) {
  if (token_.kind == TokenKind::kOpenParenthesis) {
    const Nesting nesting(depth_);
    TRY(Enter());
    Advance();
    TRY_ASSIGN(Term inner, home == FunctionHome::kUpdate ? ParseSum(home) : ParseOr());
    TRY(Expect(TokenKind::kCloseParenthesis));
    return inner;
  }
  if (AtCall()) return ParseCall(home);
  const bool names = token_.kind == TokenKind::kQuoted ||
                     (token_.kind == TokenKind::kWord && !IsKeyword(TokenText()));
  if (names) {
    TRY_ASSIGN(Path path, ParsePath());
    return Term(Operand{std::move(path)});
  }
  TRY_ASSIGN(AttributeValue value, ParseValue());
  return Term(LiteralOperand(std::move(value)));
}

// call := name "(" sum { "," sum } ")"
Result<Parser::Term> Parser::ParseCall(FunctionHome home) {
  const Nesting nesting(depth_);
  TRY(Enter());
  const Function* function = FindStatementFunction(TokenText(), home);
  if (function == nullptr) return Fault(fmt::format("Unsupported function: {}", TokenText()));
  Advance();
  Advance();
  std::vector<Operand> arguments;
  if (!Take(TokenKind::kCloseParenthesis)) {
    do {
      TRY_ASSIGN(Operand argument, ParseOperand(home));
      arguments.push_back(std::move(argument));
    } while (Take(TokenKind::kComma));
    TRY(Expect(TokenKind::kCloseParenthesis));
  }
  TRY(CheckArguments(*function, arguments));
  if (std::holds_alternative<Compute>(function->evaluator)) {
    return Term(Operand{Call{function, std::move(arguments)}});
  }
  return Term(ConditionNode{.op = ConditionOp::kFunction,
                            .children = {},
                            .operands = std::move(arguments),
                            .function = function});
}

}  // namespace kw::partiql
