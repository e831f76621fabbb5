// SPDX-License-Identifier: Apache-2.0
// The recursive-descent parser of all expressions: text to trees, placeholders replaced, every
// fault that can be seen without an item reported in the service's words. Private to the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "expr/condition_tree.h"
#include "expr/faults.h"
#include "expr/functions.h"
#include "expr/lexer.h"
#include "expr/placeholders.h"
#include "expr/update_tree.h"

namespace kw {

enum class ExpressionKind : std::uint8_t {
  kCondition,
  kFilter,
  kKeyCondition,
  kUpdate,
  kProjection
};

// Errors of all three: Validation, "Invalid <kind>Expression: ...".
Result<ConditionNode> ParseConditionTree(std::string_view text, ExpressionKind kind,
                                         Placeholders& placeholders);
Result<UpdateTree> ParseUpdateTree(std::string_view text, Placeholders& placeholders);
// In the order of path_set.h.
Result<std::vector<Path>> ParsePaths(std::string_view text, Placeholders& placeholders);

// One pass over one text. A syntax fault ends the text early: every loop then sees kEnd and leaves,
// so that nothing needs to be unwound. What is built after any fault is never used.
class Parser {
 public:
  Parser(std::string_view text, ExpressionKind kind, Placeholders& placeholders);

  ConditionNode Condition();
  UpdateTree Update();
  std::vector<Path> Paths();

  // After one of those.
  // Errors: Validation, the first of the faults in the service's order.
  [[nodiscard]] Result<void> Finish();

 private:
  // A condition, or an operand that may yet become a part of one.
  struct Term {
    std::variant<Operand, ConditionNode> what;
    bool in_parentheses = false;
  };
  // What stands on the right of a SET, with its parentheses.
  struct SetTerm {
    UpdateAction action;
    bool in_parentheses = false;
  };

  // Tokens (parser.cc).
  void Advance();
  bool Take(TokenKind kind);
  void Expect(TokenKind kind);
  void SyntaxFault();
  void StopEarly();
  [[nodiscard]] std::string_view TokenText() const { return lexer_.TextOf(token_); }
  [[nodiscard]] bool AtCall() const;
  // Counts an operator or function; false, and the end of the text, if there are too many.
  bool CountOperator();
  bool EnterParentheses();

  // Paths, operands, functions (parser.cc).
  Path ParsePath();
  std::string ParseName();
  std::uint64_t ParseIndex();
  Literal ParseValue();
  Operand ParseCall();
  Operand ParseOperand();  // what may stand as a function's argument
  void CheckFunction(const Function* function, std::string_view name);
  void CheckArguments(const Call& call);
  void CheckType(std::string_view operation, const Operand& operand, TypeSet types);
  void CheckDistinct(std::string_view operation, const std::vector<Operand>& operands);

  // Conditions (condition_parser.cc).
  Term ParseOr();
  Term ParseAnd();
  Term ParseNot();
  Term ParseComparison();
  Term ParsePrimary();
  ConditionNode ParseBetween(Operand first);
  ConditionNode ParseIn(Operand first);
  ConditionNode AsCondition(Term term);
  Operand AsOperand(Term term);
  void CheckBounds(const Operand& low, const Operand& high);

  // Updates (update_parser.cc).
  void ParseSection(UpdateTree& tree, TokenKind verb);
  UpdateAction ParseAction(TokenKind verb);
  SetTerm ParseSetValue();
  SetTerm ParseSetTerm();
  Operand AsSetOperand(SetTerm term);
  void CheckClash(std::span<const Path> paths, std::span<const std::size_t> order);

  std::string_view text_;
  ExpressionKind kind_;
  Placeholders& placeholders_;
  Lexer lexer_;
  Token previous_{TokenKind::kEnd, 0, 0};
  Token token_{TokenKind::kEnd, 0, 0};
  bool stopped_ = false;  // the end of the text is not where it seems
  std::size_t operators_ = 0;
  std::size_t depth_ = 0;
  Faults faults_;
};

}  // namespace kw
