// SPDX-License-Identifier: Apache-2.0
// The grammar of update expressions.
//
//   update  := section { section }                     each verb at most once
//   section := SET path "=" sum { "," ... } | REMOVE path { "," ... }
//            | ADD path value { "," ... }   | DELETE path value { "," ... }
//   sum     := term [ ( "+" | "-" ) term ]
//   term    := "(" sum ")" | value | call | path
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "expr/parser.h"
#include "expr/path_set.h"

namespace kw {
namespace {

constexpr std::array kVerbs = {TokenKind::kSet, TokenKind::kRemove, TokenKind::kAdd,
                               TokenKind::kDelete};

std::string_view NameOf(TokenKind verb) {
  if (verb == TokenKind::kSet) return "SET";
  if (verb == TokenKind::kRemove) return "REMOVE";
  if (verb == TokenKind::kAdd) return "ADD";
  return "DELETE";
}

constexpr TypeSet kAddTypes = {AttributeType::kNumber, AttributeType::kStringSet,
                               AttributeType::kNumberSet, AttributeType::kBinarySet};
constexpr TypeSet kNumberOnly = {AttributeType::kNumber};

}  // namespace

UpdateTree Parser::Update() {
  UpdateTree tree;
  std::vector<TokenKind> seen;
  do {
    const TokenKind verb = token_.kind;
    if (std::ranges::find(kVerbs, verb) == kVerbs.end()) {
      SyntaxFault();
      break;
    }
    if (std::ranges::find(seen, verb) != seen.end()) {
      faults_.Record(
          FaultKind::kSection,
          fmt::format("The \"{}\" section can only be used once in an update expression;",
                      NameOf(verb)));
    }
    seen.push_back(verb);
    ParseSection(tree, verb);
  } while (token_.kind != TokenKind::kEnd);
  tree.order = OrderOf(tree.targets);
  CheckClash(tree.targets, tree.order);
  return tree;
}

void Parser::ParseSection(UpdateTree& tree, TokenKind verb) {
  Advance();
  do {
    tree.targets.push_back(ParsePath());
    tree.actions.push_back(ParseAction(verb));
  } while (Take(TokenKind::kComma));
}

UpdateAction Parser::ParseAction(TokenKind verb) {
  if (verb == TokenKind::kRemove) return Remove{};
  if (verb == TokenKind::kSet) {
    Expect(TokenKind::kEqual);
    return ParseSetValue().action;
  }
  const bool adds = verb == TokenKind::kAdd;
  Literal value = ParseValue();
  if (!(adds ? kAddTypes : kSetTypes).Has(value->type())) {
    faults_.Record(FaultKind::kOperandType,
                   fmt::format("Incorrect operand type for operator or function; operator: {0}, "
                               "operand type: {1}, typeSet: ALLOWED_FOR_{0}_OPERAND",
                               NameOf(verb), LongName(value->type())));
  }
  if (adds) return Add{std::move(value)};
  return Delete{std::move(value)};
}

Parser::SetTerm Parser::ParseSetValue() {
  SetTerm first = ParseSetTerm();
  if (token_.kind != TokenKind::kPlus && token_.kind != TokenKind::kMinus) return first;
  const bool adds = token_.kind == TokenKind::kPlus;
  const std::string_view name = TokenText();
  Operand left = AsSetOperand(std::move(first));
  Advance();
  if (!CountOperator()) return {.action = SetValue{std::move(left)}};
  Operand right = AsSetOperand(ParseSetTerm());
  CheckType(name, left, kNumberOnly);
  CheckType(name, right, kNumberOnly);
  if (adds) return {.action = SetSum{std::move(left), std::move(right)}};
  return {.action = SetDifference{std::move(left), std::move(right)}};
}

Parser::SetTerm Parser::ParseSetTerm() {
  if (token_.kind == TokenKind::kValuePlaceholder)
    return {.action = SetValue{Operand{ParseValue()}}};
  if (AtCall()) return {.action = SetValue{ParseCall()}};
  if (token_.kind != TokenKind::kOpenParenthesis) return {.action = SetValue{Operand{ParsePath()}}};
  if (!EnterParentheses()) return {.action = Remove{}};
  SetTerm term = ParseSetValue();
  Expect(TokenKind::kCloseParenthesis);
  --depth_;
  if (term.in_parentheses) {
    faults_.Record(FaultKind::kParentheses, "The expression has redundant parentheses;");
  }
  term.in_parentheses = true;
  return term;
}

// A sum is no operand, in parentheses or not.
Operand Parser::AsSetOperand(SetTerm term) {
  if (auto* set = std::get_if<SetValue>(&term.action)) return std::move(set->value);
  SyntaxFault();
  return {};
}

Result<UpdateTree> ParseUpdateTree(std::string_view text, Placeholders& placeholders) {
  Parser parser(text, ExpressionKind::kUpdate, placeholders);
  UpdateTree tree = parser.Update();
  TRY(parser.Finish());
  return tree;
}

}  // namespace kw
