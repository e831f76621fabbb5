// SPDX-License-Identifier: Apache-2.0
// What an operator works on: a path, a value, or a function of operands. For parsers: the ones here
// and partiql's.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "data/attribute_value.h"
#include "data/error.h"
#include "expr/path.h"

namespace kw {

struct Function;  // functions.h
struct Operand;

// A value that an expression spells out. Every use of a placeholder shares the one that was sent.
using Literal = std::shared_ptr<const AttributeValue>;

struct Call {
  const Function* function;  // in the table of functions.cc
  std::vector<Operand> arguments;
};

struct Operand {
  std::variant<Path, Literal, Call> what;  // a literal is never null
};

Operand LiteralOperand(AttributeValue value);

// The operand's value if it is a literal, otherwise null.
const AttributeValue* LiteralOf(const Operand& operand);

// The operand's value for an item; null if it has none (a path that is missing, the size of a
// number). The value lies in the item, in the operand or in `scratch`. Errors: Validation, of
// functions of update expressions only.
Result<const AttributeValue*> Evaluate(const Operand& operand, const AttributeMap& item,
                                       AttributeValue& scratch);

// The same where no function can fail, as in conditions.
const AttributeValue* Read(const Operand& operand, const AttributeMap& item,
                           AttributeValue& scratch);

// "STRING", "NUMBER_SET": how messages about updates name a type.
std::string_view LongName(AttributeType type);
// The type that the operand always has, if that is known without an item.
std::optional<AttributeType> StaticType(const Operand& operand);

using AttributeNames = std::set<std::string, std::less<>>;
// Adds the top-level attributes that an operand names.
void CollectAttributes(const Operand& operand, AttributeNames& names);

// The order of two strings, numbers or binaries; nothing for other types or two different ones.
std::optional<std::strong_ordering> Compare(const AttributeValue& a, const AttributeValue& b);

}  // namespace kw
