// SPDX-License-Identifier: Apache-2.0
// Conditions:
//   or         := and { OR and }
//   and        := not { AND not }
//   not        := NOT not | comparison
//   comparison := sum [ op sum | [NOT] BETWEEN sum AND sum | [NOT] IN list | IS [NOT] type ]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "data/item.h"
#include "data/limits.h"
#include "partiql/nesting.h"
#include "partiql/parser.h"

namespace kw::partiql {
namespace {

ConditionNode NodeOf(ConditionOp op, std::vector<ConditionNode> children) {
  return {.op = op, .children = std::move(children), .operands = {}};
}

ConditionNode Negated(ConditionNode node) {
  std::vector<ConditionNode> children;
  children.push_back(std::move(node));
  return NodeOf(ConditionOp::kNot, std::move(children));
}

ConditionNode NodeOf(ConditionOp op, Operand left, Operand right) {
  ConditionNode node{.op = op, .children = {}, .operands = {}};
  node.operands.reserve(2);
  node.operands.push_back(std::move(left));
  node.operands.push_back(std::move(right));
  return node;
}

std::optional<ConditionOp> OpOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEqual: return ConditionOp::kEqual;
    case TokenKind::kNotEqual: return ConditionOp::kNotEqual;
    case TokenKind::kLess: return ConditionOp::kLess;
    case TokenKind::kLessEqual: return ConditionOp::kLessEqual;
    case TokenKind::kGreater: return ConditionOp::kGreater;
    case TokenKind::kGreaterEqual: return ConditionOp::kGreaterEqual;
    default: return std::nullopt;
  }
}

std::string_view SignOf(ConditionOp op) {
  switch (op) {
    case ConditionOp::kLess: return "<";
    case ConditionOp::kLessEqual: return "<=";
    case ConditionOp::kGreater: return ">";
    case ConditionOp::kGreaterEqual: return ">=";
    case ConditionOp::kBetween: return "BETWEEN";
    case ConditionOp::kEqual:
    case ConditionOp::kNotEqual:
    case ConditionOp::kAnd:
    case ConditionOp::kOr:
    case ConditionOp::kNot:
    case ConditionOp::kIn:
    case ConditionOp::kFunction: break;
  }
  return {};
}

// An order needs strings, numbers or binaries. The sentence is that of expressions.
Result<void> CheckOrdered(ConditionOp op, std::span<const Operand> operands) {
  const std::string_view sign = SignOf(op);
  if (sign.empty()) return {};
  for (const Operand& operand : operands) {
    const auto type = StaticType(operand);
    if (!type || kOrderedTypes.Has(*type)) continue;
    return Invalid(
        fmt::format("Incorrect operand type for operator or function; operator: {}, operand type: "
                    "{}",
                    sign, WireName(*type)));
  }
  return {};
}

std::string Display(const AttributeValue& value) {
  std::string json;
  JsonWriter writer(json);
  WriteJson(value, writer);
  return "AttributeValue: " + json;
}

// The sentences are those of expressions, the display of values is assumed.
Result<void> CheckBounds(const Operand& low, const Operand& high) {
  const auto* lower = LiteralOf(low);
  const auto* upper = LiteralOf(high);
  if (lower == nullptr || upper == nullptr) return {};
  const auto order = Compare(*lower, *upper);
  if (order && *order <= 0) return {};
  return Invalid(
      fmt::format("The BETWEEN operator requires {}; lower bound operand: {}, upper bound operand: "
                  "{}",
                  order ? "upper bound to be greater than or equal to lower bound"
                        : "same data type for lower and upper bounds",
                  Display(*lower), Display(*upper)));
}

