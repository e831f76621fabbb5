// SPDX-License-Identifier: Apache-2.0
// The grammar of condition, filter and key condition expressions.
//
//   or         := and { OR and }
//   and        := not { AND not }
//   not        := { NOT } comparison
//   comparison := primary [ comparator primary | BETWEEN primary AND primary
//                         | IN "(" primary { "," primary } ")" ]
//   primary    := "(" or ")" | value | call | path
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/bytes.h"
#include "data/limits.h"
#include "expr/parser.h"

namespace kw {
namespace {

std::optional<ConditionOp> ComparatorOf(TokenKind kind) {
  if (kind == TokenKind::kEqual) return ConditionOp::kEqual;
  if (kind == TokenKind::kNotEqual) return ConditionOp::kNotEqual;
  if (kind == TokenKind::kLess) return ConditionOp::kLess;
  if (kind == TokenKind::kLessEqual) return ConditionOp::kLessEqual;
  if (kind == TokenKind::kGreater) return ConditionOp::kGreater;
  if (kind == TokenKind::kGreaterEqual) return ConditionOp::kGreaterEqual;
  return std::nullopt;
}

// A value as messages about BETWEEN show it; the value has an ordered type.
std::string Display(const AttributeValue& value) {
  std::string text;
  if (const auto* string = value.As<std::string>()) text = *string;
  if (const auto* number = value.As<Number>()) text = number->ToString();
  if (const auto* binary = value.As<Binary>()) text = Base64(binary->bytes);
  return fmt::format("AttributeValue: {{{}:{}}}", WireName(value.type()), text);
}

std::vector<Operand> Pair(Operand first, Operand second) {
  std::vector<Operand> operands;
  operands.reserve(2);
  operands.push_back(std::move(first));
  operands.push_back(std::move(second));
  return operands;
}

}  // namespace

ConditionNode Parser::Condition() { return AsCondition(ParseOr()); }

Parser::Term Parser::ParseOr() {
  Term first = ParseAnd();
  if (token_.kind != TokenKind::kOr) return first;
  ConditionNode node{.op = ConditionOp::kOr, .children = {}, .operands = {}};
  node.children.push_back(AsCondition(std::move(first)));
  while (Take(TokenKind::kOr) && CountOperator()) {
    node.children.push_back(AsCondition(ParseAnd()));
  }
  return {.what = std::move(node)};
}

Parser::Term Parser::ParseAnd() {
  Term first = ParseNot();
  if (token_.kind != TokenKind::kAnd) return first;
  ConditionNode node{.op = ConditionOp::kAnd, .children = {}, .operands = {}};
  node.children.push_back(AsCondition(std::move(first)));
  while (Take(TokenKind::kAnd) && CountOperator()) {
    node.children.push_back(AsCondition(ParseNot()));
  }
  return {.what = std::move(node)};
}

Parser::Term Parser::ParseNot() {
  std::size_t negations = 0;
  while (Take(TokenKind::kNot) && CountOperator()) ++negations;
  Term term = ParseComparison();
  for (; negations > 0; --negations) {
    ConditionNode node{.op = ConditionOp::kNot, .children = {}, .operands = {}};
    node.children.push_back(AsCondition(std::move(term)));
    term = {.what = std::move(node)};
  }
  return term;
}

Parser::Term Parser::ParseComparison() {
  Term first = ParsePrimary();
  if (const auto op = ComparatorOf(token_.kind)) {
    Operand left = AsOperand(std::move(first));
    const std::string_view name = TokenText();
    Advance();
    if (!CountOperator()) return {.what = std::move(left)};
    Operand right = AsOperand(ParsePrimary());
    if (*op != ConditionOp::kEqual && *op != ConditionOp::kNotEqual) {
      CheckType(name, left, kOrderedTypes);
      CheckType(name, right, kOrderedTypes);
    }
    ConditionNode node{
        .op = *op, .children = {}, .operands = Pair(std::move(left), std::move(right))};
    CheckDistinct(name, node.operands);
    return {.what = std::move(node)};
  }
  if (token_.kind == TokenKind::kBetween)
    return {.what = ParseBetween(AsOperand(std::move(first)))};
  if (token_.kind == TokenKind::kIn) return {.what = ParseIn(AsOperand(std::move(first)))};
  return first;
}

ConditionNode Parser::ParseBetween(Operand first) {
  Expect(TokenKind::kBetween);
  CountOperator();
  ConditionNode node{.op = ConditionOp::kBetween, .children = {}, .operands = {}};
  node.operands.push_back(std::move(first));
  node.operands.push_back(AsOperand(ParsePrimary()));
  Expect(TokenKind::kAnd);
  node.operands.push_back(AsOperand(ParsePrimary()));
  for (const Operand& operand : node.operands) CheckType("BETWEEN", operand, kOrderedTypes);
  CheckDistinct("BETWEEN", node.operands);
  CheckBounds(node.operands[1], node.operands[2]);
  return node;
}

void Parser::CheckBounds(const Operand& low, const Operand& high) {
  const auto* lower = LiteralOf(low);
  const auto* upper = LiteralOf(high);
  if (lower == nullptr || upper == nullptr) return;
  const auto order = Compare(*lower, *upper);
  if (order && *order <= 0) return;
  faults_.Record(FaultKind::kBetween,
                 fmt::format("The BETWEEN operator requires {}; lower bound operand: {}, upper "
                             "bound operand: {}",
                             order ? "upper bound to be greater than or equal to lower bound"
                                   : "same data type for lower and upper bounds",
                             Display(*lower), Display(*upper)));
}

ConditionNode Parser::ParseIn(Operand first) {
  Expect(TokenKind::kIn);
  CountOperator();
  ConditionNode node{.op = ConditionOp::kIn, .children = {}, .operands = {}};
  node.operands.push_back(std::move(first));
  Expect(TokenKind::kOpenParenthesis);
  do {
    node.operands.push_back(AsOperand(ParsePrimary()));
  } while (Take(TokenKind::kComma));
  Expect(TokenKind::kCloseParenthesis);
  const std::size_t choices = node.operands.size() - 1;
  if (choices > limits::kInOperandsMax) {
    faults_.Record(FaultKind::kOperandCount,
                   fmt::format("The IN operator is provided with too many operands; number of "
                               "operands: {}",
                               choices));
  }
  CheckDistinct("IN", node.operands);
  return node;
}

Parser::Term Parser::ParsePrimary() {
  if (token_.kind == TokenKind::kValuePlaceholder) return {.what = Operand{ParseValue()}};
  if (AtCall()) return {.what = ParseCall()};
  if (token_.kind != TokenKind::kOpenParenthesis) return {.what = Operand{ParsePath()}};
  if (!EnterParentheses()) return {.what = Operand{}};
  Term term = ParseOr();
  Expect(TokenKind::kCloseParenthesis);
  --depth_;
  if (term.in_parentheses) {
    faults_.Record(FaultKind::kParentheses, "The expression has redundant parentheses;");
  }
  term.in_parentheses = true;
  return term;
}

// Where a condition is needed, an operand is a syntax fault at what follows it, but a function that
// is no condition is a fault of its own.
ConditionNode Parser::AsCondition(Term term) {
  if (auto* node = std::get_if<ConditionNode>(&term.what)) return std::move(*node);
  Operand& operand = std::get<Operand>(term.what);
  auto* call = std::get_if<Call>(&operand.what);
  if (call == nullptr) {
    SyntaxFault();
    return {.op = ConditionOp::kFunction, .children = {}, .operands = {}};
  }
  if (!std::holds_alternative<Test>(call->function->evaluator)) {
    faults_.Record(FaultKind::kFunctionUse,
                   fmt::format("The function is not allowed to be used this way in an expression; "
                               "function: {}",
                               call->function->name));
  }
  return {.op = ConditionOp::kFunction,
          .children = {},
          .operands = std::move(call->arguments),
          .function = call->function};
}

Operand Parser::AsOperand(Term term) {
  auto* operand = std::get_if<Operand>(&term.what);
  if (operand == nullptr) {
    SyntaxFault();
    return {};
  }
  const auto* call = std::get_if<Call>(&operand->what);
  if (call != nullptr && std::holds_alternative<Test>(call->function->evaluator)) {
    faults_.Record(FaultKind::kFunctionUse,
                   fmt::format("The function is not allowed to be used this way in an expression; "
                               "function: {}",
                               call->function->name));
  }
  return std::move(*operand);
}

Result<ConditionNode> ParseConditionTree(std::string_view text, ExpressionKind kind,
                                         Placeholders& placeholders) {
  Parser parser(text, kind, placeholders);
  ConditionNode root = parser.Condition();
  TRY(parser.Finish());
  return root;
}

}  // namespace kw
