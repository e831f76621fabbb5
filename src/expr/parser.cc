// SPDX-License-Identifier: Apache-2.0
#include "expr/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "data/limits.h"
#include "expr/path_set.h"
#include "expr/reserved_words.h"

namespace kw {
namespace {

constexpr std::array kConditionKeywords = {
    Keyword{"AND", TokenKind::kAnd}, Keyword{"OR", TokenKind::kOr},
    Keyword{"NOT", TokenKind::kNot}, Keyword{"BETWEEN", TokenKind::kBetween},
    Keyword{"IN", TokenKind::kIn},
};
constexpr std::array kUpdateKeywords = {
    Keyword{"SET", TokenKind::kSet},
    Keyword{"REMOVE", TokenKind::kRemove},
    Keyword{"ADD", TokenKind::kAdd},
    Keyword{"DELETE", TokenKind::kDelete},
};

std::span<const Keyword> KeywordsOf(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kCondition:
    case ExpressionKind::kFilter:
    case ExpressionKind::kKeyCondition: return kConditionKeywords;
    case ExpressionKind::kUpdate: return kUpdateKeywords;
    case ExpressionKind::kProjection: return {};
  }
  return {};
}

std::string_view ParameterOf(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kCondition: return "ConditionExpression";
    case ExpressionKind::kFilter: return "FilterExpression";
    case ExpressionKind::kKeyCondition: return "KeyConditionExpression";
    case ExpressionKind::kUpdate: return "UpdateExpression";
    case ExpressionKind::kProjection: return "ProjectionExpression";
  }
  return {};
}

// As "not allowed in ..." says it.
std::string_view ArticleOf(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kCondition: return "a condition expression";
    case ExpressionKind::kFilter: return "a filter expression";
    case ExpressionKind::kKeyCondition: return "a key condition expression";
    case ExpressionKind::kUpdate: return "an update expression";
    case ExpressionKind::kProjection: return "a projection expression";
  }
  return {};
}

FunctionHome HomeOf(ExpressionKind kind) {
  return kind == ExpressionKind::kUpdate ? FunctionHome::kUpdate : FunctionHome::kCondition;
}

// Parentheses right within parentheses are refused, and everything else that nests costs an
// operator: no sensible text goes deeper than this.
constexpr std::size_t kDepthMax = limits::kExpressionOperatorsMax + 10;

// Stands for a function that does not exist, so that the rest of the text can be checked.
const Function kUnknownFunction{
    "", FunctionHome::kCondition,
    0,  {},
    {}, Test([](std::span<const Operand>, const AttributeMap&) {
      return false; })};

}  // namespace

Parser::Parser(std::string_view text, ExpressionKind kind, Placeholders& placeholders)
    : text_(text), kind_(kind), placeholders_(placeholders), lexer_(text, KeywordsOf(kind)) {
  if (text.size() > limits::kExpressionBytesMax) {
    faults_.Record(FaultKind::kSyntax,
                   fmt::format("Expression size has exceeded the maximum allowed size; expression "
                               "size: {}",
                               text.size()));
    StopEarly();
    return;
  }
  token_ = lexer_.TokenAt(0);
  if (token_.kind == TokenKind::kEnd) {
    faults_.Record(FaultKind::kSyntax, "The expression can not be empty;");
    StopEarly();
  }
}

Result<void> Parser::Finish() {
  if (token_.kind != TokenKind::kEnd) SyntaxFault();
  if (faults_.none()) return {};
  return Invalid(fmt::format("Invalid {}: {}", ParameterOf(kind_), faults_.message()));
}

void Parser::Advance() {
  previous_ = token_;
  token_ = lexer_.TokenAt(token_.end);
}

bool Parser::Take(TokenKind kind) {
  if (token_.kind != kind) return false;
  Advance();
  return true;
}

void Parser::Expect(TokenKind kind) {
  if (!Take(kind)) SyntaxFault();
}