// What IS asks for, as the types that attribute_type knows.
// Source: aws-doc ql-operators ("a given, PartiQL data type, including NULL or MISSING"); which
// words name which types is assumed.
struct TypeWord {
  std::string_view word;
  std::array<std::string_view, 3> types;  // none: MISSING
};
constexpr std::array kTypeWords = {
    TypeWord{"MISSING", {}},    TypeWord{"NULL", {"NULL"}},
    TypeWord{"BOOL", {"BOOL"}}, TypeWord{"BOOLEAN", {"BOOL"}},
    TypeWord{"STRING", {"S"}},  TypeWord{"NUMERIC", {"N"}},
    TypeWord{"DECIMAL", {"N"}}, TypeWord{"INTEGER", {"N"}},
    TypeWord{"INT", {"N"}},     TypeWord{"BLOB", {"B"}},
    TypeWord{"LIST", {"L"}},    TypeWord{"STRUCT", {"M"}},
    TypeWord{"TUPLE", {"M"}},   TypeWord{"BAG", {"SS", "NS", "BS"}},
};

ConditionNode CallOf(std::string_view function, Path path, std::string_view type = {}) {
  ConditionNode node{.op = ConditionOp::kFunction,
                     .children = {},
                     .operands = {},
                     .function = FindFunction(function)};
  node.operands.push_back({std::move(path)});
  if (!type.empty()) node.operands.push_back(LiteralOperand(std::string(type)));
  return node;
}

ConditionNode TypeTest(Path path, const TypeWord& wanted) {
  if (wanted.types[0].empty()) return CallOf("attribute_not_exists", std::move(path));
  std::vector<ConditionNode> choices;
  for (const std::string_view type : wanted.types) {
    if (!type.empty()) choices.push_back(CallOf("attribute_type", path, type));
  }
  if (choices.size() == 1) return std::move(choices.front());
  return NodeOf(ConditionOp::kOr, std::move(choices));
}

}  // namespace

Result<Conjuncts> Parser::ParseWhere() {
  Conjuncts conjuncts;
  if (!TakeWord("WHERE")) return conjuncts;
  TRY_ASSIGN(Term term, ParseOr());
  TRY_ASSIGN(ConditionNode root, AsCondition(std::move(term)));
  AddConjuncts(std::move(root), conjuncts);
  return conjuncts;
}

Result<Parser::Term> Parser::ParseOr() {
  TRY_ASSIGN(Term first, ParseAnd());
  if (!AtWord("OR")) return first;
  std::vector<ConditionNode> choices;
  TRY_ASSIGN(choices.emplace_back(), AsCondition(std::move(first)));
  while (TakeWord("OR")) {
    TRY_ASSIGN(Term next, ParseAnd());
    TRY_ASSIGN(choices.emplace_back(), AsCondition(std::move(next)));
  }
  return Term(NodeOf(ConditionOp::kOr, std::move(choices)));
}

Result<Parser::Term> Parser::ParseAnd() {
  TRY_ASSIGN(Term first, ParseNot());
  if (!AtWord("AND")) return first;
  std::vector<ConditionNode> parts;
  TRY_ASSIGN(parts.emplace_back(), AsCondition(std::move(first)));
  while (TakeWord("AND")) {
    TRY_ASSIGN(Term next, ParseNot());
    TRY_ASSIGN(parts.emplace_back(), AsCondition(std::move(next)));
  }
  return Term(NodeOf(ConditionOp::kAnd, std::move(parts)));
}

Result<Parser::Term> Parser::ParseNot() {
  if (!AtWord("NOT")) return ParseComparison();
  const Nesting nesting(depth_);
  TRY(Enter());
  Advance();
  TRY_ASSIGN(Term term, ParseNot());
  TRY_ASSIGN(ConditionNode node, AsCondition(std::move(term)));
  return Term(Negated(std::move(node)));
}

