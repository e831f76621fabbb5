// SPDX-License-Identifier: Apache-2.0
// What all statements are made of: words, tables, paths, values, operands and conditions. One pass
// over one text; parameters move into the tree where they stand. Nesting is bounded, so that text
// and tree may be walked by recursion.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/error.h"
#include "expr/condition_tree.h"
#include "expr/functions.h"
#include "expr/operand.h"
#include "partiql/lexer.h"
#include "partiql/where.h"

namespace kw::partiql {

// FROM "table"."index", as written.
struct Target {
  std::string table;  // a name or an ARN
  std::optional<std::string> index = std::nullopt;
};

// Errors of all: Validation, "Statement wasn't well formed, can't be processed: ..." for syntax,
// and the sentences of expressions for operands that can never work.
class Parser {
 public:
  Parser(std::string_view text, std::vector<AttributeValue> parameters);

  // Takes the next token if it is this one. Words are keywords in any case of letters.
  bool Take(TokenKind kind);
  bool TakeWord(std::string_view word);
  Result<void> Expect(TokenKind kind);
  Result<void> ExpectWord(std::string_view word);
  [[nodiscard]] bool AtWord(std::string_view word) const;
  // Whether a function is called here; if `function` is not empty, this one.
  [[nodiscard]] bool AtCall(std::string_view function = {}) const;

  Result<Target> ParseTarget();
  Result<Path> ParsePath();
  // A literal or a parameter.
  Result<AttributeValue> ParseValue();
  // An operand of a SET or a column, with its arithmetic.
  Result<Operand> ParseOperand(FunctionHome home);
  // [WHERE condition]
  Result<Conjuncts> ParseWhere();

  // What is wrong here.
  [[nodiscard]] tl::unexpected<Error> Fault(std::string_view what) const;
  [[nodiscard]] tl::unexpected<Error> Unexpected() const;

  // After the statement. Errors also: too few or too many parameters.
  Result<void> Finish();

 private:
  // An operand, or a condition that may be a part of a greater one.
  using Term = std::variant<Operand, ConditionNode>;
  class Nesting;

  void Advance();
  [[nodiscard]] std::string_view TokenText() const {
    return text_.substr(token_.begin, token_.end - token_.begin);
  }
  Result<void> Enter();

  // Names and values (parser.cc).
  Result<std::string> ParseName();
  Result<PathStep> ParseIndex();
  Result<AttributeValue> ParseNumber(bool negative);
  Result<AttributeValue> ParseParameter();
  Result<AttributeValue> ParseList();
  Result<AttributeValue> ParseMap();
  Result<AttributeValue> ParseSet();
  Result<Operand> AsOperand(Term term) const;
  Result<ConditionNode> AsCondition(Term term) const;

  // Operands (parser.cc).
  Result<Term> ParseSum(FunctionHome home);
  Result<Term> ParsePrimary(FunctionHome home);
  Result<Term> ParseCall(FunctionHome home);

  // Conditions (condition_parser.cc).
  Result<Term> ParseOr();
  Result<Term> ParseAnd();
  Result<Term> ParseNot();
  Result<Term> ParseComparison();
  Result<ConditionNode> ParseRelation(ConditionOp op, Term left);
  Result<ConditionNode> ParseBetween(Term value);
  Result<ConditionNode> ParseIn(Term value);
  Result<ConditionNode> ParseIs(Term value);

  std::string_view text_;
  std::vector<AttributeValue> parameters_;
  std::size_t parameters_used_ = 0;
  Token token_;
  std::size_t depth_ = 0;
};

}  // namespace kw::partiql