void Parser::SyntaxFault() {
  if (stopped_) return;
  const bool at_end = token_.kind == TokenKind::kEnd;
  const Token next = lexer_.TokenAt(token_.end);
  const std::size_t begin = previous_.end == 0 ? token_.begin : previous_.begin;
  const std::size_t end = at_end                         ? previous_.end
                          : next.kind == TokenKind::kEnd ? token_.end
                                                         : next.end;
  faults_.Record(FaultKind::kSyntax, fmt::format("Syntax error; token: \"{}\", near: \"{}\"",
                                                 at_end ? std::string_view("<EOF>") : TokenText(),
                                                 text_.substr(begin, end - begin)));
  StopEarly();
}

void Parser::StopEarly() {
  stopped_ = true;
  token_ = {TokenKind::kEnd, text_.size(), text_.size()};
}

bool Parser::AtCall() const {
  return token_.kind == TokenKind::kName &&
         lexer_.TokenAt(token_.end).kind == TokenKind::kOpenParenthesis;
}

bool Parser::CountOperator() {
  if (++operators_ <= limits::kExpressionOperatorsMax) return true;
  faults_.Record(
      FaultKind::kOperatorCount,
      fmt::format("The expression contains too many operators; operator count: {}", operators_));
  StopEarly();
  return false;
}

bool Parser::EnterParentheses() {
  Expect(TokenKind::kOpenParenthesis);
  if (++depth_ <= kDepthMax) return true;
  faults_.Record(FaultKind::kParentheses, "The expression has redundant parentheses;");
  StopEarly();
  return false;
}

// path := name { "." name | "[" number "]" }
Path Parser::ParsePath() {
  Path path;
  path.attribute = ParseName();
  while (true) {
    if (Take(TokenKind::kDot)) {
      path.steps.emplace_back(ParseName());
    } else if (Take(TokenKind::kOpenBracket)) {
      path.steps.emplace_back(ParseIndex());
    } else {
      break;
    }
  }
  if (path.steps.size() > limits::kNestingMax) {
    faults_.Record(FaultKind::kPathDepth,
                   fmt::format("The document path has too many nesting levels; nesting levels: {}",
                               path.steps.size()));
  }
  return path;
}

std::string Parser::ParseName() {
  const std::string_view text = TokenText();
  if (Take(TokenKind::kName)) {
    if (IsReservedWord(text)) {
      faults_.Record(
          FaultKind::kReservedWord,
          fmt::format("Attribute name is a reserved keyword; reserved keyword: {}", text));
    }
    return std::string(text);
  }
  if (!Take(TokenKind::kNamePlaceholder)) {
    SyntaxFault();
    return {};
  }
  if (const std::string* name = placeholders_.Name(text)) return *name;
  faults_.Record(FaultKind::kUndefinedName,
                 fmt::format("An expression attribute name used in the document path is not "
                             "defined; attribute name: {}",
                             text));
  return std::string(text);
}

std::uint64_t Parser::ParseIndex() {
  const std::string_view digits = TokenText();
  Expect(TokenKind::kNumber);
  Expect(TokenKind::kCloseBracket);
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc()) {
    faults_.Record(
        FaultKind::kListIndex,
        fmt::format("List index is not within the allowable range; index: [{}]", digits));
  }
  return index;
}

Literal Parser::ParseValue() {
  const std::string_view placeholder = TokenText();
  if (!Take(TokenKind::kValuePlaceholder)) {
    SyntaxFault();
    return std::make_shared<const AttributeValue>();
  }
  if (auto value = placeholders_.Value(placeholder)) return value;
  faults_.Record(FaultKind::kUndefinedValue,
                 fmt::format("An expression attribute value used in expression is not defined; "
                             "attribute value: {}",
                             placeholder));
  return std::make_shared<const AttributeValue>();
}

// call := name "(" operand { "," operand } ")"
Operand Parser::ParseCall() {
  const std::string_view name = TokenText();
  Advance();
  if (!CountOperator() || !EnterParentheses()) return {};
  const Function* function = FindFunction(name);
  CheckFunction(function, name);
  Call call{function == nullptr ? &kUnknownFunction : function, {}};
  do {
    call.arguments.push_back(ParseOperand());
  } while (Take(TokenKind::kComma));
  Expect(TokenKind::kCloseParenthesis);
  --depth_;
  if (function != nullptr && call.arguments.size() == function->count) {
    CheckArguments(call);
  } else if (function != nullptr) {
    faults_.Record(FaultKind::kOperandCount,
                   fmt::format("Incorrect number of operands for operator or function; operator or "
                               "function: {}, number of operands: {}",
                               name, call.arguments.size()));
  }
  return Operand{std::move(call)};
}