Result<Parser::Term> Parser::ParseComparison() {
  TRY_ASSIGN(Term left, ParseSum(FunctionHome::kCondition));
  if (const auto op = OpOf(token_.kind)) {
    Advance();
    TRY_ASSIGN(ConditionNode node, ParseRelation(*op, std::move(left)));
    return Term(std::move(node));
  }
  if (TakeWord("IS")) {
    TRY_ASSIGN(ConditionNode node, ParseIs(std::move(left)));
    return Term(std::move(node));
  }
  const bool negated = TakeWord("NOT");
  if (AtWord("BETWEEN") || AtWord("IN")) {
    const bool between = TakeWord("BETWEEN");
    if (!between) Advance();
    TRY_ASSIGN(ConditionNode node,
               between ? ParseBetween(std::move(left)) : ParseIn(std::move(left)));
    return Term(negated ? Negated(std::move(node)) : std::move(node));
  }
  if (negated) return Unexpected();
  return left;
}

Result<ConditionNode> Parser::ParseRelation(ConditionOp op, Term left) {
  TRY_ASSIGN(Operand first, AsOperand(std::move(left)));
  TRY_ASSIGN(Operand second, ParseOperand(FunctionHome::kCondition));
  ConditionNode node = NodeOf(op, std::move(first), std::move(second));
  TRY(CheckOrdered(op, node.operands));
  return node;
}

Result<ConditionNode> Parser::ParseBetween(Term value) {
  TRY_ASSIGN(Operand middle, AsOperand(std::move(value)));
  TRY_ASSIGN(Operand low, ParseOperand(FunctionHome::kCondition));
  TRY(ExpectWord("AND"));
  TRY_ASSIGN(Operand high, ParseOperand(FunctionHome::kCondition));
  TRY(CheckBounds(low, high));
  ConditionNode node = NodeOf(ConditionOp::kBetween, std::move(middle), std::move(low));
  node.operands.push_back(std::move(high));
  TRY(CheckOrdered(ConditionOp::kBetween, node.operands));
  return node;
}

// list := "[" sum { "," sum } "]" | "(" sum { "," sum } ")" | "?"
Result<ConditionNode> Parser::ParseIn(Term value) {
  ConditionNode node{.op = ConditionOp::kIn, .children = {}, .operands = {}};
  TRY_ASSIGN(node.operands.emplace_back(), AsOperand(std::move(value)));
  if (token_.kind == TokenKind::kParameter) {
    TRY_ASSIGN(AttributeValue parameter, ParseParameter());
    List* list = parameter.As<List>();
    // assumed: the wording.
    if (list == nullptr) return Invalid("The right side of IN must be a list");
    for (AttributeValue& choice : list->values)
      node.operands.push_back(LiteralOperand(std::move(choice)));
  } else {
    const bool brackets = Take(TokenKind::kOpenBracket);
    if (!brackets) TRY(Expect(TokenKind::kOpenParenthesis));
    do {
      TRY_ASSIGN(Operand choice, ParseOperand(FunctionHome::kCondition));
      node.operands.push_back(std::move(choice));
    } while (Take(TokenKind::kComma));
    TRY(Expect(brackets ? TokenKind::kCloseBracket : TokenKind::kCloseParenthesis));
  }
  const std::size_t choices = node.operands.size() - 1;
  if (choices > limits::kInOperandsMax) {
    return Invalid(fmt::format(
        "The IN operator is provided with too many operands; number of operands: {}", choices));
  }
  return node;
}

Result<ConditionNode> Parser::ParseIs(Term value) {
  const bool negated = TakeWord("NOT");
  const auto* operand = std::get_if<Operand>(&value);
  const auto* path = operand == nullptr ? nullptr : std::get_if<Path>(&operand->what);
  if (path == nullptr || token_.kind != TokenKind::kWord) return Unexpected();
  const auto* wanted = std::ranges::find_if(
      kTypeWords, [&](const TypeWord& row) { return SameWord(row.word, TokenText()); });
  if (wanted == kTypeWords.end()) return Unexpected();
  Advance();
  if (negated && wanted->types[0].empty()) return CallOf("attribute_exists", *path);
  ConditionNode node = TypeTest(*path, *wanted);
  return negated ? Negated(std::move(node)) : std::move(node);
}

}  // namespace kw::partiql