// What may be an argument: conditions have parentheses around operands, updates have none.
Operand Parser::ParseOperand() {
  if (kind_ == ExpressionKind::kUpdate) return AsSetOperand(ParseSetTerm());
  return AsOperand(ParsePrimary());
}

void Parser::CheckFunction(const Function* function, std::string_view name) {
  if (function == nullptr) {
    faults_.Record(FaultKind::kFunctionName,
                   fmt::format("Invalid function name; function: {}", name));
  } else if (function->home != HomeOf(kind_)) {
    faults_.Record(
        FaultKind::kFunctionName,
        fmt::format("The function is not allowed in {}; function: {}", ArticleOf(kind_), name));
  }
}

void Parser::CheckArguments(const Call& call) {
  const Function& function = *call.function;
  for (std::size_t i = 0; i < function.count; ++i) {
    const Argument& wanted = function.arguments[i];
    const Operand& given = call.arguments[i];
    if (wanted.form == ArgumentForm::kPath && !std::holds_alternative<Path>(given.what)) {
      faults_.Record(FaultKind::kPathNeeded,
                     fmt::format("The operator or function requires a document path; operator or "
                                 "function: {}",
                                 function.name));
    } else if (wanted.form == ArgumentForm::kValue && LiteralOf(given) == nullptr) {
      faults_.Record(FaultKind::kOperandType,
                     fmt::format("Incorrect operand type for operator or function; operator or "
                                 "function: {}, operand type: PATH",
                                 function.name));
    } else {
      CheckType(function.name, given, wanted.types);
    }
  }
  if (std::holds_alternative<Test>(function.evaluator))
    CheckDistinct(function.name, call.arguments);
  if (function.count < 2 || function.arguments[1].form != ArgumentForm::kValue) return;
  const auto* value = LiteralOf(call.arguments[1]);
  const auto* type = value == nullptr ? nullptr : value->As<std::string>();
  if (type != nullptr && !IsTypeName(*type)) {
    faults_.Record(FaultKind::kTypeName,
                   fmt::format("Invalid attribute type name found; type: {}, valid types: "
                               "{{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}",
                               *type));
  }
}

void Parser::CheckType(std::string_view operation, const Operand& operand, TypeSet types) {
  const auto type = StaticType(operand);
  if (!type || types.Has(*type)) return;
  faults_.Record(FaultKind::kOperandType,
                 fmt::format("Incorrect operand type for operator or function; operator or "
                             "function: {}, operand type: {}",
                             operation, WireName(*type)));
}

void Parser::CheckDistinct(std::string_view operation, const std::vector<Operand>& operands) {
  const auto* first = std::get_if<Path>(&operands.front().what);
  if (first == nullptr) return;
  const bool repeated =
      std::ranges::any_of(std::span(operands).subspan(1), [&](const Operand& other) {
        const auto* path = std::get_if<Path>(&other.what);
        return path != nullptr && *path == *first;
      });
  if (!repeated) return;
  faults_.Record(FaultKind::kSameOperand,
                 fmt::format("The first operand must be distinct from the remaining operands for "
                             "this operator or function; operator: {}, first operand: {}",
                             operation, DisplayPath(*first)));
}

void Parser::CheckClash(std::span<const Path> paths, std::span<const std::size_t> order) {
  if (auto clash = FindClash(paths, order)) {
    faults_.Record(FaultKind::kPathClash, std::move(*clash));
  }
}

// projection := path { "," path }
std::vector<Path> Parser::Paths() {
  std::vector<Path> paths;
  do {
    paths.push_back(ParsePath());
  } while (Take(TokenKind::kComma));
  const auto order = OrderOf(paths);
  CheckClash(paths, order);
  std::ranges::sort(paths, PathLess);
  return paths;
}

Result<std::vector<Path>> ParsePaths(std::string_view text, Placeholders& placeholders) {
  Parser parser(text, ExpressionKind::kProjection, placeholders);
  auto paths = parser.Paths();
  TRY(parser.Finish());
  return paths;
}

}  // namespace kw
